"""Strings that are no text: what Ruby holds in another encoding than UTF-8, and broken UTF-8.

Such a string is a `Bytes`: a str whose bytes beyond ASCII stand one by one, as Python's
``surrogateescape`` writes them, with the name of its encoding.  All that only looks at a str works
with it; what makes a new string of it by itself keeps the encoding.  As UTF-8 it gives `Raw`, and
that is `Bytes` again when it is decoded, so that code which searches in bytes need not know.
Every other str is text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, SupportsIndex

from headwater.text.patterns import LatePattern

BINARY: Final = "ASCII-8BIT"
UTF8: Final = "UTF-8"

LATIN: Final = {"ISO-8859-1": "latin-1", "ISO-8859-15": "iso8859-15", "Windows-1252": "cp1252"}
"""Encodings of one byte for each character, and how Python calls them."""

BROKEN: Final = LatePattern("[\udc80-\udcff]")


class Incompatible(ValueError):
    """Two strings cannot be put together: both have what is no ASCII, in two encodings."""

    def __init__(self, left: str, right: str) -> None:
        super().__init__(f"incompatible character encodings: {left} and {right}")


class Bytes(str):
    """A string in an encoding that is not UTF-8, or in UTF-8 that is broken."""

    __slots__ = ("encoding",)
    encoding: str

    def __new__(cls, text: str, encoding: str = BINARY) -> Bytes:
        made = super().__new__(cls, text)
        made.encoding = encoding
        return made

    @property
    def data(self) -> bytes:
        """The bytes themselves."""
        return str.encode(self, "utf-8", "surrogateescape")

    def encode(self, encoding: str = "utf-8", errors: str = "strict") -> bytes:
        if encoding == "utf-8":
            return Raw(self.data, self.encoding)
        return super().encode(encoding, errors)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, str):
            return NotImplemented
        return str.__eq__(self, other) and (
            self.encoding == encoding_of(other) or (self.isascii() and not self.is_wide)
        )

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = str.__hash__

    @property
    def is_wide(self) -> bool:
        """Whether its ASCII is not that of other encodings."""
        return self.encoding.startswith("UTF-16")

    def _like(self, made: str) -> Bytes:
        return Bytes(made, self.encoding)

    def __getitem__(self, index: SupportsIndex | slice) -> str:
        return self._like(super().__getitem__(index))

    def __iter__(self) -> Iterator[str]:
        return map(self._like, super().__iter__())

    def __mul__(self, count: SupportsIndex) -> str:
        return self._like(super().__mul__(count))

    def lower(self) -> str:
        return self._like(super().lower())

    def upper(self) -> str:
        return self._like(super().upper())

    def capitalize(self) -> str:
        return self._like(super().capitalize())

    def swapcase(self) -> str:
        return self._like(super().swapcase())

    def strip(self, chars: str | None = None, /) -> str:
        return self._like(super().strip(chars))

    def lstrip(self, chars: str | None = None, /) -> str:
        return self._like(super().lstrip(chars))

    def rstrip(self, chars: str | None = None, /) -> str:
        return self._like(super().rstrip(chars))

    def removeprefix(self, prefix: str, /) -> str:
        return self._like(super().removeprefix(prefix))

    def removesuffix(self, suffix: str, /) -> str:
        return self._like(super().removesuffix(suffix))

    def translate(self, table: object, /) -> str:
        return self._like(super().translate(table))  # type: ignore[arg-type]

    def replace(self, old: str, new: str, count: SupportsIndex = -1, /) -> str:
        return self._like(super().replace(old, new, count))

    def split(self, sep: str | None = None, maxsplit: SupportsIndex = -1) -> list[str]:
        return [self._like(part) for part in super().split(sep, maxsplit)]

    def partition(self, sep: str, /) -> tuple[str, str, str]:
        first, mark, last = super().partition(sep)
        return self._like(first), self._like(mark), self._like(last)

    def rpartition(self, sep: str, /) -> tuple[str, str, str]:
        first, mark, last = super().rpartition(sep)
        return self._like(first), self._like(mark), self._like(last)

    def __reduce__(self) -> tuple[Any, ...]:
        return Bytes, (str(self), self.encoding)


class Raw(bytes):
    """The bytes of a `Bytes`."""

    encoding: str

    def __new__(cls, data: bytes, encoding: str) -> Raw:
        made = super().__new__(cls, data)
        made.encoding = encoding
        return made

    def __getitem__(self, index: SupportsIndex | slice) -> int | Raw:  # type: ignore[override]
        found = super().__getitem__(index)
        return Raw(found, self.encoding) if isinstance(found, bytes) else found

    def decode(self, encoding: str = "utf-8", errors: str = "strict") -> str:
        return of_bytes(self, self.encoding)


def of_bytes(data: bytes, encoding: str = BINARY) -> Bytes:
    """The string of some bytes in an encoding."""
    codec = "utf-8" if encoding == UTF8 else "ascii"
    return Bytes(bytes.decode(data, codec, "surrogateescape"), encoding)


def lenient_base64(data: bytes) -> bytes:
    """What base64 says to Ruby's lenient reader: strangers are skipped, and ``=`` where a group
    has no two letters yet; any other ends it."""
    import binascii  # few programs read base64

    kept = b""
    for piece in data.split(b"="):
        kept += re.sub(rb"[^A-Za-z0-9+/]+", b"", piece)
        if len(kept) % 4 > 1:
            break
    kept = kept[:-1] if len(kept) % 4 == 1 else kept
    return binascii.a2b_base64(kept + b"=" * (-len(kept) % 4))


def encoding_of(text: str) -> str:
    """The name of the encoding that Ruby holds a string in."""
    return text.encoding if text.__class__ is Bytes else UTF8


def is_broken(text: str) -> bool:
    """Whether a str has bytes that are no UTF-8."""
    return not text.isascii() and BROKEN.search(text) is not None


def settled(text: str) -> str:
    """A str as the program holds it: one that is broken is no text."""
    if text.__class__ is Bytes:
        return str(text) if text.encoding == "US-ASCII" and text.isascii() else text
    if not is_broken(text):
        return text
    data = text.encode("utf-8", "surrogateescape")
    made = data.decode("utf-8", "surrogateescape")
    return Bytes(made, UTF8) if is_broken(made) else made


def as_text(text: str) -> str:
    """A str as JSON takes it: bytes are read as UTF-8, whatever they were; it may be broken."""
    if text.__class__ is not Bytes:
        return text
    codec = LATIN.get(text.encoding)
    if codec is not None:
        return text.data.decode(codec, "replace")
    if text.is_wide:
        return text.data.decode(text.encoding, "replace")
    return text.data.decode("utf-8", "surrogateescape")


def in_encoding(text: str, encoding: str) -> str:
    """A str whose bytes are those of an encoding."""
    return text if encoding == UTF8 and text.__class__ is str else _held(text, encoding)


def _held(text: str, encoding: str) -> str:
    if encoding == UTF8:
        return settled(str(text))
    return Bytes(text, encoding)


_NUMBERS: Final = (BINARY, UTF8, "US-ASCII", "UTF-16BE", "UTF-16LE")


def encoding_number(text: str) -> int:
    """The place that Ruby gives the encoding of a string among all."""
    name = encoding_of(text)
    return _NUMBERS.index(name) if name in _NUMBERS else len(_NUMBERS)


def codepoint(char: str) -> int:
    """The number of a character; of a byte that is none, its own."""
    code = ord(char)
    return code - 0xDC00 if 0xDC80 <= code <= 0xDCFF else code


def of_sum(left: str, right: str) -> str:
    """The encoding of ``left + right``; raises `Incompatible`."""
    first, second = encoding_of(left), encoding_of(right)
    if first == second or not right:
        return first
    if not left:
        return first if right.isascii() and not _is_wide(first, second) else second
    if not _is_wide(first, second):
        if right.isascii():
            return first
        if left.isascii():
            return second
    raise Incompatible(first, second)


def _is_wide(*names: str) -> bool:
    return any(name.startswith("UTF-16") for name in names)


def joined(parts: Sequence[str], mark: str = "") -> str:
    """``parts.join(mark)``: begun in the encoding of the first; raises `Incompatible`."""
    whole = mark.join(parts)
    if whole.isascii() and (not parts or parts[0].__class__ is not Bytes):
        return whole
    if mark.__class__ is not Bytes and all(part.__class__ is not Bytes for part in parts):
        return whole
    encoding, plain = encoding_of(parts[0]), True
    for piece in _alternating(parts, mark):
        own = encoding_of(piece)
        if own != encoding and piece and (not piece.isascii() or _is_wide(own, encoding)):
            if not plain or _is_wide(own, encoding):
                raise Incompatible(encoding, own)
            encoding = own
        plain = plain and piece.isascii()
    return _held(whole, encoding)


def _alternating(parts: Iterable[str], mark: str) -> Iterator[str]:
    for index, part in enumerate(parts):
        if index and mark:
            yield mark
        yield part


__all__ = [
    "BINARY", "LATIN", "UTF8", "Bytes", "Incompatible", "Raw", "as_text", "encoding_of",
    "in_encoding", "is_broken", "joined", "lenient_base64", "of_bytes", "of_sum", "settled",
]  # fmt: skip
