"""String: what is in it, and where."""

from __future__ import annotations

from headwater.langs.puppet.bytestrings import UTF8, Bytes, codepoint
from headwater.langs.puppet.ruby.classes import STRING
from headwater.langs.puppet.ruby.machine import Machine
from headwater.langs.puppet.ruby.methods import conversions as to
from headwater.langs.puppet.ruby.methods.regexps import (
    encoded,
    match_text,
    remember,
    searching,
)
from headwater.langs.puppet.ruby.methods.registry import method
from headwater.langs.puppet.ruby.methods.substitution import s
from headwater.langs.puppet.ruby.values import (
    UNDEFINED,
    Enumerator,
    Given,
    Matched,
    Pattern,
    Proc,
    RubyString,
    RubyValue,
    Text,
)


@method(STRING, "include?")
def includes(m: Machine, self: RubyString, other: RubyValue) -> bool:
    wanted = to.beside(m, s(self), other)
    return wanted in s(self) and (wanted.__class__ is Bytes or not to.is_broken(wanted))


@method(STRING, "start_with?")
def starts_with(m: Machine, self: RubyString, *prefixes: RubyValue) -> bool:
    for one in prefixes:
        if one.__class__ is Pattern:
            found = match_text(m, Pattern(rf"\A(?:{one.inner})"), to.sound(m, self))
            remember(m, found)
            if found is not None:
                return True
        elif s(self).startswith(to.beside(m, s(self), one)):
            return True
    return False


@method(STRING, "end_with?")
def ends_with(m: Machine, self: RubyString, *suffixes: RubyValue) -> bool:
    return any(s(self).endswith(to.beside(m, s(self), one)) for one in suffixes)


@method(STRING, "index")
def index(m: Machine, self: RubyString, wanted: RubyValue, start: RubyValue = 0) -> int | None:
    text, place = s(self), to.integer(m, start)
    place += len(text) if place < 0 else 0
    if not 0 <= place <= len(text):
        if place > len(text) and wanted.__class__ is not Pattern:
            to.string(m, wanted)
        return None
    if wanted.__class__ is Pattern:
        found = remember(m, match_text(m, wanted, to.sound(m, self), len(encoded(text[:place]))))
        return None if found is None else len(found.before())
    sought = to.beside(m, text, wanted)
    if sought.__class__ is str and to.is_broken(sought):
        return None
    at = text.find(sought, place)
    return None if at < 0 else at


@method(STRING, "rindex")
def rindex(m: Machine, self: RubyString, wanted: RubyValue, start: Given = UNDEFINED) -> int | None:
    text = s(self)
    last = len(text) if start is UNDEFINED else to.integer(m, start)
    last += len(text) if last < 0 else 0
    if last < 0:
        return None
    if wanted.__class__ is Pattern:
        to.sound(m, self)
        data = encoded(text)
        find_from = searching(m, Pattern(rf"\G(?:{wanted.inner})"), data)
        at = len(encoded(text[:last]))
        for place in range(min(last, len(text)), -1, -1):
            found = find_from(at)
            at -= len(encoded(text[place - 1])) if place else 0
            if found is not None:
                remember(m, Matched(found, text, wanted))
                return place
        return None
    sought = to.beside(m, text, wanted)
    if sought.__class__ is str and to.is_broken(sought):
        return None
    at = text.rfind(sought, 0, last + len(sought))
    return None if at < 0 else at


@method(STRING, "=~")
def matches(m: Machine, self: RubyString, pattern: RubyValue) -> RubyValue:
    if to.is_string(pattern):
        raise m.error("TypeError", "type mismatch: String given")
    return m.send(pattern, "=~", [self])


def _pattern(m: Machine, value: RubyValue) -> Pattern:
    """A pattern, or the one that a string spells."""
    if value.__class__ is Pattern:
        return value
    if not to.is_string(value):
        raise m.error("TypeError", f"wrong argument type {to.named(m, value)} (expected Regexp)")
    return Pattern(s(value))


@method(STRING, "match")
def match(
    m: Machine,
    self: RubyString,
    pattern: RubyValue,
    start: RubyValue = 0,
    block: Proc | None = None,
) -> RubyValue:
    return m.send(_pattern(m, pattern), "match", [self, start], block)


@method(STRING, "match?")
def is_match(m: Machine, self: RubyString, pattern: RubyValue, start: RubyValue = 0) -> bool:
    return m.truth(m.send(_pattern(m, pattern), "match?", [self, start]))


@method(STRING, "valid_encoding?")
def is_valid(m: Machine, self: RubyString) -> bool:
    text = s(self)
    if text.__class__ is Bytes and text.encoding != UTF8:
        return text.encoding != "US-ASCII" or text.isascii()
    return not to.is_broken(text)


@method(STRING, "ascii_only?")
def is_ascii(m: Machine, self: RubyString) -> bool:
    return s(self).isascii()


@method(STRING, "upto")
def upto(
    m: Machine,
    self: RubyString,
    last: RubyValue,
    exclusive: RubyValue = False,
    block: Proc | None = None,
) -> RubyValue:
    from headwater.langs.puppet.ruby.methods.successors import between

    if block is None:
        return Enumerator(self, "upto", [last] if exclusive is False else [last, exclusive])
    to.beside(m, s(self), last)
    for text in between(m, s(self), to.string(m, last), bool(exclusive)):
        block.one(Text(text))
    return self


@method(STRING, "ord")
def ord_(m: Machine, self: RubyString) -> int:
    if not s(self):
        raise m.error("ArgumentError", "empty string")
    return codepoint(to.sound(m, self)[0])
