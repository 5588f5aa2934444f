"""String: what it is, its parts, its case and its edges."""

from __future__ import annotations

from typing import Any

from headwater.langs.puppet.bytestrings import (
    BINARY,
    UTF8,
    Bytes,
    encoding_number,
    of_bytes,
)
from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.ruby.classes import STRING
from headwater.langs.puppet.ruby.machine import Machine
from headwater.langs.puppet.ruby.methods import conversions as to
from headwater.langs.puppet.ruby.methods.kernel_conversions import format_text
from headwater.langs.puppet.ruby.methods.radix import DIGITS, read
from headwater.langs.puppet.ruby.methods.regexps import (
    encoded,
    match_text,
    remember,
)
from headwater.langs.puppet.ruby.methods.registry import method, own_method
from headwater.langs.puppet.ruby.methods.substitution import change, s
from headwater.langs.puppet.ruby.refusals import Beyond
from headwater.langs.puppet.ruby.values import (
    UNDEFINED,
    Class,
    Given,
    Pattern,
    Range,
    RubyString,
    RubyValue,
    Text,
    symbol,
)
from headwater.langs.puppet.types.rubytext import to_f as leading_float
from headwater.langs.puppet.types.rubytext import to_i as leading_integer
from headwater.langs.puppet.types.uris import ruby_inspect

BLANK = " \t\n\v\f\r\0"


@own_method(STRING, "new")
def new(m: Machine, self: Class, text: Given = UNDEFINED, options: Given = UNDEFINED) -> str:
    if isinstance(text, Hash):
        text, options = UNDEFINED, text
    # Ruby begins without an encoding.
    made = Bytes("") if text is UNDEFINED else to.string(m, text)
    wanted = options.get(symbol("encoding")) if isinstance(options, Hash) else None
    if wanted is None:
        return made
    return m.text(m.send(Text(made), "force_encoding", [wanted]))


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
    m.spend(len(s(self)))
    text = s(self)
    return ruby_inspect(text, text.__class__ is Bytes and text.encoding != UTF8)


@method(STRING, "to_sym", "intern")
def to_sym(m: Machine, self: RubyString) -> RubyValue:
    text = s(self)
    if text.__class__ is Bytes and not text.isascii() and text.encoding != UTF8:
        raise Beyond("a symbol of bytes")
    if to.is_broken(text):
        shown = ruby_inspect(text, False)
        raise m.error("EncodingError", f"invalid symbol in encoding UTF-8 :{shown}")
    return symbol(str(text))


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
    digits = DIGITS[:radix]
    good: list[str] = []
    before = "_"
    for char in body:
        if char == "_" and before != "_":
            before = char
            continue
        if char not in digits:
            break
        good.append(char)
        before = char
    return sign * read("".join(good), radix)


@method(STRING, "to_f")
def to_f(m: Machine, self: RubyString) -> float:
    return leading_float(s(self))


@method(STRING, "hex")
def hex_(m: Machine, self: RubyString) -> int:
    m.spend(len(s(self)) >> 3)
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
    if not to.is_string(other):
        return False
    m.look_at(s(self))
    return s(self) == s(other)


@method(STRING, "<=>")
def order(m: Machine, self: RubyString, other: RubyValue) -> int | None:
    if not to.is_string(other):
        return None
    m.look_at(s(self))
    left, right = s(self), s(other)
    first, second = encoded(left), encoded(right)
    if first != second:
        return -1 if first < second else 1
    if left == right:
        return 0
    return -1 if encoding_number(left) < encoding_number(right) else 1


@method(STRING, "+")
def plus(m: Machine, self: RubyString, other: RubyValue) -> str:
    made = to.glued(m, s(self), to.string(m, other))
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
    text = s(self)
    piece = _character(m, other, text) if other.__class__ is int else to.string(m, other)
    change(m, self, to.glued(m, text, piece))
    return self


def _character(m: Machine, code: int, beside: str) -> str:
    if beside.__class__ is Bytes and beside.encoding != UTF8 and code < 0x110000:
        if not 0 <= code < 256:
            raise m.error("RangeError", f"{code} out of char range")
        own = BINARY if code > 127 and beside.encoding == "US-ASCII" else beside.encoding
        return of_bytes(bytes([code]), own)
    if not 0 <= code < 0x110000:
        shown = "bignum" if code.bit_length() > 62 else code
        raise m.error("RangeError", f"{shown} out of char range")
    return chr(code)


@method(STRING, "concat")
def concat(m: Machine, self: RubyString, *others: RubyValue) -> RubyValue:
    text = s(self)
    pieces = [_character(m, n, text) if n.__class__ is int else to.string(m, n) for n in others]
    change(m, self, to.glued_all(m, [text, *pieces]))
    return self


@method(STRING, "prepend")
def prepend(m: Machine, self: RubyString, *others: RubyValue) -> RubyValue:
    piece = to.glued_all(m, [to.string(m, one) for one in others])
    change(m, self, to.put_into(m, s(self), piece, piece + s(self)))
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
    piece = to.beside(m, text, other)
    change(m, self, to.put_into(m, text, piece, text[:place] + piece + text[place:]))
    return self


# parts


def bounds(m: Machine, value: Range, size: int, *, beyond: bool = False) -> tuple[int, int] | None:
    """The start and length a range means in something of a size; None where it lies outside.

    What begins after the end does, unless `beyond` says that it may.
    """
    low = 0 if value.low is None else to.integer(m, value.low)
    high = -1 if value.high is None else to.integer(m, value.high)
    exclusive = value.exclusive and value.high is not None
    if low < 0:
        low += size
    if low < 0 or (low > size and not beyond):
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
        sought = to.beside(m, text, index)
        hidden = sought.__class__ is str and to.is_broken(sought)
        return Text(s(index)) if sought in text and not hidden else None
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
    text = s(self)
    made = to.beside(m, text, value)
    start, count = _where(m, text, where)
    whole = text[:start] + made + text[start + count :]
    change(m, self, to.put_into(m, text, made, whole))
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
        before = found.found.data[: found.found.starts[number]]
        start = len(before.decode("utf-8", "surrogateescape"))
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


@method(STRING, "sum")
def sum_(m: Machine, self: RubyString, bits: RubyValue = 16) -> int:
    m.spend(len(s(self)) >> 3)
    width, total = to.integer(m, bits), sum(encoded(s(self)))
    return total if width <= 0 or width > 64 else total & ((1 << width) - 1)
