"""Regexp and MatchData, by the bounded engine that Puppet's patterns use too."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from headwater.langs.puppet.bytestrings import UTF8, Bytes, encoding_of, in_encoding
from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.ruby.classes import MATCH_DATA, REGEXP
from headwater.langs.puppet.ruby.machine import MOST, SMALL, Machine
from headwater.langs.puppet.ruby.methods import conversions as to
from headwater.langs.puppet.ruby.methods.registry import method, own_method
from headwater.langs.puppet.ruby.refusals import Exhausted
from headwater.langs.puppet.ruby.values import (
    UNDEFINED,
    Class,
    Given,
    Matched,
    Pattern,
    Proc,
    Range,
    RubyString,
    RubyValue,
    Symbol,
    Text,
)
from headwater.langs.puppet.types import regexps
from headwater.langs.puppet.types.refusals import BadRegexp

REGEXP.constants.update(IGNORECASE=1, EXTENDED=2, MULTILINE=4)
BITS = {"i": 1, "x": 2, "m": 4}


def pattern_of(m: Machine, value: RubyValue) -> Pattern:
    """A pattern, or the one that matches exactly a string."""
    if value.__class__ is Pattern:
        return value
    if not to.is_string(value):
        raise m.error("TypeError", f"wrong argument type {to.named(m, value)} (expected Regexp)")
    text = to.string(m, value)
    if text.__class__ is str and not text.isascii() and to.is_broken(text):
        raise m.error("RegexpError", f"invalid multibyte character: /{text}/")
    return Pattern(in_encoding(regexps.escaped(text), encoding_of(text)))


A_SEARCH = 4
"""Steps that a search counts: it takes longer than a call."""


def find(m: Machine, pattern: Pattern, data: bytes, start: int = 0) -> regexps.Match | None:
    """The first match at or after a place of bytes."""
    return searching(m, pattern, data)(start)


def searching(m: Machine, pattern: Pattern, data: bytes) -> Callable[[int], regexps.Match | None]:
    """What finds the first match at or after a place; a long text is looked at once."""
    inner = regexps.searching(pattern.inner, data)
    if len(data) > SMALL:
        m.spend(len(data) // (SMALL * SMALL))

    def find_from(start: int) -> regexps.Match | None:
        m.spend(A_SEARCH)
        try:
            return inner(start)
        except BadRegexp as error:
            raise m.error("RegexpError", f"{error}: /{pattern.source}/") from None
        except regexps.Unfit as error:
            raise m.error("Encoding::CompatibilityError", str(error)) from None
        except regexps.TooHard:
            raise Exhausted("steps of a regular expression", regexps.SEARCH_LIMIT) from None

    return find_from


def encoded(text: str) -> bytes:
    """A text as the engine searches it."""
    return text.encode("utf-8", "surrogateescape")


def match_value(m: Machine, pattern: Pattern, value: RubyValue) -> Matched | None:
    """The match of a pattern in a string or symbol; nothing else matches."""
    if value.__class__ is Symbol:
        text = value.name
    elif to.is_string(value):
        text = to.sound(m, value)
    else:
        return None
    return match_text(m, pattern, text)


def matched(m: Machine, pattern: Pattern, value: RubyValue) -> Matched | None:
    """What ``=~`` finds: in a string, a symbol or nothing; all else is an error."""
    if value is not None and value.__class__ is not Symbol:
        to.string(m, value)
    return match_value(m, pattern, value)


def match_text(m: Machine, pattern: Pattern, text: str, start: int = 0) -> Matched | None:
    """The match of a pattern in a text, from a place of bytes on."""
    found = find(m, pattern, encoded(text), start)
    return None if found is None else Matched(found, text, pattern)


def is_bytes(value: RubyString) -> bool:
    """Whether a string is in another encoding than UTF-8."""
    return encoding_of(value if isinstance(value, str) else value.s) != UTF8


def remember(m: Machine, found: Matched | None) -> Matched | None:
    """Leaves a match behind as ``$~`` of the call."""
    if m.activation is not None:
        m.activation.match = found
    return found


@own_method(REGEXP, "new", "compile")
def new(
    m: Machine, self: Class, source: RubyValue, options: Given = UNDEFINED, code: Given = UNDEFINED
) -> RubyValue:
    if source.__class__ is Pattern:
        return source
    flags = ""
    if options.__class__ is int:
        flags = "".join(letter for letter, value in BITS.items() if options & value)
    elif options is not UNDEFINED and options is not None and options is not False:
        flags = "i"
    made = Pattern(to.string(m, source), flags)
    find(m, made, b"")
    return made


@own_method(REGEXP, "escape", "quote")
def escape(m: Machine, self: Class, text: RubyValue) -> str:
    given = m.text(text) if text.__class__ is Symbol else to.string(m, text)
    made = regexps.escaped(given)
    if given.__class__ is Bytes and not given.isascii():
        return in_encoding(made, encoding_of(given))
    return made


@own_method(REGEXP, "union")
def union(m: Machine, self: Class, *parts: RubyValue) -> RubyValue:
    items = parts[0] if len(parts) == 1 and parts[0].__class__ is list else parts
    if not items:
        return Pattern("(?!)")
    if len(items) == 1 and items[0].__class__ is Pattern:
        return items[0]
    shown = [_text(one) if one.__class__ is Pattern else escape(m, REGEXP, one) for one in items]
    made = to.glued_all(m, shown, "|")
    if to.is_broken(made) and not any(to.is_string(one) and is_bytes(one) for one in items):
        raise m.error("RegexpError", f"invalid multibyte character: /{made}/")
    return Pattern(made)


@own_method(REGEXP, "last_match")
def last_match(m: Machine, self: Class, index: Given = UNDEFINED) -> RubyValue:
    found = None if m.activation is None else m.activation.match
    return found if index is UNDEFINED or found is None else m.send(found, "[]", [index])


def _text(pattern: Pattern) -> str:
    off = "".join(letter for letter in "mix" if letter not in pattern.flags)
    return f"(?{pattern.flags}{'-' + off if off else ''}:{pattern.source})"


@method(REGEXP, "to_s")
def to_s(m: Machine, self: Pattern) -> str:
    return _text(self)


@method(REGEXP, "inspect")
def inspect(m: Machine, self: Pattern) -> str:
    return regexps.delimited(self.source) + self.flags


@method(REGEXP, "source")
def source(m: Machine, self: Pattern) -> str:
    return self.source


@method(REGEXP, "options")
def options(m: Machine, self: Pattern) -> int:
    return sum(BITS[letter] for letter in self.flags)


@method(REGEXP, "casefold?")
def casefold(m: Machine, self: Pattern) -> bool:
    return "i" in self.flags


@method(REGEXP, "names")
def names(m: Machine, self: Pattern) -> RubyValue:
    return [Text(name) for name in _named_groups(m, self)]


@method(REGEXP, "named_captures")
def pattern_captures(m: Machine, self: Pattern) -> RubyValue:
    return Hash({name: [number] for name, number in _named_groups(m, self).items()})


def _named_groups(m: Machine, pattern: Pattern) -> dict[str, int]:
    """The named groups of a pattern; refuses one that is none."""
    find(m, pattern, b"")
    return regexps.compiled(pattern.inner)[1]


@method(REGEXP, "fixed_encoding?")
def fixed_encoding(m: Machine, self: Pattern) -> bool:
    return not self.source.isascii()


@own_method(REGEXP, "try_convert")
def try_convert(m: Machine, self: Class, value: RubyValue) -> RubyValue:
    return value if value.__class__ is Pattern else None


@method(REGEXP, "==", "eql?")
def equal(m: Machine, self: Pattern, other: RubyValue) -> bool:
    return bool(self == other)


@method(REGEXP, "=~")
def matches(m: Machine, self: Pattern, value: RubyValue) -> int | None:
    found = remember(m, matched(m, self, value))
    return None if found is None else len(found.before())


@method(REGEXP, "===")
def case_equal(m: Machine, self: Pattern, value: RubyValue) -> bool:
    return remember(m, match_value(m, self, value)) is not None


@method(REGEXP, "match")
def match(
    m: Machine, self: Pattern, value: RubyValue, start: RubyValue = 0, block: Proc | None = None
) -> RubyValue:
    place = to.integer(m, start)
    if value is None:
        return remember(m, None)
    text = value.name if value.__class__ is Symbol else to.sound(m, value)
    if place < 0:
        place += len(text)
    if not 0 <= place <= len(text):
        return remember(m, None)
    found = remember(m, match_text(m, self, text, len(encoded(text[:place]))))
    return block.one(found) if block is not None and found is not None else found


@method(REGEXP, "match?")
def is_match(m: Machine, self: Pattern, value: RubyValue, start: RubyValue = 0) -> bool:
    if value is None:
        return False
    text = value.name if value.__class__ is Symbol else to.sound(m, value)
    place = to.integer(m, start)
    place += len(text) if place < 0 else 0
    if not 0 <= place <= len(text):
        return False
    return match_text(m, self, text, len(encoded(text[:place]))) is not None


# what was matched


def _index(m: Machine, self: Matched, index: RubyValue) -> int:
    if index.__class__ is Symbol or to.is_string(index):
        name = to.name_of(m, index)
        number = self.found.names.get(name)
        if number is None:
            raise m.error("IndexError", f"undefined group name reference: {name}")
        return int(number)
    return to.integer(m, index)


def _groups(self: Matched) -> list[Any]:
    return [self.group(index) for index in range(len(self.found.starts))]


@method(MATCH_DATA, "[]")
def group(m: Machine, self: Matched, index: RubyValue, length: Given = UNDEFINED) -> RubyValue:
    if length is not UNDEFINED or not (
        index.__class__ is int or index.__class__ is Symbol or to.is_string(index)
    ):
        groups = _groups(self)
        if index.__class__ is int and -len(groups) <= index < 0 and length.__class__ is int:
            # Ruby counts on beyond the last one where it began to count from there.
            groups = groups + [None] * min(max(0, index + length), MOST)
            index += len(_groups(self))
        return m.send(groups, "[]", [index] if length is UNDEFINED else [index, length])
    return self.group(_index(m, self, index))


@method(MATCH_DATA, "to_a")
def to_a(m: Machine, self: Matched) -> RubyValue:
    return _groups(self)


@method(MATCH_DATA, "captures")
def captures(m: Machine, self: Matched) -> RubyValue:
    return _groups(self)[1:]


@method(MATCH_DATA, "named_captures")
def named_captures(m: Machine, self: Matched) -> RubyValue:
    return Hash({name: self.group(number) for name, number in self.found.names.items()})


@method(MATCH_DATA, "names")
def match_names(m: Machine, self: Matched) -> RubyValue:
    return [Text(name) for name in self.found.names]


@method(MATCH_DATA, "pre_match")
def pre_match(m: Machine, self: Matched) -> str:
    return self.before()


@method(MATCH_DATA, "post_match")
def post_match(m: Machine, self: Matched) -> str:
    return self.after()


@method(MATCH_DATA, "to_s")
def match_text_(m: Machine, self: Matched) -> RubyValue:
    return self.group(0)


@method(MATCH_DATA, "string")
def string(m: Machine, self: Matched) -> RubyValue:
    return Text(self.text, True)


@method(MATCH_DATA, "regexp")
def regexp(m: Machine, self: Matched) -> RubyValue:
    return self.pattern


@method(MATCH_DATA, "size", "length")
def size(m: Machine, self: Matched) -> int:
    return len(self.found.starts)


def _place(self: Matched, byte: int) -> int | None:
    return None if byte < 0 else len(self.found.data[:byte].decode("utf-8", "surrogateescape"))


def _within(m: Machine, self: Matched, index: RubyValue) -> int:
    number = _index(m, self, index)
    if not 0 <= number < len(self.found.starts):
        raise m.error("IndexError", f"index {number} out of matches")
    return number


@method(MATCH_DATA, "begin")
def begin(m: Machine, self: Matched, index: RubyValue) -> int | None:
    return _place(self, self.found.starts[_within(m, self, index)])


@method(MATCH_DATA, "end")
def end(m: Machine, self: Matched, index: RubyValue) -> int | None:
    return _place(self, self.found.ends[_within(m, self, index)])


@method(MATCH_DATA, "offset")
def offset(m: Machine, self: Matched, index: RubyValue) -> RubyValue:
    number = _within(m, self, index)
    return [_place(self, self.found.starts[number]), _place(self, self.found.ends[number])]


@method(MATCH_DATA, "match")
def match_group(m: Machine, self: Matched, index: RubyValue) -> RubyValue:
    return self.group(_within(m, self, index))


@method(MATCH_DATA, "match_length")
def match_length(m: Machine, self: Matched, index: RubyValue) -> int | None:
    found = self.group(_within(m, self, index))
    return None if found is None else len(found.s)


@method(MATCH_DATA, "==", "eql?")
def same_match(m: Machine, self: Matched, other: RubyValue) -> bool:
    return (
        other.__class__ is Matched
        and self.text == other.text
        and self.pattern == other.pattern
        and self.found.starts == other.found.starts
    )


@method(MATCH_DATA, "values_at")
def values_at(m: Machine, self: Matched, *indices: RubyValue) -> RubyValue:
    made: list[Any] = []
    for index in indices:
        if index.__class__ is Range:
            made.extend(to.array(m, m.send(_groups(self), "values_at", [index])))
        else:
            made.append(self.group(_index(m, self, index)))
    return made


@method(MATCH_DATA, "inspect")
def match_inspect(m: Machine, self: Matched) -> str:
    by_number = {number: name for name, number in self.found.names.items()}
    parts = [m.inspect(self.group(0))]
    for number in range(1, len(self.found.starts)):
        parts.append(f"{by_number.get(number, number)}:{m.inspect(self.group(number))}")
    return f"#<MatchData {' '.join(parts)}>"


__all__ = ["encoded", "find", "match_text", "match_value", "pattern_of", "remember"]
