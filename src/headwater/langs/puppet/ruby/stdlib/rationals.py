"""Rational: exact fractions, as literals (``3r``), divisions and conversions give them."""

from __future__ import annotations

import math
import re
from fractions import Fraction
from typing import Final

from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.ruby.classes import (
    FLOAT,
    INTEGER,
    KERNEL,
    NIL,
    NUMERIC,
    OF_TYPE,
    STRING,
    define,
)
from headwater.langs.puppet.ruby.largeness import LARGEST_BITS
from headwater.langs.puppet.ruby.machine import Machine
from headwater.langs.puppet.ruby.methods import conversions as to
from headwater.langs.puppet.ruby.methods.registry import method
from headwater.langs.puppet.ruby.refusals import Beyond
from headwater.langs.puppet.ruby.values import (
    UNDEFINED,
    Given,
    Raised,
    RubyString,
    RubyValue,
    symbol,
)

RATIONAL: Final = define("Rational", NUMERIC)
OF_TYPE[Fraction] = RATIONAL
_TEXT: Final = re.compile(
    r"\s*([-+]?\d(?:_?\d)*(?:\.\d(?:_?\d)*)?(?:[eE][-+]?\d(?:_?\d)*)?)(?:/(\d(?:_?\d)*))?"
)


def _exact(m: Machine, value: RubyValue) -> Fraction | None:
    """A number that is exact, as a fraction."""
    return Fraction(value) if value.__class__ in (int, Fraction) else None


