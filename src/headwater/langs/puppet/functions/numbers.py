"""abs, ceiling, floor, round, max and min."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any

from headwater.langs.puppet.functions.equality import ordered
from headwater.langs.puppet.functions.registry import Call, dispatch
from headwater.langs.puppet.types.convert_numbers import whole
from headwater.langs.puppet.types.refusals import BadNumber
from headwater.langs.puppet.types.rubytext import ruby_float, to_f, to_i, to_s
from headwater.langs.puppet.types.signatures import Failed
from headwater.langs.puppet.types.value import Value
from headwater.langs.puppet.values import SemVer, Timespan, Timestamp
from headwater.text.patterns import LatePattern

_NUMBER = LatePattern(r"-?\d+([._eE]\d+)?\Z", re.ASCII)


@dispatch("abs", "Numeric val")
def _abs(call: Call, value: float) -> float:
    return abs(value)


@dispatch("abs", "String val")
def _abs_text(call: Call, text: str) -> Value:
    call.context.log(
        "warning",
        "The abs() function's auto conversion of String to Numeric is deprecated - change to "
        "convert input before calling",
    )
    if re.search(r"^-?(?:\d+)(?:\.\d+){1}$", text, re.MULTILINE):
        return abs(to_f(text))
    if re.search(r"^-?\d+$", text, re.MULTILINE):
        return abs(to_i(text))
    raise Failed("abs(): Requires float or integer to work with - was given non decimal string")


def _rounding(name: str, change: Callable[[float], int]) -> None:
    def finite(value: float) -> int:
        if isinstance(value, int):
            return value
        whole(value)
        return change(value)

    @dispatch(name, "Numeric val")
    def number(call: Call, value: float) -> int:
        return finite(value)

    @dispatch(name, "String val")
    def text(call: Call, value: str) -> int:
        call.context.log(
            "warning",
            f"The {name}() function's auto conversion of String to Float is deprecated - change "
            "to convert input before calling",
        )
        try:
            return finite(ruby_float(value))
        except BadNumber:
            raise Failed(
                f"{name}(): cannot convert given value to a floating point value."
            ) from None


_rounding("ceiling", math.ceil)
_rounding("floor", math.floor)


@dispatch("round", "Numeric val")
def _round(call: Call, value: float) -> int:
    return whole(value + 0.5 if value > 0 else value - 0.5)


def _as_numbers(a: str, b: str) -> tuple[float, float] | None:
    if _NUMBER.match(a) and _NUMBER.match(b):
        return to_f(a), to_f(b)
    return None


def _extremum(name: str, sign: int) -> None:
    """Declares ``max`` (sign 1) or ``min`` (sign -1)."""

    def best(values: list[Any], order: Callable[[Any, Any], Any]) -> Value:
        if not values:
            return None
        memo: Value = values[0]
        for value in values[1:]:
            verdict = order(value, memo)
            if verdict.__class__ not in (int, float):
                raise Failed("comparison failed: the lambda did not give a number")
            if verdict * sign > 0:
                memo = value
        return memo

    def texts(call: Call, a: Value, b: Value) -> int:
        one, two = to_s(a), to_s(b)
        numbers = _as_numbers(one, two)
        if numbers is not None:
            call.context.log(
                "warning",
                f"The {name}() function's auto conversion of String to Numeric is deprecated - "
                "change to convert input before calling, or use lambda",
            )
            return (numbers[0] > numbers[1]) - (numbers[0] < numbers[1])
        if not (isinstance(a, str) and isinstance(b, str)):
            call.context.log(
                "warning",
                f"The {name}() function's auto conversion of Any to String is deprecated - "
                "change to convert input before calling, or use lambda",
            )
        return (one > two) - (one < two)

    def run(call: Call, values: list[Any]) -> Value:
        if call.block is not None:
            return best(values, call.block)
        if not values:
            raise Failed(f"{name}(): Wrong number of arguments need at least one")
        if all(value.__class__ in (int, float) for value in values):
            return best(values, ordered)
        kind = values[0].__class__
        rich = call.context.level.compares_rich and kind in (SemVer, Timespan, Timestamp)
        if rich and all(value.__class__ is kind for value in values):
            return best(values, ordered)
        return best(values, lambda a, b: texts(call, a, b))

    @dispatch(name, "Numeric *values")
    @dispatch(name, "String *values")
    def flat(call: Call, *values: Value) -> Value:
        return run(call, list(values))

    for element in ("Array[Numeric]", "Array[String]", "Array"):

        @dispatch(name, f"{element} values", block="Callable[2,2]?")
        def array(call: Call, values: list[Any]) -> Value:
            return run(call, values)

    @dispatch(name, "Any *values", block="Callable[2,2]")
    def with_block(call: Call, *values: Value) -> Value:
        return run(call, list(values))

    @dispatch(name, "Any *values")
    def anything(call: Call, *values: Value) -> Value:
        return run(call, list(values))


_extremum("max", 1)
_extremum("min", -1)
