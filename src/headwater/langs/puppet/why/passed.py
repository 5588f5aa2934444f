"""What a call or an operator passed on: elements that stand in its result as they were given.

A function may build a new array or hash of what it is given, and leave the elements alone:
``merge``, ``filter``, ``slice``, a function of a module.  The record has the result, and the values
of the arguments are known; an element that is the very same object was passed on, and is from
where it stood in the argument.  Python makes one object of all small numbers, of true and of
false: those are told by their key, and only for functions known to leave elements alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from headwater.langs.puppet.bytestrings import Bytes
from headwater.langs.puppet.hashes import Hash, identity
from headwater.langs.puppet.why.here import Here
from headwater.langs.puppet.why.paths import ABSENT, inside
from headwater.langs.puppet.why.questions import UNKNOWN, Key, Path, Replay
from headwater.why import Node

_LEAVING_ALONE = frozenset(
    ["merge", "deep_merge", "filter", "slice", "delete", "delete_at", "delete_undef_values",
     "delete_values", "flatten", "unique", "sort", "reverse", "concat", "union", "intersection",
     "difference", "values", "pick", "pick_default", "any2array", "reverse_each", "get", "dig",
     "stdlib::merge", "+", "-", "<<", "new", "with", "then", "lest", "values_at", "prefix"]
)  # fmt: skip
"""Functions and operators that make no element of their own."""

_MOST = 20_000
"""Elements of arguments that are looked at."""


def passed_on(
    replay: Replay, here: Here, name: str, result: object, given: Sequence[Any], path: Path,
) -> Node | None:  # fmt: skip
    """How something in a result came about, if it was passed on from what was given."""
    if result is UNKNOWN or not given:
        return None
    target = inside(result, path)
    if target is ABSENT:
        return None
    if path and isinstance(path[-1], Key):
        return _key(replay, here, path[-1], given)
    if _is_told_apart(target):
        way = _ways(replay, here, given).get(id(target))
        return None if way is None else replay.of(here, given[way[0]], way[1])
    if name in _LEAVING_ALONE and path:
        return _aligned(replay, here, target, given, path)
    return None


def _is_told_apart(value: Any) -> bool:  # noqa: ANN401
    """Whether no other value is the same object."""
    kind = value.__class__
    if kind is str:
        return len(value) > 1
    if kind is int:
        return not -5 <= value <= 256
    return kind is list or kind is Hash or kind is float or kind is Bytes


def _ways(replay: Replay, here: Here, given: Sequence[Any]) -> dict[int, tuple[int, Path]]:
    """Where each object stands in what was given; found once for a call."""

    def find() -> dict[int, tuple[int, Path]]:
        found: dict[int, tuple[int, Path]] = {}
        for index, node in enumerate(given):
            whole = replay.value(here, node)
            replay.indexes.keep(whole)
            for value, path in _elements(whole):
                found.setdefault(id(value), (index, path))
        return found

    return replay.indexes.once(("ways", *map(id, given), id(here.frame)), find)


def _elements(whole: object) -> Iterator[tuple[Any, Path]]:
    """A value and all that lies in it, with the ways there."""
    todo: list[tuple[Any, Path]] = [(whole, ())]
    left = _MOST
    while todo and left:
        left -= 1
        value, path = todo.pop()
        yield value, path
        if value.__class__ is list:
            todo += [(item, (*path, index)) for index, item in enumerate(value)]
        elif isinstance(value, Hash):
            todo += [(item, (*path, key)) for key, item in value.pairs() if _is_part(key)]


def _is_part(key: object) -> bool:
    return isinstance(key, str) or (isinstance(key, int) and not isinstance(key, bool))


def _aligned(
    replay: Replay, here: Here, target: object, given: Sequence[Any], path: Path,
) -> Node | None:  # fmt: skip
    """A value that is like others: from the last argument that has it in the same place."""
    for node in reversed(given):
        found = inside(replay.value(here, node), path)
        if found.__class__ is target.__class__ and found == target:
            return replay.of(here, node, path)
    if not isinstance(path[-1], int):
        return None
    if isinstance(target, str | int | None):
        same = _found_at(replay, here, given).get((target.__class__, target), [])
    else:
        same = [
            (node, way)
            for node in given
            for value, way in _elements(replay.value(here, node))
            if value.__class__ is target.__class__ and value == target
        ]
    return replay.of(here, *same[0]) if len(same) == 1 else None


def _found_at(
    replay: Replay, here: Here, given: Sequence[Any]
) -> dict[Any, list[tuple[Any, Path]]]:
    """Where texts, whole numbers, true, false and undef stand in what was given."""

    def find() -> dict[Any, list[tuple[Any, Path]]]:
        found: dict[Any, list[tuple[Any, Path]]] = {}
        for node in given:
            for value, way in _elements(replay.value(here, node)):
                if isinstance(value, str | int | None):
                    found.setdefault((value.__class__, value), []).append((node, way))
        return found

    return replay.indexes.once(("places", *map(id, given), id(here.frame)), find)


def _key(replay: Replay, here: Here, key: Key, given: Sequence[Any]) -> Node | None:
    """A key of a hash: from the last argument that has it."""

    def find() -> dict[Any, tuple[Any, Path]]:
        found: dict[Any, tuple[Any, Path]] = {}
        for node in reversed(given):
            for value, way in _elements(replay.value(here, node)):
                if isinstance(value, Hash):
                    for each in value:
                        found.setdefault(identity(each), (node, way))
        return found

    known = replay.indexes.once(("keys", *map(id, given), id(here.frame)), find)
    place = known.get(identity(key.of))
    return None if place is None else replay.of(here, place[0], (*place[1], key))
