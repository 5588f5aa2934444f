"""PSON as Puppet 7 reads it: JSON whose end may be missing, with its own words for mistakes."""

from __future__ import annotations

import re
from typing import Any, Final

from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.ruby.machine import Machine
from headwater.langs.puppet.ruby.stdlib.json_text import FAILED, Failed, Parser
from headwater.langs.puppet.ruby.values import Class, RubyValue

_IGNORED: Final = re.compile(r"(?://[^\n\r]*[\n\r]|/\*(?:[^*/]|/(?!\*)|\*(?!/))*\*/|[ \t\r\n]+)+")
DEEPEST: Final = 19


class PsonParser(Parser):
    """One text; `error` is the class of its mistakes."""

    def __init__(self, m: Machine, text: str, error: Class) -> None:
        super().__init__(m, text, symbolize=False, allow_nan=False, max_nesting=DEEPEST)
        self.error = error

    def whole(self) -> RubyValue:
        made: RubyValue | Failed = FAILED
        while not self.ended:
            if self.sign in ("{", "["):
                opened = self.sign
                if made is not FAILED:
                    self.place += 1
                    raise self.fail("source '{}' not in PSON!")
                made = self.object(1) if opened == "{" else self.array(1)
            elif not self.skipped():
                raise self.fail("source '{}' not in PSON!")
        if made is FAILED:
            raise self.fail("source did not contain any PSON!")
        return made

    def array(self, depth: int) -> list[Any]:
        made: list[Any] = []
        self._collect(depth, "]", "array", lambda: self._element(made, depth))
        return made

    def object(self, depth: int) -> Hash:
        made = Hash({})
        self._collect(depth, "}", "object", lambda: self._pair(made, depth))
        return made

    def _collect(self, depth: int, end: str, what: str, one: Any) -> None:  # noqa: ANN401
        """The parts of a collection up to its end, or that of the text."""
        self.nested(depth)
        self.place += 1
        waits = False
        while not self.ended:
            if one():
                self.skipped()
                waits = self.sign == ","
                if waits:
                    self.place += 1
                elif self.sign != end:
                    raise self.fail(f"expected ',' or '{end}' in {what} at '{{}}'!")
            elif self.sign == end:
                self.place += 1
                if waits:
                    part = "element" if what == "array" else "name, value pair"
                    raise self.fail(f"expected next {part} in {what} at '{{}}'!")
                return
            elif not self.skipped():
                raise self.fail(f"unexpected token in {what} at '{{}}'!")

    def _element(self, made: list[Any], depth: int) -> bool:
        value = self.value(depth)
        if value is FAILED:
            return False
        made.append(value)
        return True

    def _pair(self, made: Hash, depth: int) -> bool:
        name = self.string() if self.sign == '"' else FAILED
        if name is FAILED:
            return False
        self.skipped()
        if self.sign != ":":
            raise self.fail("expected ':' in object at '{}'!")
        self.place += 1
        self.skipped()
        value = self.value(depth)
        if value is FAILED:
            raise self.fail("expected value in object at '{}'!")
        made.put(name, value)
        return True

    @property
    def ended(self) -> bool:
        return self.place >= len(self.text)

    @property
    def sign(self) -> str:
        return self.text[self.place : self.place + 1]

    def skipped(self) -> bool:
        """Goes over blanks and comments; whether there were any."""
        found = _IGNORED.match(self.text, self.place)
        if found is None:
            return False
        self.place = found.end()
        return True

    def fail(self, message: str) -> Exception:
        """A mistake, with what comes next in the text."""
        shown = self.text.encode("utf-8", "surrogateescape")
        at = len(self.text[: self.place].encode("utf-8", "surrogateescape"))
        rest = shown[at : at + 20].decode("utf-8", "surrogateescape")
        return self.m.error(self.error, message.format(rest))
