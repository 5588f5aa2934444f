"""Integer as bits."""

from __future__ import annotations

from typing import Any

from headwater.langs.puppet.ruby.classes import INTEGER
from headwater.langs.puppet.ruby.machine import Machine
from headwater.langs.puppet.ruby.methods import conversions as to
from headwater.langs.puppet.ruby.methods.numbers import coerced
from headwater.langs.puppet.ruby.methods.registry import method


@method(INTEGER, "~")
def complement(m: Machine, self: int) -> int:
    return ~self


@method(INTEGER, "&")
def bit_and(m: Machine, self: int, other: Any) -> Any:
    return self & other if other.__class__ is int else coerced(m, self, other, "&")


@method(INTEGER, "|")
def bit_or(m: Machine, self: int, other: Any) -> Any:
    return self | other if other.__class__ is int else coerced(m, self, other, "|")


@method(INTEGER, "^")
def bit_xor(m: Machine, self: int, other: Any) -> Any:
    return self ^ other if other.__class__ is int else coerced(m, self, other, "^")


@method(INTEGER, "<<")
def shift_left(m: Machine, self: int, other: Any) -> int:
    by = to.integer(m, other)
    m.check_size(by // 8)
    return self << by if by >= 0 else self >> -by


@method(INTEGER, ">>")
def shift_right(m: Machine, self: int, other: Any) -> int:
    by = to.integer(m, other)
    m.check_size(-by // 8)
    return self >> by if by >= 0 else self << -by


@method(INTEGER, "[]")
def bit(m: Machine, self: int, index: Any) -> int:
    place = to.integer(m, index)
    return (self >> place) & 1 if place >= 0 else 0


@method(INTEGER, "allbits?")
def allbits(m: Machine, self: int, mask: Any) -> bool:
    wanted = to.integer(m, mask)
    return self & wanted == wanted


@method(INTEGER, "anybits?")
def anybits(m: Machine, self: int, mask: Any) -> bool:
    return self & to.integer(m, mask) != 0


@method(INTEGER, "nobits?")
def nobits(m: Machine, self: int, mask: Any) -> bool:
    return self & to.integer(m, mask) == 0
