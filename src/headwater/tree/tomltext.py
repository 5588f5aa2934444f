"""TOML with the places of its keys and values.

`tomllib` reads the text and is the judge of what is TOML.  It tells no places, so a small scanner
walks over a text that `tomllib` has accepted and notes where each key and each value stands.  A
path into the document (``("puppet", "modulepath", 0)``) names a value.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

import msgspec

from headwater.text import Source, Span

Path: TypeAlias = tuple[str | int, ...]


class BadToml(ValueError):
    """The text is not TOML; says why and where."""

    def __init__(self, message: str, at: Span) -> None:
        super().__init__(message)
        self.message = message
        self.at = at


class TomlText(msgspec.Struct, frozen=True):
    """A document, and where its keys and values are written."""

    source: Source
    document: dict[str, Any]
    keys: Mapping[Path, Span]
    """The last part of each key, where it is written first."""
    values: Mapping[Path, Span]

    def key(self, path: Path) -> Span:
        """Where a key is written; of what has no key of its own, the key around it."""
        return _nearest(self.keys, path, self.source)

    def value(self, path: Path) -> Span:
        """Where a value is written; of a table, its key."""
        return self.values[path] if path in self.values else self.key(path)


def _nearest(places: Mapping[Path, Span], path: Path, source: Source) -> Span:
    for end in range(len(path), 0, -1):
        if path[:end] in places:
            return places[path[:end]]
    return source.span(0, 0)


_AT = re.compile(r"(.*) \(at (?:line (\d+), column (\d+)|end of document)\)\Z", re.DOTALL)


MOST_PARTS = 100
"""Parts of one key with dots: `tomllib` takes time by their square, and by more."""

_PART = re.compile(r"""(?:(?<![\w-])[\w-]++|"[^"\n]*+"|'[^'\n]*+')[ \t]*+\.[ \t]*+""")


def check_keys(text: str) -> None:
    """Raises `TooManyParts` for a key that `tomllib` would go on with for minutes."""
    count, end = 0, 0
    for part in _PART.finditer(text):
        count = count + 1 if part.start() == end else 1
        end = part.end()
        if count >= MOST_PARTS:
            raise TooManyParts(end)


class TooManyParts(ValueError):
    """A key has more parts than `MOST_PARTS`."""

    def __init__(self, at: int) -> None:
        super().__init__(f"a key has more than {MOST_PARTS} parts")
        self.at = at


def load_toml(source: Source) -> TomlText:
    """The document of a text.  Raises `BadToml`."""
    text = source.text
    scanner = _Scanner(source)
    try:
        check_keys(text)
        document = tomllib.loads(text)
        scanner.scan()
    except tomllib.TOMLDecodeError as error:
        told = _AT.match(str(error))
        if told is None or told[2] is None:
            end = source.span(len(text), len(text))
            raise BadToml(told[1] if told else str(error), end) from None
        at = source.offset(int(told[2]), int(told[3]))
        raise BadToml(told[1], source.span(at, at)) from None
    except TooManyParts as error:
        raise BadToml(str(error), source.span(error.at, error.at)) from None
    except RecursionError:
        raise BadToml("it is nested too deep", source.span(0, 0)) from None
    except ValueError as error:  # a number of too many digits
        raise BadToml(str(error), source.span(0, 0)) from None
    return TomlText(source, document, scanner.keys, scanner.values)


_BLANK = re.compile(r"[ \t]*+")
_EMPTY = re.compile(r"(?>(?:[ \t\r\n]++|#[^\n]*+)*)")
_BARE = re.compile(r"[A-Za-z0-9_-]++")
_STRING = re.compile(
    r'"""(?>(?:[^"\\]++|\\.|"{1,2}(?!"))*)"{3,5}'
    r"|'''(?>(?:[^']++|'{1,2}(?!'))*)'{3,5}"
    r'|"(?>(?:[^"\\\n]++|\\.)*)"'
    r"|'[^'\n]*+'",
    re.DOTALL,
)
_OTHER = re.compile(r"[^\s,\]}#]++(?: (?=\d)[^\s,\]}#]++)?")
"""A number, truth value or date; between date and time may stand a blank."""


class _Scanner:
    """One walk over a text that is TOML."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.text = source.text
        self.at = 0
        self.keys: dict[Path, Span] = {}
        self.values: dict[Path, Span] = {}
        self.lengths: dict[Path, int] = {}
        """How many tables each array of tables has so far."""

    def scan(self) -> None:
        table: Path = ()
        while True:
            self._pass(_EMPTY)
            if self.at >= len(self.text):
                return
            if self.text[self.at] == "[":
                table = self._header()
            else:
                self._pair(table)

    def _pass(self, blank: re.Pattern[str]) -> None:
        found = blank.match(self.text, self.at)
        assert found is not None
        self.at = found.end()

    def _header(self) -> Path:
        """``[a.b]`` or ``[[a.b]]``"""
        several = self.text.startswith("[[", self.at)
        self.at += 2 if several else 1
        path: Path = ()
        for name in self._names():
            path = self._inside((*path, name[0]))
            self.keys.setdefault(path, name[1])
        if several:
            path = path[:-1] if path and isinstance(path[-1], int) else path
            number = self.lengths[path] = self.lengths.get(path, 0) + 1
            path = (*path, number - 1)
            self.keys[path] = name[1]
        self.at += 2 if several else 1
        return path

    def _inside(self, path: Path) -> Path:
        """The path itself, or of an array of tables the last of them."""
        return (*path, self.lengths[path] - 1) if path in self.lengths else path

    def _names(self) -> Iterator[tuple[str, Span]]:
        """The parts of a dotted key."""
        while True:
            self._pass(_BLANK)
            found = _BARE.match(self.text, self.at) or _STRING.match(self.text, self.at)
            assert found is not None
            self.at = found.end()
            written = found[0]
            name = written if written[0] not in "\"'" else tomllib.loads(f"k={written}")["k"]
            yield name, self.source.span(*found.span())
            self._pass(_BLANK)
            if not self.text.startswith(".", self.at):
                return
            self.at += 1

    def _pair(self, table: Path) -> None:
        """``a.b = value``"""
        path = table
        for name, at in self._names():
            path = (*path, name)
            self.keys.setdefault(path, at)
        self.at += 1  # the sign =
        self._pass(_BLANK)
        self._value(path)

    def _value(self, path: Path) -> None:
        start = self.at
        match self.text[self.at]:
            case "[":
                self._items(path, "]")
            case "{":
                self._items(path, "}")
            case _:
                found = _STRING.match(self.text, self.at) or _OTHER.match(self.text, self.at)
                assert found is not None
                self.at = found.end()
        self.values[path] = self.source.span(start, self.at)

    def _items(self, path: Path, end: str) -> None:
        """The elements of an array, or the pairs of an inline table."""
        self.at += 1
        number = 0
        while True:
            self._pass(_EMPTY)
            if self.text[self.at] == end:
                self.at += 1
                return
            if end == "]":
                self._value((*path, number))
                number += 1
            else:
                self._pair(path)
            self._pass(_EMPTY)
            if self.text[self.at] == ",":
                self.at += 1
