"""Arithmetic and order, with the numbers of Java.

The wider operand decides: double, float, long, integer.  Integers wrap around, and are
divided towards zero.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any

from headwater.langs.smartfrog.production.components import Value
from headwater.langs.smartfrog.production.functions.call import Call, Failed, Function, kind
from headwater.langs.smartfrog.production.syntax import Float, Long, single
from headwater.why import Node

RANKS: dict[type, int] = {int: 0, Long: 1, Float: 2, float: 3}


def fit(value: float, rank: int) -> Value:
    """A number as Java keeps it at that rank."""
    if rank >= 2 and (math.isinf(value) or math.isnan(value)):
        raise Failed("the result is not a finite number")
    match rank:
        case 0 | 1:
            bits = 32 if rank == 0 else 64
            half = 1 << (bits - 1)
            wrapped = (int(value) + half) % (1 << bits) - half
            return wrapped if rank == 0 else Long(wrapped)
        case 2:
            try:
                return single(value)
            except OverflowError:
                raise Failed("the result is not a finite number") from None
        case _:
            return float(value)


def rank_of(value: Value) -> int:
    """How wide a number is."""
    rank = RANKS.get(type(value))
    if rank is None:
        raise Failed(f"{kind(value)} is not a number")
    return rank


def combine(work: Callable[[Any, Any], Any], one: Value, other: Value) -> Value:
    """Two numbers combined at the wider one's rank."""
    rank = max(rank_of(one), rank_of(other))
    try:
        return fit(work(one, other), rank)
    except OverflowError:
        raise Failed("the result is not a finite number") from None


def divide(one: float, other: float) -> float:
    """Division, towards zero between integers."""
    if other == 0:
        raise Failed("division by zero")
    if isinstance(one, float) or isinstance(other, float):
        return one / other
    quotient = abs(one) // abs(other)
    return quotient if (one < 0) == (other < 0) else -quotient


def remainder(one: float, other: float) -> float:
    """What division leaves; it has the sign of the first operand."""
    if other == 0:
        raise Failed("division by zero")
    if isinstance(one, float) or isinstance(other, float):
        return math.fmod(one, other)
    return one - other * divide(one, other)


def folded(sign: str, work: Callable[[Any, Any], Any]) -> Function:
    """An operator over all arguments, from the first to the last; one alone stays what it is."""

    def function(call: Call) -> tuple[Value, Node]:
        if len(call.args) == 1:
            return call.only()
        values = [value for value, _ in call.args.values()]
        if not values:
            raise Failed("it has nothing to work on")
        made = values[0]
        for value in values[1:]:
            made = combine(work, made, value)
        return call.computed(sign, made)

    return function


def added_at_once(values: list[Value]) -> int | None:
    """What the sum of some integers is, as long as it is one; None of anything else."""
    total = 0
    for value in values:
        if value.__class__ is not int:
            return None
        total += value
    return total if values and -(2**31) <= total < 2**31 else None


def paired(sign: str, work: Callable[[Any, Any], Any]) -> Function:
    """An operator over ``left`` and ``right``."""

    def function(call: Call) -> tuple[Value, Node]:
        (left, why_left), (right, why_right) = call.need("left"), call.need("right")
        made = combine(work, left, right)
        return made, call.trace.operation(sign, [why_left, why_right])

    return function


def compared(sign: str, work: Callable[[Any, Any], bool]) -> Function:
    """A comparison of two numbers."""

    def function(call: Call) -> tuple[Value, Node]:
        (left, why_left), (right, why_right) = call.need("left"), call.need("right")
        rank_of(left)
        rank_of(right)
        return work(left, right), call.trace.operation(sign, [why_left, why_right])

    return function


NUMBERS: dict[str, Function] = {
    "Sum": folded("+", operator.add),
    "Product": folded("*", operator.mul),
    "Minus": paired("-", operator.sub),
    "Divide": paired("/", divide),
    "Mod": paired("%", remainder),
    "GT": compared(">", operator.gt),
    "GE": compared(">=", operator.ge),
    "LT": compared("<", operator.lt),
    "LE": compared("<=", operator.le),
}
