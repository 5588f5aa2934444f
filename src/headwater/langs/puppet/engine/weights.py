"""How large values may become: arrays of arrays share their parts, but what is shown does not.

A value made of others is weighed when it is made.  Heavy ones are remembered, so that light
ones, which are nearly all, are counted by walking through them.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from headwater.langs.puppet import codes
from headwater.langs.puppet.bytestrings import Bytes
from headwater.langs.puppet.engine.steps import FREE, spend
from headwater.langs.puppet.engine.work import Weights
from headwater.langs.puppet.fault import fail
from headwater.langs.puppet.hashes import Hash, size_of
from headwater.langs.puppet.program.units import Unit
from headwater.langs.puppet.record.frames import Frame
from headwater.langs.puppet.types.value import Value

LONG = 1_000
"""Characters from which on a text is weighed."""

MOST_VALUES = 2_000_000
"""Values in one value, each counted as often as it would be written out."""

MOST_TEXT = 100_000_000
"""Characters of a text."""

DIGITS_BOUND = "4,300 digits"
"""Digits of a number that is read or written: a bound of Python's."""

COMPARED = 8
"""What each part of a value counts that is compared with others, or made a key."""

_HEAVY = 1_000
_WITH_SIZE = (str, list, Hash)
SIZED: frozenset[Any] = frozenset([str, list, Hash])
_LIGHT = frozenset([str, Bytes, int, float, bool, type(None)])


def weighed(f: Frame, unit: Unit, node: object, value: Value) -> Value:
    """The value, unless it is too large."""
    if value.__class__ is str:
        size = len(value)
        if size > MOST_TEXT:
            fail(codes.VALUE_TOO_LARGE, unit.span(node), bound=f"{MOST_TEXT:,} characters")
        if size > LONG:
            spend(f.scope.compilation.work, size >> 6, unit, node)
    elif value.__class__ is list or value.__class__ is Hash:
        parts = _parts(value)
        if len(parts) <= FREE and _LIGHT.issuperset(map(type, parts)):
            return value  # nearly always
        weights = f.scope.compilation.work.weights
        weight = _weight(weights, value)
        if weight > MOST_VALUES:
            fail(codes.VALUE_TOO_LARGE, unit.span(node), bound=f"{MOST_VALUES:,} values")
        if weight > FREE:
            spend(f.scope.compilation.work, weight, unit, node)
        if weight > _HEAVY:
            weights[id(value)] = (value, weight)
    return value


def charged(f: Frame, unit: Unit, node: object, value: Value, each: int = 1) -> None:
    """Counts that an operation goes through a value, if it is large; `each`: for each part."""
    if isinstance(value, _WITH_SIZE):
        work = f.scope.compilation.work
        if size_of(value) <= FREE and (not work.weights or value.__class__ is str):
            return
        size = size_with_parts(work.weights, value)
        if size > FREE:
            spend(work, size * each, unit, node)


def size_with_parts(weights: Weights, value: Value) -> int:
    """What going through a value counts; a short one may hold others twice, many times over."""
    if isinstance(value, str):
        return len(value) >> 5 if len(value) > FREE else 0
    if not isinstance(value, list | Hash):
        return 0
    known = weights.get(id(value)) if weights else None
    return known[1] if known is not None and known[0] is value else size_of(value)


def is_digits_bound(error: ValueError) -> bool:
    """Whether a number has more digits than Python converts."""
    return str(error).startswith("Exceeds the limit")


def _weight(weights: Weights, value: list[Any] | Hash) -> int:
    """How many values a value is; counting stops when it is too many."""
    parts = _parts(value)
    weight = len(parts)
    if _LIGHT.issuperset(map(type, parts)):
        return weight
    todo: list[Collection[Any]] = [parts]
    while todo and weight <= MOST_VALUES:
        for part in todo.pop():
            if part.__class__ is not list and part.__class__ is not Hash:
                continue
            inner = part.entries.values() if part.__class__ is Hash else part
            if not _LIGHT.issuperset(map(type, inner)):
                known = weights.get(id(part))
                if known is not None and known[0] is part:
                    weight += known[1]
                    continue
                todo.append(inner)
            weight += len(inner)
    return weight


def _parts(value: list[Any] | Hash) -> Collection[Any]:
    return value if isinstance(value, list) else value.entries.values()
