"""Integer and Float: counting up, down and by steps."""

from __future__ import annotations

import math
from fractions import Fraction

from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.ruby.classes import INTEGER, NUMERIC
from headwater.langs.puppet.ruby.machine import Machine
from headwater.langs.puppet.ruby.methods.numbers import comparable
from headwater.langs.puppet.ruby.methods.registry import method
from headwater.langs.puppet.ruby.values import (
    UNDEFINED,
    Enumerator,
    Given,
    Number,
    Proc,
    RubyValue,
    symbol,
)


@method(INTEGER, "times")
def times(m: Machine, self: int, block: Proc | None = None) -> RubyValue:
    if block is None:
        return Enumerator(self, "times", [])
    for index in range(self):
        m.spend(1)
        block.one(index)
    return self


@method(INTEGER, "upto")
def upto(m: Machine, self: int, last: RubyValue, block: Proc | None = None) -> RubyValue:
    if block is None:
        return Enumerator(self, "upto", [last])
    number, limit = self, comparable(m, self, last)
    while number <= limit:
        block.one(number)
        number += 1
    return self


@method(INTEGER, "downto")
def downto(m: Machine, self: int, last: RubyValue, block: Proc | None = None) -> RubyValue:
    if block is None:
        return Enumerator(self, "downto", [last])
    number, limit = self, comparable(m, self, last)
    while number >= limit:
        block.one(number)
        number -= 1
    return self


def _endless(
    m: Machine, self: Number, limit: Number | Fraction, by: Number | Fraction, block: Proc
) -> Number:
    """Steps towards infinity."""
    turn = 0
    while (self + turn * by <= limit) if by > 0 else (self + turn * by >= limit):
        m.spend(1)
        block.one(float(self + turn * by))
        turn += 1
    return self


@method(NUMERIC, "step")
def step(
    m: Machine,
    self: Number,
    limit: Given = UNDEFINED,
    by: Given = UNDEFINED,
    block: Proc | None = None,
) -> RubyValue:
    if block is None:
        return Enumerator(self, "step", [one for one in (limit, by) if one is not UNDEFINED])
    if isinstance(limit, Hash):
        options = limit
        limit, by = options.get(symbol("to")), options.get(symbol("by"), 1)
    end = None if limit is UNDEFINED or limit is None else comparable(m, self, limit)
    width = 1 if by is UNDEFINED or by is None else comparable(m, self, by)
    if width == 0:
        raise m.error("ArgumentError", "step can't be 0")
    if any(one.__class__ is float for one in (self, end, width)):
        if end is None:
            end = math.inf if width > 0 else -math.inf
        if not all(map(math.isfinite, (self, width, (end - self) / width))):
            return _endless(m, self, end, width, block)
        count = math.floor((end - self) / width + 1e-9)
        m.spend(max(0, min(count, m.steps + 1)))
        for index in range(count + 1):
            m.spend(1)
            block.one(float(self + index * width))
        return self
    number: Number | Fraction = self
    while end is None or (number <= end if width > 0 else number >= end):
        m.spend(1)
        block.one(number)
        number += width
    return self
