"""Strings taken apart: ``split``, ``lines``, ``chars``, ``scan``, ``partition``; and symbols."""

from __future__ import annotations

import re
from typing import Any, Final

from headwater.langs.puppet.bytestrings import Bytes, codepoint, encoding_of, in_encoding
from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.ruby.classes import STRING, SYMBOL
from headwater.langs.puppet.ruby.machine import MOST, Machine
from headwater.langs.puppet.ruby.methods import conversions as to
from headwater.langs.puppet.ruby.methods.edges import chomped
from headwater.langs.puppet.ruby.methods.regexps import (
    encoded,
    find,
    match_text,
    remember,
    searching,
)
from headwater.langs.puppet.ruby.methods.registry import method
from headwater.langs.puppet.ruby.methods.substitution import s
from headwater.langs.puppet.ruby.refusals import Beyond
from headwater.langs.puppet.ruby.values import (
    UNDEFINED,
    Enumerator,
    Given,
    Matched,
    Pattern,
    Proc,
    RubyString,
    RubyValue,
    Symbol,
    Text,
    symbol,
)
from headwater.langs.puppet.types.regexps import after


@method(STRING, "split")
def split(
    m: Machine,
    self: RubyString,
    by: RubyValue = None,
    limit: RubyValue = 0,
    block: Proc | None = None,
) -> RubyValue:
    text, most = to.sound(m, self), to.integer(m, limit)
    if most != 1 and by.__class__ is not Pattern and by is not None and not to.is_string(by):
        raise m.error("TypeError", f"wrong argument type {to.named(m, by)} (expected Regexp)")
    if to.is_string(by):
        to.sound(m, by)
    parts = _split(m, text, by, most)
    if most == 0:
        while parts and not parts[-1]:
            parts.pop()
    made = [Text(part) for part in parts]
    if block is None:
        return made
    for one in made:
        block.one(one)
    return self


def _split(m: Machine, text: str, by: RubyValue, most: int) -> list[str]:
    if not text:
        if by.__class__ is Pattern and most != 1:
            remember(m, None)
        return []
    if most == 1:
        return [text]
    count = most - 1 if most > 0 else -1
    if by is None or (to.is_string(by) and s(by) == " "):
        if len(text) > MOST and most <= 0:
            m.check_count(sum(1 for _ in re.finditer(f"[^{_BETWEEN}]+", text)))
        return _words(text, most)
    if to.is_string(by):
        mark = to.beside(m, text, to.sound(m, by))
        if mark:
            m.check_count(text.count(mark) if most <= 0 else 0)
            return text.split(mark, count)
        m.check_count(len(text) if most <= 0 else most)
        if most > 0 and len(text) > most:
            return [*text[: most - 1], text[most - 1 :]]
        return [*text, *([""] if most != 0 else [])]
    if by.__class__ is not Pattern:
        raise m.error("TypeError", f"wrong argument type {to.named(m, by)} (expected Regexp)")
    return _split_by(m, text, by, most)


_BETWEEN: Final = " \t\n\v\f\r"
"""What parts words; unlike for `strip`, no character of the number 0."""


def _words(text: str, most: int) -> list[str]:
    """By blanks; those in front are dropped."""
    body = text.lstrip(_BETWEEN)
    parts = re.split(f"[{_BETWEEN}]+", body, maxsplit=max(0, most - 1))
    return _alike(text, parts)


def _alike(text: str, parts: list[str]) -> list[str]:
    """Parts of a text, in its encoding."""
    if text.__class__ is not Bytes:
        return parts
    return [in_encoding(part, encoding_of(text)) for part in parts]


def _split_by(m: Machine, text: str, pattern: Pattern, most: int) -> list[str]:
    data = encoded(text)
    parts: list[str] = []
    start = place = 0
    found = None
    find_from = searching(m, pattern, data)
    while place <= len(data) and (most <= 0 or len(parts) < most - 1):
        m.check_count(len(parts))
        found = find_from(place)
        if found is None:
            break
        if found.end == found.start:
            if found.start >= len(data):
                break
            if found.start == start:
                place = after(data, found.start)
                if found.start == start and place <= len(data):
                    nxt = find_from(place)
                    if (
                        nxt is not None
                        and nxt.start == nxt.end
                        and nxt.start == place
                        and place < len(data)
                    ):
                        parts.append(data[start:place].decode("utf-8", "surrogateescape"))
                        parts.extend(g for g in found.groups()[1:] if g is not None)
                        start = place
                continue
        m.check_count(len(parts))
        parts.append(data[start : found.start].decode("utf-8", "surrogateescape"))
        parts.extend(group for group in found.groups()[1:] if group is not None)
        start = found.end
        place = found.end if found.end > found.start else after(data, found.end)
    if pattern.source not in ("", " "):  # Ruby takes these for strings
        remember(m, None if found is None else Matched(found, text, pattern))
    parts.append(data[start:].decode("utf-8", "surrogateescape"))
    return _alike(text, parts)


