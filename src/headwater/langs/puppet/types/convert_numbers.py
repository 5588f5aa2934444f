"""``Integer(…)``, ``Float(…)``, ``Numeric(…)`` and ``Boolean(…)``."""

from __future__ import annotations

import math
import re

from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.types.description import mismatch_text
from headwater.langs.puppet.types.generality import generalize
from headwater.langs.puppet.types.inference import infer, infer_set
from headwater.langs.puppet.types.matching import is_instance
from headwater.langs.puppet.types.refusals import BadNumber
from headwater.langs.puppet.types.rubytext import ruby_float, ruby_integer
from headwater.langs.puppet.types.show import show_type
from headwater.langs.puppet.types.signatures import Failed, Signature
from headwater.langs.puppet.types.value import Value
from headwater.langs.puppet.values import DEFAULT, Default, Timespan, Timestamp
from headwater.text.patterns import LatePattern

_SIGN = r"[+-]?\s*"
_HEX, _OCT, _BIN = r"(?:0[xX][0-9A-Fa-f]+)", r"(?:0[0-7]+)", r"(?:0[bB][01]+)"
_DEC = r"(?:0|[1-9]\d*)"
_FLOAT_DEC = rf"(?:{_DEC}(?:\.\d+)?(?:[eE]-?\d+)?)"
INTEGER_LENIENT = rf"\A{_SIGN}(?:(?:\d+)|{_HEX}|{_BIN})\z"
FLOAT = rf"\A{_SIGN}(?:{_FLOAT_DEC}|{_HEX}|{_OCT}|{_BIN})\z"
_SPACED = LatePattern(r"\A([+-])\s+(.*)\Z", re.DOTALL)
_NUMERIC = LatePattern(
    r"[ \t]*+([-+]?)[ \t]*+((0[xX][0-9A-Fa-f]+)|(0?\d+)((?:\.\d+)?(?:[eE]-?\d+)?))[ \t]*\Z",
    re.ASCII,
)
_SECOND = 1_000_000_000
Convertible = bool | int | float | str | Timestamp | Timespan
"""What numbers are made from."""
Radix = int | Default


def cannot(value: Value, name: str) -> str:
    """What is said about a value that has no such form."""
    if isinstance(value, str):
        return f"The string '{value}' cannot be converted to {name}"
    return f"Value of type {show_type(generalize(infer(value)))} cannot be converted to {name}"


def _integer(value: Convertible, radix: Radix = DEFAULT, absolute: bool = False) -> int:
    match value:
        case bool():
            number = int(value)
        case float():
            number = whole(value)
        case int():
            number = value
        case Timestamp() | Timespan():
            number = value.nanoseconds // _SECOND
        case _:
            number = _integer_of_text(value, radix)
    return abs(number) if absolute else number


def whole(value: float) -> int:
    """The integer part of a float; Ruby's words where there is none."""
    if math.isnan(value):
        raise Failed("NaN")
    if math.isinf(value):
        raise Failed("Infinity" if value > 0 else "-Infinity")
    return int(value)


def _integer_of_text(text: str, radix: Radix) -> int:
    base = radix if isinstance(radix, int) else None
    try:
        return ruby_integer(text, base)
    except BadNumber as error:
        spaced = _SPACED.match(text)
        if spaced is not None:
            try:
                return ruby_integer(spaced[1] + spaced[2], base)
            except BadNumber:
                pass
        raise Failed(str(error)) from None


def _integer_of_hash(given: Hash) -> int:
    radix = given.get("radix")
    return _integer(given["from"], DEFAULT if radix is None else radix, bool(given.get("abs")))


def _check_radix(radix: Value) -> None:
    if radix not in (2, 8, 10, 16):
        raise Failed(f"Illegal radix: {radix}, expected 2, 8, 10, 16, or default")


def _bad_integer(value: Value, radix: Value = DEFAULT, absolute: Value = None) -> str:
    if radix is not DEFAULT:
        _check_radix(radix)
    return cannot(value, "Integer")


def _bad_integer_hash(given: Hash) -> str:
    if "from" in given:
        value = given["from"]
        if not is_instance(INTEGER_MAKERS[0].types[0], value):
            return cannot(value, "Integer")
    radix = given.get("radix")
    if radix is not None and radix is not DEFAULT:
        _check_radix(radix)
    signature = INTEGER_MAKERS[1]
    raise Failed(mismatch_text("Integer.new has wrong type,", signature.types[0], infer_set(given)))


