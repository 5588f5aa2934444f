"""Integer and Float: rounding."""

from __future__ import annotations

import math
from collections.abc import Callable
from decimal import ROUND_HALF_DOWN, ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal
from fractions import Fraction
from typing import Final

from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.ruby.classes import NUMERIC
from headwater.langs.puppet.ruby.machine import Machine
from headwater.langs.puppet.ruby.methods import conversions as to
from headwater.langs.puppet.ruby.methods.registry import method
from headwater.langs.puppet.ruby.refusals import Beyond
from headwater.langs.puppet.ruby.values import (
    UNDEFINED,
    Given,
    Number,
    RubyValue,
    symbol,
)

_WAYS: Final = {"up": ROUND_HALF_UP, "even": ROUND_HALF_EVEN, "down": ROUND_HALF_DOWN}


@method(NUMERIC, "truncate")
def truncate(m: Machine, self: Number, digits: Given = UNDEFINED) -> RubyValue:
    if digits is not UNDEFINED:
        to.integer(m, digits)
    if self.__class__ is int and (digits is UNDEFINED or to.integer(m, digits) >= 0):
        return self
    if digits is not UNDEFINED and to.integer(m, digits) > 0:
        return _toward(m, self, digits, math.ceil if self < 0 else math.floor)
    made = to.integer(m, self)
    if digits is not UNDEFINED and to.integer(m, digits) < 0:
        unit = 10 ** min(-to.integer(m, digits), 400)
        return math.trunc(Fraction(made, unit)) * unit
    return made


def _is_exact(number: float, decimals: int) -> bool:
    """Whether a number has no more digits than so many, as Ruby sees by its exponent."""
    power = math.frexp(number)[1]
    return decimals >= 17 - (power // 4 if power > 0 else -(-power // 3) - 1)


def _vanishes(number: float, decimals: int) -> bool:
    """Whether so small a number is 0.0 with so few digits, as Ruby sees by its exponent."""
    power = math.frexp(number)[1]
    return number != 0 and power <= 0 and decimals < -power // 4


def _halves(m: Machine, options: Given) -> str:
    """Where a half goes: a key of `_WAYS`."""
    given = options.get(symbol("half")) if isinstance(options, Hash) else None
    if given is None:
        return "up"
    mode = m.text(given)
    if mode not in _WAYS:
        raise m.error("ArgumentError", f"invalid rounding mode: {mode}")
    return mode


def _is_all_zeros(number: int, decimals: int) -> bool:
    """Whether Ruby sees by the size of an integer that none of its digits would be left."""
    size = 8 if -(2**62) <= number < 2**62 else -(-number.bit_length() // 8)
    return -0.415241 * decimals - 0.125 > size


@method(NUMERIC, "round")
def round_(
    m: Machine, self: Number, digits: Given = UNDEFINED, options: Given = UNDEFINED
) -> RubyValue:
    if isinstance(digits, Hash):
        digits, options = UNDEFINED, digits
    if options is not UNDEFINED and not isinstance(options, Hash):
        raise m.wrong_count(2, 0, 1)
    if digits is UNDEFINED and self.__class__ is int:
        return self
    mode = _halves(m, options)
    decimals = 0 if digits is UNDEFINED else to.integer(m, digits)
    if decimals < -10_000:
        raise Beyond("a number rounded to more than 10,000 digits")
    if self.__class__ is int and decimals >= 0:
        return self
    if self.__class__ is float and not math.isfinite(self):
        return self if decimals > 0 else to.integer(m, self)
    if decimals > 0 and _is_exact(self, decimals):
        return self
    if decimals > 0 and _vanishes(self, decimals):
        return 0.0
    if decimals < 0:  # Ruby cuts off what is behind the point before it rounds
        whole = math.trunc(self)
        zero = _is_all_zeros(whole, decimals)
        return 0 if zero else _round_integer(whole, 10**-decimals, mode)
    if decimals == 0:
        return _round_integer(Fraction(self), 1, mode)
    # Ruby rounds the shortest text of a float where that is exact enough.
    unit = Decimal(1).scaleb(-decimals)
    return float(Decimal(repr(self)).quantize(unit, rounding=_WAYS[mode]))


def _round_integer(number: int | Fraction, unit: int, mode: str) -> int:
    """The multiple of a unit that is nearest."""
    size: int | Fraction = number if number >= 0 else -number
    whole = size // unit
    rest = size - whole * unit
    up = rest * 2 > unit or (
        rest * 2 == unit and (mode == "up" or (mode == "even" and whole % 2 == 1))
    )
    made = (whole + up) * unit
    return -made if number < 0 else made


@method(NUMERIC, "floor")
def floor(m: Machine, self: Number, digits: Given = UNDEFINED) -> RubyValue:
    return _toward(m, self, digits, math.floor)


@method(NUMERIC, "ceil")
def ceil(m: Machine, self: Number, digits: Given = UNDEFINED) -> RubyValue:
    return _toward(m, self, digits, math.ceil)


def _toward(m: Machine, self: Number, digits: Given, way: Callable[[Number], int]) -> Number:
    decimals = 0 if digits is UNDEFINED else to.integer(m, digits)
    if self.__class__ is float and not math.isfinite(self):
        return self if decimals > 0 else to.integer(m, self)
    if abs(decimals) > 10_000:
        raise Beyond("a number rounded to more than 10,000 digits")
    if decimals > 0:
        if self.__class__ is int or self == 0 or _is_exact(self, decimals):
            return self
        if self < 0 and way is math.ceil and _vanishes(self, decimals):
            return 0.0
        unit = Decimal(1).scaleb(-decimals)
        rounding = "ROUND_FLOOR" if way is math.floor else "ROUND_CEILING"
        return float(Decimal(repr(self)).quantize(unit, rounding=rounding))
    if decimals < 0:
        unit_ = 10**-decimals
        number = way(self)
        if _is_all_zeros(number, decimals):
            return 0
        return number // unit_ * unit_ if way is math.floor else -(-number // unit_) * unit_
    return way(self)
