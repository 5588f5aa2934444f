"""What all numbers have besides arithmetic; Math."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

from headwater.langs.puppet.ruby.classes import FLOAT, INTEGER, MATH, NUMERIC
from headwater.langs.puppet.ruby.machine import Machine
from headwater.langs.puppet.ruby.methods import conversions as to
from headwater.langs.puppet.ruby.methods.registry import method, own_method
from headwater.langs.puppet.ruby.values import UNDEFINED, Class, Given, Number, RubyValue

MATH.constants.update(PI=math.pi, E=math.e)


@method(NUMERIC, "real", "conj", "conjugate")
def itself(m: Machine, self: Number) -> RubyValue:
    return self


@method(NUMERIC, "real?")
def is_real(m: Machine, self: Number) -> bool:
    return True


@method(NUMERIC, "imaginary", "imag")
def imaginary(m: Machine, self: Number) -> int:
    return 0


@method(NUMERIC, "abs2")
def abs2(m: Machine, self: Number) -> RubyValue:
    return m.send(self, "*", [self])


@method(NUMERIC, "arg", "angle", "phase")
def arg(m: Machine, self: Number) -> RubyValue:
    if self.__class__ is float and self != self:
        return self
    negative = math.copysign(1.0, self) < 0 if self.__class__ is float else self < 0
    return math.pi if negative else 0


@method(NUMERIC, "rect", "rectangular")
def rect(m: Machine, self: Number) -> RubyValue:
    return [self, 0]


@method(NUMERIC, "polar")
def polar(m: Machine, self: Number) -> RubyValue:
    return [m.send(self, "abs", []), arg(m, self)]


@method(INTEGER, "numerator")
def integer_numerator(m: Machine, self: int) -> int:
    return self


@method(INTEGER, "denominator")
def integer_denominator(m: Machine, self: int) -> int:
    return 1


@method(FLOAT, "numerator")
def float_numerator(m: Machine, self: float) -> RubyValue:
    return Fraction(self).numerator if math.isfinite(self) else self


@method(FLOAT, "denominator")
def float_denominator(m: Machine, self: float) -> RubyValue:
    return Fraction(self).denominator if math.isfinite(self) else 1


@method(FLOAT, "next_float")
def next_float(m: Machine, self: float) -> float:
    return math.nextafter(self, math.inf)


@method(FLOAT, "prev_float")
def prev_float(m: Machine, self: float) -> float:
    return math.nextafter(self, -math.inf)


@method(INTEGER, "gcdlcm")
def gcdlcm(m: Machine, self: int, other: RubyValue) -> RubyValue:
    return [m.send(self, "gcd", [other]), m.send(self, "lcm", [other])]


@own_method(INTEGER, "try_convert")
def try_convert(m: Machine, self: Class, value: RubyValue) -> RubyValue:
    if value.__class__ is int:
        return value
    if value is None or isinstance(value, bool) or m.find(value, "to_int") is None:
        return None
    return m.send(value, "to_int", [])


# Math


def real(m: Machine, value: RubyValue) -> float:
    """An argument that must be a number."""
    if value.__class__ is float:
        return value
    if value.__class__ is int or value.__class__ is Fraction:
        return to.as_float(value)
    if to.is_string(value) or value is None or isinstance(value, bool):
        raise m.error("TypeError", f"can't convert {to.named(m, value)} into Float")
    if m.find(value, "to_f") is None:
        raise m.error("TypeError", f"can't convert {to.named(m, value)} into Float")
    made = m.send(value, "to_f", [])
    if made.__class__ is not float:
        raise m.error("TypeError", f"can't convert {to.named(m, value)} into Float")
    return made


def _function(name: str, call: Callable[..., float], low: float, high: float) -> None:
    """A function of one number; outside of its domain it is an error."""

    def run(m: Machine, self: RubyValue, value: RubyValue) -> RubyValue:
        number = real(m, value)
        if number < low or number > high:
            raise m.error("Math::DomainError", f"Numerical argument is out of domain - {name}")
        try:
            return call(number)
        except OverflowError:
            return math.inf
        except ValueError:
            return math.nan

    own_method(MATH, name)(run)
    method(MATH, name)(run)


for _name in ("sin", "cos", "tan", "atan", "sinh", "cosh", "tanh", "asinh", "exp", "erf", "erfc"):
    _function(_name, getattr(math, _name), -math.inf, math.inf)
_function("acos", math.acos, -1, 1)
_function("asin", math.asin, -1, 1)
_function("acosh", math.acosh, 1, math.inf)
_function("atanh", lambda x: math.copysign(math.inf, x) if abs(x) == 1 else math.atanh(x), -1, 1)
_function("sqrt", math.sqrt, 0, math.inf)


@own_method(MATH, "cbrt")
@method(MATH, "cbrt")
def cbrt(m: Machine, self: RubyValue, value: RubyValue) -> float:
    number = real(m, value)
    found = math.cbrt(number)
    if not found or not math.isfinite(found):
        return found
    # One step of Newton's method, which Ruby takes too.
    return (2.0 * found + (number / found / found)) / 3.0


@own_method(MATH, "atan2")
@method(MATH, "atan2")
def atan2(m: Machine, self: RubyValue, y: RubyValue, x: RubyValue) -> float:
    return math.atan2(real(m, y), real(m, x))


@own_method(MATH, "hypot")
@method(MATH, "hypot")
def hypot(m: Machine, self: RubyValue, x: RubyValue, y: RubyValue) -> float:
    return math.hypot(real(m, x), real(m, y))


@own_method(MATH, "ldexp")
@method(MATH, "ldexp")
def ldexp(m: Machine, self: RubyValue, fraction: RubyValue, exponent: RubyValue) -> float:
    try:
        return math.ldexp(real(m, fraction), to.integer(m, exponent))
    except OverflowError:
        return math.inf


@own_method(MATH, "frexp")
@method(MATH, "frexp")
def frexp(m: Machine, self: RubyValue, value: RubyValue) -> RubyValue:
    return list(math.frexp(real(m, value)))


@own_method(MATH, "gamma")
@method(MATH, "gamma")
def gamma(m: Machine, self: RubyValue, value: RubyValue) -> float:
    number = real(m, value)
    if number == -math.inf or (number < 0 and number == math.floor(number)):
        raise m.error("Math::DomainError", "Numerical argument is out of domain - gamma")
    if number == 0:
        return math.copysign(math.inf, number)
    try:
        return math.gamma(number)
    except OverflowError:
        return math.inf


@own_method(MATH, "lgamma")
@method(MATH, "lgamma")
def lgamma(m: Machine, self: RubyValue, value: RubyValue) -> RubyValue:
    number = real(m, value)
    if number == -math.inf:
        raise m.error("Math::DomainError", "Numerical argument is out of domain - lgamma")
    if math.isinf(number) or (number <= 0 and number == math.floor(number)):
        return [math.inf, -1 if math.copysign(1.0, number) < 0 and number == 0 else 1]
    negative = number < 0 and math.floor(number) % 2 != 0
    return [math.lgamma(number), -1 if negative else 1]


def _logarithm(m: Machine, value: RubyValue, name: str) -> float:
    if value.__class__ is int and value > 0:
        return math.log(value)
    number = real(m, value)
    if number < 0 or (number == 0 and math.copysign(1.0, number) < 0):
        raise m.error("Math::DomainError", f"Numerical argument is out of domain - {name}")
    return -math.inf if number == 0 else math.log(number)


@own_method(MATH, "log")
@method(MATH, "log")
def log(m: Machine, self: RubyValue, value: RubyValue, base: Given = UNDEFINED) -> RubyValue:
    top = _logarithm(m, value, "log")
    if base is UNDEFINED:
        return top
    return m.send(top, "/", [_logarithm(m, base, "log")])


@own_method(MATH, "log2")
@method(MATH, "log2")
def log2(m: Machine, self: RubyValue, value: RubyValue) -> float:
    found = _logarithm(m, value, "log2")
    exact = value if value.__class__ is int else real(m, value)
    return found if math.isinf(found) else math.log2(exact)


@own_method(MATH, "log10")
@method(MATH, "log10")
def log10(m: Machine, self: RubyValue, value: RubyValue) -> float:
    found = _logarithm(m, value, "log10")
    exact = value if value.__class__ is int else real(m, value)
    return found if math.isinf(found) else math.log10(exact)
