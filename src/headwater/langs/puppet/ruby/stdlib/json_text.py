"""JSON as Ruby's json 2.6 reads it: with comments, its bounds and its words for mistakes."""

from __future__ import annotations

import re
from enum import Enum
from typing import Any, Final

from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.ruby.machine import Machine
from headwater.langs.puppet.ruby.values import RubyValue, Text, symbol

_BLANK: Final = re.compile(r"(?:[ \t\r\n]|//[^\n]*\n|/\*(?:[^*]|\*(?!/))*\*/)*")
_FLOAT: Final = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+(?:[eE][+-]?\d+)?|[eE][+-]?\d+)(?![\d.eE-])")
_INTEGER: Final = re.compile(r"-?(?:0|[1-9]\d*)(?!\d)")
_STRING: Final = re.compile(r'"((?:[^"\\\x00-\x1f]|\\u[0-9a-fA-F]{4}|\\[^u\x00-\x1f])*)"')
_ESCAPE: Final = re.compile(r"\\(?:u([0-9a-fA-F]{4})|(.))", re.DOTALL)
_LETTERS: Final = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}


class Failed(Enum):
    """What stands where no value could be read."""

    FAILED = 0


FAILED: Final = Failed.FAILED
"""Nothing that can be read: whoever asked says where."""


class Parser:
    """One text, read from its beginning; lists and hashes nest at most so deep."""

    def __init__(
        self, m: Machine, text: str, symbolize: bool, allow_nan: bool, max_nesting: int
    ) -> None:
        self.m = m
        self.text = text
        self.symbolize = symbolize
        self.allow_nan = allow_nan
        self.max_nesting = max_nesting
        self.place = 0

    def whole(self) -> RubyValue:
        """The value of the whole text."""
        self.blank()
        start = self.place
        value = self.value(0)
        if value is FAILED:
            raise self.wrong(859, start)
        self.blank()
        if self.place < len(self.text):
            raise self.wrong(859, self.place)
        return value

    def wrong(self, number: int, place: int) -> Exception:
        """The error at a place; the number is a line of Ruby's own parser."""
        if number in (451, 859) and self.text.startswith("/", place):  # no comment, or without end
            unfinished = self.text.startswith(("//", "/*"), place)
            place = len(self.text) if unfinished else place + 1
        shown = self.text[place:]
        return self.m.error("JSON::ParserError", f"{number}: unexpected token at '{shown}'")

    def blank(self) -> None:
        """Goes over blanks and comments."""
        found = _BLANK.match(self.text, self.place)
        assert found is not None
        self.place = found.end()

    def value(self, depth: int) -> RubyValue | Failed:
        """The value that begins here."""
        self.m.spend(1)
        text, place = self.text, self.place
        match text[place : place + 1]:
            case '"':
                return self.string()
            case "[":
                return self.array(depth + 1)
            case "{":
                return self.object(depth + 1)
            case "n" | "t" | "f":
                for word, meaning in (("null", None), ("true", True), ("false", False)):
                    if text.startswith(word, place):
                        self.place += len(word)
                        return meaning
                return FAILED
            case "N" if text.startswith("NaN", place):
                return self.odd("NaN", float("nan"), 225)
            case "I" if text.startswith("Infinity", place):
                if not self.allow_nan:
                    raise self.wrong(232, place + 8)
                return self.odd("Infinity", float("inf"), 232)
            case "-" if text.startswith("-Infinity", place):
                return self.odd("-Infinity", float("-inf"), 249)
        return self.number()

    def odd(self, word: str, value: float, number: int) -> float:
        """A number that JSON has not."""
        if not self.allow_nan:
            raise self.wrong(number, self.place)
        self.place += len(word)
        return value

    def number(self) -> int | float | Failed:
        for pattern, kind in ((_FLOAT, float), (_INTEGER, int)):
            found = pattern.match(self.text, self.place)
            if found is not None:
                self.place = found.end()
                if kind is int and len(found[0]) > 4000:
                    self.m.check_size(len(found[0]) ** 2)
                return kind(found[0])
        return FAILED

    def string(self) -> Text | Failed:
        found = _STRING.match(self.text, self.place)
        if found is None:
            return FAILED
        self.place = found.end()
        body = found[1]
        return Text(self.unescaped(body, found.start(1)) if "\\" in body else body)

    def unescaped(self, body: str, start: int) -> str:
        """A string with what its escapes stand for."""
        out: list[str] = []
        place = 0
        while (found := _ESCAPE.search(body, place)) is not None:
            out.append(body[place : found.start()])
            place = found.end()
            if found[1] is None:
                out.append(_LETTERS.get(found[2], found[2]))
                continue
            code = int(found[1], 16)
            if 0xD800 <= code < 0xDC00:
                if len(self.text) - (start + place) < 6:
                    shown = self.text[start + found.start() :]
                    raise self.m.error(
                        "JSON::ParserError", f"521: incomplete surrogate pair at '{shown}'"
                    )
                low = _ESCAPE.match(body, place)
                if (
                    low is not None
                    and low[1] is not None
                    and low[1][0].lower() >= "d"
                    and (0xDC00 <= int(low[1], 16) < 0xE000)
                ):
                    code = 0x10000 + ((code & 0x3FF) << 10) + (int(low[1], 16) & 0x3FF)
                    place = low.end()
                else:
                    code = 0x3F if low is None else 0xFFFD
            out.append(chr(code) if not 0xD800 <= code < 0xE000 else "\ufffd")
        out.append(body[place:])
        return "".join(out)

    def nested(self, depth: int) -> None:
        if self.max_nesting and depth > self.max_nesting:
            raise self.m.error("JSON::NestingError", f"nesting of {depth} is too deep")

    def array(self, depth: int) -> RubyValue:
        self.nested(depth)
        self.place += 1
        made: list[Any] = []
        self.blank()
        if self.text[self.place : self.place + 1] == "]":
            self.place += 1
            return made
        while True:
            self.blank()
            start = self.place
            value = self.value(depth)
            if value is FAILED:
                raise self.wrong(451, start)
            made.append(value)
            self.blank()
            sign = self.text[self.place : self.place + 1]
            if sign not in (",", "]"):
                raise self.wrong(451, self.place)
            self.place += 1
            if sign == "]":
                return made

    def object(self, depth: int) -> Hash | Failed:
        self.nested(depth)
        self.place += 1
        made = Hash({})
        self.blank()
        if self.text[self.place : self.place + 1] == "}":
            self.place += 1
            return made
        while True:
            self.blank()
            opening = self.text[self.place : self.place + 1]
            name = self.string() if opening == '"' else FAILED
            if name is FAILED:
                return FAILED
            self.blank()
            if self.text[self.place : self.place + 1] != ":":
                return FAILED
            self.place += 1
            self.blank()
            value = self.value(depth)
            if value is FAILED:
                return FAILED
            made.put(symbol(name.s) if self.symbolize else name.s, value)
            self.blank()
            sign = self.text[self.place : self.place + 1]
            if sign not in (",", "}"):
                return FAILED
            self.place += 1
            if sign == "}":
                return made
