"""Enumerable: what everything has that can be gone through with ``each``."""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable
from typing import Any

from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.ruby.classes import ENUMERABLE, class_of
from headwater.langs.puppet.ruby.keys import key
from headwater.langs.puppet.ruby.machine import Machine
from headwater.langs.puppet.ruby.methods import conversions as to
from headwater.langs.puppet.ruby.methods.iteration import (
    called,
    items,
    iterate,
    packed,
    turns,
    visit,
    visit_turns,
)
from headwater.langs.puppet.ruby.methods.registry import method
from headwater.langs.puppet.ruby.refusals import Beyond
from headwater.langs.puppet.ruby.values import (
    UNDEFINED,
    Enumerator,
    Given,
    Number,
    Proc,
    RubyValue,
    symbol,
)

ALONE, SEPARATOR = symbol("_alone"), symbol("_separator")
"""What the block of ``chunk`` may say."""


def _needs_block(name: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """A method that gives an enumerator where it gets no block."""

    def wrap(function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def call(
            m: Machine, self: RubyValue, *args: RubyValue, block: Proc | None = None
        ) -> RubyValue:
            if block is None:
                return Enumerator(self, name, list(args))
            return function(m, self, *args, block=block)

        return call

    return wrap


def looped(*names: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Gives Enumerable a method that needs a block."""

    def give(function: Callable[..., Any]) -> Callable[..., Any]:
        for name in names:
            method(ENUMERABLE, name)(_needs_block(name)(function))
        return function

    return give


def cut(name: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Gives Enumerable a method that cuts by a block, which must be there."""

    def give(function: Callable[..., Any]) -> Callable[..., Any]:
        def call(m: Machine, self: RubyValue, block: Proc | None = None) -> RubyValue:
            if block is None:
                raise m.error("ArgumentError", "tried to create Proc object without a block")
            return function(m, self, block=block)

        method(ENUMERABLE, name)(call)
        return function

    return give


def test(m: Machine, pattern: Given, block: Proc | None) -> Callable[[Any], bool]:
    """What is asked of an element: a pattern, a block or its truth."""
    if pattern is not UNDEFINED:
        return lambda one: m.truth(m.send(pattern, "===", [one]))
    if block is not None:
        call = block.one
        return lambda one: m.truth(call(one))
    return m.truth


def asking(m: Machine, pattern: Given, block: Proc | None) -> Callable[[list[Any]], bool]:
    """What ``any?`` and its like ask of a turn: a block is given its values one by one."""
    if pattern is UNDEFINED and block is not None:
        return lambda given: m.truth(
            block.one(given[0]) if len(given) == 1 else block.call(given, None)
        )
    one = test(m, pattern, None)
    return lambda given: one(packed(given))


@method(ENUMERABLE, "to_a", "entries")
def to_a(m: Machine, self: RubyValue) -> RubyValue:
    return items(m, self)


@method(ENUMERABLE, "to_set")
def to_set(m: Machine, self: RubyValue) -> RubyValue:
    from headwater.langs.puppet.ruby.classes import BUILTIN

    return m.send(BUILTIN["Set"], "new", [self])


@looped("map", "collect")
def map_(m: Machine, self: RubyValue, *, block: Proc) -> RubyValue:
    return turns(m, self, block)


@looped("flat_map", "collect_concat")
def flat_map(m: Machine, self: RubyValue, *, block: Proc) -> RubyValue:
    made: list[Any] = []
    for value in turns(m, self, block):
        if value.__class__ is list:
            made.extend(value)
        else:
            made.append(value)
    return made


@looped("select", "filter", "find_all")
def select(m: Machine, self: RubyValue, *, block: Proc) -> RubyValue:
    return [one for one in iterate(m, self) if m.truth(block.one(one))]


@looped("reject")
def reject(m: Machine, self: RubyValue, *, block: Proc) -> RubyValue:
    return [one for one in iterate(m, self) if not m.truth(block.one(one))]


@looped("filter_map")
def filter_map(m: Machine, self: RubyValue, *, block: Proc) -> RubyValue:
    return [value for value in turns(m, self, block) if m.truth(value)]


@looped("find", "detect")
def find(m: Machine, self: RubyValue, absent: Given = UNDEFINED, *, block: Proc) -> RubyValue:
    found: list[Any] = []

    def take(one: RubyValue) -> bool:
        if m.truth(block.one(one)):
            found.append(one)
        return bool(found)

    visit(m, self, take)
    if found:
        return found[0]
    return None if absent is UNDEFINED or absent is None else m.send(absent, "call", [])


@method(ENUMERABLE, "find_index")
def find_index(
    m: Machine, self: RubyValue, value: Given = UNDEFINED, block: Proc | None = None
) -> RubyValue:
    if value is UNDEFINED and block is None:
        return Enumerator(self, "find_index", [])
    place = -1
    hit = False

    asked = asking(m, UNDEFINED, block)

    def take(given: list[Any]) -> bool:
        nonlocal place, hit
        place += 1
        hit = asked(given) if value is UNDEFINED else m.equal(packed(given), value)
        return hit

    visit_turns(m, self, take)
    return place if hit else None


@looped("each_with_index")
def each_with_index(m: Machine, self: RubyValue, *, block: Proc) -> RubyValue:
    numbers = itertools.count()

    def take(one: RubyValue) -> None:
        called(block, one, next(numbers))

    visit(m, self, take)
    return self


@looped("each_with_object")
def each_with_object(m: Machine, self: RubyValue, memo: RubyValue, *, block: Proc) -> RubyValue:
    def take(one: RubyValue) -> None:
        called(block, one, memo)

    visit(m, self, take)
    return memo


@looped("each_entry")
def each_entry(m: Machine, self: RubyValue, *, block: Proc) -> RubyValue:
    def take(one: RubyValue) -> None:
        block.one(one)

    visit(m, self, take)
    return self


@looped("reverse_each")
def reverse_each(m: Machine, self: RubyValue, *, block: Proc) -> RubyValue:
    for one in reversed(items(m, self)):
        block.one(one)
    return self


@method(ENUMERABLE, "inject", "reduce")
def inject(m: Machine, self: RubyValue, *args: RubyValue, block: Proc | None = None) -> RubyValue:
    given = list(args)
    if len(given) > 2:
        raise m.wrong_count(len(given), 0, 2)
    call: Callable[[Any, Any], Any]
    if given and (block is None or len(given) == 2):
        name = to.name_of(m, given.pop())

        def call(memo: RubyValue, one: RubyValue) -> RubyValue:
            return m.send(memo, name, [one])

    else:

        def call(memo: RubyValue, one: RubyValue) -> RubyValue:
            if block is None:
                raise m.error("LocalJumpError", "no block given")
            return called(block, memo, one)

    found = iterate(m, self)
    memo = given[0] if given else next(found, None)
    for one in found:
        memo = call(memo, one)
    return memo


@method(ENUMERABLE, "sum")
def sum_(m: Machine, self: RubyValue, start: RubyValue = 0, block: Proc | None = None) -> RubyValue:
    values: list[Any] = [block.one(one) if block is not None else one for one in iterate(m, self)]
    if to.is_number(start) and all(map(to.is_number, values)):
        if any(v.__class__ is float for v in values) or start.__class__ is float:
            return _precise(start, values)
        return sum(values, start)
    made = start
    for value in values:
        made = m.send(made, "+", [value])
    return made


def _precise(start: Number, values: list[Any]) -> float:
    """A sum of floats with Kahan's and Babuška's correction, as Ruby makes it."""
    total, lost = to.as_float(start), 0.0
    for value in values:
        number = to.as_float(value)
        if not math.isfinite(number) or not math.isfinite(total):
            total, lost = total + number, 0.0
            continue
        next_ = total + number
        if abs(total) >= abs(number):
            lost += (total - next_) + number
        else:
            lost += (number - next_) + total
        total = next_
    return total + lost


@method(ENUMERABLE, "count")
def count(m: Machine, self: RubyValue, value: Given = UNDEFINED, block: Proc | None = None) -> int:
    if value is not UNDEFINED:
        return sum(1 for one in iterate(m, self) if m.equal(one, value))
    if block is None:
        return sum(1 for _ in iterate(m, self))
    return sum(1 for value in turns(m, self, block) if m.truth(value))


@method(ENUMERABLE, "any?")
def any_(
    m: Machine, self: RubyValue, pattern: Given = UNDEFINED, block: Proc | None = None
) -> bool:
    return _meets(m, self, asking(m, pattern, block), True)


def _meets(m: Machine, self: RubyValue, asked: Callable[[list[Any]], bool], answer: bool) -> bool:
    """Whether some turn gives an answer; those after it are not asked."""
    met = False

    def take(given: list[Any]) -> bool:
        nonlocal met
        met = asked(given) is answer
        return met

    visit_turns(m, self, take)
    return met


@method(ENUMERABLE, "all?")
def all_(
    m: Machine, self: RubyValue, pattern: Given = UNDEFINED, block: Proc | None = None
) -> bool:
    return not _meets(m, self, asking(m, pattern, block), False)


@method(ENUMERABLE, "none?")
def none(
    m: Machine, self: RubyValue, pattern: Given = UNDEFINED, block: Proc | None = None
) -> bool:
    return not _meets(m, self, asking(m, pattern, block), True)


@method(ENUMERABLE, "one?")
def one_(
    m: Machine, self: RubyValue, pattern: Given = UNDEFINED, block: Proc | None = None
) -> bool:
    asked, hits = asking(m, pattern, block), 0

    def take(given: list[Any]) -> bool:
        nonlocal hits
        hits += asked(given)
        return hits > 1

    visit_turns(m, self, take)
    return hits == 1


@method(ENUMERABLE, "include?", "member?")
def includes(m: Machine, self: RubyValue, value: RubyValue) -> bool:
    return _meets(m, self, lambda given: m.equal(packed(given), value), True)


@method(ENUMERABLE, "first")
def first(m: Machine, self: RubyValue, size: Given = UNDEFINED) -> RubyValue:
    if size is UNDEFINED:
        found = _taken(m, self, 1, "")
        return found[0] if found else None
    return _taken(m, self, to.integer(m, size), "attempt to take negative size")


def _taken(m: Machine, self: RubyValue, size: int, complaint: str) -> list[Any]:
    if size < 0:
        raise m.error("ArgumentError", complaint)
    made: list[Any] = []

    def take(one: RubyValue) -> bool:
        made.append(one)
        return len(made) >= size

    if size:
        visit(m, self, take)
    return made


@method(ENUMERABLE, "take")
def take(m: Machine, self: RubyValue, size: RubyValue) -> RubyValue:
    return _taken(m, self, to.integer(m, size), "attempt to take negative size")


@method(ENUMERABLE, "drop")
def drop(m: Machine, self: RubyValue, size: RubyValue) -> RubyValue:
    number = to.integer(m, size)
    if number < 0:
        raise m.error("ArgumentError", "attempt to drop negative size")
    return items(m, self)[number:]


@looped("take_while")
def take_while(m: Machine, self: RubyValue, *, block: Proc) -> RubyValue:
    made = []

    def take(one: RubyValue) -> bool:
        if not m.truth(block.one(one)):
            return True
        made.append(one)
        return False

    visit(m, self, take)
    return made


@looped("drop_while")
def drop_while(m: Machine, self: RubyValue, *, block: Proc) -> RubyValue:
    made: list[Any] = []
    for one in iterate(m, self):
        if made or not m.truth(block.one(one)):
            made.append(one)
    return made


@looped("partition")
def partition(m: Machine, self: RubyValue, *, block: Proc) -> RubyValue:
    yes: list[Any] = []
    no: list[Any] = []
    for one in iterate(m, self):
        (yes if m.truth(block.one(one)) else no).append(one)
    return [yes, no]


@looped("group_by")
def group_by(m: Machine, self: RubyValue, *, block: Proc) -> RubyValue:
    made = Hash({})
    for one in iterate(m, self):
        name = key(m, block.one(one))
        if name not in made:
            made.put(name, [])
        made[name].append(one)
    return made


@method(ENUMERABLE, "tally")
def tally(m: Machine, self: RubyValue, into: Given = UNDEFINED) -> RubyValue:
    made = Hash({}) if into is UNDEFINED else to.hash_(m, into)
    for one in iterate(m, self):
        made.put(key(m, one), made.get(key(m, one), 0) + 1)
    return made


@method(ENUMERABLE, "zip")
def zip_(m: Machine, self: RubyValue, *others: RubyValue, block: Proc | None = None) -> RubyValue:
    for one in others if self.__class__ is not list or self else ():
        if one.__class__ is not list and m.find(one, "each") is None:
            shown = class_of(one).name
            raise m.error("TypeError", f"wrong argument type {shown} (must respond to :each)")
    if self.__class__ is list and not self:
        others = ()
    lists = [one if one.__class__ is list else items(m, one) for one in others]
    made = []
    for place, one in enumerate(iterate(m, self)):
        made.append([one, *[other[place] if place < len(other) else None for other in lists]])
    if block is None:
        return made
    for row in made:
        block.one(row)
    return None


@method(ENUMERABLE, "compact")
def compact(m: Machine, self: RubyValue) -> RubyValue:
    return [one for one in iterate(m, self) if one is not None]


@method(ENUMERABLE, "uniq")
def uniq(m: Machine, self: RubyValue, block: Proc | None = None) -> list[Any]:
    seen = Hash({})
    made = []
    for one in iterate(m, self):
        name = key(m, one if block is None else block.one(one))
        if name not in seen:
            seen.put(name, True)
            made.append(one)
    return made


@method(ENUMERABLE, "to_h")
def to_h(m: Machine, self: RubyValue, *more: RubyValue, block: Proc | None = None) -> RubyValue:
    if more:
        raise Beyond("to_h with arguments for each")
    made = Hash({})
    for place, one in enumerate(iterate(m, self)):
        pair = one if block is None else block.one(one)
        if pair.__class__ is not list:
            shown = to.named(m, pair)
            where = "" if block is not None else f" at {place}"
            raise m.error("TypeError", f"wrong element type {shown}{where} (expected array)")
        if len(pair) != 2:
            where = (
                "element has wrong array length"
                if block is not None
                else f"wrong array length at {place}"
            )
            raise m.error("ArgumentError", f"{where} (expected 2, was {len(pair)})")
        made.put(key(m, pair[0]), pair[1])
    return made


@looped("cycle")
def cycle(m: Machine, self: RubyValue, times: RubyValue = None, *, block: Proc) -> RubyValue:
    turns = 0
    found = items(m, self)
    while found and (times is None or turns < to.integer(m, times)):
        for one in found:
            block.one(one)
        turns += 1
    return None


@method(ENUMERABLE, "grep")
def grep(m: Machine, self: RubyValue, pattern: RubyValue, block: Proc | None = None) -> RubyValue:
    found = [one for one in iterate(m, self) if m.truth(m.send(pattern, "===", [one]))]
    return found if block is None else [block.one(one) for one in found]


@method(ENUMERABLE, "grep_v")
def grep_v(m: Machine, self: RubyValue, pattern: RubyValue, block: Proc | None = None) -> RubyValue:
    found = [one for one in iterate(m, self) if not m.truth(m.send(pattern, "===", [one]))]
    return found if block is None else [block.one(one) for one in found]


__all__ = ["looped", "test"]
