"""Integer and Float."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any, TypeAlias

from headwater.langs.puppet.bytestrings import BINARY, of_bytes
from headwater.langs.puppet.ruby.classes import FLOAT, INTEGER, NUMERIC, class_of
from headwater.langs.puppet.ruby.largeness import (
    LARGEST_BITS,
    check_bits,
    compares,
    divides,
    product,
    raises,
)
from headwater.langs.puppet.ruby.machine import Machine
from headwater.langs.puppet.ruby.methods import conversions as to
from headwater.langs.puppet.ruby.methods.radix import digits_of, in_digits
from headwater.langs.puppet.ruby.methods.registry import method, own_method
from headwater.langs.puppet.ruby.refusals import Beyond
from headwater.langs.puppet.ruby.values import (
    UNDEFINED,
    Class,
    Given,
    Number,
    RubyObject,
    RubyValue,
    Symbol,
    Text,
)
from headwater.langs.puppet.types.quoting import float_text

FLOAT.constants.update(
    INFINITY=math.inf, NAN=math.nan, MAX=1.7976931348623157e308, MIN=2.2250738585072014e-308,
    EPSILON=2.220446049250313e-16, DIG=15,
)  # fmt: skip


def coerced(m: Machine, self: Number, other: RubyValue, sign: str) -> RubyValue:
    """What an operator does with a number of another class, or with no number at all."""
    if other.__class__ in (RubyObject, Fraction) and m.find(other, "coerce") is not None:
        pair = m.send(other, "coerce", [self])
        if pair.__class__ is not list or len(pair) != 2:
            raise m.error("TypeError", "coerce must return [x, y]")
        return m.send(pair[0], sign, [pair[1]])
    raise m.error("TypeError", f"{_shown(m, other)} can't be coerced into {class_of(self).name}")


def _shown(m: Machine, value: RubyValue) -> str:
    if value is None or isinstance(value, bool | Symbol):
        return m.inspect(value)
    return str(class_of(value).name)


Operator: TypeAlias = Callable[[Machine, Number, RubyValue], RubyValue]


def floated(function: Operator) -> Operator:
    """The function, with floats for numbers that are too large to be mixed with one."""

    @functools.wraps(function)
    def tried(m: Machine, self: Number, other: RubyValue) -> RubyValue:
        try:
            return function(m, self, other)
        except OverflowError:
            right = to.as_float(other) if isinstance(other, int | float | Fraction) else other
            return function(m, to.as_float(self), right)

    return tried


@method(NUMERIC, "+")
@floated
def add(m: Machine, self: Number, other: RubyValue) -> RubyValue:
    return self + other if to.is_number(other) else coerced(m, self, other, "+")


@method(NUMERIC, "-")
@floated
def subtract(m: Machine, self: Number, other: RubyValue) -> RubyValue:
    return self - other if to.is_number(other) else coerced(m, self, other, "-")


@method(NUMERIC, "*")
@floated
def multiply(m: Machine, self: Number, other: RubyValue) -> RubyValue:
    if not to.is_number(other):
        return coerced(m, self, other, "*")
    if self.__class__ is int and other.__class__ is int:
        return product(m, self, other)
    return self * other


@method(NUMERIC, "/")
@floated
def divide(m: Machine, self: Number, other: RubyValue) -> RubyValue:
    if not to.is_number(other):
        return coerced(m, self, other, "/")
    if self.__class__ is int and other.__class__ is int:
        if other == 0:
            raise m.error("ZeroDivisionError", "divided by 0")
        divides(m, self, other)
        return self // other
    return _float_divide(float(self), float(other))


def _float_divide(left: float, right: float) -> float:
    if right == 0:
        if left == 0 or left != left:
            return math.nan
        return math.copysign(math.inf, left) * math.copysign(1.0, right)
    return left / right


@method(NUMERIC, "%", "modulo")
@floated
def modulo(m: Machine, self: Number, other: RubyValue) -> RubyValue:
    if not to.is_number(other):
        return coerced(m, self, other, "%")
    if other == 0:
        raise m.error("ZeroDivisionError", "divided by 0")
    divides(m, self, other)
    return signed(self % other, self)


def signed(rest: Number, of: Number) -> Number:
    """A remainder; one of zero has the sign of what was divided."""
    return math.copysign(0.0, of) if rest.__class__ is float and rest == 0 else rest


def _modular(m: Machine, self: int, power: RubyValue, modulus: RubyValue) -> int:
    if power.__class__ is not int:
        shown = "unless a 1st argument is integer"
        raise m.error("TypeError", f"Integer#pow() 2nd argument not allowed {shown}")
    if power < 0:
        shown = "2nd argument specified"
        raise m.error("RangeError", f"Integer#pow() 1st argument cannot be negative when {shown}")
    if modulus.__class__ is not int:
        shown = "unless all arguments are integers"
        raise m.error("TypeError", f"Integer#pow() 2nd argument not allowed {shown}")
    if modulus == 0:
        raise m.error("ZeroDivisionError", "divided by 0")
    divides(m, self, modulus)
    raises(m, power, modulus)
    return pow(self, power, modulus)


@method(NUMERIC, "**")
@method(INTEGER, "pow")
def power(m: Machine, self: Number, other: RubyValue, modulus: Given = UNDEFINED) -> RubyValue:
    if modulus is not UNDEFINED:
        if self.__class__ is not int:
            raise m.wrong_count(2, 1, 1)
        return _modular(m, self, other, modulus)
    if not to.is_number(other):
        return coerced(m, self, other, "**")
    if self.__class__ is int and other.__class__ is int:
        if self in (1, -1):
            return self if other % 2 else 1
        if other < 0:
            return m.send(Fraction(self), "**", [other])
        if self.bit_length() * other > LARGEST_BITS:
            raise Beyond("a power with more than a million digits")
        return self**other
    try:
        made = float(self) ** other
    except OverflowError:
        return math.inf
    except ZeroDivisionError:
        return math.inf
    if isinstance(made, complex):
        raise Beyond("Complex")
    return made


@method(NUMERIC, "-@")
def negated(m: Machine, self: Number) -> RubyValue:
    return -self


@method(NUMERIC, "+@")
def plus(m: Machine, self: Number) -> RubyValue:
    return self


@method(NUMERIC, "==", "===")
def equal(m: Machine, self: Number, other: RubyValue) -> bool:
    if to.is_number(other):
        return self == other
    return other.__class__ in (RubyObject, Fraction) and m.truth(m.send(other, "==", [self]))


@method(NUMERIC, "eql?")
def eql(m: Machine, self: Number, other: RubyValue) -> bool:
    return self.__class__ is other.__class__ and self == other


@method(NUMERIC, "equal?")
def same(m: Machine, self: Number, other: RubyValue) -> bool:
    return self.__class__ is other.__class__ and self == other


@method(NUMERIC, "<=>")
def order(m: Machine, self: Number, other: RubyValue) -> int | None:
    if other.__class__ is Fraction:
        return (self > other) - (self < other)
    if not to.is_number(other) or self != self or other != other:
        return None
    return -1 if self < other else 1 if self > other else 0


def comparable(m: Machine, self: Number, other: RubyValue) -> Number | Fraction:
    if to.is_number(other) or other.__class__ is Fraction:
        return other
    raise m.incomparable(self, other)


@method(NUMERIC, "<")
def less(m: Machine, self: Number, other: RubyValue) -> bool:
    return self < comparable(m, self, other)


@method(NUMERIC, ">")
def greater(m: Machine, self: Number, other: RubyValue) -> bool:
    return self > comparable(m, self, other)


@method(NUMERIC, "<=")
def no_greater(m: Machine, self: Number, other: RubyValue) -> bool:
    return self <= comparable(m, self, other)


@method(NUMERIC, ">=")
def no_less(m: Machine, self: Number, other: RubyValue) -> bool:
    return self >= comparable(m, self, other)


def _digits(number: int) -> str:
    """A number in tens; Python converts only some thousand digits at once."""
    if number < _CHUNK:
        return str(number)
    high, low = divmod(number, _CHUNK)
    return _digits(high) + str(low).zfill(4000)


_CHUNK = 10**4000


@method(INTEGER, "to_s", "inspect")
def integer_text(m: Machine, self: int, base: Given = UNDEFINED) -> str:
    radix = 10 if base is UNDEFINED else to.integer(m, base)
    if radix == 10:
        if self.bit_length() > 200_000:
            raise Beyond("an integer with more than 60,000 digits")
        return _digits(abs(self)) if self >= 0 else "-" + _digits(-self)
    if not 2 <= radix <= 36:
        raise m.error("ArgumentError", f"invalid radix {radix}")
    return ("-" if self < 0 else "") + in_digits(abs(self), radix)


@method(FLOAT, "to_s", "inspect")
def float_to_s(m: Machine, self: float) -> str:
    return float_text(self)


@method(NUMERIC, "to_i", "to_int")
def to_int(m: Machine, self: Number) -> RubyValue:
    return to.integer(m, self) if to.is_number(self) else m.send(self, "to_i", [])


@method(NUMERIC, "to_f")
def to_f(m: Machine, self: Number) -> float:
    return to.as_float(self)


@method(INTEGER, "chr")
def chr_(m: Machine, self: int, encoding: Given = UNDEFINED) -> RubyValue:
    if encoding is not UNDEFINED:
        if m.text(encoding).upper() not in ("UTF-8", "UTF8"):
            raise Beyond("Integer#chr with such an encoding")
        if not 0 <= self < 0x110000 or 0xD800 <= self < 0xE000:
            shown = "bignum" if self.bit_length() > 62 else self
            kind = f"invalid codepoint 0x{self:X} in UTF-8" if 0xD800 <= self < 0xE000 else None
            raise m.error("RangeError", kind or f"{shown} out of char range")
        return Text(chr(self))
    if not 0 <= self < 256:
        shown = "bignum" if self.bit_length() > 62 else self
        raise m.error("RangeError", f"{shown} out of char range")
    return Text(of_bytes(bytes([self]), "US-ASCII" if self < 128 else BINARY))


@method(INTEGER, "ord")
def ord_(m: Machine, self: int) -> int:
    return self


@method(NUMERIC, "abs", "magnitude")
def abs_(m: Machine, self: Number) -> RubyValue:
    return abs(self)


@method(NUMERIC, "zero?")
def is_zero(m: Machine, self: Number) -> bool:
    return self == 0


@method(NUMERIC, "nonzero?")
def nonzero(m: Machine, self: Number) -> RubyValue:
    return None if self == 0 else self


@method(NUMERIC, "positive?")
def is_positive(m: Machine, self: Number) -> bool:
    return self > 0


@method(NUMERIC, "negative?")
def is_negative(m: Machine, self: Number) -> bool:
    return self < 0


@method(NUMERIC, "integer?")
def is_integer(m: Machine, self: Number) -> bool:
    return self.__class__ is int


@method(NUMERIC, "finite?")
def is_finite(m: Machine, self: Number) -> bool:
    return math.isfinite(self)


@method(NUMERIC, "infinite?")
def is_infinite(m: Machine, self: Number) -> int | None:
    return (1 if self > 0 else -1) if self.__class__ is float and math.isinf(self) else None


@method(FLOAT, "nan?")
def is_nan(m: Machine, self: float) -> bool:
    return self != self


@method(INTEGER, "even?")
def is_even(m: Machine, self: int) -> bool:
    return self % 2 == 0


@method(INTEGER, "odd?")
def is_odd(m: Machine, self: int) -> bool:
    return self % 2 == 1


@method(INTEGER, "succ", "next")
def succ(m: Machine, self: int) -> int:
    return self + 1


@method(INTEGER, "pred")
def pred(m: Machine, self: int) -> int:
    return self - 1


@method(NUMERIC, "divmod")
@floated
def divmod_(m: Machine, self: Number, other: RubyValue) -> RubyValue:
    if not to.is_number(other):
        return coerced(m, self, other, "divmod")
    if other == 0:
        raise m.error("ZeroDivisionError", "divided by 0")
    divides(m, self, other)
    whole, rest = divmod(self, other)
    return [_whole(m, whole), signed(rest, self)]


@method(NUMERIC, "div")
@floated
def div(m: Machine, self: Number, other: RubyValue) -> RubyValue:
    if not to.is_number(other):
        return coerced(m, self, other, "div")
    if other == 0:
        raise m.error("ZeroDivisionError", "divided by 0")
    divides(m, self, other)
    endless = self.__class__ is float and math.isinf(self)
    return _whole(m, self / other if endless else self // other)


def _whole(m: Machine, value: Number) -> int:
    """A number without its fraction; what is no number, or infinite, has none."""
    if value.__class__ is float and not math.isfinite(value):
        raise m.error("FloatDomainError", float_text(value))
    return int(value)


@method(NUMERIC, "quo")
def quo(m: Machine, self: Number, other: RubyValue) -> RubyValue:
    if self.__class__ is int and other.__class__ in (int, Fraction):
        return m.send(Fraction(self), "/", [other])
    return m.send(self, "/", [other])


@method(NUMERIC, "fdiv")
@floated
def fdiv(m: Machine, self: Number, other: RubyValue) -> RubyValue:
    if not to.is_number(other):
        made = coerced(m, self, other, "/")
        return to.as_float(made) if isinstance(made, int | float | Fraction) else made
    if self.__class__ is int and other.__class__ is int and other:
        try:
            return self / other
        except OverflowError:
            return math.inf if (self < 0) == (other < 0) else -math.inf
    return _float_divide(float(self), float(other))


@method(NUMERIC, "remainder")
@floated
def remainder(m: Machine, self: Number, other: RubyValue) -> RubyValue:
    if isinstance(other, Fraction):
        by: Any = other
    elif to.is_number(other):
        by = other
    else:
        return coerced(m, self, other, "remainder")
    if by == 0:
        raise m.error("ZeroDivisionError", "divided by 0")
    divides(m, self, by)
    rest = abs(self) % abs(by)
    return signed(-rest if self < 0 else rest, self)


@method(INTEGER, "gcd")
def gcd(m: Machine, self: int, other: RubyValue) -> int:
    by = _integral(m, other)
    compares(m, self, by)
    return math.gcd(self, by)


def _integral(m: Machine, value: RubyValue) -> int:
    if value.__class__ is not int:
        raise m.error("TypeError", "not an integer")
    return int(value)


@method(INTEGER, "lcm")
def lcm(m: Machine, self: int, other: RubyValue) -> int:
    by = _integral(m, other)
    check_bits(self.bit_length() + by.bit_length())
    compares(m, self, by)
    return math.lcm(self, by)


@method(INTEGER, "digits")
def digits(m: Machine, self: int, base: RubyValue = 10) -> RubyValue:
    radix = to.integer(m, base)
    if self < 0:
        raise m.error("Math::DomainError", "out of domain")
    if radix < 2:
        shown = "negative radix" if radix < 0 else f"invalid radix {radix}"
        raise m.error("ArgumentError", shown)
    m.spend(self.bit_length())
    return digits_of(self, radix)


@method(INTEGER, "bit_length")
def bit_length(m: Machine, self: int) -> int:
    return self.bit_length() if self >= 0 else (~self).bit_length()


@method(INTEGER, "size")
def size(m: Machine, self: int) -> int:
    return 8 if -(2**63) <= self < 2**63 else (self.bit_length() + 7) // 8


@method(NUMERIC, "coerce")
def coerce(m: Machine, self: Number, other: RubyValue) -> RubyValue:
    if self.__class__ is int and other.__class__ is int:
        return [other, self]
    if to.is_string(other):
        return [m.send(m.main, "Float", [other]), to.as_float(self)]
    if other.__class__ is Fraction:
        return [float(other), to.as_float(self)]
    if not to.is_number(other):
        raise m.error("TypeError", f"can't convert {_shown(m, other)} into Float")
    return [to.as_float(other), to.as_float(self)]


@own_method(INTEGER, "sqrt")
def isqrt(m: Machine, self: Class, value: RubyValue) -> int:
    return math.isqrt(to.integer(m, value))
