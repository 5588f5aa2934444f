"""Explaining one value: where it came from, what it depends on, what it masked, why its place."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from msgspec.structs import replace

from headwater.ask.addresses import find_value
from headwater.ask.authors import Author, Authors
from headwater.ask.collector import paused_collector
from headwater.ask.compile import Compiled
from headwater.ask.document import FORMAT_VERSION
from headwater.ask.grouping import Inputs, grouped
from headwater.ask.request import Request, find_language
from headwater.ask.views import Views
from headwater.langs import Address
from headwater.langs.abilities import NamesParts
from headwater.langs.codes import UNKNOWN_ADDRESS
from headwater.langs.protocol import Arbitrates, Placement, Slices, Suggestion
from headwater.report import Diagnostic, Note
from headwater.report.diagnostic import place
from headwater.text import Source, near
from headwater.tree import NotThere, Value
from headwater.tree.json import plain
from headwater.why import Label, leaves


@dataclass(frozen=True, slots=True)
class Explanation:
    """Everything known about one value."""

    address: str
    parts: Address
    value: Value
    shown: str
    views: Views
    position: Placement | None
    rank: tuple[int, int] | None
    authors: Authors
    named: Callable[[Source], str]
    """What people call the part of the program that a file is."""
    owned: Callable[[Label], str | None] = lambda _: None
    """Who may change an input, where that is known."""

    @property
    def notes(self) -> tuple[Note, ...]:
        """Where the place of the value among its siblings was decided."""
        return self.position.notes if self.position else ()

    def author(self, note: Note) -> Author | None:
        """Who wrote the line of a place."""
        return self.authors.of(note.at.source, note.at.first.line)

    @property
    def made_of(self) -> list[Label]:
        """The inputs whose texts the value is made of, by place."""
        own = leaves(self.views.expression).union(self.views.origins)
        own.update(label for _, _, piece in self.views.segments for label in piece.origins[:1])
        return [label for label in self.views.depends if label in own]

    @property
    def inputs(self) -> Inputs:
        """All inputs, sorted for a reader."""
        return grouped(self.views.depends, self.made_of, self.named)

    def as_json(self, *, direct: bool = False) -> dict[str, Any]:
        """The entry of the why document, with each input in the place of its number.

        `direct`: of what it depends on, only what it is made of.
        """
        entry = self.views.as_json(self.resolved)
        if direct:
            entry = {**entry, "depends": [self.resolved(label) for label in self.made_of]}
        notes = [{"message": note.message, **place(note.at)} for note in self.notes]
        return {
            "format_version": FORMAT_VERSION,
            "address": self.address,
            "value": plain(self.value),
            **entry,
            "position": notes,
        }

    def resolved(self, label: Label) -> dict[str, Any]:
        """An input with the line it stands on and, in a repository, who wrote that line."""
        line = label.at.first.line
        entry: dict[str, Any] = {
            "kind": label.kind,
            **place(label.at),
            "text": label.text,
            "snippet": label.at.source.line(line) if label.at.source.text else "",
        }
        author = self.authors.of(label.at.source, line)
        if author:
            entry |= {"commit": author.commit, "author": author.name, "date": author.date}
        owner = self.owned(label)
        if owner:
            entry["owner"] = owner
        return entry

    @property
    def owners(self) -> dict[str, list[Label]]:
        """Who may change what the value is made of, each with the inputs that are theirs."""
        found: dict[str, list[Label]] = {}
        for label in dict.fromkeys([*self.views.origins, *self.made_of]):
            owner = self.owned(label)
            if owner:
                found.setdefault(owner, []).append(label)
        return found


@paused_collector()
def explain(compiled: Compiled, text: str) -> Explanation | Diagnostic:
    """The explanation of the value at an address as the user wrote it."""
    causes = compiled.outcome.causes
    assert causes is not None
    found = find_value(compiled, text)
    if isinstance(found, Diagnostic):
        return found
    address, value = found
    return Explanation(
        address=compiled.language.show_address(address),
        parts=address,
        value=value,
        shown=compiled.language.show_value(value),
        views=Views(causes, address),
        position=causes.position(address),
        rank=_rank(compiled, address),
        authors=Authors(),
        named=partial(_named, compiled),
    )


def _named(compiled: Compiled, source: Source) -> str:
    """What people call the part of a program that a file is: by its path if by nothing else."""
    if isinstance(compiled.language, NamesParts) and compiled.job is not None:
        found = compiled.language.part_name(compiled.job, source)
        if found is not None:
            return found
    return near(source.name)


class Unable(ValueError):
    """The language has no answer to such a question; says so."""


def slicing(request: Request) -> Request:
    """The same request with the engine whose outcomes can be sliced.  Raises `Unable`."""
    language = find_language(request)
    if not isinstance(language, Slices):
        raise Unable(f"{language.name} has no slices")
    engine = language.slicing_engine
    if request.engine not in (None, engine):
        raise Unable(f"slices of {language.name} are by the engine {engine}, not {request.engine}")
    return replace(request, engine=engine)


def slice_of(compiled: Compiled, text: str) -> str | Diagnostic:
    """The part of the program that a value depends on; it was compiled as `slicing` says."""
    language, job = compiled.language, compiled.job
    assert isinstance(language, Slices)
    assert job is not None
    found = find_value(compiled, text)
    if isinstance(found, Diagnostic):
        return found
    try:
        return language.slice(job, compiled.outcome, found[0])
    except NotThere:
        return UNKNOWN_ADDRESS.at(Source(job.source.name, "").span(0, 0), address=text)


@dataclass(frozen=True, slots=True)
class Contested:
    """What would make another value win at an address."""

    address: str
    value: str
    suggestion: Suggestion

    def as_json(self) -> dict[str, Any]:
        """The answer to ``--to-win`` as data."""
        return {
            "format_version": FORMAT_VERSION,
            "address": self.address,
            "to_win": self.value,
            "message": self.suggestion.message,
            "edits": [{**place(edit.at), "text": edit.text} for edit in self.suggestion.edits],
        }


def to_win(compiled: Compiled, text: str, value: str) -> Contested | Diagnostic:
    """What would make a value win at an address, both as the user wrote them.

    There must be a result.  Raises `Unable`.
    """
    language = compiled.language
    if not isinstance(language, Arbitrates):
        raise Unable(f"values of {language.name} do not compete: there is nothing to win")
    found = find_value(compiled, text)
    if isinstance(found, Diagnostic):
        return found
    suggestion = language.to_win(compiled.outcome, found[0], value)
    if isinstance(suggestion, Diagnostic):
        return suggestion
    return Contested(language.show_address(found[0]), value, suggestion)


def _rank(compiled: Compiled, address: Address) -> tuple[int, int] | None:
    """Which of how many siblings the value is."""
    if not address:
        return None
    assert compiled.outcome.result is not None
    try:
        parent = compiled.outcome.result.get(address[:-1])
    except NotThere:  # what a pointer leads to may have no parent of its own
        return None
    if not isinstance(parent, dict) or str(address[-1]) not in parent:
        return None
    keys = list(parent)
    return keys.index(str(address[-1])) + 1, len(keys)
