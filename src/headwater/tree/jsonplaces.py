"""Where values stand in a text of JSON, found without reading all of it again for each."""

from __future__ import annotations

import re
from collections.abc import Iterator
from json import JSONDecoder
from typing import TypeAlias

Span: TypeAlias = tuple[int, int]
Inside: TypeAlias = dict[str | int, tuple[Span, Span]]
"""What a value has in it: where its key stands (of an element, the element), and where it."""

_BLANKS = re.compile(r"[ \t\n\r]*+")
_END = JSONDecoder(strict=False, parse_int=len, parse_float=len).raw_decode


class JsonPlaces:
    """The places in one text.  What was passed once is known."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._known: dict[int, Inside] = {}

    def place(self, path: tuple[str | int, ...], *, key: bool = False) -> Span | None:
        """Offsets of the value at a path, or of its key; of equal keys the last counts.

        None if there is nothing, or what is on the way there is no JSON.
        """
        try:
            start = self._after(0)
            named = found = (start, _END(self._text, start)[1])
            for part in path:
                named, found = self._inside(found[0])[part]
        except (ValueError, LookupError, RecursionError):
            return None
        return named if key else found

    def _after(self, at: int) -> int:
        """Where the blanks end that are at a place."""
        found = _BLANKS.match(self._text, at)
        assert found is not None
        return found.end()

    def _inside(self, start: int) -> Inside:
        known = self._known.get(start)
        if known is None:
            kind = self._text[start : start + 1]
            found = self._entries(start) if kind == "{" else self._elements(start)
            known = self._known[start] = dict(found) if kind in ("{", "[") else {}
        return known

    def _entries(self, start: int) -> Iterator[tuple[str | int, tuple[Span, Span]]]:
        at = self._after(start + 1)
        while self._text[at] != "}":
            name, end = _END(self._text, at)
            value = self._value(self._after(end) + 1)
            yield name, ((at, end), value)
            at = self._next(value[1])

    def _elements(self, start: int) -> Iterator[tuple[str | int, tuple[Span, Span]]]:
        at, number = self._after(start + 1), 0
        while self._text[at] != "]":
            value = self._value(at)
            yield number, (value, value)
            at, number = self._next(value[1]), number + 1

    def _value(self, at: int) -> Span:
        start = self._after(at)
        return start, _END(self._text, start)[1]

    def _next(self, at: int) -> int:
        """Where the next entry begins, or the end of what holds them."""
        end = self._after(at)
        return self._after(end + 1) if self._text[end] == "," else end


__all__ = ["JsonPlaces"]
