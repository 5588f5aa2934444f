"""Ruby's ``Kernel#format``: flags, widths, precisions, numbered and named arguments."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import msgspec

from headwater.langs.puppet import values as v
from headwater.langs.puppet.bytestrings import Bytes, Incompatible, encoding_of, in_encoding, joined
from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.types.quoting import ruby_class
from headwater.langs.puppet.types.refusals import BadFormat, BadNumber, TooWide
from headwater.langs.puppet.types.rubytext import inspect, ruby_float, ruby_integer, to_s
from headwater.langs.puppet.types.value import Value
from headwater.text.patterns import LatePattern

WIDTH_LIMIT = 1_000_000
"""The widest field that is formatted; Ruby would go on to two thousand million."""


class NoKey(BadFormat):
    """A named argument that is not there."""


class Spec(msgspec.Struct):
    """One directive: its flags, width, precision and letter."""

    minus: bool = False
    plus: bool = False
    space: bool = False
    zero: bool = False
    alt: bool = False
    width: int | None = None
    precision: int | None = None


class _Arguments:
    """The arguments of a format, by order, by number or by name."""

    def __init__(self, args: Sequence[Value]) -> None:
        self.args = args
        self.next = 0
        self.mode = ""

    def take(self) -> Value:
        if self.mode == "numbered":
            raise BadFormat(f"unnumbered({self.next + 1}) mixed with numbered")
        if self.mode == "named":
            raise BadFormat(f"unnumbered({self.next + 1}) mixed with named")
        self.mode = "order"
        if self.next >= len(self.args):
            raise BadFormat("too few arguments")
        self.next += 1
        return self.args[self.next - 1]

    def numbered(self, number: int) -> Value:
        if self.mode == "order":
            raise BadFormat(f"numbered({number}) after unnumbered({self.next})")
        if self.mode == "named":
            raise BadFormat(f"numbered({number}) after named")
        if number < 1:
            raise BadFormat(f"invalid index - {number}$")
        self.mode = "numbered"
        if number > len(self.args):
            raise BadFormat("too few arguments")
        return self.args[number - 1]

    def named(self, name: str, spelled: str) -> Value:
        if self.mode == "order":
            raise BadFormat(f"named{spelled} after unnumbered({self.next})")
        if self.mode == "numbered":
            raise BadFormat(f"named{spelled} after numbered")
        self.mode = "named"
        if len(self.args) != 1 or not isinstance(self.args[0], Hash):
            raise BadFormat("one hash required")
        if name not in self.args[0]:
            raise NoKey(f"key{spelled} not found")
        found: Value = self.args[0][name]
        return found


_NAME = LatePattern(r"<([^>]*)>")
_BRACE = LatePattern(r"\{([^}]*)\}")


_DIRECTIVE = LatePattern(r"%(?:%|(?:0?[1-9]\d?)?([dxX])|(?:[1-9]\d?)?(s))")


@lru_cache(maxsize=512)
def _simple(text: str) -> str | None:
    """The letters of a format that Python reads as Ruby does, for texts and natural numbers."""
    letters: list[str] = []
    at = text.find("%")
    while at >= 0:
        found = _DIRECTIVE.match(text, at)
        if found is None:
            return None
        letters.append(found[1] or found[2] or "")
        at = text.find("%", found.end())
    return "".join(letters)


def _natural(letters: str, args: Sequence[Any]) -> bool:
    """Whether the arguments are texts and natural numbers, as the letters want them."""
    for letter, value in zip(letters, args, strict=False):
        if letter == "s":
            if value.__class__ is not str:
                return False
        elif value.__class__ is not int or value < 0:
            return False
    return True


def sprintf(text: str, args: Sequence[Any]) -> str:
    """The text with its directives replaced."""
    letters = None if text.__class__ is Bytes else _simple(text)
    if letters is not None and len(args) >= len(letters) and _natural(letters, args):
        return text % tuple(args[: len(letters)])
    if text.__class__ is Bytes or any(value.__class__ is Bytes for value in args):
        return _of_bytes(text, args)
    given = _Arguments(args)
    out: list[str] = []
    place, size = 0, len(text)
    while place < size:
        percent = text.find("%", place)
        if percent < 0:
            out.append(text[place:])
            break
        out.append(text[place:percent])
        shown, place = _directive(text, percent + 1, given)
        out.append(shown)
    return "".join(out)


def _of_bytes(text: str, args: Sequence[Any]) -> str:
    """The same where one of the strings is no text; it says of what encoding the result is."""
    try:
        kind = encoding_of(joined([text, *(value for value in args if isinstance(value, str))]))
    except Incompatible as error:
        raise BadFormat(str(error)) from None
    plain = [str(value) if value.__class__ is Bytes else value for value in args]
    return in_encoding(sprintf(str(text), plain), kind)


def _directive(text: str, place: int, given: _Arguments) -> tuple[str, int]:
    spec = Spec()
    missing = object()
    value: Any = missing
    while True:
        char = text[place : place + 1]
        if char in (" ", "#", "+", "-", "0") and char:
            _flag(spec, char)
            place += 1
        elif char.isdigit():
            found = re.compile(r"\d+").match(text, place)
            assert found is not None
            number = _bounded(found[0])
            place = found.end()
            if text[place : place + 1] == "$":
                if value is not missing:
                    raise BadFormat(f"value given twice - {number}$")
                value = given.numbered(number)
                place += 1
            else:
                if spec.width is not None:
                    raise BadFormat("width given twice")
                spec.width = number
        elif char == "*":
            width = _to_integer(given.take())
            if width < 0:
                spec.minus = True
            spec.width = _bounded(str(abs(width)))
            place += 1
        elif char == ".":
            place += 1
            if spec.precision is not None:
                raise BadFormat("precision given twice")
            if text[place : place + 1] == "*":
                spec.precision = _bounded(str(_to_integer(given.take())))
                place += 1
            else:
                found = re.compile(r"\d*").match(text, place)
                assert found is not None
                spec.precision = _bounded(found[0] or "0")
                place = found.end()
        elif char in ("<", "{") and char:
            found = (_NAME if char == "<" else _BRACE).match(text, place)
            if found is None:
                raise BadFormat("malformed name - unmatched parenthesis")
            value = given.named(found[1], found[0])
            place = found.end()
            if char == "{":
                return _text(spec, to_s(value)), place
        else:
            break
    if char in ("", "\n", "\0"):
        if char == "":
            raise BadFormat("incomplete format specifier; use %% (double %) instead")
        return "%" + char, place + 1
    if char == "%":
        if spec != Spec() or value is not missing:
            raise BadFormat("invalid format character - %")
        return "%", place + 1
    if char not in "diubBoxXeEfgGaAcps":
        raise BadFormat(f"malformed format string - %{char}")
    if value is missing:
        value = given.take()
    return _shown(spec, char, value), place + 1


def _bounded(digits: str) -> int:
    if len(digits) > 9 or int(digits) > WIDTH_LIMIT:
        raise TooWide(f"a width or precision of {digits} is beyond {WIDTH_LIMIT}")
    return int(digits)


def _flag(spec: Spec, char: str) -> None:
    match char:
        case " ":
            spec.space = True
        case "#":
            spec.alt = True
        case "+":
            spec.plus = True
        case "-":
            spec.minus = True
        case "0":
            spec.zero = True


def _shown(spec: Spec, letter: str, value: Value) -> str:
    if letter in "diubBoxX":
        return _integer(spec, letter, _to_integer(value))
    if letter in "eEfgGaA":
        return _float(spec, letter, value)
    if letter == "c":
        return _character(spec, value)
    return _text(spec, inspect(value) if letter == "p" else to_s(value))


def _text(spec: Spec, text: str) -> str:
    if spec.precision is not None:
        text = text[: spec.precision]
    width = spec.width or 0
    return text.ljust(width) if spec.minus else text.rjust(width)


def _character(spec: Spec, value: Value) -> str:
    if isinstance(value, str):
        if len(value) != 1:
            raise BadFormat("%c requires a character")
        text = value
    else:
        if isinstance(value, list | Hash | bool):
            shown = inspect(value) if isinstance(value, bool) else ruby_class(value)
            raise BadFormat(f"no implicit conversion of {shown} into Integer")
        number = _to_integer(value)
        if not 0 <= number < 0x110000:
            raise BadFormat("invalid character")
        text = chr(number)
    width = spec.width or 0
    return text.ljust(width) if spec.minus else text.rjust(width)


def _to_integer(value: Value) -> int:
    match value:
        case bool():
            raise BadFormat(f"can't convert {'true' if value else 'false'} into Integer")
        case int():
            return value
        case float():
            if value != value or value in (float("inf"), float("-inf")):
                name = "NaN" if value != value else "Infinity" if value > 0 else "-Infinity"
                raise BadFormat(name)
            return int(value)
        case str():
            try:
                return ruby_integer(value)
            except BadNumber as error:
                raise BadFormat(str(error)) from None
        case None:
            raise BadFormat("can't convert nil into Integer")
        case v.Timestamp() | v.Timespan():
            return value.nanoseconds // 1_000_000_000
    raise BadFormat(f"can't convert {ruby_class(value)} into Integer")


def _sign(spec: Spec, negative: bool) -> str:
    return "-" if negative else "+" if spec.plus else " " if spec.space else ""


_BASES = {"b": (1, "0b"), "B": (1, "0B"), "o": (3, "0"), "x": (4, "0x"), "X": (4, "0X")}


def _integer(spec: Spec, letter: str, number: int) -> str:
    if letter in "diu":
        return _filled(spec, _sign(spec, number < 0), "", str(abs(number)))
    bits, prefix = _BASES[letter]
    signed = spec.plus or spec.space
    if number < 0 and not signed:
        return _complement(spec, letter, number, bits, prefix)
    digits = format(abs(number), {1: "b", 3: "o", 4: "x"}[bits])
    if letter == "X":
        digits = digits.upper()
    if letter == "o" and spec.alt and number != 0:
        # The leading nought of an octal number is one of its digits.
        digits, prefix = "0" + digits, ""
    lead = prefix if spec.alt and number != 0 else ""
    return _filled(spec, _sign(spec, number < 0), lead, digits)


def _filled(spec: Spec, sign: str, lead: str, digits: str) -> str:
    if spec.precision is not None:
        digits = "" if spec.precision == 0 and digits == "0" else digits.rjust(spec.precision, "0")
    width = spec.width or 0
    if spec.minus:
        return (sign + lead + digits).ljust(width)
    if spec.zero and spec.precision is None:
        return sign + lead + digits.rjust(width - len(sign) - len(lead), "0")
    return (sign + lead + digits).rjust(width)


def _complement(spec: Spec, letter: str, number: int, bits: int, prefix: str) -> str:
    """A negative number as two's complement: dots stand for digits without end."""
    top = format((1 << bits) - 1, "x")
    size = -(-(~number).bit_length() // bits)
    text = top
    if size:
        shown = format(number + (1 << size * bits), {1: "b", 3: "o", 4: "x"}[bits]).zfill(size)
        text = shown if shown[0] == top else top + shown
    if letter == "X":
        text, top = text.upper(), top.upper()
    lead = prefix if spec.alt and letter != "o" else ""
    width = spec.width or 0
    if spec.precision is not None:
        text = text.rjust(spec.precision - 2, top)
    elif spec.zero and not spec.minus:
        text = text.rjust(width - len(lead) - 2, top)
    whole = f"{lead}..{text}"
    return whole.ljust(width) if spec.minus else whole.rjust(width)


def _to_float(value: Value) -> float | int:
    match value:
        case bool():
            raise BadFormat(f"can't convert {'true' if value else 'false'} into Float")
        case float() | int():
            return value
        case str():
            try:
                return ruby_float(value)
            except BadNumber as error:
                raise BadFormat(str(error)) from None
        case None:
            raise BadFormat("can't convert nil into Float")
        case v.Timestamp() | v.Timespan():
            return value.nanoseconds / 1_000_000_000
    raise BadFormat(f"can't convert {ruby_class(value)} into Float")


def _float(spec: Spec, letter: str, value: Value) -> str:
    number = _to_float(value)
    if isinstance(number, float) and (number != number or number in (float("inf"), -float("inf"))):
        name = "NaN" if number != number else "Inf"
        shown = _sign(spec, number < 0) + name
        width = spec.width or 0
        return shown.ljust(width) if spec.minus else shown.rjust(width)
    if letter in "aA":
        return _hexadecimal(spec, letter, float(number))
    if letter == "f" and isinstance(number, int):
        precision = 6 if spec.precision is None else spec.precision
        digits = str(abs(number)) + ("." + "0" * precision if precision else "")
        return _filled(_without_precision(spec), _sign(spec, number < 0), "", digits)
    number = float(number)
    precision = 6 if spec.precision is None else spec.precision
    digits = f"%{'#' if spec.alt else ''}.{precision}{letter}" % abs(number)
    negative = number < 0 or (number == 0 and str(number).startswith("-"))
    return _filled(_without_precision(spec), _sign(spec, negative), "", digits)


def _without_precision(spec: Spec) -> Spec:
    return Spec(spec.minus, spec.plus, spec.space, spec.zero, spec.alt, spec.width)


def _hexadecimal(spec: Spec, letter: str, number: float) -> str:
    negative = str(number).startswith("-")
    mantissa, _, power = abs(number).hex()[2:].partition("p")
    whole, _, fraction = mantissa.partition(".")
    if spec.precision is None:
        fraction = fraction.rstrip("0")
    elif spec.precision < len(fraction):
        scaled = int(whole + fraction, 16)
        drop = 4 * (len(fraction) - spec.precision)
        half = 1 << (drop - 1)
        rest = scaled & ((1 << drop) - 1)
        scaled >>= drop
        if rest > half or (rest == half and scaled & 1):
            scaled += 1
        text = format(scaled, f"0{spec.precision + 1}x")
        whole, fraction = text[: len(text) - spec.precision], text[len(text) - spec.precision :]
        if whole == "2":
            whole, power = "1", f"{int(power) + 1:+d}"
    else:
        fraction = fraction.ljust(spec.precision, "0")
    digits = whole + ("." + fraction if fraction or spec.alt else "") + "p" + power
    lead = "0x"
    if letter == "A":
        digits, lead = digits.upper(), "0X"
    return _filled(_without_precision(spec), _sign(spec, negative), lead, digits)