_INTEGER_LOCAL = {
    "Radix": "Variant[Default, Integer[2,2], Integer[8,8], Integer[10,10], Integer[16,16]]",
    "Convertible": f"Variant[Numeric, Boolean, Pattern[/{INTEGER_LENIENT}/], Timespan, Timestamp]",
    "NamedArgs": (
        "Struct[{from => Convertible, Optional[radix] => Radix, Optional[abs] => Boolean}]"
    ),
}
INTEGER_MAKERS = [
    Signature("Convertible from, Radix radix?, Boolean abs?", _integer, local=_INTEGER_LOCAL),
    Signature("NamedArgs hash_args", _integer_of_hash, local=_INTEGER_LOCAL),
    Signature("Hash hash_args", _bad_integer_hash, complain=True),
    Signature("Any from, Integer radix?, Boolean abs?", _bad_integer, complain=True),
]


def _float(value: Convertible, absolute: bool = False) -> float:
    match value:
        case bool():
            number = float(value)
        case int() | float():
            number = float(value)
        case Timestamp() | Timespan():
            number = value.nanoseconds / _SECOND
        case _:
            number = _float_of_text(value)
    return abs(number) if absolute else number


def _float_of_text(text: str) -> float:
    if text[:2].lower() == "0b":
        return float(int(text[2:], 2))
    try:
        return ruby_float(text)
    except BadNumber as error:
        spaced = _SPACED.match(text)
        if spaced is not None:
            try:
                return ruby_float(spaced[1] + spaced[2])
            except BadNumber:
                pass
        raise Failed(str(error)) from None


_FLOAT_LOCAL = {
    "Convertible": f"Variant[Numeric, Boolean, Pattern[/{FLOAT}/], Timespan, Timestamp]",
    "NamedArgs": "Struct[{from => Convertible, Optional[abs] => Boolean}]",
}
FLOAT_MAKERS = [
    Signature("Convertible from, Boolean abs?", _float, local=_FLOAT_LOCAL),
    Signature(
        "NamedArgs hash_args",
        lambda given: _float(given["from"], bool(given.get("abs"))),
        local=_FLOAT_LOCAL,
    ),
    Signature(
        "Any from, Boolean abs?", lambda value, _=None: cannot(value, "Float"), complain=True
    ),
]


def _numeric(value: Convertible, absolute: bool = False) -> float | None:
    number = _number(value)
    if number is None:
        if absolute:
            raise Failed("undefined method `abs' for nil:NilClass")
        return None
    return abs(number) if absolute else number


def _number(value: Convertible) -> float | None:
    match value:
        case bool():
            return int(value)
        case int() | float():
            return value
        case Timestamp() | Timespan():
            return value.nanoseconds / _SECOND
    if value[:1] == "0" and value[1:2].lower() in ("b", "x"):
        try:
            return ruby_integer(value)
        except BadNumber as error:
            raise Failed(str(error)) from None
    return text_to_number(value)


def text_to_number(text: str) -> int | float | None:
    """The number a text spells in a program; None where it spells none."""
    found = _NUMERIC.match(text)
    if found is None:
        return None
    sign = -1 if found[1] == "-" else 1
    if found[3]:
        return sign * int(found[3], 16)
    if found[5]:
        return sign * float(found[4] + found[5])
    digits = found[4]
    if len(digits) > 1 and digits[0] == "0":
        if not re.match(r"[0-7]+\Z", digits):
            return None
        return sign * int(digits, 8)
    return sign * int(digits)


_NUMERIC_LOCAL = {
    "Convertible": f"Variant[Integer, Float, Boolean, Pattern[/{FLOAT}/], Timespan, Timestamp]",
    "NamedArgs": "Struct[{from => Convertible, Optional[abs] => Boolean}]",
}
NUMERIC_MAKERS = [
    Signature("Convertible from, Boolean abs?", _numeric, local=_NUMERIC_LOCAL),
    Signature(
        "NamedArgs hash_args",
        lambda given: _numeric(given["from"], bool(given.get("abs"))),
        local=_NUMERIC_LOCAL,
    ),
    Signature(
        "Any from, Boolean abs?", lambda value, _=None: cannot(value, "Numeric"), complain=True
    ),
]


def _boolean(value: Value) -> bool:
    if isinstance(value, str):
        return value.lower() not in ("false", "no", "n")
    return bool(value != 0)


BOOLEAN_MAKERS = [
    Signature(
        "Variant[Integer, Float, Boolean, Enum['false','true','yes','no','y','n',true]] from",
        _boolean,
    ),
    Signature("Any from", lambda value: cannot(value, "Boolean"), complain=True),
]
