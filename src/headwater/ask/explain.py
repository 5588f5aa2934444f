"""Explaining one value: where it came from, what it depends on, what it masked, why its place."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from headwater.ask.authors import Author, Authors
from headwater.ask.compile import Compiled, compile_request, paused_collector
from headwater.ask.document import FORMAT_VERSION, Views
from headwater.ask.request import Request, prepare
from headwater.langs import Address
from headwater.langs.codes import UNKNOWN_ADDRESS
from headwater.langs.protocol import Arbitrates, Placement, Slices, Suggestion
from headwater.report import Diagnostic, Note, nearest
from headwater.report.diagnostic import place
from headwater.text import Source
from headwater.tree import BadAddress, NotThere, Value
from headwater.tree.json import plain
from headwater.why import Label


@dataclass(frozen=True, slots=True)
class Explanation:
    """Everything known about one value."""

    address: str
    value: Value
    shown: str
    views: Views
    position: Placement | None
    rank: tuple[int, int] | None
    authors: Authors

    @property
    def notes(self) -> tuple[Note, ...]:
        """Where the place of the value among its siblings was decided."""
        return self.position.notes if self.position else ()

    def author(self, note: Note) -> Author | None:
        """Who wrote the line of a place."""
        return self.authors.of(note.at.source, note.at.first.line)

    def as_json(self) -> dict[str, Any]:
        """The entry of the why document, with each input in the place of its number."""
        notes = [{"message": note.message, **place(note.at)} for note in self.notes]
        return {
            "format_version": FORMAT_VERSION,
            "address": self.address,
            "value": plain(self.value),
            **self.views.as_json(self.resolved),
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
        return entry


@paused_collector()
def explain(compiled: Compiled, text: str) -> Explanation | Diagnostic:
    """The explanation of the value at an address as the user wrote it."""
    result, causes = compiled.outcome.result, compiled.outcome.causes
    assert result is not None
    assert causes is not None
    source = compiled.outcome.sources[0]
    try:
        address = compiled.language.parse_address(text)
        value = result.get(address)
    except BadAddress as error:
        return UNKNOWN_ADDRESS.at(source.span(0, 0), address=text, help=str(error))
    except NotThere as missing:
        return not_there(compiled, text, missing, source)
    return Explanation(
        address=compiled.language.show_address(address),
        value=value,
        shown=compiled.language.show_value(value),
        views=Views(causes, address),
        position=causes.position(address),
        rank=_rank(compiled, address),
        authors=Authors(),
    )


def slice_of(request: Request, text: str) -> str | Diagnostic | None:
    """The part of the program that a value depends on; None if the language has no slices."""
    prepared = prepare(replace(request, engine="paper"))
    if isinstance(prepared, list):
        return prepared[0]
    language, job = prepared
    if not isinstance(language, Slices):
        return None
    try:
        return language.slice(job, language.parse_address(text))
    except (BadAddress, NotThere):
        return UNKNOWN_ADDRESS.at(job.source.span(0, 0), address=text)


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


class NoContest(ValueError):
    """In this language values do not compete."""


def to_win(request: Request, text: str, value: str) -> Contested | Diagnostic:
    """What would make a value win at an address, both as the user wrote them.

    The request must compile.  Raises `NoContest`.
    """
    compiled = compile_request(request)
    language = compiled.language
    if not isinstance(language, Arbitrates):
        raise NoContest(f"values of {language.name} do not compete: there is nothing to win")
    explained = explain(compiled, text)
    if isinstance(explained, Diagnostic):
        return explained
    prepared = prepare(request)
    assert not isinstance(prepared, list)
    suggestion = language.to_win(prepared[1], language.parse_address(text), value)
    if isinstance(suggestion, Diagnostic):
        return suggestion
    return Contested(explained.address, value, suggestion)


def not_there(compiled: Compiled, text: str, missing: NotThere, source: Source) -> Diagnostic:
    """That an address names nothing, with what it may have meant."""
    reached = compiled.language.show_address(missing.reached)
    wanted = compiled.language.parse_address(text)[len(missing.reached)]
    close = nearest(str(wanted), missing.offers)
    if close:
        meant = compiled.language.show_address((*missing.reached, close))
        help = f"did you mean {meant}?"
    elif missing.offers:
        help = f"{reached} has {', '.join(missing.offers[:12])}"
    else:
        help = f"{reached} has no parts"
    return UNKNOWN_ADDRESS.at(source.span(0, 0), address=text, help=help)


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
