"""Numbers in a format: integers in any base, and floats, with their signs and paddings."""

from __future__ import annotations

import msgspec

from headwater.langs.puppet import values as v
from headwater.langs.puppet.types.quoting import ruby_class
from headwater.langs.puppet.types.refusals import BadFormat, BadNumber
from headwater.langs.puppet.types.rubytext import ruby_float, ruby_integer
from headwater.langs.puppet.types.value import Value


class Spec(msgspec.Struct):
    """One directive: its flags, width, precision and letter."""

    minus: bool = False
    plus: bool = False
    space: bool = False
    zero: bool = False
    alt: bool = False
    width: int | None = None
    precision: int | None = None


def to_integer(value: Value) -> int:
    """The integer that Ruby makes of a value; refuses what is none."""
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


def integer(spec: Spec, letter: str, number: int) -> str:
    """An integer as a directive of one of the letters ``diubBoxX`` writes it."""
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


def floating(spec: Spec, letter: str, value: Value) -> str:
    """A number as a directive of one of the letters ``eEfgGaA`` writes it."""
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
