"""Iterating over values: strings, numbers, ranges, enums, collections, iterators."""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any

from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.types import model as m
from headwater.langs.puppet.types.build import variant
from headwater.langs.puppet.types.iterables import ANY_PAIR, CHARACTER, PAIR_SIZE
from headwater.langs.puppet.types.iterator import PuppetIterator
from headwater.langs.puppet.types.value import Value
from headwater.text.late import when_called

if TYPE_CHECKING:
    from headwater.langs.puppet.types.inference import infer_set
else:
    when_called(globals(), "headwater.langs.puppet.types.inference", "infer_set")

RANGE_LIMIT = 5_000_000
"""The longest range that is iterated over; a program that needs more is taken for a mistake."""


class TooMany(Exception):
    """A range longer than `RANGE_LIMIT`."""


def counted(low: int, high: int) -> range:
    """The numbers of a range, ends included."""
    if high - low >= RANGE_LIMIT:
        raise TooMany(
            f"a range of {high - low + 1} numbers is longer than the {RANGE_LIMIT} allowed"
        )
    return range(low, high + 1)


def elements(value: Value) -> Iterable[Any] | None:
    """The elements, entries of a hash as pairs; None for what cannot be iterated over."""
    match value:
        case list():
            return value
        case Hash():
            return [[key, item] for key, item in value.pairs()]
        case str():
            return list(value)
        case PuppetIterator():
            return value
        case bool():
            return None
        case int():
            return counted(0, value - 1) if value >= 0 else None
        case m.IntegerType(low=low, high=high) if low is not None and high is not None:
            return counted(low, high)
        case m.EnumType():
            return value.values
        case m.AliasType():
            return elements(value.resolved())
    return None


def rest(value: Value) -> Iterator[Any]:
    """The elements that are left, where a value is an iterator; else all."""
    return value.rest() if isinstance(value, PuppetIterator) else iter(elements(value) or ())


def has_pairs(value: Value) -> bool:
    """Whether the elements are entries of a hash."""
    return isinstance(value, Hash) or (isinstance(value, PuppetIterator) and value.pairs)


def _element_type(value: Value) -> m.Type | None:
    match value:
        case str():
            return CHARACTER
        case list():
            return variant(infer_set(item) for item in value) if value else m.UNIT
        case Hash():
            if not value:
                return ANY_PAIR
            keys = variant(infer_set(key) for key in value)
            items = variant(infer_set(item) for item in value.values())
            return m.TupleType((keys, items), PAIR_SIZE)
        case int():
            return m.IntegerType(0, value - 1) if value > 0 else m.UNIT
        case m.AliasType():
            return _element_type(value.resolved())
        case PuppetIterator():
            return value.element
    return value if m.is_type(value) else None


def stepped(value: Value, step: int) -> PuppetIterator:
    """Every `step`-th element."""
    if step == 1 and isinstance(value, PuppetIterator):
        return value
    bounds = _bounds(value)
    if bounds is not None:
        first, last, by = bounds
        by *= step
        last -= (last - first) % by if by > 0 else -((first - last) % -by)
        low, high = min(first, last), max(first, last)
        return _range(first, last, by, m.IntegerType(low, high))

    if step == 1:
        return PuppetIterator(
            _element_type(value), lambda: iter(elements(value) or ()), has_pairs(value)
        )

    def start() -> Iterator[Any]:
        source = rest(value)
        for item in source:
            deque(islice(source, min(step - 1, sys.maxsize)), maxlen=0)
            yield item

    return PuppetIterator(_element_type(value), start, spends=True)


def reversed_(value: Value) -> PuppetIterator:
    """The elements from the last to the first."""
    bounds = _bounds(value)
    if bounds is not None:
        first, last, by = bounds
        return _range(last, first, -by, m.IntegerType(min(first, last), max(first, last)))

    every: Iterable[Any] = elements(value) or ()
    if not (isinstance(value, PuppetIterator) and not value.spends):
        every = list(every)

    def start() -> Iterator[Any]:
        return iter(list(every)[::-1])

    return PuppetIterator(_element_type(value), start)


def _bounds(value: Value) -> tuple[int, int, int] | None:
    match value:
        case bool():
            return None
        case int() if value > 0:
            return 0, value - 1, 1
        case m.IntegerType(low=low, high=high) if low is not None and high is not None:
            return low, high, 1
        case m.AliasType():
            return _bounds(value.resolved())
        case PuppetIterator():
            return value.bounds
    return None


def _range(first: int, last: int, by: int, element: m.Type) -> PuppetIterator:
    def start() -> Iterator[Any]:
        if abs(last - first) // abs(by) >= RANGE_LIMIT:
            counted(min(first, last), max(first, last))
        return iter(range(first, last + (1 if by > 0 else -1), by))

    return PuppetIterator(element, start, bounds=(first, last, by), spends=True)
