"""Which edits are safe: those after which every catalog of level 7 is what it was."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from msgspec.structs import replace

from headwater.langs.protocol import Job, Outcome, TextEdit
from headwater.langs.puppet.fields import Fields
from headwater.langs.puppet.upgrade.compiling import at_level_7
from headwater.text import Source
from headwater.text.reading import instead_of

Edits = tuple[TextEdit, ...]


def edited_texts(fixes: Sequence[Edits]) -> dict[str, str]:
    """The texts after some edits, by file; an edit inside another is left out."""
    by_file: dict[str, tuple[Source, set[tuple[int, int, str]]]] = {}
    for edit in (edit for edits in fixes for edit in edits):
        source = edit.at.source
        by_file.setdefault(source.name, (source, set()))[1].add(
            (edit.at.start, edit.at.end, edit.text)
        )
    found: dict[str, str] = {}
    for name, (source, edits) in by_file.items():
        text, before = source.text, len(source.text) + 1
        for start, end, new in sorted(edits, reverse=True):
            if end <= before:
                text = text[:start] + new + text[end:]
                before = start
        found[name] = text
    return found


class Judge:
    """Compiles programs again with edited texts, and compares with what they gave before."""

    def __init__(self, jobs: Sequence[Job[Fields]], now: Sequence[Outcome]) -> None:
        self.jobs = jobs
        self.before = [_fingerprint(outcome) for outcome in now]

    def accepts(self, texts: Mapping[str, str]) -> bool:
        """Whether every catalog stays as it is."""
        with self.edited(texts) as jobs:
            return all(
                _fingerprint(at_level_7(job)) == before
                for job, before in zip(jobs, self.before, strict=True)
            )

    @contextmanager
    def edited(self, texts: Mapping[str, str]) -> Iterator[list[Job[Fields]]]:
        """While it lasts, files hold edited texts; gives the jobs with theirs."""
        files = {os.path.abspath(name): text for name, text in texts.items()}
        with instead_of({path: text.encode() for path, text in files.items()}):
            yield [_edited(job, files) for job in self.jobs]

    def safe(self, fixes: Sequence[Edits]) -> list[Edits]:
        """Those edits that can be made together; found by halving what cannot."""
        return self._more([], _compatible(fixes))

    def _more(self, good: list[Edits], fixes: list[Edits]) -> list[Edits]:
        if not fixes:
            return good
        if self.accepts(edited_texts([*good, *fixes])):
            return [*good, *fixes]
        if len(fixes) == 1:
            return good
        half = len(fixes) // 2
        return self._more(self._more(good, fixes[:half]), fixes[half:])


def _compatible(fixes: Sequence[Edits]) -> list[Edits]:
    """Edits without those that would change a text that another one changes otherwise."""
    taken: dict[str, list[TextEdit]] = {}
    found: list[Edits] = []
    for edits in fixes:
        others = [(edit, taken.setdefault(edit.at.source.name, [])) for edit in edits]
        if not any(_clash(edit, other) for edit, known in others for other in known):
            found.append(edits)
            for edit, known in others:
                known.append(edit)
    return found


def _clash(one: TextEdit, other: TextEdit) -> bool:
    return one != other and one.at.start < other.at.end and other.at.start < one.at.end


def _edited(job: Job[Fields], texts: Mapping[str, str]) -> Job[Fields]:
    def edited(source: Source) -> Source:
        text = texts.get(os.path.abspath(source.name))
        return source if text is None else Source(source.name, text, bom=source.bom)

    return replace(job, sources=tuple(map(edited, job.sources)))


def _fingerprint(outcome: Outcome) -> object:
    """A catalog, or the first refusal: what must stay the same."""
    if outcome.result is not None:
        return outcome.result.plain()
    error = outcome.errors[0]
    return error.code, error.at.source.name, error.at.first.line
