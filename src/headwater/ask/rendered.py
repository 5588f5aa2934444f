"""A text that a template wrote, line by line: the line of the template, and what was inserted."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from headwater.ask.authors import Author, Authors
from headwater.langs import Address, Causes
from headwater.langs.protocol import Composes, Segment
from headwater.report.diagnostic import place
from headwater.text import Source, near
from headwater.why import Expression, Label, Trace, expression, leaves, where


@dataclass(frozen=True, slots=True)
class Inserted:
    """A value in a line: from which column to which, and the inputs that it comes from."""

    start: int
    end: int
    text: str
    where: Label | None
    sources: tuple[Label, ...]

    def as_json(self) -> dict[str, Any]:
        """An entry of the machine form."""
        return {
            "start": self.start,
            "end": self.end,
            "where": None if self.where is None else _label(self.where),
            "from": [_label(label) for label in self.sources],
        }


@dataclass(frozen=True, slots=True)
class RenderedLine:
    """One line of a text, the line of the template that began it, and the values in it."""

    text: str
    template: Source | None
    line: int
    inserted: tuple[Inserted, ...]
    author: Author | None

    @property
    def place(self) -> str:
        """Where the line of the template stands."""
        return "" if self.template is None else f"{near(self.template.name)}:{self.line}"

    def as_json(self) -> dict[str, Any]:
        """An entry of the machine form."""
        return {
            "text": self.text,
            "template": None
            if self.template is None
            else {"file": self.template.name, "line": self.line},
            "inserted": [one.as_json() for one in self.inserted],
        }


def rendered_lines(
    causes: Causes,
    address: Address,
    value: object,
    authors: Authors,
) -> list[RenderedLine]:
    """The lines of a text that a template wrote; none for any other value."""
    if not isinstance(causes, Composes) or not isinstance(value, str):
        return []
    segments = causes.segments(address)
    if not segments or sum(segment.size for segment in segments) != len(value):
        return []  # of a text in which something is hidden the pieces do not fit
    return list(_lines(causes.trace, segments, value, authors))


def _lines(
    trace: Trace, segments: list[Segment], value: str, authors: Authors
) -> Iterator[RenderedLine]:
    pieces = _placed(segments)
    start = 0
    for line in re.findall(r"[^\n]*+\n|[^\n]++", value):
        end = start + len(line)
        inside = [one for one in pieces if one[0] < end and one[1] > start]
        found: list[Inserted] = []
        for begin, stop, segment in inside:
            if segment.inserted:
                low, high = max(begin, start), min(stop, end)
                shown = value[low:high].rstrip("\r\n")
                found.append(_inserted(trace, segment, low - start, shown))
        source, number = None, 0
        if inside:
            begin, _, segment = inside[0]
            source, number = _template_line(segment, value[max(begin, start) : inside[0][1]])
        author = None if source is None else authors.of(source, number)
        yield RenderedLine(line.rstrip("\r\n"), source, number, tuple(found), author)
        pieces = [one for one in pieces if one[1] > end]
        start = end


def _placed(segments: list[Segment]) -> list[tuple[int, int, Segment]]:
    """The pieces, each with where it begins and ends."""
    found: list[tuple[int, int, Segment]] = []
    at = 0
    for segment in segments:
        found.append((at, at + segment.size, segment))
        at += segment.size
    return found


def _template_line(segment: Segment, rest: str) -> tuple[Source, int]:
    """The line of the template that writes the rest of a piece.

    It is counted from the end of the piece: a tag before it may have eaten a line's end.
    """
    at = segment.place
    if segment.inserted:
        return at.source, at.first.line
    return at.source, at.source.position(at.end).line - rest.count("\n")


def _inserted(trace: Trace, segment: Segment, column: int, text: str) -> Inserted:
    origin = where(trace, segment.node)
    leaves = () if origin is not None else tuple(_leaves(expression(trace, segment.node)))
    return Inserted(column, column + len(text), text, origin, leaves)


def _leaves(root: Expression | None) -> list[Label]:
    """The inputs that a value was computed from, by place."""
    found = [label for label in leaves(root) if label.kind not in ("operation", "definition")]
    return sorted(found, key=lambda label: label.order)


def _label(label: Label) -> dict[str, Any]:
    return {"kind": label.kind, **place(label.at), "text": label.text}
