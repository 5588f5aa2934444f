"""Primitive values of L3: their identity, their order, and the bounds of the language.

A `Key` is what makes two primitives the same candidate and what the least of several is
taken by: ``none < bool < number < string < list < block``.  It is never the Python value
itself, because Python has ``True == 1 == 1.0``.
"""

from __future__ import annotations

import math
from typing import Any, TypeAlias

from headwater.tree import Value

Key: TypeAlias = tuple[Any, ...]

NONE, BOOL, NUMBER, STRING, LIST, BLOCK_RANK = range(6)

BLOCK: Key = (BLOCK_RANK,)
"""The marker that stands for a block among the candidates of a label."""

MOST_LEVELS = 200
"""How deep blocks, lists and parentheses may be nested, written or by references."""

MOST_VALUES = 1_000_000
"""How many labels a program may resolve: references can double it with every line."""

MOST_CANDIDATES = 2_000_000
"""How many candidates these may have together."""

MOST_TAG_SETS = 50_000
"""How many different sets of tags candidates may carry: tags can double these, too."""


def scalar_key(value: None | bool | int | float | str) -> Key:
    """The key of a value without parts."""
    if value is None:
        return (NONE,)
    if value is True or value is False:
        return (BOOL, value)
    if isinstance(value, str):
        return (STRING, value)
    if isinstance(value, int):
        return (NUMBER, value, 0)
    # 0.0 and -0.0 are written differently, so they are different values.
    return (NUMBER, value, 1 if math.copysign(1.0, value) < 0 and value == 0 else 2)


def list_key(keys: tuple[Key, ...]) -> Key:
    """The key of a list whose elements have these keys."""
    return (LIST, keys)


def entries_key(entries: tuple[tuple[str, Key], ...]) -> Key:
    """The key of a mapping inside a list; the entries are sorted by label."""
    return (BLOCK_RANK, entries)


def value_of(key: Key) -> Value:
    """The value a key belongs to.  The marker BLOCK stands for no value of its own."""
    assert key != BLOCK
    match key[0]:
        case 0:
            return None
        case 4:
            return [value_of(part) for part in key[1]]
        case 5:
            return {label: value_of(part) for label, part in key[1]}
        case _:
            value: Value = key[1]
            return value
