"""Integer and Float: rounding."""

from __future__ import annotations

import math
from collections.abc import Callable
from decimal import ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal
from fractions import Fraction

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
    if isinstance(options, Hash):
        mode = options.get(symbol("half"))
        if mode is not None:
            return m.text(mode)
    return "up"


@method(NUMERIC, "round")
def round_(
    m: Machine, self: Number, digits: Given = UNDEFINED, options: Given = UNDEFINED
) -> RubyValue:
    if isinstance(digits, Hash):
        digits, options = UNDEFINED, digits
    if options is not UNDEFINED and not isinstance(options, Hash):
        raise m.wrong_count(2, 0, 1)
    mode = _halves(m, options)
    decimals = 0 if digits is UNDEFINED else to.integer(m, digits)
    if decimals < -10_000:
        raise Beyond("a number rounded to more than 10,000 digits")
    if self.__class__ is int:
        return self if decimals >= 0 else _round_integer(self, 10**-decimals, mode)
    if self != self or self in (math.inf, -math.inf):
        if decimals > 0:
            return self
        return to.integer(m, self)
    if decimals > 0 and _is_exact(self, decimals):
        return self
    if decimals > 0 and _vanishes(self, decimals):
        return 0.0
    way = ROUND_HALF_EVEN if mode == "even" else ROUND_HALF_UP
    if mode == "down":
        raise Beyond("round(half: :down)")
    unit = Decimal(1).scaleb(-decimals)
    # Ruby rounds the shortest text of a float where that is exact enough.
    made = (
        Decimal(repr(self)).quantize(unit, rounding=way)
        if decimals > 0
        else Decimal(self).quantize(unit, rounding=way)
    )
    return float(made) if decimals > 0 else int(made)


def _round_integer(number: int, unit: int, mode: str) -> int:
    whole, rest = divmod(abs(number), unit)
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
    if self.__class__ is float and (self != self or self in (math.inf, -math.inf)):
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
        return number // unit_ * unit_ if way is math.floor else -(-number // unit_) * unit_
    return way(self)
