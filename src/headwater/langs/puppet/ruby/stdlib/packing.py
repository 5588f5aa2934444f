"""``Array#pack`` and ``String#unpack``: values as bytes, and back."""

from __future__ import annotations

import base64
import binascii
import quopri
import re
import struct
from collections.abc import Iterator
from typing import Any, Final

from headwater.langs.puppet.bytestrings import BINARY, lenient_base64, of_bytes
from headwater.langs.puppet.ruby.classes import ARRAY, STRING
from headwater.langs.puppet.ruby.machine import Machine
from headwater.langs.puppet.ruby.methods import conversions as to
from headwater.langs.puppet.ruby.methods.regexps import encoded
from headwater.langs.puppet.ruby.methods.registry import method
from headwater.langs.puppet.ruby.refusals import Beyond
from headwater.langs.puppet.ruby.values import (
    UNDEFINED,
    Given,
    Proc,
    RubyString,
    RubyValue,
    Text,
    bytes_text,
)

_DIRECTIVE: Final = re.compile(r"#[^\n]*|\s+|(.)([_!<>]*)(\*|\d+)?", re.DOTALL)
_SIZES: Final = {"c": 1, "s": 2, "l": 4, "q": 8, "j": 8, "i": 4, "n": 2, "N": 4, "v": 2, "V": 4}
_FLOATS: Final = {"d": "<d", "D": "<d", "f": "<f", "F": "<f", "e": "<f", "E": "<d", "g": ">f",
                  "G": ">d"}  # fmt: skip
MOST: Final = 1_000_000
"""How many bytes a count may ask for that no argument has."""


class Directive:
    """One letter of a template with its count; None is ``*``."""

    __slots__ = ("big", "count", "given", "letter", "signed", "size")

    def __init__(self, letter: str, signs: str, count: str | None) -> None:
        self.letter = letter
        self.given = count is not None
        self.count = None if count == "*" else 1 if count is None else int(count)
        low = letter.lower() if letter not in "nNvV" else letter
        self.size = 8 if low == "l" and ("_" in signs or "!" in signs) else _SIZES.get(low, 0)
        self.big = ">" in signs or letter in "nN"
        self.signed = letter in "cslqji"


def _directives(m: Machine, template: str) -> Iterator[Directive]:
    for found in _DIRECTIVE.finditer(template):
        if found[1] is not None:
            m.spend(1)
            if found[3] not in (None, "*") and int(found[3]) > MOST:
                m.check_size(int(found[3]) * 64)
            yield Directive(found[1], found[2], found[3])


@method(ARRAY, "pack")
def pack(m: Machine, self: list[Any], template: RubyValue, options: Given = UNDEFINED) -> RubyValue:
    if options is not UNDEFINED:
        raise Beyond("Array#pack into a buffer")
    text = to.string(m, template)
    left = self[::-1]  # the next one is taken from its end
    out = bytearray()
    binary, first = False, ""
    for one in _directives(m, text):
        first = first or one.letter
        binary = binary or one.letter not in ("mMu" if first != "U" else one.letter)
        _pack_one(m, one, left, out)
        m.check_size(len(out))
    if first == "U" and not binary:
        return Text(out.decode("utf-8", "surrogateescape"))
    return Text(of_bytes(bytes(out), BINARY if binary else "US-ASCII"))


def _next(m: Machine, left: list[Any]) -> RubyValue:
    if not left:
        raise m.error("ArgumentError", "too few arguments")
    return left.pop()


