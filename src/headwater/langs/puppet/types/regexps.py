r"""Regular expressions with Ruby's meaning, by Oniguruma, bounded in time.

The prefix ``(?WDS)`` keeps ``\w``, ``\d`` and ``\s`` to ASCII as in Ruby.  Oniguruma
counts its retries and gives up on a hostile expression; that ends in `TooHard`.
Texts are searched as UTF-8, so places are offsets in bytes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache, lru_cache
from itertools import accumulate
from types import ModuleType
from typing import Any, Final

import msgspec

from headwater.langs.puppet import codes
from headwater.langs.puppet.bytestrings import LATIN, UTF8, Bytes, Raw, is_broken
from headwater.langs.puppet.fault import Problem
from headwater.langs.puppet.types.plain_regexps import PlainRegexp, plain_regexp
from headwater.langs.puppet.types.refusals import BadRegexp
from headwater.text.patterns import LatePattern

_MISMATCH = -1
SEARCH_LIMIT = 20_000_000
"""Retries that one search may take (about half a second), over all the offsets it tries."""

_NAMED = LatePattern(r"(?<!\\)(?:\\\\)*\(\?(?:<|')([A-Za-z_]\w*)[>']")


@cache
def _oniguruma() -> ModuleType:
    """The library, loaded at first use, with a limit on whole searches: it has none itself."""
    import ctypes
    import glob
    import os

    import onigurumacffi  # type: ignore[import-untyped]

    folder = os.path.join(os.path.dirname(onigurumacffi.__file__), "onigurumacffi.libs")
    for path in sorted(glob.glob(os.path.join(glob.escape(folder), "libonig*"))):
        library = ctypes.CDLL(path)
        setter = getattr(library, "onig_set_retry_limit_in_search", None)
        if setter is not None:
            setter.argtypes = [ctypes.c_ulong]
            setter(SEARCH_LIMIT)
    library_: ModuleType = onigurumacffi
    return library_


@cache
def _searcher() -> tuple[Any, Any]:
    """The function that searches, and the region it writes the offsets of groups to."""
    library = _oniguruma()._lib
    assert library.ONIG_MISMATCH == _MISMATCH
    return library.onigcffi_search, library.onig_region_new()


class TooHard(Problem):
    """A match that needed more steps than allowed, wherever that is: types have patterns too."""

    def __init__(self, pattern: str) -> None:
        self.reason = f"the regular expression needed more than {SEARCH_LIMIT} steps on this text"
        super().__init__(codes.REGEX_BOUND, pattern=pattern, reason=self.reason)

    def __str__(self) -> str:
        return self.reason


class Unfit(Problem):
    """A pattern has characters beyond ASCII, and the text is in another encoding."""

    def __init__(self, encoding: str) -> None:
        self.reason = f"incompatible encoding regexp match (UTF-8 regexp with {encoding} string)"
        super().__init__(codes.MIXED_ENCODINGS, what=self.reason)

    def __str__(self) -> str:
        return self.reason


class Match(msgspec.Struct, frozen=True):
    """A match: where each group begins and ends (-1 where one took no part).

    The places are offsets in the bytes of UTF-8; what was searched may be a text itself where each
    of its characters is a byte.
    """

    searched: str | bytes
    regs: tuple[tuple[int, int], ...]
    names: dict[str, int]

    @property
    def data(self) -> bytes:
        """What was searched, as bytes."""
        searched = self.searched
        return searched.encode() if isinstance(searched, str) else searched

    @property
    def start(self) -> int:
        return self.regs[0][0]

    @property
    def end(self) -> int:
        return self.regs[0][1]

    @property
    def starts(self) -> tuple[int, ...]:
        return tuple(start for start, _ in self.regs)

    @property
    def ends(self) -> tuple[int, ...]:
        return tuple(end for _, end in self.regs)

    def group(self, index: int) -> str | None:
        """The text of a group; None where it took no part or does not exist."""
        if index >= len(self.regs):
            return None
        start, end = self.regs[index]
        if start < 0:
            return None
        part = self.searched[start:end]
        return part if isinstance(part, str) else part.decode("utf-8", "surrogateescape")

    def groups(self) -> list[str | None]:
        """The whole match, then every group."""
        return [self.group(index) for index in range(len(self.regs))]


@lru_cache(maxsize=2048)
def compiled(pattern: str) -> tuple[Any, dict[str, int]]:
    """The compiled form of a pattern and the offsets of its named groups."""
    onigurumacffi = _oniguruma()
    try:
        regex = onigurumacffi.compile("(?WDS)" + pattern)
    except UnicodeEncodeError:
        raise BadRegexp("invalid multibyte character") from None
    except onigurumacffi.OnigError as error:
        raise BadRegexp(str(error)) from None
    return regex, {name: place for place, name in enumerate(_NAMED.findall(pattern), 1)}


_NO_NAMES: dict[str, int] = {}


@lru_cache(maxsize=2048)
def plain(pattern: str) -> PlainRegexp | None:
    """The pattern for Python's own engine, where that does the same and is bounded."""
    return plain_regexp(pattern)


def find(pattern: str, data: bytes, start: int = 0) -> Match | None:
    """The first match in UTF-8 at or after a place."""
    return searching(pattern, data)(start)


def searching(pattern: str, data: bytes) -> Callable[[int], Match | None]:
    """What finds the first match at or after a place; the text is looked at once, not each time."""
    simple = plain(pattern)
    if simple is None or not simple.suits(data):
        return lambda start: _find_slowly(pattern, data, start)
    first = simple.for_bytes.search

    def find_from(start: int) -> Match | None:
        found = first(data, start)
        return None if found is None else Match(data, found.regs, _NO_NAMES)

    return find_from


