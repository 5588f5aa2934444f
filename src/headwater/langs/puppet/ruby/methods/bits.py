"""Integer as bits."""

from __future__ import annotations

from headwater.langs.puppet.ruby.classes import INTEGER
from headwater.langs.puppet.ruby.largeness import check_bits, shifted
from headwater.langs.puppet.ruby.machine import Machine
from headwater.langs.puppet.ruby.methods import conversions as to
from headwater.langs.puppet.ruby.methods.numbers import coerced
from headwater.langs.puppet.ruby.methods.registry import method
from headwater.langs.puppet.ruby.refusals import Beyond
from headwater.langs.puppet.ruby.values import UNDEFINED, Given, Range, RubyValue


@method(INTEGER, "~")
def complement(m: Machine, self: int) -> int:
    return ~self


@method(INTEGER, "&")
def bit_and(m: Machine, self: int, other: RubyValue) -> RubyValue:
    return self & other if other.__class__ is int else coerced(m, self, other, "&")


@method(INTEGER, "|")
def bit_or(m: Machine, self: int, other: RubyValue) -> RubyValue:
    return self | other if other.__class__ is int else coerced(m, self, other, "|")


@method(INTEGER, "^")
def bit_xor(m: Machine, self: int, other: RubyValue) -> RubyValue:
    return self ^ other if other.__class__ is int else coerced(m, self, other, "^")


@method(INTEGER, "<<")
def shift_left(m: Machine, self: int, other: RubyValue) -> int:
    by = to.integer(m, other)
    return shifted(m, self, by)


@method(INTEGER, ">>")
def shift_right(m: Machine, self: int, other: RubyValue) -> int:
    by = to.integer(m, other)
    return shifted(m, self, -by)


@method(INTEGER, "[]")
def bit(m: Machine, self: int, index: RubyValue, count: Given = UNDEFINED) -> int:
    if index.__class__ is Range and count is UNDEFINED:
        if index.low is None:
            raise Beyond("Integer#[] with a range that has no beginning")
        start = to.integer(m, index.low)
        if index.high is None:
            return _shifted(m, self, start)
        size = to.integer(m, index.high) - start + (not index.exclusive)
        return _shifted(m, self, start) & _mask(m, size) if size > 0 else _shifted(m, self, start)
    place = to.integer(m, index)
    if count is not UNDEFINED:
        return _shifted(m, self, place) & _mask(m, to.integer(m, count))
    return (self >> place) & 1 if place >= 0 else 0


def _shifted(m: Machine, self: int, by: int) -> int:
    return shifted(m, self, -by)


def _mask(m: Machine, size: int) -> int:
    check_bits(size)
    return (1 << size) - 1 if size >= 0 else -1


@method(INTEGER, "allbits?")
def allbits(m: Machine, self: int, mask: RubyValue) -> bool:
    wanted = to.integer(m, mask)
    return self & wanted == wanted


@method(INTEGER, "anybits?")
def anybits(m: Machine, self: int, mask: RubyValue) -> bool:
    return self & to.integer(m, mask) != 0


@method(INTEGER, "nobits?")
def nobits(m: Machine, self: int, mask: RubyValue) -> bool:
    return self & to.integer(m, mask) == 0
