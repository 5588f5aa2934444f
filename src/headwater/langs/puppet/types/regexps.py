r"""Regular expressions with Ruby's meaning, by Oniguruma, bounded in time.

The prefix ``(?WDS)`` keeps ``\w``, ``\d`` and ``\s`` to ASCII as in Ruby.  Oniguruma
counts its retries and gives up on a hostile expression; that ends in `TooHard`.
Texts are searched as UTF-8, so places are offsets in bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache, lru_cache
from types import ModuleType
from typing import Any

from headwater.langs.puppet import codes
from headwater.langs.puppet.fault import Problem
from headwater.langs.puppet.types.plain_regexps import PlainRegexp, plain_regexp
from headwater.text.named import NamedTuple
from headwater.text.patterns import LatePattern

_new = tuple.__new__  # half the cost of calling the named tuple
_MISMATCH = -1
SEARCH_LIMIT = 20_000_000
"""Retries that one search may take (about half a second), over all the places it tries."""

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
    """The function that searches, and the region it writes the places of groups to."""
    library = _oniguruma()._lib
    assert library.ONIG_MISMATCH == _MISMATCH
    return library.onigcffi_search, library.onig_region_new()


class BadRegexp(Exception):
    """A text that is no regular expression; the message is the engine's."""


class TooHard(Problem):
    """A match that needed more steps than allowed, wherever that is: types have patterns too."""

    def __init__(self, pattern: str) -> None:
        self.reason = f"the regular expression needed more than {SEARCH_LIMIT} steps on this text"
        super().__init__(codes.REGEX_BOUND, pattern=pattern, reason=self.reason)

    def __str__(self) -> str:
        return self.reason


class Match(NamedTuple):
    """A match in UTF-8: the places of the groups (-1 where one took no part)."""

    data: bytes
    starts: tuple[int, ...]
    ends: tuple[int, ...]
    names: dict[str, int]

    @property
    def start(self) -> int:
        return self.starts[0]

    @property
    def end(self) -> int:
        return self.ends[0]

    def group(self, index: int) -> str | None:
        """The text of a group; None where it took no part or does not exist."""
        data, starts, ends, _ = self
        if index >= len(starts) or starts[index] < 0:
            return None
        return data[starts[index] : ends[index]].decode("utf-8", "surrogateescape")

    def groups(self) -> list[str | None]:
        """The whole match, then every group."""
        return [self.group(index) for index in range(len(self.starts))]


@lru_cache(maxsize=2048)
def compiled(pattern: str) -> tuple[Any, dict[str, int]]:
    """The compiled form of a pattern and the places of its named groups."""
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
    first = simple.regex.search

    def find_from(start: int) -> Match | None:
        found = first(data, start)
        if found is None:
            return None
        regs = found.regs
        starts, ends = zip(*regs, strict=True) if len(regs) > 1 else ((regs[0][0],), (regs[0][1],))
        return _new(Match, (data, starts, ends, _NO_NAMES))

    return find_from


@lru_cache(maxsize=2048)
def finder(pattern: str) -> Callable[[str], Match | None]:
    """What finds the first match of a pattern in a text."""
    simple = plain(pattern)
    if simple is None:
        return lambda text: _find_slowly(pattern, text.encode(), 0)
    first, anchored, longest = simple.regex.search, simple.anchored, simple.longest

    def find_first(text: str) -> Match | None:
        data = text.encode()
        if len(data) > longest or not data.isascii() or (anchored and b"\n" in data):
            return _find_slowly(pattern, data, 0)
        found = first(data)
        if found is None:
            return None
        regs = found.regs
        starts, ends = zip(*regs, strict=True) if len(regs) > 1 else ((regs[0][0],), (regs[0][1],))
        return _new(Match, (data, starts, ends, _NO_NAMES))

    return find_first


def _find_slowly(pattern: str, data: bytes, start: int) -> Match | None:
    """The same by Oniguruma."""
    regex, names = compiled(pattern)
    search_, region = _searcher()
    result = search_(regex._regex_t, data, len(data), start, region, 0)
    if result == _MISMATCH:
        return None
    if result < 0:
        raise TooHard(pattern)
    count = region[0].num_regs
    return Match(data, tuple(region[0].beg[0:count]), tuple(region[0].end[0:count]), names)


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