@lru_cache(maxsize=2048)
def finder(pattern: str) -> Callable[[str], Match | None]:
    """What finds the first match of a pattern in a text."""
    simple = plain(pattern)
    if simple is None:
        return lambda text: _find_slowly(pattern, text.encode(), 0)
    first, anchored, longest = simple.regex.search, simple.anchored, simple.longest

    def find_first(text: str) -> Match | None:
        if (
            text.__class__ is not str
            or len(text) > longest
            or not text.isascii()
            or (anchored and "\n" in text)
        ):
            return find(pattern, text.encode())
        found = first(text)
        return None if found is None else Match(text, found.regs, _NO_NAMES)

    return find_first


_STAND_INS: Final = [
    bytes([byte]) if byte < 128 else chr(0xE000 + byte).encode() for byte in range(256)
]
"""What stands for each byte where bytes are searched as characters: one of no class of its own."""


_BYTES: Final = LatePattern("[\udc80-\udcff]|(?<!\\\\)((?:\\\\\\\\)*)\\\\x([89A-Fa-f][0-9A-Fa-f])")
"""A byte in a pattern: that of a string of bytes, or a written one."""


def _stand_in(found: re.Match[str]) -> str:
    if found[2] is None:
        return chr(0xE000 + ord(found[0]) - 0xDC00)
    return found[1] + chr(0xE000 + int(found[2], 16))


def _is_broken_text(pattern: str) -> bool:
    """Whether a pattern is no string of bytes and yet has bytes that are no UTF-8."""
    return is_broken(pattern) and (pattern.__class__ is not Bytes or pattern.encoding == UTF8)


def _find_in_bytes(pattern: str, data: bytes, start: int) -> Match | None:
    """The first match in bytes, each of which is a character."""
    if _is_broken_text(pattern):
        raise BadRegexp("invalid multibyte character")
    pattern = _BYTES.sub(_stand_in, pattern)
    if any(char > "\x7f" and not "\ue080" <= char <= "\ue0ff" for char in pattern):
        raise Unfit(data.encoding if data.__class__ is Raw else UTF8)
    codec = LATIN.get(data.encoding) if data.__class__ is Raw else None
    chars = (
        [char.encode() for char in bytes.decode(data, codec, "replace")]
        if codec is not None
        else [*map(_STAND_INS.__getitem__, data)]
    )
    offsets = list(accumulate(map(len, chars), initial=0))
    found = _find_slowly(pattern, b"".join(chars), offsets[start])
    if found is None:
        return None
    back = {place: index for index, place in enumerate(offsets)}
    back[-1] = -1
    regs = tuple((back[start], back[end]) for start, end in found.regs)
    return Match(data, regs, found.names)


def _find_slowly(pattern: str, data: bytes, start: int) -> Match | None:
    """The same by Oniguruma."""
    if data.__class__ is Raw and data.encoding != UTF8 and not data.isascii():
        return _find_in_bytes(pattern, data, start)
    try:
        regex, names = compiled(pattern)
    except BadRegexp:
        if data.isascii() and _BYTES.search(pattern) and not _is_broken_text(pattern):
            return _find_in_bytes(pattern, data, start)
        raise
    search_, region = _searcher()
    result = search_(regex._regex_t, data, len(data), start, region, 0)
    if result == _MISMATCH:
        return None
    if result < 0:
        raise TooHard(pattern)
    count = region[0].num_regs
    regs = tuple(zip(region[0].beg[0:count], region[0].end[0:count], strict=True))
    return Match(data, regs, names)


def search(pattern: str, text: str) -> Match | None:
    """The first match in a text."""
    return finder(pattern)(text)


def matches(pattern: str, text: str) -> bool:
    """Whether the pattern occurs in the text."""
    return finder(pattern)(text) is not None


def occurrences(pattern: str, data: bytes) -> Iterator[Match]:
    """Every match, one after the other; an empty one moves on by a character."""
    place, find_from = 0, searching(pattern, data)
    while place <= len(data):
        match = find_from(place)
        if match is None:
            return
        yield match
        place = match.end if match.end > match.start else after(data, match.end)


def after(data: bytes, place: int) -> int:
    """Where the next character of UTF-8 starts."""
    place += 1
    if data.__class__ is Raw and data.encoding != UTF8:
        return place
    while place < len(data) and data[place] & 0xC0 == 0x80:
        place += 1
    return place


def escaped(text: str) -> str:
    """The pattern that matches exactly this text, as Ruby writes it."""
    special = {"\n": "\\n", "\t": "\\t", "\r": "\\r", "\f": "\\f", "\v": "\\v", " ": "\\ "}
    return "".join(
        special[char] if char in special else "\\" + char if char in ".*?+^$|\\()[]{}-#" else char
        for char in text
    )


def shown(pattern: str) -> str:
    """The pattern as Puppet prints it; beyond ASCII, Ruby's options show."""
    plain = delimited(pattern)
    return plain if pattern.isascii() else f"/(?-mix:{plain[1:-1]})/"


def delimited(pattern: str) -> str:
    """The pattern between slashes."""
    out: list[str] = []
    skip = False
    for char in pattern:
        if skip:
            skip = False
        elif char == "\\":
            skip = True
        elif char == "/":
            out.append("\\")
        out.append(char)
    return "/" + "".join(out) + "/"
