"""Who wrote a line: asked of git, once per file."""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass
from datetime import UTC, datetime

from headwater.text import Source


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

    def __init__(self) -> None:
        self._files: dict[str, dict[int, Author]] = {}

    def of(self, source: Source, line: int) -> Author | None:
        """The author of a line; none outside a repository or for a line not committed."""
        if source.name not in self._files:
            self._files[source.name] = _blame(source)
        return self._files[source.name].get(line)


def _blame(source: Source) -> dict[int, Author]:
    folder, name = os.path.split(os.path.abspath(source.name))
    if not os.path.isfile(source.name):
        return {}
    command = ["git", "-C", folder, "blame", "--porcelain", "--", name]
    try:
        done = subprocess.run(command, capture_output=True, timeout=60, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return {}
    return _parse(done.stdout.decode("utf-8", "replace")) if done.returncode == 0 else {}


def _parse(porcelain: str) -> dict[int, Author]:
    """Reads ``git blame --porcelain``: a header per line, details once per commit."""
    names: dict[str, str] = {}
    times: dict[str, str] = {}
    lines: dict[int, str] = {}
    commit = ""
    for row in porcelain.split("\n"):
        if row.startswith("\t"):
            continue
        word, _, rest = row.partition(" ")
        if len(word) == 40 and rest[:1].isdigit():
            commit = word
            lines[int(rest.split(" ")[1])] = commit
        elif word == "author":
            names[commit] = rest
        elif word == "author-time":
            when = datetime.fromtimestamp(int(rest), tz=UTC)
            times[commit] = when.date().isoformat()
    return {
        line: Author(commit, names.get(commit, "?"), times.get(commit, "?"))
        for line, commit in lines.items()
        if set(commit) != {"0"}
    }
