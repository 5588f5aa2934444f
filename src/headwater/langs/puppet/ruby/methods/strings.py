"""String: what it is, its parts, its case and its edges."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.ruby.classes import STRING
from headwater.langs.puppet.ruby.machine import Machine
from headwater.langs.puppet.ruby.methods import conversions as to
from headwater.langs.puppet.ruby.methods.kernel import format_text
from headwater.langs.puppet.ruby.methods.regexps import (
    encoded,
    find,
    match_text,
    remember,
)
from headwater.langs.puppet.ruby.methods.registry import method, own_method
from headwater.langs.puppet.ruby.methods.substitution import bang, change, s
from headwater.langs.puppet.ruby.methods.successors import successor
from headwater.langs.puppet.ruby.refusals import Beyond
from headwater.langs.puppet.ruby.values import (
    UNDEFINED,
    Class,
    Enumerator,
    Given,
    Matched,
    Pattern,
    Proc,
    Range,
    RubyString,
    RubyValue,
    Symbol,
    Text,
    symbol,
)
from headwater.langs.puppet.types.rubytext import to_f as leading_float
from headwater.langs.puppet.types.rubytext import to_i as leading_integer
from headwater.langs.puppet.types.uris import ruby_inspect

BLANK = " \t\n\v\f\r\0"


@own_method(STRING, "new")
def new(m: Machine, self: Class, text: RubyValue = "", options: Given = UNDEFINED) -> str:
    return "" if isinstance(text, Hash) else to.string(m, text)


@own_method(STRING, "try_convert")
def try_convert(m: Machine, self: Class, value: RubyValue) -> RubyValue:
    if to.is_string(value):
        return value
    if value is None or m.find(value, "to_str") is None:
        return None
    return m.send(value, "to_str", [])


@method(STRING, "to_s", "to_str")
def to_s(m: Machine, self: RubyString) -> RubyValue:
    return self


@method(STRING, "inspect")
def inspect(m: Machine, self: RubyString) -> str:
    return ruby_inspect(s(self), self.__class__ is Text and getattr(self, "binary", False))


@method(STRING, "to_sym", "intern")
def to_sym(m: Machine, self: RubyString) -> RubyValue:
    text = s(self)
    if to.is_broken(text):
        shown = ruby_inspect(text, False)
        raise m.error("EncodingError", f"invalid symbol in encoding UTF-8 :{shown}")
    return symbol(text)


@method(STRING, "to_i")
def to_i(m: Machine, self: RubyString, base: Given = UNDEFINED) -> int:
    radix = 10 if base is UNDEFINED else to.integer(m, base)
    if radix == 10:
        return leading_integer(s(self))
    if radix != 0 and not 2 <= radix <= 36:
        raise m.error("ArgumentError", f"invalid radix {radix}")
    return _in_radix(s(self), radix)


def _in_radix(text: str, radix: int) -> int:
    """The number a text begins with, in another base."""
    body = text.lstrip(BLANK[:-1]).lower()
    sign = -1 if body.startswith("-") else 1
    body = body[1:] if body[:1] in ("-", "+") else body
    prefixes = {"0x": 16, "0b": 2, "0o": 8}
    if radix == 0:
        radix = prefixes.get(body[:2], 8 if body[:1] == "0" and len(body) > 1 else 10)
    if prefixes.get(body[:2]) == radix:
        body = body[2:]
    digits = "0123456789abcdefghijklmnopqrstuvwxyz"[:radix]
    number = 0
    before = "_"
    for char in body:
        if char == "_" and before != "_":
            before = char
            continue
        if char not in digits:
            break
        number = number * radix + digits.index(char)
        before = char
    return sign * number


@method(STRING, "to_f")
def to_f(m: Machine, self: RubyString) -> float:
    return leading_float(s(self))


@method(STRING, "hex")
def hex_(m: Machine, self: RubyString) -> int:
    return _in_radix(s(self), 16)


@method(STRING, "oct")
def oct_(m: Machine, self: RubyString) -> int:
    return _in_radix(s(self), 0 if s(self).lstrip("+- ")[:2].lower() in ("0x", "0b") else 8)


@method(STRING, "length", "size")
def length(m: Machine, self: RubyString) -> int:
    return len(s(self))


@method(STRING, "bytesize")
def bytesize(m: Machine, self: RubyString) -> int:
    return len(encoded(s(self)))


@method(STRING, "empty?")
def is_empty(m: Machine, self: RubyString) -> bool:
    return not s(self)


@method(STRING, "==", "===", "eql?")
def equal(m: Machine, self: RubyString, other: RubyValue) -> bool:
    return to.is_string(other) and s(self) == s(other)


@method(STRING, "<=>")
def order(m: Machine, self: RubyString, other: RubyValue) -> int | None:
    if not to.is_string(other):
        return None
    left, right = encoded(s(self)), encoded(s(other))
    return -1 if left < right else 1 if left > right else 0


@method(STRING, "casecmp")
def casecmp(m: Machine, self: RubyString, other: RubyValue) -> int | None:
    if not to.is_string(other):
        return None
    left, right = _ascii_down(s(self)), _ascii_down(s(other))
    return -1 if left < right else 1 if left > right else 0


def _ascii_down(text: str) -> str:
    return "".join(char.lower() if char.isascii() else char for char in text)


@method(STRING, "casecmp?")
def casecmp_equal(m: Machine, self: RubyString, other: RubyValue) -> bool | None:
    if not to.is_string(other):
        return None
    left, right = to.sound(m, self, _INVALID), to.sound(m, other, _INVALID)
    return left.casefold() == right.casefold()


@method(STRING, "+")
def plus(m: Machine, self: RubyString, other: RubyValue) -> str:
    made = s(self) + to.string(m, other)
    m.check_size(len(made))
    m.spend(len(made) >> 6)
    return made


@method(STRING, "*")
def times(m: Machine, self: RubyString, count: RubyValue) -> str:
    number = to.integer(m, count)
    if number < 0:
        raise m.error("ArgumentError", "negative argument")
    m.check_size(len(s(self)) * number)
    m.spend(len(s(self)) * number >> 6)
    return s(self) * number


@method(STRING, "%")
def percent(m: Machine, self: RubyString, args: RubyValue) -> str:
    return format_text(m, s(self), list(args) if args.__class__ is list else [args])


@method(STRING, "+@")
def unfrozen(m: Machine, self: RubyString) -> RubyValue:
    return self if isinstance(self, Text) and not self.frozen else Text(s(self))


@method(STRING, "-@")
def frozen(m: Machine, self: RubyString) -> RubyValue:
    return self if self.__class__ is Text and self.frozen else Text(s(self), True)


# changes in place


@method(STRING, "<<")
def append(m: Machine, self: RubyString, other: RubyValue) -> RubyValue:
    piece = _character(m, other) if other.__class__ is int else to.string(m, other)
    change(m, self, s(self) + piece)
    return self


def _character(m: Machine, code: int) -> str:
    if not 0 <= code < 0x110000:
        shown = "bignum" if code.bit_length() > 62 else code
        raise m.error("RangeError", f"{shown} out of char range")
    return chr(code)


@method(STRING, "concat")
def concat(m: Machine, self: RubyString, *others: RubyValue) -> RubyValue:
    pieces = [_character(m, n) if n.__class__ is int else to.string(m, n) for n in others]
    change(m, self, s(self) + "".join(pieces))
    return self


@method(STRING, "prepend")
def prepend(m: Machine, self: RubyString, *others: RubyValue) -> RubyValue:
    change(m, self, "".join(to.string(m, one) for one in others) + s(self))
    return self


@method(STRING, "replace")
def replace(m: Machine, self: RubyString, other: RubyValue) -> RubyValue:
    change(m, self, to.string(m, other))
    return self


@method(STRING, "clear")
def clear(m: Machine, self: RubyString) -> RubyValue:
    change(m, self, "")
    return self


@method(STRING, "insert")
def insert(m: Machine, self: RubyString, index: RubyValue, other: RubyValue) -> RubyValue:
    place = to.integer(m, index)
    text = s(self)
    if place < 0:
        place += len(text) + 1
    if not 0 <= place <= len(text):
        raise m.error("IndexError", f"index {to.integer(m, index)} out of string")
    change(m, self, text[:place] + to.string(m, other) + text[place:])
    return self


# case and edges: each with the form that changes in place


_INVALID: Final = "input string invalid"
_COMPLAINTS: Final = {
    **dict.fromkeys(("upcase", "downcase", "capitalize", "swapcase"), _INVALID),
    **dict.fromkeys(("strip", "rstrip", "unicode_normalize"), to.BROKEN),
}
"""What these say of broken UTF-8; the others take it."""


def _both(name: str, make: Callable[..., str]) -> None:
    """Gives a method that makes a new string, and the one with ``!``."""
    complaint = _COMPLAINTS.get(name)

    def read(m: Machine, self: RubyString) -> str:
        return s(self) if complaint is None else to.sound(m, self, complaint)

    def fresh(m: Machine, self: RubyString, *args: RubyValue) -> RubyValue:
        return Text(make(m, read(m, self), *args))

    def changing(m: Machine, self: RubyString, *args: RubyValue) -> RubyValue:
        return bang(m, self, make(m, read(m, self), *args))

    def always(m: Machine, self: RubyString, *args: RubyValue) -> RubyValue:
        bang(m, self, make(m, read(m, self), *args))
        return self

    if name in ("unicode_normalize", "succ", "next", "reverse"):
        changing = always
    for given in (fresh, changing):
        setattr(given, "__wrapped__", make)  # noqa: B010 - mypy knows no such attribute
    method(STRING, name)(fresh)
    method(STRING, name + "!")(changing)


def _check_options(m: Machine, options: tuple[Any, ...]) -> None:
    """The options of changes of case: symbols, and few of them."""
    if not options:
        return
    names = [one.name if one.__class__ is Symbol else None for one in options]
    if len(options) > 2 or (len(options) == 2 and names[0] not in ("turkic", "lithuanian")):
        raise m.error("ArgumentError", "too many options")
    if not set(names) <= {"ascii", "fold", "turkic", "lithuanian"}:
        raise m.error("ArgumentError", "invalid option")
    raise Beyond("options of changes of case")


def _upper(m: Machine, text: str, *options: RubyValue) -> str:
    _check_options(m, options)
    return text.upper()


def _lower(m: Machine, text: str, *options: RubyValue) -> str:
    _check_options(m, options)
    return text.lower()


def _capitalized(m: Machine, text: str, *options: RubyValue) -> str:
    _check_options(m, options)
    return text[:1].upper() + text[1:].lower()


def _swapped(m: Machine, text: str, *options: RubyValue) -> str:
    _check_options(m, options)
    return text.swapcase()


def _stripped(m: Machine, text: str) -> str:
    return text.lstrip(BLANK).rstrip(BLANK)


def _lstripped(m: Machine, text: str) -> str:
    return text.lstrip(BLANK)


def _rstripped(m: Machine, text: str) -> str:
    return text.rstrip(BLANK)


def chomped(m: Machine, text: str, end: Given = UNDEFINED) -> str:
    """``chomp``: without the end of a line, or another ending."""
    if end is UNDEFINED:
        return (
            text[:-2] if text.endswith("\r\n") else text[:-1] if text[-1:] in ("\n", "\r") else text
        )
    if end is None:
        return text
    ending = to.string(m, end)
    if ending == "\n":
        return chomped(m, text)
    if not ending:
        while text.endswith("\n"):
            text = text[:-2] if text.endswith("\r\n") else text[:-1]
        return text
    return text.removesuffix(ending)


def _chopped(m: Machine, text: str) -> str:
    return text[:-2] if text.endswith("\r\n") else text[:-1]


def _reversed(m: Machine, text: str) -> str:
    return text[::-1]


def _succ(m: Machine, text: str) -> str:
    return successor(text)


def _without_prefix(m: Machine, text: str, prefix: RubyValue) -> str:
    return text.removeprefix(to.string(m, prefix))


def _without_suffix(m: Machine, text: str, suffix: RubyValue) -> str:
    return text.removesuffix(to.string(m, suffix))


def _normalized(m: Machine, text: str, form: Given = UNDEFINED) -> str:
    import unicodedata

    shown = "nfc" if form is UNDEFINED else m.text(form)
    name = shown.upper()
    if name not in ("NFC", "NFD", "NFKC", "NFKD"):
        raise m.error("ArgumentError", f"Invalid normalization form {shown}.")
    return unicodedata.normalize(name, text)  # type: ignore[arg-type]


for _name, _make in (
    ("upcase", _upper),
    ("downcase", _lower),
    ("capitalize", _capitalized),
    ("swapcase", _swapped),
    ("strip", _stripped),
    ("lstrip", _lstripped),
    ("rstrip", _rstripped),
    ("chomp", chomped),
    ("chop", _chopped),
    ("reverse", _reversed),
    ("succ", _succ),
    ("next", _succ),
    ("delete_prefix", _without_prefix),
    ("delete_suffix", _without_suffix),
    ("unicode_normalize", _normalized),
):
    _both(_name, _make)


def _padding(m: Machine, width: RubyValue, pad: Given, size: int) -> tuple[int, str]:
    wanted = to.integer(m, width)
    m.check_size(wanted)
    m.spend(max(wanted, 0) >> 6)
    filler = " " if pad is UNDEFINED else to.string(m, pad)
    if not filler:
        raise m.error("ArgumentError", "zero width padding")
    return max(0, wanted - size), filler


def _filled(filler: str, count: int) -> str:
    return (filler * (count // len(filler) + 1))[:count]


@method(STRING, "ljust")
def ljust(m: Machine, self: RubyString, width: RubyValue, pad: Given = UNDEFINED) -> str:
    count, filler = _padding(m, width, pad, len(s(self)))
    return s(self) + _filled(filler, count)


@method(STRING, "rjust")
def rjust(m: Machine, self: RubyString, width: RubyValue, pad: Given = UNDEFINED) -> str:
    count, filler = _padding(m, width, pad, len(s(self)))
    return _filled(filler, count) + s(self)


@method(STRING, "center")
def center(m: Machine, self: RubyString, width: RubyValue, pad: Given = UNDEFINED) -> str:
    count, filler = _padding(m, width, pad, len(s(self)))
    return _filled(filler, count // 2) + s(self) + _filled(filler, count - count // 2)


# parts


def bounds(m: Machine, value: Range, size: int) -> tuple[int, int] | None:
    """The start and length a range means in something of a size; None where it lies outside."""
    low = 0 if value.low is None else to.integer(m, value.low)
    high = -1 if value.high is None else to.integer(m, value.high)
    exclusive = value.exclusive and value.high is not None
    if low < 0:
        low += size
    if low < 0 or low > size:
        return None
    if high < 0:
        high += size
    return low, max(0, high - low + (not exclusive))


@method(STRING, "[]", "slice")
def element(m: Machine, self: RubyString, index: RubyValue, length: Given = UNDEFINED) -> RubyValue:
    text = s(self)
    if index.__class__ is Pattern:
        found = remember(m, match_text(m, index, to.sound(m, self)))
        if found is None:
            return None
        return m.send(found, "[]", [0 if length is UNDEFINED else length])
    if length is not UNDEFINED:
        return _part(text, to.integer(m, index), to.integer(m, length))
    if to.is_string(index):
        return Text(s(index)) if s(index) in text else None
    if index.__class__ is Range:
        found_ = bounds(m, index, len(text))
        return None if found_ is None else _part(text, *found_)
    place = to.integer(m, index)
    if place < 0:
        place += len(text)
    return Text(text[place]) if 0 <= place < len(text) else None


def _part(text: str, start: int, count: int) -> Text | None:
    if start < 0:
        start += len(text)
    if start < 0 or start > len(text) or count < 0:
        return None
    return Text(text[start : start + count])


@method(STRING, "byteslice")
def byteslice(
    m: Machine, self: RubyString, start: RubyValue, count: Given = UNDEFINED
) -> RubyValue:
    data = encoded(s(self))
    if start.__class__ is Range and count is UNDEFINED:
        found = bounds(m, start, len(data))
        if found is None:
            return None
        place, size = found
    else:
        place, size = to.integer(m, start), 1 if count is UNDEFINED else to.integer(m, count)
        place += len(data) if place < 0 else 0
        if not 0 <= place <= len(data) - (count is UNDEFINED) or size < 0:
            return None
    made = data[place : place + size]
    return Text(made.decode("utf-8", "surrogateescape"))


@method(STRING, "slice!")
def slice_bang(
    m: Machine, self: RubyString, index: RubyValue, length: Given = UNDEFINED
) -> RubyValue:
    found = element(m, self, index, length)
    if found is not None:
        set_element(m, self, index, *([] if length is UNDEFINED else [length]), Text(""))
    return found


@method(STRING, "[]=")
def set_element(m: Machine, self: RubyString, *args: RubyValue) -> RubyValue:
    if not 2 <= len(args) <= 3:
        raise m.wrong_count(len(args), 2, 3)
    *where, value = args
    text, made = s(self), to.string(m, value)
    start, count = _where(m, text, where)
    change(m, self, text[:start] + made + text[start + count :])
    return value


def _where(m: Machine, text: str, where: list[Any]) -> tuple[int, int]:
    first = where[0]
    if len(where) == 2 and first.__class__ is int:
        start = first + len(text) if first < 0 else first
        if not 0 <= start <= len(text):
            raise m.error("IndexError", f"index {first} out of string")
        return start, to.integer(m, where[1])
    if first.__class__ is Pattern:
        found = match_text(m, first, text)
        if found is None:
            raise m.error("IndexError", "regexp not matched")
        number = where[1] if len(where) == 2 else 0
        start = len(found.found.data[: found.found.starts[number]].decode())
        return start, len(s(found.group(number) or ""))
    if to.is_string(first):
        start = text.find(s(first))
        if start < 0:
            raise m.error("IndexError", "string not matched")
        return start, len(s(first))
    if first.__class__ is Range:
        found_ = bounds(m, first, len(text))
        if found_ is None:
            raise m.error("RangeError", f"{m.inspect(first)} out of range")
        return found_
    place = to.integer(m, first)
    start = place + len(text) if place < 0 else place
    if not 0 <= start < max(1, len(text)):
        raise m.error("IndexError", f"index {place} out of string")
    return start, 1


@method(STRING, "chr")
def chr_(m: Machine, self: RubyString) -> str:
    return s(self)[:1]


@method(STRING, "ord")
def ord_(m: Machine, self: RubyString) -> int:
    if not s(self):
        raise m.error("ArgumentError", "empty string")
    return ord(s(self)[0])


@method(STRING, "sum")
def sum_(m: Machine, self: RubyString, bits: RubyValue = 16) -> int:
    width, total = to.integer(m, bits), sum(encoded(s(self)))
    return total if width <= 0 or width > 64 else total & ((1 << width) - 1)


# searching


@method(STRING, "include?")
def includes(m: Machine, self: RubyString, other: RubyValue) -> bool:
    wanted = to.string(m, other)
    return wanted in s(self) and not to.is_broken(wanted)


@method(STRING, "start_with?")
def starts_with(m: Machine, self: RubyString, *prefixes: RubyValue) -> bool:
    for one in prefixes:
        if one.__class__ is Pattern:
            found = match_text(m, Pattern(rf"\A(?:{one.inner})"), to.sound(m, self))
            remember(m, found)
            if found is not None:
                return True
        elif s(self).startswith(to.string(m, one)):
            return True
    return False


@method(STRING, "end_with?")
def ends_with(m: Machine, self: RubyString, *suffixes: RubyValue) -> bool:
    return any(s(self).endswith(to.string(m, one)) for one in suffixes)


@method(STRING, "index")
def index(m: Machine, self: RubyString, wanted: RubyValue, start: RubyValue = 0) -> int | None:
    text, place = s(self), to.integer(m, start)
    place += len(text) if place < 0 else 0
    if not 0 <= place <= len(text):
        return None
    if wanted.__class__ is Pattern:
        found = remember(m, match_text(m, wanted, to.sound(m, self), len(encoded(text[:place]))))
        return None if found is None else len(found.before())
    if to.is_broken(to.string(m, wanted)):
        return None
    at = text.find(to.string(m, wanted), place)
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
        for place in range(min(last, len(text)), -1, -1):
            m.spend(1)
            found = find(
                m, Pattern(rf"\G(?:{wanted.inner})"), encoded(text), len(encoded(text[:place]))
            )
            if found is not None:
                remember(m, Matched(found, text, wanted))
                return place
        return None
    at = text.rfind(to.string(m, wanted), 0, last + len(to.string(m, wanted)))
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
    return not to.is_broken(s(self))


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
    for text in between(m, s(self), to.string(m, last), bool(exclusive)):
        block.one(Text(text))
    return self
