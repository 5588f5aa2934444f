r"""How the title of a resource gives values to its keys: the title patterns of a type in Ruby.

A type lists them in ``title_patterns``: a regular expression and the names of its groups, as in
``[%r{^(\S+)@(\S+)$}, [[:name], [:vhost]]]``; a type of the resource API has them in its
description, with named groups.  Only what is written out is read.  Patterns that Ruby computes
(with methods, variables or interpolation) are *unread*, and resources of such types are refused.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from headwater.text.named import NamedTuple
from headwater.text.patterns import LatePattern

_DEFINED = LatePattern(r"\bdef\s++self\.title_patterns\b")
_DESCRIBED = LatePattern(r"\btitle_patterns:|:title_patterns\s*+=>")
_TOKEN = LatePattern(
    r"""\s*+(?>(?:\#[^\n]*+\s*+)*) (?:
        (?P<regexp> / (?P<plain> (?>(?: [^/\\]++ | \\. )+) ) / (?P<flags> [a-z]*+ ) )
      | (?P<percent> %r [^\w\s] )
      | : (?P<symbol> [A-Za-z_]\w*+ ) | (?P<key> [a-z_]\w*+ ) (?: : (?!:) | \s*+ => )
      | (?P<same> (?: lambda\s*+ \{ \s*+ \| \s*+ \w++ \s*+ \|
                    | ->\s*+ \(? \w++ \)? \s*+ \{ ) \s*+ \w++ \s*+ \} )
      | (?P<text> '(?>(?: [^'\\]++ | \\. )*)' | "(?>(?: [^"\\\#]++ | \\. )*)" )
      | (?P<word> [A-Za-z_]\w*+ ) | (?P<sign> [\[\]{}(),;] | => )
    )""",
    re.VERBOSE | re.DOTALL,
)  # fmt: skip
_GROUP = LatePattern(r"(?<!\\)(?>(?:\\\\)*)\(\?<([A-Za-z_]\w*+)>")
_CLOSING = {"(": ")", "[": "]", "{": "}", "<": ">"}


class TitlePattern(NamedTuple):
    """A regular expression of Ruby and what its groups are called."""

    pattern: str
    names: tuple[str, ...]
    changes: tuple[Callable[[str | None], Any] | None, ...] = ()
    """What makes the values of what the groups found, for those that have such a function."""

    def parse(self, title: str) -> dict[str, str | None] | None:
        """The values that a title gives, or None if the pattern does not fit."""
        from headwater.langs.puppet.types.regexps import TooHard, search

        try:
            found = search(self.pattern, title)
        except TooHard:
            return None
        if found is None:
            return None
        groups = found.groups()[1:]
        every = [*groups[: len(self.names)], *[None] * (len(self.names) - len(groups))]
        for index, change in enumerate(self.changes):
            if change is not None:
                every[index] = change(every[index])
        return dict(zip(self.names, every, strict=True))


NEVER = TitlePattern("(?!)", ())
"""What a type has whose title patterns are an empty list, or that has several keys and none."""


def group_names(pattern: str) -> tuple[str, ...]:
    """The names of the groups of a regular expression, in order."""
    return tuple(_GROUP.findall(pattern))


class _Unread(Exception):
    """Something that only Ruby can tell."""


def title_patterns(code: str) -> tuple[tuple[TitlePattern, ...], bool]:
    """The title patterns of a type, and whether it has some that cannot be read."""
    begins = _DEFINED.search(code)
    if begins is None:
        return (), "title_patterns" in code
    try:
        return tuple(_Reader(code, begins.end()).method()), False
    except _Unread:
        return (), True


def described_patterns(code: str) -> tuple[tuple[TitlePattern, ...], bool]:
    """The same for a type of the resource API."""
    begins = _DESCRIBED.search(code)
    if begins is None:
        return (), False
    try:
        return tuple(_Reader(code, begins.end()).description()), False
    except _Unread:
        return (), True


class _Reader:
    """Reads literals of Ruby from a place on."""

    def __init__(self, code: str, at: int) -> None:
        self.code = code
        self.at = at
        self.found: re.Match[str] | None = None

    def peek(self, *signs: str) -> bool:
        """Whether a sign or word comes next."""
        found = _TOKEN.match(self.code, self.at)
        self.found = found
        return found is not None and (found["sign"] or found["word"]) in signs

    def accept(self, *signs: str) -> bool:
        """Reads a sign or word if it comes next."""
        if not self.peek(*signs):
            return False
        assert self.found is not None
        self.at = self.found.end()
        return True

    def need(self, *signs: str) -> None:
        """Reads what must come next."""
        if not self.accept(*signs):
            raise _Unread

    def separated(self, closing: str) -> None:
        """Reads a comma, unless the end comes next."""
        if not self.accept(",") and not self.peek(closing):
            raise _Unread

    def one(self, kind: str) -> str:
        """Reads a token of a kind."""
        found = _TOKEN.match(self.code, self.at)
        if found is None or found[kind] is None:
            raise _Unread
        self.at = found.end()
        return str(found[kind])

    def method(self) -> list[TitlePattern]:
        """The body of ``title_patterns``: one array."""
        if self.accept("("):
            self.need(")")
        self.accept(";")
        self.accept("return")
        result: list[TitlePattern] = []
        self.need("[")
        while not self.accept("]"):
            self.need("[")
            pattern = self.regexp()
            self.need(",")
            result.append(TitlePattern(pattern, tuple(self.names())))
            self.accept(",")
            self.need("]")
            self.separated("]")
        self.accept(";")
        self.need("end")
        return result

    def names(self) -> list[str]:
        """``[[:a], [:b]]``, where each may have a function that gives back what it gets."""
        result: list[str] = []
        self.need("[")
        while not self.accept("]"):
            self.need("[")
            result.append(self.one("symbol"))
            if self.accept(",") and not self.peek("]"):
                self.same()
            self.need("]")
            self.separated("]")
        return result

    def same(self) -> None:
        """``lambda { |x| x }``"""
        found = _TOKEN.match(self.code, self.at)
        if found is None or found["same"] is None:
            raise _Unread
        words = re.findall(r"\w+", found["same"].removeprefix("lambda"))
        if len(set(words)) != 1:
            raise _Unread
        self.at = found.end()

    def description(self) -> list[TitlePattern]:
        """The value of ``title_patterns:``: hashes with a ``pattern`` each."""
        result: list[TitlePattern] = []
        self.need("[")
        while not self.accept("]"):
            pattern = None
            self.need("{")
            while not self.accept("}"):
                key = self.key()
                if key == "pattern":
                    pattern = self.regexp()
                else:
                    self.one("text")
                self.separated("}")
            if pattern is None:
                raise _Unread
            result.append(TitlePattern(pattern, group_names(pattern)))
            self.separated("]")
        return result

    def key(self) -> str:
        """``pattern:`` or ``:pattern =>``"""
        found = _TOKEN.match(self.code, self.at)
        if found is not None and found["symbol"]:
            self.at = found.end()
            self.need("=>")
            return found["symbol"]
        return self.one("key")

    def regexp(self) -> str:
        """A regular expression between slashes or after ``%r``, with its flags in front."""
        found = _TOKEN.match(self.code, self.at)
        if found is None:
            raise _Unread
        if found["regexp"]:
            self.at = found.end()
            return _ruby(found["plain"].replace("\\/", "/"), found["flags"])
        if not found["percent"]:
            raise _Unread
        opening = found["percent"][-1]
        closing = _CLOSING.get(opening, opening)
        at, depth, begin = found.end(), 1, found.end()
        while at < len(self.code):
            char = self.code[at]
            if char == "\\":
                at += 1
            elif char == closing:
                depth -= 1
                if depth == 0:
                    break
            elif char == opening:
                depth += 1
            at += 1
        flags = re.compile("[a-z]*").match(self.code, at + 1)
        self.at = flags.end() if flags else at + 1
        return _ruby(self.code[begin:at], flags[0] if flags else "")


def _ruby(pattern: str, flags: str) -> str:
    """The pattern with its flags, if it is one."""
    from headwater.langs.puppet.types.refusals import BadRegexp
    from headwater.langs.puppet.types.regexps import compiled

    if "#{" in pattern or not set(flags) <= set("mixnu"):
        raise _Unread
    kept = "".join(flag for flag in "mix" if flag in flags)
    whole = f"(?{kept}:{pattern})" if kept else pattern
    try:
        compiled(whole)
    except BadRegexp:
        raise _Unread from None
    return whole
