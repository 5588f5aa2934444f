"""Arrays and hashes: each element by itself, and the structure they stand in."""

from __future__ import annotations

from typing import Any

from headwater.langs.puppet.engine.expressions import unwound
from headwater.langs.puppet.hashes import identity
from headwater.langs.puppet.syntax import ast
from headwater.langs.puppet.why.constructs import explains
from headwater.langs.puppet.why.here import Here
from headwater.langs.puppet.why.literals import LITERALS
from headwater.langs.puppet.why.questions import UNKNOWN, Key, Path, Replay
from headwater.why import Node


@explains(ast.Splat)
def _splat(replay: Replay, here: Here, node: ast.Splat, path: Path) -> Node:
    return replay.of(here, node.value, path)


@explains(ast.Array)
def _array(replay: Replay, here: Here, node: ast.Array, path: Path) -> Node:
    items = node.items
    splats = [item for item in items if isinstance(unwound(item), ast.Splat)]
    structure = replay.labels.structure(here.unit, node)
    if path and isinstance(path[0], int):
        causes = replay.trace.union(structure, *(replay.of(here, item) for item in splats))
        if not splats and not -len(items) <= path[0] < len(items):
            return replay.undef(structure)
        found = _element(replay, here, items, path[0]) if splats else (items[path[0]], ())
        if found is not None:
            item, way = found
            return replay.trace.guard(replay.of(here, item, (*way, *path[1:])), causes)
    args = [replay.of(here, item) for item in items]
    return replay.trace.composed(structure, replay.trace.operation("array", args))


def _element(
    replay: Replay, here: Here, items: list[Any], index: int
) -> tuple[Any, tuple[int, ...]] | None:
    """The item that an element of an array with splats in it is from, and its place there."""
    for item in items:
        splat = unwound(item)
        if not isinstance(splat, ast.Splat):
            if index == 0:
                return item, ()
            index -= 1
            continue
        value = replay.value(here, splat.value)
        if not isinstance(value, list) or index < 0:
            return None
        if index < len(value):
            return splat.value, (index,)
        index -= len(value)
    return None


@explains(ast.Hash)
def _hash(replay: Replay, here: Here, node: ast.Hash, path: Path) -> Node:
    trace = replay.trace
    keys = [key_node(replay, here, entry.key) for entry in node.entries]
    at = replay.labels.structure(here.unit, node)
    structure = trace.union(at, *keys)
    if path:
        known = [replay.value(here, entry.key) for entry in node.entries]
        wanted = path[0].of if isinstance(path[0], Key) else path[0]
        for entry, key in zip(reversed(node.entries), reversed(known), strict=True):
            if identity(key) == wanted and isinstance(path[0], Key):
                return trace.guard(key_node(replay, here, entry.key), structure)
            if identity(key) == wanted:
                return trace.guard(replay.of(here, entry.value, path[1:]), structure)
        if UNKNOWN not in known:
            return replay.undef(structure)
    args: list[Node] = []
    for label, entry in zip(keys, node.entries, strict=True):
        args += [label, replay.of(here, entry.value)]
    return trace.composed(at, trace.operation("hash", args))


def key_node(replay: Replay, here: Here, node: object) -> Node:
    """A key of a hash."""
    if isinstance(node, LITERALS):
        return replay.labels.of(here.unit, node, "key")
    return replay.of(here, node)