def _bounded(m: Machine, value: Fraction) -> Fraction:
    m.check_size((value.numerator.bit_length() + value.denominator.bit_length()) // 8)
    return value


def _operator(sign: str) -> None:
    def call(m: Machine, self: Fraction, other: RubyValue) -> RubyValue:
        right = _exact(m, other)
        if right is None:
            if other.__class__ is not float:
                shown = to.named(m, other)
                raise m.error("TypeError", f"{shown} can't be coerced into Rational")
            if sign == "%":
                if not other:
                    raise m.error("ZeroDivisionError", "divided by 0")
                taken = m.send(other, "*", [div(m, self, other)])
                return m.send(float(self), "-", [taken])
            return m.send(float(self), sign, [other])
        if sign in ("/", "%") and not right:
            raise m.error("ZeroDivisionError", "divided by 0")
        match sign:
            case "+":
                return _bounded(m, self + right)
            case "-":
                return _bounded(m, self - right)
            case "*":
                return _bounded(m, self * right)
            case "/":
                return _bounded(m, self / right)
            case _:
                return _bounded(m, self % right)

    names = {"/": ("/", "quo"), "%": ("%", "modulo")}.get(sign, (sign,))
    method(RATIONAL, *names)(call)


for _sign in ("+", "-", "*", "/", "%"):
    _operator(_sign)


@method(RATIONAL, "**")
def power(m: Machine, self: Fraction, other: RubyValue) -> RubyValue:
    if other.__class__ is Fraction and other.denominator == 1:
        other = other.numerator
    if other.__class__ is not int:
        return m.send(float(self), "**", [float(other) if other.__class__ is Fraction else other])
    if not self and other < 0:
        raise m.error("ZeroDivisionError", "divided by 0")
    bits = self.numerator.bit_length() + self.denominator.bit_length()
    if bits * abs(other) > LARGEST_BITS:
        raise Beyond("a power with more than a million digits")
    return Fraction(self**other)


@method(RATIONAL, "<=>")
def order(m: Machine, self: Fraction, other: RubyValue) -> int | None:
    if other.__class__ not in (int, float, Fraction) or other != other:
        return None
    return (self > other) - (self < other)


@method(RATIONAL, "==")
def equal(m: Machine, self: Fraction, other: RubyValue) -> bool:
    return other.__class__ in (int, float, Fraction) and bool(self == other)


def _comparison(sign: str) -> None:
    def call(m: Machine, self: Fraction, other: RubyValue) -> bool:
        found = m.compare(self, other)
        return {"<": found < 0, ">": found > 0, "<=": found <= 0, ">=": found >= 0}[sign]

    method(RATIONAL, sign)(call)


for _sign in ("<", ">", "<=", ">="):
    _comparison(_sign)


@method(RATIONAL, "coerce")
def coerce(m: Machine, self: Fraction, other: RubyValue) -> RubyValue:
    if other.__class__ is float:
        return [other, float(self)]
    if other.__class__ not in (int, Fraction):
        raise m.error("TypeError", f"{to.named(m, other)} can't be coerced into Rational")
    return [Fraction(other), self]


@method(RATIONAL, "numerator")
def numerator(m: Machine, self: Fraction) -> int:
    return self.numerator


@method(RATIONAL, "denominator")
def denominator(m: Machine, self: Fraction) -> int:
    return self.denominator


@method(RATIONAL, "to_s")
def to_s(m: Machine, self: Fraction) -> str:
    return f"{m.text(self.numerator)}/{m.text(self.denominator)}"


@method(RATIONAL, "inspect")
def inspect(m: Machine, self: Fraction) -> str:
    return f"({to_s(m, self)})"


@method(RATIONAL, "to_i")
def to_i(m: Machine, self: Fraction) -> int:
    return math.trunc(self)


@method(RATIONAL, "to_f")
def to_f(m: Machine, self: Fraction) -> float:
    try:
        return float(self)
    except OverflowError:
        return math.copysign(math.inf, self)


@method(RATIONAL, "to_r")
def itself(m: Machine, self: Fraction) -> RubyValue:
    return self


@method(RATIONAL, "-@")
def negated(m: Machine, self: Fraction) -> RubyValue:
    return -self


@method(RATIONAL, "abs", "magnitude")
def absolute(m: Machine, self: Fraction) -> RubyValue:
    return abs(self)


@method(RATIONAL, "fdiv")
def fdiv(m: Machine, self: Fraction, other: RubyValue) -> RubyValue:
    return m.send(to_f(m, self), "/", [other])


@method(RATIONAL, "div")
def div(m: Machine, self: Fraction, other: RubyValue) -> RubyValue:
    return m.send(m.send(self, "/", [other]), "floor", [])


@method(RATIONAL, "divmod")
def divmod_(m: Machine, self: Fraction, other: RubyValue) -> RubyValue:
    return [div(m, self, other), m.send(self, "%", [other])]


@method(RATIONAL, "eql?", "equal?")
def same(m: Machine, self: Fraction, other: RubyValue) -> bool:
    return other.__class__ is Fraction and bool(self == other)


def _half_up(value: Fraction, mode: str) -> int:
    whole = math.floor(abs(value))
    rest = abs(value) - whole
    if rest > Fraction(1, 2) or (
        rest == Fraction(1, 2) and (mode == "up" or (mode == "even" and whole % 2))
    ):
        whole += 1
    return -whole if value < 0 else whole


def _rounding(name: str) -> None:
    def call(
        m: Machine, self: Fraction, digits: Given = UNDEFINED, options: Given = UNDEFINED
    ) -> RubyValue:
        if isinstance(digits, Hash):
            digits, options = UNDEFINED, digits
        mode = options.get(symbol("half")) if isinstance(options, Hash) else None
        if digits is not UNDEFINED and digits.__class__ is not int:
            raise m.error("TypeError", "not an integer")
        decimals = 0 if digits is UNDEFINED else to.integer(m, digits)
        m.check_size(abs(decimals))
        scaled = self * Fraction(10) ** decimals
        match name:
            case "floor":
                made = math.floor(scaled)
            case "ceil":
                made = math.ceil(scaled)
            case "truncate":
                made = math.trunc(scaled)
            case _:
                made = _half_up(scaled, "up" if mode is None else m.text(mode))
        if digits is UNDEFINED:
            return made
        found = Fraction(made) / Fraction(10) ** decimals
        return found if decimals > 0 else int(found)

    method(RATIONAL, name)(call)


for _name in ("floor", "ceil", "truncate", "round"):
    _rounding(_name)


def _simplest(low: Fraction, high: Fraction) -> Fraction:
    """The simplest fraction between two, by continued fractions."""
    whole = math.ceil(low)
    if whole <= high:
        return Fraction(whole)
    below = whole - 1
    return below + 1 / _simplest(1 / (high - below), 1 / (low - below))


def _between(value: Fraction, by: Fraction) -> Fraction:
    low, high = value - abs(by), value + abs(by)
    return -_simplest(-high, -low) if high < 0 else _simplest(low, high)


@method(RATIONAL, "rationalize")
def rationalize(m: Machine, self: Fraction, by: Given = UNDEFINED) -> RubyValue:
    return self if by is UNDEFINED else _between(self, _converted(m, by))


@method(INTEGER, "to_r")
def integer_rational(m: Machine, self: int) -> RubyValue:
    return Fraction(self)


@method(INTEGER, "rationalize")
def integer_rationalize(m: Machine, self: int, by: Given = UNDEFINED) -> RubyValue:
    return Fraction(self)


@method(FLOAT, "to_r")
def float_rational(m: Machine, self: float) -> RubyValue:
    to.integer(m, self)
    return Fraction(self)


@method(FLOAT, "rationalize")
def float_rationalize(m: Machine, self: float, by: Given = UNDEFINED) -> RubyValue:
    to.integer(m, self)
    if by is not UNDEFINED:
        return _between(Fraction(self), _converted(m, by))
    if not self:
        return Fraction(0)
    if self == int(self) and abs(self) >= 2**53:
        return Fraction(self)
    mantissa, exponent = math.frexp(self)
    whole, shift = int(mantissa * 2**53), exponent - 53
    low, high = (Fraction(2 * whole + d) * Fraction(2) ** (shift - 1) for d in (-1, 1))
    return -_simplest(-high, -low) if self < 0 else _simplest(low, high)


@method(NIL, "to_r")
def nil_rational(m: Machine, self: None) -> RubyValue:
    return Fraction(0)


@method(NIL, "rationalize")
def nil_rationalize(m: Machine, self: None, by: Given = UNDEFINED) -> RubyValue:
    return Fraction(0)


def _read(m: Machine, text: str, whole: bool) -> Fraction | None:
    found = _TEXT.match(text)
    if found is None or (whole and text[found.end() :].strip()):
        return None
    exponent = re.search(r"[eE]([-+]?\d[\d_]*)", found[1])
    if exponent is not None:
        m.check_size(abs(int(exponent[1].replace("_", ""))))
    bottom = int(found[2].replace("_", "")) if found[2] else 1
    if not bottom:
        raise m.error("ZeroDivisionError", "divided by 0")
    return Fraction(found[1].replace("_", "")) / bottom


@method(STRING, "to_r")
def string_rational(m: Machine, self: RubyString) -> RubyValue:
    return _read(m, m.text(self), False) or Fraction(0)


@method(KERNEL, "Rational")
def rational(
    m: Machine,
    self: RubyValue,
    top: RubyValue,
    bottom: Given = UNDEFINED,
    options: Given = UNDEFINED,
) -> RubyValue:
    if isinstance(bottom, Hash):
        bottom, options = UNDEFINED, bottom
    quiet = isinstance(options, Hash) and options.get(symbol("exception")) is False
    try:
        made = _converted(m, top)
        return made if bottom is UNDEFINED else m.send(made, "/", [_converted(m, bottom)])
    except Raised:
        if quiet:
            return None
        raise


def _converted(m: Machine, value: RubyValue) -> Fraction:
    if value.__class__ in (int, Fraction):
        return Fraction(value)
    if value.__class__ is float:
        to.integer(m, value)
        return Fraction(value)
    if to.is_string(value):
        made = _read(m, m.text(value), True)
        if made is None:
            raise m.error("ArgumentError", f"invalid value for convert(): {m.inspect(value)}")
        return made
    raise m.error("TypeError", f"can't convert {to.named(m, value)} into Rational")