def _pack_one(m: Machine, one: Directive, left: list[Any], out: bytearray) -> None:
    if one.letter in "aAZBbHhuMm":
        value = _next(m, left)
        if one.letter == "M":
            data = encoded(m.text(value))
        else:
            data = b"" if value is None else encoded(to.string(m, value))
        out += _packed_text(m, one, data)
    elif one.letter == "x":
        out += b"\0" * (one.count or 0)
    elif one.letter == "X":
        if (one.count or 0) > len(out):
            raise m.error("ArgumentError", "X outside of string")
        del out[len(out) - (one.count or 0) :]
    elif one.letter == "@":
        size = 0 if one.count is None else one.count
        out += b"\0" * (size - len(out))
        del out[size:]
    elif one.size or one.letter in "Uw" or one.letter in _FLOATS:
        count = len(left) if one.count is None else one.count
        for _ in range(count):
            out += _packed_number(m, one, _next(m, left))
    elif one.letter in "pP":
        raise Beyond("Array#pack of a pointer")


def _packed_number(m: Machine, one: Directive, value: RubyValue) -> bytes:
    if one.letter in _FLOATS:
        if value.__class__ not in (int, float):
            raise m.error("TypeError", f"can't convert {to.named(m, value)} into Float")
        try:
            return struct.pack(_FLOATS[one.letter], float(value))
        except OverflowError:
            return struct.pack(_FLOATS[one.letter], float("inf") if value > 0 else float("-inf"))
    number = to.integer(m, value)
    if one.letter == "U":
        if not 0 <= number < 0x110000:
            raise m.error("RangeError", "pack(U): value out of range")
        return chr(number).encode("utf-8", "surrogatepass")
    if one.letter == "w":
        if number < 0:
            raise m.error("ArgumentError", "can't compress negative numbers")
        made = [number & 127]
        while number := number >> 7:
            made.append(number & 127 | 128)
        return bytes(reversed(made))
    if number.bit_length() > 64 and one.size:
        shown = "bignum too big to convert into `unsigned long'"
        raise m.error("RangeError", shown)
    data = (number & (1 << one.size * 8) - 1).to_bytes(one.size, "big")
    return data if one.big else data[::-1]


def _packed_text(m: Machine, one: Directive, data: bytes) -> bytes:
    match one.letter:
        case "a" | "A" | "Z":
            if one.count is None:
                return data + (b"\0" if one.letter == "Z" else b"")
            return data[: one.count].ljust(one.count, b" " if one.letter == "A" else b"\0")
        case "m":
            if one.given and one.count == 0:
                return base64.b64encode(data)
            row = 45 if not one.given or not one.count or one.count < 3 else one.count // 3 * 3
            rows = (data[at : at + row] for at in range(0, len(data), row))
            return b"".join(base64.b64encode(part) + b"\n" for part in rows)
        case "u":
            row = 45 if not one.given or not one.count or one.count < 3 else one.count // 3 * 3
            rows = (data[at : at + row] for at in range(0, len(data), row))
            return b"".join(binascii.b2a_uu(part, backtick=True) for part in rows)
        case "M":
            made = quopri.encodestring(data)
            return made if not data or data.endswith(b"\n") else made + b"=\n"
        case "B" | "b":
            size = len(data) if one.count is None else one.count
            return _bits(data[:size].ljust(size, b"0"), 8, 1, one.letter == "B")
        case _:
            size = len(data) if one.count is None else one.count
            return _bits(data[:size].ljust(size, b"0"), 2, 4, one.letter == "H")


def _bits(data: bytes, per: int, width: int, high_first: bool) -> bytes:
    """Digits of `width` bits each, `per` of them a byte."""
    out = bytearray()
    for at in range(0, len(data), per):
        made = 0
        for place in range(per):
            byte = data[at + place] if at + place < len(data) else 48
            letter = byte < 128 and chr(byte).isalpha()
            digit = (byte & 31) + 9 if letter and width == 4 else byte
            digit &= (1 << width) - 1
            made |= digit << width * ((per - 1 - place) if high_first else place)
        out.append(made)
    return bytes(out)


@method(STRING, "unpack")
def unpack(
    m: Machine,
    self: RubyString,
    template: RubyValue,
    options: Given = UNDEFINED,
    block: Proc | None = None,
) -> RubyValue:
    if options is not UNDEFINED:
        raise Beyond("String#unpack with an offset")
    made = list(_unpacked(m, encoded(m.text(self)), to.string(m, template)))
    if block is None:
        return made
    for one in made:
        block.one(one)
    return None


