"""Arrays and hashes: each element by itself, and the structure they stand in."""

from __future__ import annotations

from headwater.langs.puppet.engine.expressions import unwound
from headwater.langs.puppet.hashes import identity
from headwater.langs.puppet.syntax import ast
from headwater.langs.puppet.why.constructs import explains
from headwater.langs.puppet.why.here import Here
from headwater.langs.puppet.why.literals import LITERALS
from headwater.langs.puppet.why.questions import UNKNOWN, Path, Replay
from headwater.why import Node


@explains(ast.Splat)
def _splat(replay: Replay, here: Here, node: ast.Splat, path: Path) -> Node:
    return replay.of(here, node.value, path)


@explains(ast.Array)
def _array(replay: Replay, here: Here, node: ast.Array, path: Path) -> Node:
    items = node.items
    plain = not any(isinstance(unwound(item), ast.Splat) for item in items)
    structure = replay.labels.structure(here.unit, node)
    if path and plain and isinstance(path[0], int):
        if -len(items) <= path[0] < len(items):
            return replay.trace.guard(replay.of(here, items[path[0]], path[1:]), structure)
        return replay.undef(structure)
    args = [replay.of(here, item) for item in items]
    return replay.trace.operation("array", args, structure)


@explains(ast.Hash)
def _hash(replay: Replay, here: Here, node: ast.Hash, path: Path) -> Node:
    trace = replay.trace
    keys = [key_node(replay, here, entry.key) for entry in node.entries]
    structure = trace.union(replay.labels.structure(here.unit, node), *keys)
    if path:
        known = [replay.value(here, entry.key) for entry in node.entries]
        for entry, key in zip(reversed(node.entries), reversed(known), strict=True):
            if identity(key) == path[0]:
                return trace.guard(replay.of(here, entry.value, path[1:]), structure)
        if UNKNOWN not in known:
            return replay.undef(structure)
    args: list[Node] = []
    for label, entry in zip(keys, node.entries, strict=True):
        args += [label, replay.of(here, entry.value)]
    return trace.operation("hash", args, structure)


def key_node(replay: Replay, here: Here, node: object) -> Node:
    """A key of a hash."""
    if isinstance(node, LITERALS):
        return replay.labels.of(here.unit, node, "key")
    return replay.of(here, node)
