"""Array: products, combinations, permutations, and search by halves."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable
from typing import Any

from headwater.langs.puppet.ruby.classes import ARRAY, class_of
from headwater.langs.puppet.ruby.machine import Machine
from headwater.langs.puppet.ruby.methods import conversions as to
from headwater.langs.puppet.ruby.methods.registry import method
from headwater.langs.puppet.ruby.values import (
    UNDEFINED,
    Enumerator,
    Given,
    Proc,
    RubyValue,
)


@method(ARRAY, "product")
def product(
    m: Machine, self: list[Any], *others: RubyValue, block: Proc | None = None
) -> RubyValue:
    lists = [self, *[to.array(m, other) for other in others]]
    count = 1
    for one in lists:
        count *= len(one)
    m.check_count(count)
    m.spend(count * len(lists))
    rows = [list(row) for row in itertools.product(*lists)]
    if block is None:
        return rows
    for row in rows:
        block.one(row)
    return self


def _chosen(
    m: Machine, self: list[Any], found: Iterable[tuple[Any, ...]], block: Proc
) -> RubyValue:
    for row in found:
        m.spend(1 + len(row))
        block.one(list(row))
    return self


@method(ARRAY, "combination")
def combination(
    m: Machine, self: list[Any], size: RubyValue, block: Proc | None = None
) -> RubyValue:
    count = to.integer(m, size)
    if block is None:
        return Enumerator(self, "combination", [size])
    fits = 0 <= count <= len(self)
    return _chosen(m, self, itertools.combinations(self, count) if fits else [], block)


@method(ARRAY, "permutation")
def permutation(
    m: Machine, self: list[Any], size: Given = UNDEFINED, block: Proc | None = None
) -> RubyValue:
    if block is None:
        return Enumerator(self, "permutation", [] if size is UNDEFINED else [size])
    count = len(self) if size is UNDEFINED or size is None else to.integer(m, size)
    fits = 0 <= count <= len(self)
    return _chosen(m, self, itertools.permutations(self, count) if fits else [], block)


@method(ARRAY, "repeated_combination")
def repeated_combination(
    m: Machine, self: list[Any], size: RubyValue, block: Proc | None = None
) -> RubyValue:
    count = to.integer(m, size)
    if block is None:
        return Enumerator(self, "repeated_combination", [size])
    m.check_count(count)
    found = itertools.combinations_with_replacement(self, count) if count >= 0 else []
    return _chosen(m, self, found, block)


@method(ARRAY, "repeated_permutation")
def repeated_permutation(
    m: Machine, self: list[Any], size: RubyValue, block: Proc | None = None
) -> RubyValue:
    count = to.integer(m, size)
    if block is None:
        return Enumerator(self, "repeated_permutation", [size])
    m.check_count(count)
    found = itertools.product(self, repeat=count) if count >= 0 else []
    return _chosen(m, self, found, block)


@method(ARRAY, "bsearch")
def bsearch(m: Machine, self: list[Any], block: Proc | None = None) -> RubyValue:
    if block is None:
        return Enumerator(self, "bsearch", [])
    place = searched(m, 0, len(self), lambda at: block.one(self[at]))
    return None if place is None else self[place]


@method(ARRAY, "bsearch_index")
def bsearch_index(m: Machine, self: list[Any], block: Proc | None = None) -> RubyValue:
    if block is None:
        return Enumerator(self, "bsearch_index", [])
    return searched(m, 0, len(self), lambda at: block.one(self[at]))


def searched(m: Machine, low: int, high: int, ask: Callable[[int], Any]) -> int | None:
    """A place between two that a question leads to: by true and false, or by numbers."""
    found: int | None = None
    while low < high:
        middle = low + (high - low) // 2
        answer = ask(middle)
        if answer is True:
            found = high = middle
        elif answer is False or answer is None:
            low = middle + 1
        elif answer.__class__ in (int, float):
            if answer == 0:
                return middle
            low, high = (low, middle) if answer < 0 else (middle + 1, high)
        else:
            shown = class_of(answer).name
            raise m.error(
                "TypeError", f"wrong argument type {shown} (must be numeric, true, false or nil)"
            )
    return found