@method(STRING, "unpack1")
def unpack1(
    m: Machine, self: RubyString, template: RubyValue, options: Given = UNDEFINED
) -> RubyValue:
    if options is not UNDEFINED:
        raise Beyond("String#unpack1 with an offset")
    return next(_unpacked(m, encoded(m.text(self)), to.string(m, template)), None)


def _unpacked(m: Machine, data: bytes, template: str) -> Iterator[Any]:
    place = 0
    for one in _directives(m, template):
        letter = one.letter
        if letter == "%":
            raise m.error("ArgumentError", "% is not supported")
        if letter in "aAZBbHhuMm":
            value, place = _text_at(m, one, data, place)
            yield value
        elif letter == "x":
            place += len(data) - place if one.count is None else one.count
            if place > len(data):
                raise m.error("ArgumentError", "x outside of string")
        elif letter == "X":
            place -= one.count or 0
            if place < 0:
                raise m.error("ArgumentError", "X outside of string")
        elif letter == "@":
            place = one.count or 0
            if place > len(data):
                raise m.error("ArgumentError", "@ outside of string")
        elif one.size or letter in "Uw" or letter in _FLOATS:
            turn = 0
            while one.count is None or turn < one.count:
                m.spend(1)
                turn += 1
                found = _number_at(m, one, data, place)
                if found is None:
                    if one.count is None or letter in "Uw":
                        break
                    yield None
                    continue
                value, place = found
                yield value


def _number_at(m: Machine, one: Directive, data: bytes, place: int) -> tuple[Any, int] | None:
    if one.letter == "U":
        if place >= len(data):
            return None
        for size in (1, 2, 3, 4):
            try:
                return ord(bytes.decode(data[place : place + size])), place + size
            except (UnicodeDecodeError, TypeError):
                continue
        raise m.error("ArgumentError", "malformed UTF-8 character")
    if one.letter == "w":
        number = 0
        while place < len(data):
            number = number << 7 | data[place] & 127
            place += 1
            if not data[place - 1] & 128:
                return number, place
        return None
    size = struct.calcsize(_FLOATS[one.letter]) if one.letter in _FLOATS else one.size
    part = data[place : place + size]
    if len(part) < size:
        return None
    if one.letter in _FLOATS:
        return struct.unpack(_FLOATS[one.letter], part)[0], place + size
    return int.from_bytes(part, "big" if one.big else "little", signed=one.signed), place + size


def _text_at(m: Machine, one: Directive, data: bytes, place: int) -> tuple[Any, int]:
    rest = data[place:]
    match one.letter:
        case "a" | "A" | "Z":
            part = rest if one.count is None else rest[: one.count]
            end = place + len(part)
            if one.letter == "A":
                part = part.rstrip(b" \0")
            if one.letter == "Z" and b"\0" in part:
                if one.count is None:
                    end = place + part.index(b"\0") + 1
                part = part[: part.index(b"\0")]
            return bytes_text(part), end
        case "m":
            if one.given and one.count == 0:
                try:
                    return bytes_text(base64.b64decode(rest, validate=True)), len(data)
                except binascii.Error:
                    raise m.error("ArgumentError", "invalid base64") from None
            return bytes_text(lenient_base64(rest)), len(data)
        case "M":
            return bytes_text(quopri.decodestring(rest)), len(data)
        case "u":
            raise Beyond("String#unpack of uuencoded text")
    per = 8 if one.letter in "Bb" else 2
    digits = "".join(format(byte, "08b") if per == 8 else format(byte, "02x") for byte in rest)
    if one.letter in "bh":
        digits = "".join(digits[at : at + per][::-1] for at in range(0, len(digits), per))
    size = len(digits) if one.count is None else min(one.count, len(digits))
    return Text(digits[:size]), place + (size + per - 1) // per
