"""Comparable."""

from __future__ import annotations

from headwater.langs.puppet.ruby.classes import (
    COMPARABLE,
)
from headwater.langs.puppet.ruby.machine import Machine
from headwater.langs.puppet.ruby.methods import conversions as to
from headwater.langs.puppet.ruby.methods.registry import method
from headwater.langs.puppet.ruby.values import (
    UNDEFINED,
    Given,
    Range,
    RubyValue,
)


@method(COMPARABLE, "<")
def less(m: Machine, self: RubyValue, other: RubyValue) -> bool:
    return m.compare(self, other) < 0


@method(COMPARABLE, ">")
def greater(m: Machine, self: RubyValue, other: RubyValue) -> bool:
    return m.compare(self, other) > 0


@method(COMPARABLE, "<=")
def no_greater(m: Machine, self: RubyValue, other: RubyValue) -> bool:
    return m.compare(self, other) <= 0


@method(COMPARABLE, ">=")
def no_less(m: Machine, self: RubyValue, other: RubyValue) -> bool:
    return m.compare(self, other) >= 0


@method(COMPARABLE, "==")
def as_large(m: Machine, self: RubyValue, other: RubyValue) -> bool:
    return self is other or m.send(self, "<=>", [other]) == 0


@method(COMPARABLE, "between?")
def is_between(m: Machine, self: RubyValue, low: RubyValue, high: RubyValue) -> bool:
    return m.compare(self, low) >= 0 and m.compare(self, high) <= 0


@method(COMPARABLE, "clamp")
def clamp(m: Machine, self: RubyValue, low: RubyValue, high: Given = UNDEFINED) -> RubyValue:
    if high is UNDEFINED:
        if not isinstance(low, Range):
            shown = to.named(m, low)
            raise m.error("TypeError", f"wrong argument type {shown} (expected Range)")
        ends = low
        low, high = ends.low, ends.high
    if low is not None and high is not None and m.compare(low, high) > 0:
        raise m.error("ArgumentError", "min argument must be smaller than max argument")
    if low is not None and m.compare(self, low) < 0:
        return low
    return high if high is not None and m.compare(self, high) > 0 else self
