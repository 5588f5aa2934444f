"""Range."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

from headwater.langs.puppet.ruby.classes import RANGE, class_of
from headwater.langs.puppet.ruby.machine import Machine
from headwater.langs.puppet.ruby.methods import conversions as to
from headwater.langs.puppet.ruby.methods.combinations import searched
from headwater.langs.puppet.ruby.methods.enumerable import sum_ as any_sum
from headwater.langs.puppet.ruby.methods.iteration import counted, items
from headwater.langs.puppet.ruby.methods.ordering import max_ as any_max
from headwater.langs.puppet.ruby.methods.ordering import min_ as any_min
from headwater.langs.puppet.ruby.methods.ordering import minmax as any_minmax
from headwater.langs.puppet.ruby.methods.registry import method, own_method
from headwater.langs.puppet.ruby.refusals import Beyond
from headwater.langs.puppet.ruby.values import (
    UNDEFINED,
    Class,
    Enumerator,
    Given,
    Number,
    Proc,
    Raised,
    Range,
    RubyValue,
)


@own_method(RANGE, "new")
def new(
    m: Machine, self: Class, low: RubyValue, high: RubyValue, exclusive: RubyValue = False
) -> RubyValue:
    return Range(low, high, m.truth(exclusive))


@method(RANGE, "begin")
def begin(m: Machine, self: Range) -> RubyValue:
    return self.low


@method(RANGE, "end")
def end(m: Machine, self: Range) -> RubyValue:
    return self.high


@method(RANGE, "exclude_end?")
def excludes_end(m: Machine, self: Range) -> bool:
    return self.exclusive


@method(RANGE, "each")
def each(m: Machine, self: Range, block: Proc | None = None) -> RubyValue:
    if block is None:
        return Enumerator(self, "each", [])
    for one in counted(m, self):
        block.one(one)
    return self


@method(RANGE, "to_a", "entries")
def to_a(m: Machine, self: Range) -> RubyValue:
    if self.high is None:
        raise m.error("RangeError", "cannot convert endless range to an array")
    return items(m, self)


def covers(m: Machine, self: Range, value: RubyValue) -> bool:
    """Whether a value lies between the ends."""
    if self.low is not None:
        order = m.send(self.low, "<=>", [value])
        if order is None or m.sign(order) > 0:
            return False
    if self.high is None:
        return True
    order = m.send(value, "<=>", [self.high])
    if order is None:
        return False
    sign = m.sign(order)
    return sign < 0 or (sign == 0 and not self.exclusive)


@method(RANGE, "===")
def matches(m: Machine, self: Range, value: RubyValue) -> bool:
    return value.__class__ is not Range and covers(m, self, value)


@method(RANGE, "cover?")
def includes(m: Machine, self: Range, value: RubyValue) -> bool:
    if value.__class__ is not Range:
        return covers(m, self, value)
    return _covers_range(m, self, value)


def _order(m: Machine, one: RubyValue, other: RubyValue) -> int:
    """How two ends compare; of two kinds, the first counts as the greater."""
    order = m.send(one, "<=>", [other])
    return 1 if order is None else m.sign(order)


def _covers_range(m: Machine, self: Range, other: Range) -> bool:
    """Whether all of a range lies in another; an empty one lies in none."""
    low, high = other.low, other.high
    if (self.high is not None and high is None) or (self.low is not None and low is None):
        return False
    if low is not None and high is not None:
        order = _order(m, low, high)
        if order > 0 or (order == 0 and other.exclusive):
            return False
    if low is not None and not covers(m, self, low):
        return False
    if self.high is None or high is None:
        return True
    order = _order(m, self.high, high)
    if order > 0 or (order == 0 and (other.exclusive or not self.exclusive)):
        return True
    if self.exclusive or not other.exclusive:
        return False
    try:
        last = m.send(other, "max", [])
    except Raised as raised:
        if raised.error.cls.name != "TypeError":
            raise
        return False  # a range of fractions has no last
    return last is not None and _order(m, self.high, last) >= 0


@method(RANGE, "include?", "member?")
def contains(m: Machine, self: Range, value: RubyValue) -> bool:
    if to.is_string(self.low) and to.is_string(self.high):
        return to.is_string(value) and any(m.equal(one, value) for one in counted(m, self))
    return covers(m, self, value)


@method(RANGE, "first")
def first(m: Machine, self: Range, size: Given = UNDEFINED) -> RubyValue:
    if self.low is None:
        raise m.error("RangeError", "cannot get the first element of beginless range")
    if size is UNDEFINED:
        return self.low
    made: list[Any] = []
    count = to.integer(m, size)
    if count < 0:
        raise m.error("ArgumentError", "negative array size (or size too big)")
    if count or self.low.__class__ is float:
        for one in counted(m, self):
            made.append(one)
            if len(made) == count:
                break
    return made


@method(RANGE, "last")
def last(m: Machine, self: Range, size: Given = UNDEFINED) -> RubyValue:
    if size is UNDEFINED:
        return self.high
    return m.send(items(m, self), "last", [size])


@method(RANGE, "min")
def min_(m: Machine, self: Range, size: Given = UNDEFINED, block: Proc | None = None) -> RubyValue:
    if self.low is None:
        raise m.error("RangeError", "cannot get the minimum of beginless range")
    if block is not None:
        if self.high is None:
            said = "cannot get the minimum of endless range with custom comparison method"
            raise m.error("RangeError", said)
        return any_min(m, self, size, block)
    if size is not UNDEFINED:
        return first(m, self, size)
    if self.high is None:
        return self.low
    order = m.compare(self.low, self.high)
    return None if order > 0 or (order == 0 and self.exclusive) else self.low


@method(RANGE, "max")
def max_(m: Machine, self: Range, size: Given = UNDEFINED, block: Proc | None = None) -> RubyValue:
    if self.high is None:
        raise m.error("RangeError", "cannot get the maximum of endless range")
    number = to.is_number(self.high)
    if block is not None or size is not UNDEFINED or (self.exclusive and not number):
        if self.low is None:
            said = "cannot get the maximum of beginless range with custom comparison method"
            raise m.error("RangeError", said)
        return any_max(m, self, size, block)
    if self.low is not None:
        order = m.compare(self.low, self.high)
        if order > 0 or (order == 0 and self.exclusive and self.high.__class__ is int):
            return None
    if not self.exclusive:
        return self.high
    if self.high.__class__ is not int:
        raise m.error("TypeError", "cannot exclude non Integer end value")
    if self.low.__class__ is not int:
        raise m.error("TypeError", "cannot exclude end value with non Integer begin value")
    return self.high - 1


@method(RANGE, "minmax")
def minmax(m: Machine, self: Range, block: Proc | None = None) -> RubyValue:
    if block is not None:
        return any_minmax(m, self, block)
    return [min_(m, self), max_(m, self)]


@method(RANGE, "size")
def size(m: Machine, self: Range) -> RubyValue:
    if self.low is None and (self.high is None or to.is_number(self.high)):
        return math.inf
    if not to.is_number(self.low):
        return None
    if self.high is None:
        return math.inf
    high = to.as_float(self.high) if isinstance(self.high, Fraction) else self.high
    if not to.is_number(high):
        return None
    if self.low.__class__ is not int or math.isinf(high):
        turns = high - self.low
        whole = math.floor(turns) if math.isfinite(turns) else turns
        return max(0, whole + (not (self.exclusive and turns == whole)))
    return max(0, math.floor(high) - self.low + (not (self.exclusive and high == math.floor(high))))


@method(RANGE, "count")
def count(
    m: Machine, self: Range, value: Given = UNDEFINED, block: Proc | None = None
) -> RubyValue:
    from headwater.langs.puppet.ruby.methods.enumerable import count as any_count

    if value is UNDEFINED and block is None:
        if self.low is None or self.high is None:
            return math.inf
        if self.low.__class__ is int:
            return size(m, self)
    return any_count(m, self, value, block)


@method(RANGE, "sum")
def sum_(m: Machine, self: Range, start: RubyValue = 0, block: Proc | None = None) -> RubyValue:
    if (
        block is None
        and self.low.__class__ is int
        and self.high.__class__ is int
        and start.__class__ is int
    ):
        high = self.high - self.exclusive
        return start + (
            max(0, high - self.low + 1) * (self.low + high) // 2 if high >= self.low else 0
        )
    return any_sum(m, self, start, block)


@method(RANGE, "%")
def percent(m: Machine, self: Range, by: RubyValue, block: Proc | None = None) -> RubyValue:
    if by.__class__ not in (int, float, Fraction):
        to.integer(m, by)
    if by == 0:
        raise m.error("ArgumentError", "step can't be 0")
    made = step(m, self, by, block) if block is not None or to.is_number(self.low) else None
    return Enumerator(self, "%", [by]) if block is None else made


@method(RANGE, "step")
def step(m: Machine, self: Range, by: RubyValue = 1, block: Proc | None = None) -> RubyValue:
    amount = by if to.is_number(by) or isinstance(by, Fraction) else to.integer(m, by)
    if amount == 0:
        raise m.error("ArgumentError", "step can't be 0")
    if amount < 0:
        if block is None and to.is_number(self.low):
            raise Beyond("Range#step by a negative number")
        raise m.error("ArgumentError", "step can't be negative")
    if block is None:
        return Enumerator(self, "step", [by])
    low, high = self.low, self.high
    if to.is_number(low) and (high is None or to.is_number(high) or isinstance(high, Fraction)):
        place: Number | Fraction = low
        turn = 0
        while high is None or place < high or (place == high and not self.exclusive):
            m.spend(1)
            block.one(place)
            turn += 1
            place = low + turn * amount
        return self
    for index, one in enumerate(counted(m, self)):
        if index % amount == 0:
            block.one(one)
    return self


@method(RANGE, "==", "eql?")
def equal(m: Machine, self: Range, other: RubyValue) -> bool:
    return (
        other.__class__ is Range
        and m.equal(self.low, other.low)
        and m.equal(self.high, other.high)
        and self.exclusive == other.exclusive
    )


@method(RANGE, "to_s")
def to_s(m: Machine, self: Range) -> str:
    return f"{m.text(self.low)}{'...' if self.exclusive else '..'}{m.text(self.high)}"


@method(RANGE, "inspect")
def inspect(m: Machine, self: Range) -> str:
    neither = self.low is None and self.high is None
    low = "" if self.low is None and not neither else m.inspect(self.low)
    high = "" if self.high is None and not neither else m.inspect(self.high)
    return f"{low}{'...' if self.exclusive else '..'}{high}"


@method(RANGE, "bsearch")
def bsearch(m: Machine, self: Range, block: Proc | None = None) -> RubyValue:
    low, high = self.low, self.high
    if block is None and low.__class__ in (int, float):
        return Enumerator(self, "bsearch", [])
    if low.__class__ is not int or (high is not None and high.__class__ is not int):
        if low.__class__ is float or high.__class__ is float:
            raise Beyond("Range#bsearch of floats")
        if low is None and high.__class__ is int:
            raise Beyond("Range#bsearch without a beginning")
        raise m.error("TypeError", f"can't do binary search for {class_of(low).name}")
    assert block is not None
    if high is None:
        size = 1
        while True:
            m.spend(1)
            answer = block.one(low + size)
            if answer is True or (answer.__class__ in (int, float) and answer <= 0):
                break
            size *= 2
            m.check_size(size.bit_length() // 8)
        high = low + size
    return searched(m, low, high + (not self.exclusive), block.one)
