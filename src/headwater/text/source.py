"""A `Source` is a named text; a `Span` is a stretch of it.

Offsets count code points from the start of `Source.text`, from which a byte
order mark has been removed; lines and columns count from 1, columns in code
points.  A line ends with LF or CRLF.  `Source.byte_offset` gives the place in
the file as it lies on disk.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from os import PathLike, fspath

import msgspec

from headwater.text.digest import sha256
from headwater.text.moment import SEEN
from headwater.text.named import NamedTuple
from headwater.text.paths import near
from headwater.text.reading import Kind, Unread, read_bytes

BOM = b"\xef\xbb\xbf"


class Position(NamedTuple):
    """A line and a column, both from 1."""

    line: int
    column: int


class Source:
    """A text with the name it is shown by; two sources are equal only if they are the same one."""

    __slots__ = ("_line_starts", "bom", "latin1", "name", "text")

    def __init__(
        self, name: str, text: str, *, bom: bool = False, latin1: int | None = None
    ) -> None:
        self.name = name
        self.text = text
        self.bom = bom
        self.latin1 = latin1
        """Where the first byte lies that is not UTF-8, if it was read as Latin-1 for that."""
        self._line_starts: list[int] | None = None

    def __repr__(self) -> str:
        return f"Source({self.name!r}, {len(self.text)} code points)"

    @classmethod
    def of_text(cls, name: str, text: str) -> Source:
        """A source given as text, with a leading byte order mark taken off."""
        return cls(name, text[1:], bom=True) if text.startswith("\ufeff") else cls(name, text)

    @property
    def line_starts(self) -> list[int]:
        """Offset of the first code point of every line."""
        if self._line_starts is None:
            starts = [0]
            find, at = self.text.find, 0
            while (at := find("\n", at) + 1) > 0:
                starts.append(at)
            self._line_starts = starts
        return self._line_starts

    def position(self, offset: int) -> Position:
        """Line and column of an offset; the end of the text has a position too."""
        starts = self.line_starts
        line = bisect_right(starts, offset)
        return Position(line, offset - starts[line - 1] + 1)

    def offset(self, line: int, column: int = 1) -> int:
        """The offset of a position, held within the text."""
        starts = self.line_starts
        if line > len(starts):
            return len(self.text)
        return min(starts[max(line, 1) - 1] + max(column, 1) - 1, len(self.text))

    def line(self, number: int) -> str:
        """The text of a line without its end."""
        starts = self.line_starts
        end = starts[number] if number < len(starts) else len(self.text)
        return self.text[starts[number - 1] : end].rstrip("\r\n")

    def byte_offset(self, offset: int) -> int:
        """Where an offset lies in the file's bytes, byte order mark included."""
        if self.latin1 is not None:
            return offset
        return len(self.text[:offset].encode("utf-8", "surrogatepass")) + (3 if self.bom else 0)

    def digest(self) -> str:
        """A hash of the content, by which a stored trace names its sources."""
        return sha256(self.text.encode("utf-8", "surrogatepass")).hexdigest()

    def span(self, start: int, end: int) -> Span:
        """The stretch from `start` up to `end`."""
        return Span(self, start, end)


class Span(NamedTuple):
    """A stretch of a source: from `start` up to, not including, `end`."""

    source: Source
    start: int
    end: int

    @property
    def text(self) -> str:
        """What is written there."""
        return self.source.text[self.start : self.end]

    @property
    def first(self) -> Position:
        """Where it begins."""
        return self.source.position(self.start)

    @property
    def last(self) -> Position:
        """Where it ends: the position just after its last code point."""
        return self.source.position(self.end)

    def to(self, other: Span) -> Span:
        """The stretch from the start of this one to the end of the other."""
        return Span(self.source, self.start, other.end)

    def at_start(self) -> Span:
        """The empty stretch just before this one."""
        return Span(self.source, self.start, self.start)

    def __str__(self) -> str:
        line, column = self.first
        return f"{near(self.source.name)}:{line}:{column}"


NOWHERE = Span(Source("", ""), 0, 0)
"""The span of what was never written, such as a syntax tree built by a test."""


def apply_edits(text: str, edits: Iterable[tuple[int, int, str]]) -> str:
    """A text after edits of its stretches, each given as it was before any of them."""
    for start, end, new in sorted(edits, key=lambda edit: edit[:2], reverse=True):
        text = text[:start] + new + text[end:]
    return text


class Unreadable(msgspec.Struct, frozen=True):
    """Why a file gave no text.

    `at` is the place to show: for bad UTF-8 the first bad byte, in a text whose
    bad bytes are replaced; otherwise the start of an empty text of that name.
    """

    name: str
    reason: str
    at: Span
    byte: int | None = None
    kind: Kind = "missing"
    absent: bool = False
    """Whether there is no such file at all."""


def read_source(
    path: str | PathLike[str], name: str | None = None, *, latin1: bool = False
) -> Source | Unreadable:
    """The text of a file, or the reason why there is none."""
    shown = name if name is not None else fspath(path)
    try:
        data = read_bytes(path)
    except Unread as unread:
        at = Span(Source(shown, ""), 0, 0)
        return Unreadable(shown, unread.reason, at, kind=unread.kind, absent=unread.absent)
    seen = SEEN.get()
    if seen is None or latin1 or name is not None:
        return decode_source(shown, data, latin1=latin1)
    held = seen.texts.get(shown)
    if held is None or held[0] is not data:
        held = seen.texts[shown] = (data, decode_source(shown, data))
    found: Source | Unreadable = held[1]
    return found


def decode_source(name: str, data: bytes, *, latin1: bool = False) -> Source | Unreadable:
    """The text of bytes that must be UTF-8, or the place of the first that are not.

    With `latin1` such a file is read as Latin-1, in which every byte is a character.
    """
    bom = data.startswith(BOM)
    body = data[len(BOM) :] if bom else data
    try:
        return Source(name, body.decode("utf-8"), bom=bom)
    except UnicodeDecodeError as error:
        if latin1 and not bom:
            return Source(name, data.decode("latin-1"), latin1=error.start)
        lossy = Source(name, body.decode("utf-8", "replace"), bom=bom)
        at = len(body[: error.start].decode("utf-8"))
        byte = error.start + (len(BOM) if bom else 0)
        reason = f"not UTF-8 text: byte 0x{body[error.start]:02x} at byte offset {byte}"
        return Unreadable(name, reason, Span(lossy, at, at + 1), byte)
