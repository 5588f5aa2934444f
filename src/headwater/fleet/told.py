"""Diagnostics on their way between processes: as bytes, without the texts they point into.

A worker sends names of files and offsets; who receives them reads the files again, once each.
The text of something that is no file travels with the diagnostic.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from headwater.report import Diagnostic, Note
from headwater.text import Source, Span, Unreadable, read_source


class Place(msgspec.Struct, frozen=True, array_like=True):
    """A span."""

    file: str
    start: int
    end: int
    text: str | None = None
    """The whole text, if no file holds it."""


class Told(msgspec.Struct, frozen=True, array_like=True):
    """A diagnostic; equal ones of several nodes are one problem."""

    code: str
    severity: str
    message: str
    at: Place
    labels: tuple[tuple[str, Place], ...] = ()
    help: str | None = None
    paper: str | None = None
    flow: tuple[tuple[str, Place], ...] = ()
    """Places in the order in which they led here, where that is known."""

    def places(self) -> tuple[Place, ...]:
        """All places that it points to."""
        return (self.at, *(place for _, place in (*self.labels, *self.flow)))


def told(diagnostic: Diagnostic, flow: Iterable[Note] = ()) -> Told:
    """A diagnostic as it travels."""
    return Told(
        diagnostic.code,
        diagnostic.severity,
        diagnostic.message,
        _place(diagnostic.at),
        tuple((note.message, _place(note.at)) for note in diagnostic.labels),
        diagnostic.help,
        diagnostic.paper,
        tuple((note.message, _place(note.at)) for note in flow),
    )


def _place(at: Span) -> Place:
    source = at.source
    held = read_source(source.name) if source.text and source.name else None
    same = isinstance(held, Source) and held.text == source.text
    return Place(source.name, at.start, at.end, None if same else source.text)


class Sources:
    """The texts that diagnostics point into, each read once."""

    def __init__(self) -> None:
        self._read: dict[tuple[str, str | None], Source] = {}

    def diagnostic(self, one: Told) -> Diagnostic:
        """A diagnostic as it was."""
        return Diagnostic(
            code=one.code,
            severity=one.severity,
            message=one.message,
            at=self.span(one.at),
            labels=self.notes(one.labels),
            help=one.help,
            paper=one.paper,
        )

    def notes(self, places: Iterable[tuple[str, Place]]) -> tuple[Note, ...]:
        """Places with what is said of them."""
        return tuple(Note(message, self.span(place)) for message, place in places)

    def span(self, place: Place) -> Span:
        """A place in its text."""
        key = (place.file, place.text)
        source = self._read.get(key)
        if source is None:
            source = Source(place.file, place.text or "")
            if place.text is None:
                held = read_source(place.file)
                source = source if isinstance(held, Unreadable) else held
            self._read[key] = source
        most = len(source.text)
        return source.span(min(place.start, most), min(place.end, most))