def _lines(m: Machine, text: str, mark: Given, options: Given) -> list[Any]:
    if isinstance(mark, Hash):
        mark, options = UNDEFINED, mark
    end = "\n" if mark is UNDEFINED else None if mark is None else to.string(m, mark)
    if end is None:
        return [Text(text)]
    to.beside(m, text, end)
    m.check_count(text.count(end or "\n"))
    if end == "":
        pieces = [p for p in re.findall(r"(?s).+?(?:\n\n+|\Z)", text) if p]
    else:
        pieces = [p + end for p in text.split(end)]
        pieces[-1] = pieces[-1][: -len(end)]
        pieces = pieces if pieces[-1] else pieces[:-1]
    if isinstance(options, Hash) and m.truth(options.get(symbol("chomp"))):
        pieces = [chomped(m, piece) if end == "\n" else piece.removesuffix(end) for piece in pieces]
    return [Text(piece) for piece in _alike(text, pieces)]


@method(STRING, "lines")
def lines(
    m: Machine,
    self: RubyString,
    mark: Given = UNDEFINED,
    options: Given = UNDEFINED,
    block: Proc | None = None,
) -> RubyValue:
    return _given(self, _lines(m, s(self), mark, options), block)


def _given(self: RubyValue, parts: list[Any], block: Proc | None) -> RubyValue:
    """Parts as an array, or one by one to a block."""
    if block is None:
        return parts
    for one in parts:
        block.one(one)
    return self


@method(STRING, "each_line")
def each_line(
    m: Machine,
    self: RubyString,
    mark: Given = UNDEFINED,
    options: Given = UNDEFINED,
    block: Proc | None = None,
) -> RubyValue:
    if block is None:
        given = [one for one in (mark, options) if one is not UNDEFINED]
        return Enumerator(self, "each_line", given)
    made = _lines(m, s(self), mark, options)
    for line in made:
        block.one(line)
    return self


@method(STRING, "chars")
def chars(m: Machine, self: RubyString, block: Proc | None = None) -> RubyValue:
    m.check_count(len(s(self)))
    return _given(self, [Text(char) for char in s(self)], block)


@method(STRING, "bytes")
def bytes_(m: Machine, self: RubyString, block: Proc | None = None) -> RubyValue:
    m.check_count(len(s(self)))
    return _given(self, list(encoded(s(self))), block)


@method(STRING, "each_char")
def each_char(m: Machine, self: RubyString, block: Proc | None = None) -> RubyValue:
    if block is None:
        return Enumerator(self, "each_char", [])
    for char in s(self):
        block.one(Text(char))
    return self


@method(STRING, "each_byte")
def each_byte(m: Machine, self: RubyString, block: Proc | None = None) -> RubyValue:
    if block is None:
        return Enumerator(self, "each_byte", [])
    for byte in encoded(s(self)):
        block.one(byte)
    return self


@method(STRING, "codepoints")
def codepoints(m: Machine, self: RubyString, block: Proc | None = None) -> RubyValue:
    m.check_count(len(s(self)))
    return _given(self, [codepoint(char) for char in to.sound(m, self)], block)


@method(STRING, "scan")
def scan(m: Machine, self: RubyString, pattern: RubyValue, block: Proc | None = None) -> RubyValue:
    from headwater.langs.puppet.ruby.methods.regexps import pattern_of

    wanted = pattern_of(m, pattern)
    text = to.sound(m, self)
    data = encoded(text)
    made: list[Any] = []
    place = 0
    last: Matched | None = None
    find_from = searching(m, wanted, data)
    while place <= len(data):
        m.check_count(len(made))
        found = find_from(place)
        if found is None:
            break
        last = Matched(found, text, wanted)
        groups = [last.group(number) for number in range(1, len(found.starts))]
        one: Any = groups or last.group(0)
        if block is None:
            made.append(one)
        else:
            remember(m, last)
            block.one(one)
        place = found.end if found.end > found.start else after(data, found.end)
    remember(m, last)
    return made if block is None else self


