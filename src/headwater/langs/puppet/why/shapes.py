"""The shape of an array or hash: how many elements there are, and under which keys."""

from __future__ import annotations

from headwater.langs.puppet.engine.expressions import unwound
from headwater.langs.puppet.record.frames import binding_of
from headwater.langs.puppet.syntax import ast
from headwater.langs.puppet.why.collections import key_node
from headwater.langs.puppet.why.here import Here
from headwater.langs.puppet.why.questions import Replay
from headwater.langs.puppet.why.scoping import owner_then
from headwater.why import Node

_NO_ELEMENT = -(1 << 40)
"""An index that no array has: asking for it finds what decides about any element."""


def shape(replay: Replay, here: Here, node: object) -> Node:
    """What decides how many elements there are, and under which keys."""
    match node:
        case ast.Paren(value=inner):
            return shape(replay, here, inner)
        case ast.Array(items=items) if not any(
            isinstance(unwound(item), ast.Splat) for item in items
        ):
            return replay.labels.structure(here.unit, node)
        case ast.Hash(entries=entries):
            keys = [key_node(replay, here, entry.key) for entry in entries]
            return replay.trace.union(replay.labels.structure(here.unit, node), *keys)
        case ast.Variable(name=name) if "::" not in name:
            return _shape_of_variable(replay, here, node, name)
    return replay.of(here, node)


def _shape_of_variable(replay: Replay, here: Here, node: ast.Variable, name: str) -> Node:
    owner = owner_then(replay.left.record, here, name)
    binding = binding_of(owner, name) if owner is not None else None
    if binding is None or binding.kind != "assigned" or binding.detail is not None:
        return replay.of(here, node)
    assert binding.unit is not None
    assert binding.frame is not None
    there = Here(binding.unit, binding.frame, binding.guard, binding.when - 1)
    if not isinstance(unwound(binding.node), ast.Array | ast.Hash | ast.Variable):
        return replay.of(here, node)
    # Which variable is read is decided as for any element of it.
    looked = replay.variable(here, name, (_NO_ELEMENT,), node)
    return replay.trace.union(shape(replay, there, binding.node), looked)
