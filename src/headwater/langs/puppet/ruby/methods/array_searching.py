"""Array: where something is."""

from __future__ import annotations

from typing import Any

from headwater.langs.puppet.ruby.classes import ARRAY
from headwater.langs.puppet.ruby.machine import Machine
from headwater.langs.puppet.ruby.methods.registry import method
from headwater.langs.puppet.ruby.values import UNDEFINED, Enumerator, Given, Proc, RubyValue


@method(ARRAY, "index", "find_index")
def index(
    m: Machine, self: list[Any], value: Given = UNDEFINED, block: Proc | None = None
) -> RubyValue:
    m.spend(len(self) >> 1)
    if value is UNDEFINED and block is None:
        return Enumerator(self, "index", [])
    for place, one in enumerate(self):
        if (
            (m.truth(block.one(one)) if block is not None else False)
            if value is UNDEFINED
            else m.equal(one, value)
        ):
            return place
    return None


@method(ARRAY, "rindex")
def rindex(
    m: Machine, self: list[Any], value: Given = UNDEFINED, block: Proc | None = None
) -> RubyValue:
    m.spend(len(self) >> 1)
    if value is UNDEFINED and block is None:
        return Enumerator(self, "rindex", [])
    for place in range(len(self) - 1, -1, -1):
        if value is UNDEFINED:
            assert block is not None
            if m.truth(block.one(self[place])):
                return place
        elif m.equal(self[place], value):
            return place
    return None


@method(ARRAY, "include?", "member?")
def includes(m: Machine, self: list[Any], value: RubyValue) -> bool:
    m.spend(len(self))
    return any(m.equal(one, value) for one in self)


@method(ARRAY, "assoc")
def assoc(m: Machine, self: list[Any], name: RubyValue) -> RubyValue:
    m.spend(len(self))
    for one in self:
        if one.__class__ is list and one and m.equal(one[0], name):
            return one
    return None


@method(ARRAY, "rassoc")
def rassoc(m: Machine, self: list[Any], value: RubyValue) -> RubyValue:
    m.spend(len(self))
    for one in self:
        if one.__class__ is list and len(one) > 1 and m.equal(one[1], value):
            return one
    return None
