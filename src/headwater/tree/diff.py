"""Two trees compared value by value."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import msgspec

from headwater.tree.address import Address
from headwater.tree.value import Value


class Change(msgspec.Struct, frozen=True):
    """One difference.  ``moved``: the same attributes stand in another order."""

    kind: Literal["added", "removed", "changed", "moved"]
    address: Address
    before: Value = None
    after: Value = None


def differences(before: Value, after: Value) -> Iterator[Change]:
    """What must be done to `before` to get `after`, in the order of `before`."""
    todo: list[tuple[Address, Value, Value]] = [((), before, after)]
    while todo:
        address, old, new = todo.pop()
        if isinstance(old, dict) and isinstance(new, dict):
            yield from _keys(address, old, new)
            both = [key for key in old if key in new]
            todo.extend(((*address, k), old[k], new[k]) for k in reversed(both))
        elif not same(old, new):
            yield Change("changed", address, old, new)


def _keys(address: Address, old: dict[str, Value], new: dict[str, Value]) -> Iterator[Change]:
    for key in old:
        if key not in new:
            yield Change("removed", (*address, key), before=old[key])
    for key in new:
        if key not in old:
            yield Change("added", (*address, key), after=new[key])
    kept_old = [key for key in old if key in new]
    kept_new = [key for key in new if key in old]
    if kept_old != kept_new:
        yield Change("moved", address, list(kept_old), list(kept_new))


def same(one: Value, other: Value) -> bool:
    """Equality that keeps ``true``, ``1`` and ``1.0`` apart, also inside lists."""
    todo = [(one, other)]
    while todo:
        a, b = todo.pop()
        if type(a) is not type(b):
            return False
        if isinstance(a, list) and isinstance(b, list):
            if len(a) != len(b):
                return False
            todo.extend(zip(a, b, strict=True))
        elif isinstance(a, dict) and isinstance(b, dict):
            if list(a) != list(b):
                return False
            todo.extend((a[key], b[key]) for key in a)
        elif a != b:
            return False
    return True
