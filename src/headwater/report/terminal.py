"""Diagnostics as a person reads them: message, snippet with caret, labels, help.

::

    error[sf-unresolved-link]: nothing named prot can be seen from here (err5)
      --> site.sf:4:8
      |
    4 |   port prot;
      |        ^^^^
      = help: did you mean port?
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import IO, Literal, TypeAlias

from headwater.report.diagnostic import Diagnostic
from headwater.text import Span, visible

WIDEST = 160
"""Longer source lines are cut to a window of this many code points around the place."""

MOST_NOTES = 50
"""So many further places of a diagnostic are shown; the machine formats have all of them."""

_STYLES = {"error": "1;31", "warning": "1;33", "note": "1;36", "place": "1;34", "help": "1;32"}


_OURS = os.urandom(8).hex()
"""Marks what `Paint` puts into a line: no text that somebody wrote before can hold it."""


class Paint:
    """Marks text for a colour, or does not; `shown` makes colours of the marks."""

    def __init__(self, *, colour: bool) -> None:
        self.colour = colour

    def __call__(self, style: str, text: str) -> str:
        code = _STYLES.get(style, style)
        return f"\x1b{_OURS}{code}m{text}\x1b{_OURS}0m" if self.colour else text


def shown(line: str, *, keep: str = "") -> str:
    """A line as a terminal is sent it: our own colours, and everything else visible.

    All text for people goes through here, last of all: whatever a line was put together from,
    nothing in it can act.  Characters in `keep` stay.
    """
    if line.isprintable():
        return line
    first, *rest = line.split(f"\x1b{_OURS}")
    parts = [visible(first, keep=keep)]
    for part in rest:
        code, _, text = part.partition("m")
        parts.append(f"\x1b[{code}m{visible(text, keep=keep)}")
    return "".join(parts)


Colour: TypeAlias = Literal["auto", "always", "never"]

_COLOUR: ContextVar[Colour] = ContextVar("colour", default="auto")


@contextmanager
def coloured(how: Colour) -> Iterator[None]:
    """What the user says about colour, for as long as it holds."""
    token = _COLOUR.set(how)
    try:
        yield
    finally:
        _COLOUR.reset(token)


def wants_colour(stream: IO[str]) -> bool:
    """What the user says; then NO_COLOR forbids, FORCE_COLOR demands, a terminal gets colour."""
    if _COLOUR.get() != "auto":
        return _COLOUR.get() == "always"
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def render(diagnostics: Iterable[Diagnostic], *, colour: bool = False) -> str:
    """All diagnostics as text, a blank line between two."""
    paint = Paint(colour=colour)
    return "\n\n".join("\n".join(map(shown, _lines(d, paint))) for d in diagnostics)


def _lines(diagnostic: Diagnostic, paint: Paint) -> Iterator[str]:
    head = paint(diagnostic.severity, f"{diagnostic.severity}[{diagnostic.code}]")
    paper = f" ({diagnostic.paper})" if diagnostic.paper else ""
    yield f"{head}: {paint('1', visible(diagnostic.message))}{paper}"
    yield from snippet(diagnostic.at, "", "^", paint, arrow="-->")
    for note in diagnostic.labels[:MOST_NOTES]:
        yield from snippet(note.at, visible(note.message), "-", paint, arrow=":::")
    if len(diagnostic.labels) > MOST_NOTES:
        yield f"  {paint('place', ':::')} and {len(diagnostic.labels) - MOST_NOTES:,} more places"
    if diagnostic.help:
        yield f"  = {paint('help', 'help')}: {visible(diagnostic.help)}"


def snippet(at: Span, message: str, mark: str, paint: Paint, *, arrow: str) -> Iterator[str]:
    """A place with the line it is on and a mark under it."""
    line, column = at.first
    yield f"  {paint('place', arrow)} {visible(str(at))}"
    if not at.source.text:
        if message:
            yield f"  = {message}"
        return
    text = at.source.line(line)
    last = at.last.column if at.last.line == line else len(text) + 1
    window, shift = _window(text, column)
    start, end = column - 1 - shift, max(last - 1 - shift, 0)
    before, marked, after = map(visible, (window[:start], window[start:end], window[end:]))
    if end < start:
        marked, after = "", visible(window[start:])
    pad = _width(before)
    marks = max(1, _width(marked))
    gutter = len(str(line))
    bar = paint("place", "|")
    yield f"  {' ' * gutter} {bar}"
    yield f"  {paint('place', str(line))} {bar} {before}{marked}{after}"
    under = mark * min(marks, WIDEST)
    tail = f" {message}" if message else ""
    style = "error" if mark == "^" else "place"
    yield f"  {' ' * gutter} {bar} {' ' * pad}{paint(style, under + tail)}"


def _window(text: str, column: int) -> tuple[str, int]:
    """The part of a long line around a column, and how much was cut before it."""
    start = max(0, min(column - 1 - WIDEST // 2, len(text) - WIDEST))
    return text[start : start + WIDEST].replace("\t", " "), start


def _width(text: str) -> int:
    """How many terminal cells a text takes."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)
