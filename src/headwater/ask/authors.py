"""Who wrote a line: asked of git, once per file."""

from __future__ import annotations

import os
from dataclasses import dataclass
from datetime import UTC, datetime

from headwater.git.command import GitFailed, git
from headwater.text import Source
from headwater.text.reading import reach


@dataclass(frozen=True, slots=True)
class Author:
    """The commit that last wrote a line.  Lines not committed yet have no commit."""

    commit: str
    name: str
    date: str

    def __str__(self) -> str:
        return f"{self.commit[:8]} {self.name} {self.date}"


class Authors:
    """Answers who wrote the lines of files, as far as git knows."""

    def __init__(self, top: str | None = None, commit: str | None = None) -> None:
        self._commit = None if top is None or commit is None else (top, commit)
        """The commit whose files are asked about, and the top of its repository; by default the
        last one, and files as they are now."""
        self._files: dict[str, dict[int, Author]] = {}

    def of(self, source: Source, line: int) -> Author | None:
        """The author of a line; none outside a repository or for a line not committed."""
        if source.name not in self._files:
            self._files[source.name] = _blame(source, self._commit)
        return self._files[source.name].get(line)


def _blame(source: Source, commit: tuple[str, str] | None) -> dict[int, Author]:
    if reach().confined or (commit is None and not os.path.isfile(source.name)):
        return {}
    folder, name = os.path.split(os.path.abspath(source.name))
    revision = "HEAD"
    if commit is not None:
        folder, revision = commit
        name = os.path.relpath(os.path.realpath(source.name), folder)
    words = ("blame", "--porcelain", "--no-textconv", "--ignore-revs-file=", revision)
    try:
        printed = git(folder, *words, "--", name)
    except GitFailed:
        return {}
    authors, committed = _parse(printed.decode("utf-8", "replace"))
    return _moved(authors, committed, source.text.split("\n"))


def _moved(
    authors: dict[int, Author], committed: dict[int, str], lines: list[str]
) -> dict[int, Author]:
    """The authors of lines as they stand now; a line that was changed since has none."""
    before = [committed[number] for number in sorted(committed)]
    now = [line.removesuffix("\r") for line in lines]
    before = [line.removesuffix("\r") for line in before]
    if before == now[: len(before)]:
        return authors
    from difflib import SequenceMatcher

    found: dict[int, Author] = {}
    for block in SequenceMatcher(None, before, now, autojunk=len(now) > 2000).get_matching_blocks():
        for offset in range(block.size):
            author = authors.get(block.a + offset + 1)
            if author is not None:
                found[block.b + offset + 1] = author
    return found


def _parse(porcelain: str) -> tuple[dict[int, Author], dict[int, str]]:
    """Reads ``git blame --porcelain``: a header per line, details once per commit.

    The authors of lines, and the lines.
    """
    names: dict[str, str] = {}
    times: dict[str, str] = {}
    lines: dict[int, str] = {}
    texts: dict[int, str] = {}
    commit, number = "", 0
    for row in porcelain.split("\n"):
        if row.startswith("\t"):
            texts[number] = row[1:]
            continue
        word, _, rest = row.partition(" ")
        if len(word) == 40 and rest[:1].isdigit():
            commit = word
            number = int(rest.split(" ")[1])
            lines[number] = commit
        elif word == "author":
            names[commit] = rest
        elif word == "author-time":
            when = datetime.fromtimestamp(int(rest), tz=UTC)
            times[commit] = when.date().isoformat()
    authors = {
        line: Author(commit, names.get(commit, "?"), times.get(commit, "?"))
        for line, commit in lines.items()
        if set(commit) != {"0"}
    }
    return authors, texts