def _mark(m: Machine, value: RubyValue) -> str:
    if not to.is_string(value):
        raise m.error("TypeError", f"type mismatch: {to.named(m, value)} given")
    if not s(value):
        raise Beyond("partition by an empty string")
    return s(value)


@method(STRING, "partition")
def partition(m: Machine, self: RubyString, mark: RubyValue) -> RubyValue:
    text = s(self)
    if mark.__class__ is Pattern:
        to.sound(m, self)
        found = remember(m, match_text(m, mark, text))
        if found is None:
            return [Text(text), Text(text[:0]), Text(text[:0])]
        return [Text(found.before()), found.group(0), Text(found.after())]
    return [Text(part) for part in text.partition(to.beside(m, text, _mark(m, mark)))]


@method(STRING, "rpartition")
def rpartition(m: Machine, self: RubyString, mark: RubyValue) -> RubyValue:
    text = s(self)
    if mark.__class__ is Pattern:
        to.sound(m, self)
        place = m.send(self, "rindex", [mark])
        if place.__class__ is not int:
            return [Text(text[:0]), Text(text[:0]), Text(text)]
        found = find(m, mark, encoded(text), len(encoded(text[:place])))
        assert found is not None
        whole = found.group(0) or ""
        return [Text(text[:place]), Text(whole), Text(text[place + len(whole) :])]
    return [Text(part) for part in text.rpartition(to.beside(m, text, _mark(m, mark)))]


# symbols


@method(SYMBOL, "to_s", "id2name", "name")
def symbol_text(m: Machine, self: Symbol) -> str:
    return self.name


@method(SYMBOL, "to_sym", "intern")
def symbol_itself(m: Machine, self: Symbol) -> RubyValue:
    return self


@method(SYMBOL, "to_proc")
def symbol_to_proc(m: Machine, self: Symbol) -> RubyValue:
    from headwater.langs.puppet.ruby.calling import to_proc

    return to_proc(m, self)


@method(SYMBOL, "inspect")
def symbol_inspect(m: Machine, self: Symbol) -> str:
    return symbol_shown(m, self.name)


_PLAIN = re.compile(
    r"(?:[A-Za-z_\u0080-\U0010ffff][\w\u0080-\U0010ffff]*[?!=]?|\$[A-Za-z_]\w*|@{1,2}[A-Za-z_]\w*"
    r"|\[\]=?|\*\*|[+\-~!]@?|<=>|===?|=~|![=~]?|<<|>>|<=|>=|[*/%<>&|^`])\Z"
)


def symbol_shown(m: Machine, name: str) -> str:
    """A symbol as it is written: ``:a``, ``:"a b"``."""
    if _PLAIN.match(name):
        return ":" + name
    shown = m.inspect(Text(name))
    if name.isascii():  # such a symbol is no Unicode, so control characters are bytes
        shown = re.sub(r"\\u00([0-9A-F]{2})", r"\\x\1", shown)
    return ":" + shown


@method(SYMBOL, "<=>")
def symbol_order(m: Machine, self: Symbol, other: RubyValue) -> int | None:
    if other.__class__ is not Symbol:
        return None
    return -1 if self.name < other.name else 1 if self.name > other.name else 0


@method(SYMBOL, "==", "===")
def symbol_equal(m: Machine, self: Symbol, other: RubyValue) -> bool:
    return self is other


def _as_string(name: str, back: bool) -> None:
    """Gives symbols a method of strings."""

    def call(m: Machine, self: Symbol, *args: RubyValue, block: Proc | None = None) -> RubyValue:
        made = m.send(Text(self.name), name, list(args), block)
        return symbol(m.text(made)) if back else made

    method(SYMBOL, name)(call)


for _name in (
    "length",
    "size",
    "empty?",
    "=~",
    "match",
    "match?",
    "start_with?",
    "end_with?",
    "[]",
    "slice",
):
    _as_string(_name, False)
for _name in ("upcase", "downcase", "capitalize", "swapcase", "succ", "next"):
    _as_string(_name, True)


def _compared(name: str) -> None:
    """``casecmp``: symbols only compare with symbols."""

    def call(m: Machine, self: Symbol, other: RubyValue) -> RubyValue:
        if other.__class__ is not Symbol:
            return None
        return m.send(Text(self.name), name, [Text(other.name)])

    method(SYMBOL, name)(call)


for _name in ("casecmp", "casecmp?"):
    _compared(_name)
