"""Enumerable: order, the least and the greatest."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable
from operator import itemgetter
from typing import Any

from headwater.langs.puppet.ruby.classes import ENUMERABLE
from headwater.langs.puppet.ruby.machine import Machine
from headwater.langs.puppet.ruby.methods import conversions as to
from headwater.langs.puppet.ruby.methods.enumerable import looped
from headwater.langs.puppet.ruby.methods.iteration import (
    called,
    items,
    iterate,
)
from headwater.langs.puppet.ruby.methods.regexps import encoded
from headwater.langs.puppet.ruby.methods.registry import method
from headwater.langs.puppet.ruby.refusals import Beyond
from headwater.langs.puppet.ruby.values import (
    UNDEFINED,
    Given,
    Proc,
    RubyValue,
    Text,
)


def ordered(m: Machine, values: list[Any], block: Proc | None) -> list[Any]:
    """Sorted by ``<=>`` or a block; values that cannot be compared are an error."""
    m.spend(len(values))
    if block is None:
        kinds = {value.__class__ for value in values}
        if kinds <= {int} or (kinds <= {int, float} and not any(v != v for v in values)):
            return sorted(values)
        if kinds <= {Text, str}:
            return by_text([(one.s if one.__class__ is Text else one, one) for one in values])
        return merged(values, m.compare)

    def compare(left: RubyValue, right: RubyValue) -> int:
        return _sign(m, called(block, left, right), left, right)

    return merged(values, compare)


def by_text(keyed: list[tuple[str, Any]]) -> list[Any]:
    """Values sorted by texts, as their bytes are."""
    if all(text.isascii() for text, _ in keyed):
        return [one for _, one in sorted(keyed, key=itemgetter(0))]
    return [one for _, one in sorted(keyed, key=lambda pair: encoded(pair[0]))]


def merged(values: list[Any], compare: Callable[[Any, Any], int]) -> list[Any]:
    """Sorted by merging halves, as Ruby does it: it is seen in which pairs are asked about."""
    if len(values) < 2:
        return list(values)
    middle = len(values) // 2
    left, right = merged(values[:middle], compare), merged(values[middle:], compare)
    result: list[Any] = []
    a = b = 0
    while a < len(left) and b < len(right):
        if compare(left[a], right[b]) <= 0:
            result.append(left[a])
            a += 1
        else:
            result.append(right[b])
            b += 1
    return [*result, *left[a:], *right[b:]]


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
    kinds = {key.__class__ for key, _ in keyed}
    if kinds <= {int}:
        return [one for _, one in sorted(keyed, key=lambda pair: to.integer(m, pair[0]))]
    if kinds <= {Text, str}:
        return by_text([(to.string(m, name), one) for name, one in keyed])
    return [one for _, one in merged(keyed, lambda a, b: m.compare(a[0], b[0]))]


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
    m.spend(len(values))
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
    if count == 0:
        return []
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
