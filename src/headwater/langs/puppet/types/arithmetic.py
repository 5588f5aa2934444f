"""Arithmetic and the operators on collections that share its signs."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any, TypeAlias

from headwater.langs.puppet import codes
from headwater.langs.puppet.fault import Problem
from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.levels import DEFAULT, LanguageLevel
from headwater.langs.puppet.types.value import Value
from headwater.langs.puppet.values import Binary, Timespan, Timestamp
from headwater.text.patterns import LatePattern

_LOW, _HIGH = -(2**63), 2**63 - 1
_SECOND = 1_000_000_000
_NUMBER = LatePattern(
    r"[ \t]*+([-+]?)[ \t]*+(?:(0[xX][0-9A-Fa-f]+)|(0?\d+)((?:\.\d+)?(?:[eE]-?\d+)?))[ \t]*\Z"
)

Operand: TypeAlias = int | float | Timespan | Timestamp

Coerced = Callable[[str, Any], None]
"""Told when a text is taken for a number."""


def number_of(text: str) -> int | float | None:
    """The number a text spells: decimal, hexadecimal, octal or floating point."""
    found = _NUMBER.match(text)
    if found is None:
        return None
    sign, hexadecimal, digits, rest = found.groups()
    value: int | float
    if hexadecimal:
        value = int(hexadecimal, 16)
    elif rest:
        value = float(digits + rest)
    elif len(digits) > 1 and digits[0] == "0":
        if not re.fullmatch(r"[0-7]+", digits):
            return None
        value = int(digits, 8)
    else:
        value = int(digits)
    return -value if sign == "-" else value


def numeric(value: object, coerced: Coerced, part: int) -> Operand:
    """A value as a number; `part` is the operand it is."""
    if value.__class__ is int or value.__class__ is float:
        return value
    if value.__class__ is Timespan or value.__class__ is Timestamp:
        return value
    if isinstance(value, str):
        number = number_of(value)
        if number is not None:
            coerced(value, number)
            return number
    from headwater.langs.puppet.types.equality import _shown

    raise Problem(codes.NOT_NUMERIC, part=part, value=_shown(value))


def calculate(
    op: str, left: object, right: object, coerced: Coerced, level: LanguageLevel = DEFAULT
) -> Value:
    """``left op right`` for + - * / % << >>."""
    if isinstance(left, list | Hash) and op in ("+", "-", "<<"):
        if op == "+":
            return joined(left, right, level)
        if op == "-":
            return without(left, right)
        if isinstance(left, list):
            return [*left, right]
        raise _inapplicable(op, left)
    if isinstance(left, Binary) and op == "+":
        if not isinstance(right, Binary):
            raise Problem(codes.NOT_APPLICABLE, operator="+", value="a Binary and something else")
        return Binary(left.data + right.data)
    a = numeric(left, coerced, 0)
    b = numeric(right, coerced, 1)
    if isinstance(a, Timespan | Timestamp) or isinstance(b, Timespan | Timestamp):
        return _with_time(op, a, b)
    return _bounded(op, _numbers(op, a, b))


def _numbers(op: str, a: float, b: float) -> int | float:
    try:
        match op:
            case "+":
                return a + b
            case "-":
                return a - b
            case "*":
                return a * b
            case "/":
                if isinstance(a, int) and isinstance(b, int):
                    return a // b
                return a / b
            case "%":
                if isinstance(a, float) or isinstance(b, float):
                    raise _inapplicable(op, a)
                return a % b
            case _:
                if isinstance(a, float):
                    raise _inapplicable(op, a)
                return _shifted(a, int(b) if op == "<<" else -int(b), op)
    except ZeroDivisionError:
        if isinstance(a, int) and isinstance(b, int):
            raise Problem(codes.DIVISION_BY_ZERO, part=1) from None
        if a == 0 or math.isnan(a):
            return math.nan
        return math.copysign(math.inf, a) * math.copysign(1.0, b)
    except OverflowError:
        return math.inf


def _shifted(value: int, by: int, op: str) -> int:
    if by < 0:
        return value >> min(-by, 128)
    if by > 128 and value:
        raise Problem(codes.NUMBER_TOO_LARGE, operator=op)
    return value << min(by, 128)


def _bounded(op: str, result: float) -> int | float:
    if result.__class__ is int:
        if not _LOW <= result <= _HIGH:
            raise Problem(codes.NUMBER_TOO_LARGE, operator=op)
    elif isinstance(result, float) and math.isinf(result):
        raise Problem(codes.NUMBER_TOO_LARGE, operator=op, part=0)
    return result


def _with_time(op: str, a: Operand, b: Operand) -> Value:
    try:
        return _of_times(op, a, b)
    except (OverflowError, ValueError):  # infinite, or no number at all
        raise Problem(codes.NUMBER_TOO_LARGE, operator=op) from None
    except ZeroDivisionError:
        raise Problem(codes.DIVISION_BY_ZERO, part=1) from None


def _of_times(op: str, a: Operand, b: Operand) -> Value:
    if isinstance(b, Timespan) and not isinstance(a, Timespan | Timestamp):
        if op in ("+", "*"):
            a, b = b, a
        elif op == "-":
            a = Timespan(int(a * _SECOND))
        else:
            raise _inapplicable(op, a)
    match a, b, op:
        case Timespan(), Timespan(), "+":
            return Timespan(a.nanoseconds + b.nanoseconds)
        case Timespan(), Timespan(), "-":
            return Timespan(a.nanoseconds - b.nanoseconds)
        case Timespan(), Timestamp(), "+":
            return Timestamp(a.nanoseconds + b.nanoseconds)
        case Timestamp(), Timespan(), "+":
            return Timestamp(a.nanoseconds + b.nanoseconds)
        case Timestamp(), Timespan(), "-":
            return Timestamp(a.nanoseconds - b.nanoseconds)
        case Timestamp(), Timestamp(), "-":
            return Timespan(a.nanoseconds - b.nanoseconds)
        case Timespan(), Timespan(), "/":
            return a.nanoseconds / b.nanoseconds
        case Timestamp(), Timestamp(), "+":
            raise Problem(codes.NOT_APPLICABLE, operator=op, value="two points in time")
        case _:
            pass
    if isinstance(a, int | float) or not isinstance(b, int | float):
        raise _inapplicable(op, a)
    if op in ("+", "-"):
        delta = int(b * _SECOND)
        return type(a)(a.nanoseconds + (delta if op == "+" else -delta))
    if isinstance(a, Timespan) and op in ("*", "/"):
        return Timespan(int(a.nanoseconds * b if op == "*" else a.nanoseconds // b))
    raise _inapplicable(op, a)


def _inapplicable(op: str, value: object) -> Problem:
    from headwater.langs.puppet.types.equality import _shown

    return Problem(codes.NOT_APPLICABLE, part=0, operator=op, value=_shown(value))


def joined(left: list[Any] | Hash, right: object, level: LanguageLevel) -> list[Any] | Hash:
    """An array with more elements, a hash with more entries."""
    if isinstance(left, list):
        if isinstance(right, list):
            return left + right
        if isinstance(right, Hash):
            return left + [[key, value] for key, value in right.pairs()]
        return [*left, right]
    if isinstance(right, Hash):
        return left.merged(right)
    if isinstance(right, list):
        if right and all(isinstance(item, list) for item in right):
            least = 2 if level.exact_pairs else 1
            odd = next((at for at, item in enumerate(right) if not least <= len(item) <= 2), None)
            if odd is not None:
                value = f"an array whose element {odd} is no pair"
                raise Problem(codes.NOT_APPLICABLE, operator="+", value=value)
            pairs = [(item[0], item[1] if len(item) > 1 else None) for item in right]
            return left.merged(Hash.of(pairs))
        if len(right) == 1 and isinstance(right[0], Hash):
            return left.merged(right[0])
        if len(right) % 2:
            raise Problem(codes.NOT_APPLICABLE, operator="+", value="an odd number of elements")
        return left.merged(Hash.of(zip(right[::2], right[1::2], strict=True)))
    raise Problem(codes.NOT_APPLICABLE, operator="+", value="a Hash and neither Array nor Hash")


def without(left: list[Any] | Hash, right: object) -> list[Any] | Hash:
    """An array or hash without some elements; texts must be equal exactly."""
    if isinstance(left, list):
        gone = (
            right
            if isinstance(right, list)
            else [[k, v] for k, v in right.pairs()]
            if isinstance(right, Hash)
            else [right]
        )
        keys = {key for item in gone if (key := _key(item)) is not _NO_KEY}
        others = [item for item in gone if _key(item) is _NO_KEY]

        def goes(item: object) -> bool:
            key = _key(item)
            if key is _NO_KEY:
                return any(same(item, other) for other in gone)
            return key in keys or any(same(item, other) for other in others)

        return [item for item in left if not goes(item)]
    return left.without(right if isinstance(right, list | Hash) else [right])


_NO_KEY = object()
_PLAIN = frozenset([str, int, type(None)])


def _key(value: object) -> object:
    """What values have in common that are the `same`; `_NO_KEY` where that cannot be said."""
    kind = value.__class__
    if kind in _PLAIN or (kind is float and value == value):
        return value
    if kind is bool:
        return (bool, value)
    if isinstance(value, list):
        keys = [_key(item) for item in value]
        return _NO_KEY if _NO_KEY in keys else (list, *keys)
    return _NO_KEY


def same(a: object, b: object) -> bool:
    """Ruby's ``==``: exact for texts, and 1 is 1.0 but not true."""
    if (a.__class__ is bool) != (b.__class__ is bool):
        return False
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(same, a, b))
    return bool(a == b)
