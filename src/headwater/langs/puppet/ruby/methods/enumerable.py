"""Enumerable: what everything has that can be gone through with ``each``."""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable
from typing import Any

from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.ruby.classes import ENUMERABLE, class_of
from headwater.langs.puppet.ruby.machine import Machine
from headwater.langs.puppet.ruby.methods import conversions as to
from headwater.langs.puppet.ruby.methods.iteration import (
    called,
    generated,
    items,
    iterate,
    visit,
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
    Text,
    key,
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
    """What ``any?`` and its like ask: a pattern, a block or the truth of an element."""
    if pattern is not UNDEFINED:
        return lambda one: m.truth(m.send(pattern, "===", [one]))
    if block is not None:
        call = block.one
        return lambda one: m.truth(call(one))
    return m.truth


@method(ENUMERABLE, "to_a", "entries")
def to_a(m: Machine, self: RubyValue) -> RubyValue:
    return items(m, self)


@method(ENUMERABLE, "to_set")
def to_set(m: Machine, self: RubyValue) -> RubyValue:
    from headwater.langs.puppet.ruby.classes import BUILTIN

    return m.send(BUILTIN["Set"], "new", [self])


@looped("map", "collect")
def map_(m: Machine, self: RubyValue, *, block: Proc) -> RubyValue:
    call = block.one
    return [call(one) for one in iterate(m, self)]


@looped("flat_map", "collect_concat")
def flat_map(m: Machine, self: RubyValue, *, block: Proc) -> RubyValue:
    made: list[Any] = []
    for one in iterate(m, self):
        value = block.one(one)
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
    return [value for one in iterate(m, self) if m.truth(value := block.one(one))]


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

    def take(one: RubyValue) -> bool:
        nonlocal place, hit
        place += 1
        if value is not UNDEFINED:
            hit = m.equal(one, value)
        elif block is not None:
            hit = m.truth(block.one(one))
        return hit

    visit(m, self, take)
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


@method(ENUMERABLE, "each_slice")
def each_slice(
    m: Machine, self: RubyValue, size: RubyValue, block: Proc | None = None
) -> RubyValue:
    count = to.integer(m, size)
    if count <= 0:
        raise m.error("ArgumentError", "invalid slice size")
    if block is None:
        return Enumerator(self, "each_slice", [size])
    row: list[Any] = []

    def take(one: RubyValue) -> None:
        nonlocal row
        row.append(one)
        if len(row) == count:
            full, row = row, []
            block.one(full)

    visit(m, self, take)
    if row:
        block.one(row)
    return self


@method(ENUMERABLE, "each_cons")
def each_cons(m: Machine, self: RubyValue, size: RubyValue, block: Proc | None = None) -> RubyValue:
    count = to.integer(m, size)
    if count <= 0:
        raise m.error("ArgumentError", "invalid size")
    if block is None:
        return Enumerator(self, "each_cons", [size])
    row: list[Any] = []

    def take(one: RubyValue) -> None:
        row.append(one)
        del row[:-count]
        if len(row) == count:
            block.one(list(row))

    visit(m, self, take)
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
    return sum(1 for one in iterate(m, self) if m.truth(block.one(one)))


@method(ENUMERABLE, "any?")
def any_(
    m: Machine, self: RubyValue, pattern: Given = UNDEFINED, block: Proc | None = None
) -> bool:
    return _meets(m, self, test(m, pattern, block), True)


def _meets(m: Machine, self: RubyValue, asked: Callable[[Any], bool], answer: bool) -> bool:
    """Whether some element gives an answer; those after it are not asked."""
    met = False

    def take(one: RubyValue) -> bool:
        nonlocal met
        met = asked(one) is answer
        return met

    visit(m, self, take)
    return met


@method(ENUMERABLE, "all?")
def all_(
    m: Machine, self: RubyValue, pattern: Given = UNDEFINED, block: Proc | None = None
) -> bool:
    return not _meets(m, self, test(m, pattern, block), False)


@method(ENUMERABLE, "none?")
def none(
    m: Machine, self: RubyValue, pattern: Given = UNDEFINED, block: Proc | None = None
) -> bool:
    return not _meets(m, self, test(m, pattern, block), True)


@method(ENUMERABLE, "one?")
def one_(
    m: Machine, self: RubyValue, pattern: Given = UNDEFINED, block: Proc | None = None
) -> bool:
    return sum(map(test(m, pattern, block), iterate(m, self))) == 1


@method(ENUMERABLE, "include?", "member?")
def includes(m: Machine, self: RubyValue, value: RubyValue) -> bool:
    return _meets(m, self, lambda one: m.equal(one, value), True)


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
        name = key(block.one(one))
        if name not in made:
            made.put(name, [])
        made[name].append(one)
    return made


@method(ENUMERABLE, "tally")
def tally(m: Machine, self: RubyValue, into: Given = UNDEFINED) -> RubyValue:
    made = Hash({}) if into is UNDEFINED else to.hash_(m, into)
    for one in iterate(m, self):
        made.put(key(one), made.get(key(one), 0) + 1)
    return made


@cut("chunk_while")
def chunk_while(m: Machine, self: RubyValue, *, block: Proc) -> RubyValue:
    return _chunks(m, self, block, True)


def _cutting(name: str, after: bool) -> None:
    """``slice_before``, ``slice_after``: by a pattern or a block."""

    def call(
        m: Machine, self: RubyValue, pattern: Given = UNDEFINED, block: Proc | None = None
    ) -> RubyValue:
        if pattern is not UNDEFINED and block is not None:
            raise m.error("ArgumentError", "both pattern and block are given")
        if pattern is UNDEFINED and block is None:
            raise m.wrong_count(0, 1, 1)
        asked = test(m, pattern, block)

        def run(each: Proc) -> None:
            row: list[Any] = []
            ended = False

            def take(one: RubyValue) -> None:
                nonlocal row, ended
                hit = asked(one)
                if row and (ended or (hit and not after)):
                    full, row = row, []
                    each.one(full)
                row.append(one)
                ended = after and hit

            visit(m, self, take)
            if row:
                each.one(row)

        return generated(run)

    method(ENUMERABLE, name)(call)


_cutting("slice_before", False)
_cutting("slice_after", True)


@cut("slice_when")
def slice_when(m: Machine, self: RubyValue, *, block: Proc) -> RubyValue:
    return _chunks(m, self, block, False)


def _chunks(m: Machine, self: RubyValue, block: Proc, together: bool) -> RubyValue:
    def run(each: Proc) -> None:
        row: list[Any] = []

        def take(one: RubyValue) -> None:
            nonlocal row
            if row and m.truth(called(block, row[-1], one)) is not together:
                full, row = row, []
                each.one(full)
            row.append(one)

        visit(m, self, take)
        if row:
            each.one(row)

    return generated(run)


@looped("chunk")
def chunk(m: Machine, self: RubyValue, *, block: Proc) -> RubyValue:
    def run(each: Proc) -> None:
        made: list[Any] = []

        def take(one: RubyValue) -> None:
            name = block.one(one)
            if made and (name is None or name is ALONE or not m.equal(made[0], name)):
                full = list(made)
                made.clear()
                each.one(full)
            if name is None or name is SEPARATOR:
                return
            if made:
                made[1].append(one)
            else:
                made.extend([name, [one]])

        visit(m, self, take)
        if made:
            each.one(made)

    return generated(run)


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
        name = key(one if block is None else block.one(one))
        if name not in seen:
            seen.put(name, True)
            made.append(one)
    return made


@method(ENUMERABLE, "to_h")
def to_h(m: Machine, self: RubyValue, block: Proc | None = None) -> RubyValue:
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
        made.put(key(pair[0]), pair[1])
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


# order


def ordered(m: Machine, values: list[Any], block: Proc | None) -> list[Any]:
    """Sorted by ``<=>`` or a block; values that cannot be compared are an error."""
    m.spend(len(values))
    if block is None:
        kinds = {value.__class__ for value in values}
        if kinds <= {int} or (kinds <= {int, float} and not any(v != v for v in values)):
            return sorted(values)
        if kinds <= {Text, str}:
            return sorted(values, key=lambda one: one.s if one.__class__ is Text else one)
        return sorted(values, key=functools.cmp_to_key(m.compare))

    def compare(left: RubyValue, right: RubyValue) -> int:
        return _sign(m, called(block, left, right), left, right)

    return sorted(values, key=functools.cmp_to_key(compare))


def _sign(m: Machine, order: RubyValue, left: RubyValue, right: RubyValue) -> int:
    """What a block that compares has said."""
    if order is None:
        raise m.incomparable(left, right)
    return m.sign(order)


@method(ENUMERABLE, "sort")
def sort(m: Machine, self: RubyValue, block: Proc | None = None) -> RubyValue:
    return ordered(m, items(m, self), block)


def _by_key(m: Machine, sign: int) -> Callable[[Any], Any]:
    """What sorts pairs by their first parts."""

    def compare(left: list[Any], right: list[Any]) -> int:
        return sign * m.compare(left[0], right[0])

    return functools.cmp_to_key(compare)


@looped("sort_by")
def sort_by(m: Machine, self: RubyValue, *, block: Proc) -> RubyValue:
    found = items(m, self)
    keyed = [(block.one(one), one) for one in found]
    return [one for _, one in sorted(keyed, key=_by_key(m, 1))]


def _extreme(
    m: Machine, values: list[Any], size: Given, block: Proc | None, sign: int
) -> RubyValue:
    if size is not UNDEFINED and size is not None:
        count = to.integer(m, size)
        if count < 0:
            raise m.error("ArgumentError", f"negative size ({count})")
        if count == 0:
            return []
        found = ordered(m, values, block)
        return (found if sign < 0 else found[::-1])[:count]
    best: Any = None
    for place, one in enumerate(values):
        if place == 0:
            best = one
            continue
        order = (
            m.compare(one, best) if block is None else _sign(m, called(block, one, best), one, best)
        )
        if order * sign > 0:
            best = one
    return best


@method(ENUMERABLE, "min")
def min_(
    m: Machine, self: RubyValue, size: Given = UNDEFINED, block: Proc | None = None
) -> RubyValue:
    return _extreme(m, items(m, self), size, block, -1)


@method(ENUMERABLE, "max")
def max_(
    m: Machine, self: RubyValue, size: Given = UNDEFINED, block: Proc | None = None
) -> RubyValue:
    return _extreme(m, items(m, self), size, block, 1)


@method(ENUMERABLE, "minmax")
def minmax(m: Machine, self: RubyValue, block: Proc | None = None) -> RubyValue:
    found = items(m, self)
    return [_extreme(m, found, UNDEFINED, block, -1), _extreme(m, found, UNDEFINED, block, 1)]


def _by(m: Machine, self: RubyValue, size: Given, block: Proc, sign: int) -> RubyValue:
    count = None if size is UNDEFINED or size is None else to.integer(m, size)
    if count is not None and count < 0:
        raise m.error("ArgumentError", f"negative size ({count})")
    keyed = [(block.one(one), one) for one in iterate(m, self)]
    if count is not None:
        found = sorted(keyed, key=_by_key(m, -sign))
        if any(m.compare(a[0], b[0]) == 0 for a, b in itertools.pairwise(found)):
            raise Beyond("the first of several that are equal (max_by with a number)")
        return [one for _, one in found[:count]]
    best: tuple[Any, Any] | None = None
    for pair in keyed:
        if best is None or m.compare(pair[0], best[0]) * sign > 0:
            best = pair
    return None if best is None else best[1]


@looped("min_by")
def min_by(m: Machine, self: RubyValue, size: Given = UNDEFINED, *, block: Proc) -> RubyValue:
    return _by(m, self, size, block, -1)


@looped("max_by")
def max_by(m: Machine, self: RubyValue, size: Given = UNDEFINED, *, block: Proc) -> RubyValue:
    return _by(m, self, size, block, 1)


@looped("minmax_by")
def minmax_by(m: Machine, self: RubyValue, *, block: Proc) -> RubyValue:
    keyed = [(block.one(one), one) for one in iterate(m, self)]
    found = sorted(keyed, key=_by_key(m, 1))
    if not found:
        return [None, None]
    highest = next(one for name, one in keyed if m.compare(name, found[-1][0]) == 0)
    return [found[0][1], highest]


@method(ENUMERABLE, "grep")
def grep(m: Machine, self: RubyValue, pattern: RubyValue, block: Proc | None = None) -> RubyValue:
    found = [one for one in iterate(m, self) if m.truth(m.send(pattern, "===", [one]))]
    return found if block is None else [block.one(one) for one in found]


@method(ENUMERABLE, "grep_v")
def grep_v(m: Machine, self: RubyValue, pattern: RubyValue, block: Proc | None = None) -> RubyValue:
    found = [one for one in iterate(m, self) if not m.truth(m.send(pattern, "===", [one]))]
    return found if block is None else [block.one(one) for one in found]


__all__ = ["looped", "ordered", "test"]
