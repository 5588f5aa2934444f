"""Overrides by reference: what they are for, and why they ran."""

from __future__ import annotations

from headwater.langs.puppet.catalog.resource import Resource
from headwater.langs.puppet.record.acts import Override
from headwater.langs.puppet.syntax import ast
from headwater.langs.puppet.values import ClassRef, ResourceRef
from headwater.langs.puppet.why.constructs import as_a_whole, explains
from headwater.langs.puppet.why.here import Here
from headwater.langs.puppet.why.questions import Path, Replay
from headwater.why import Node


@explains(ast.Override)
def _override(replay: Replay, here: Here, node: ast.Override, path: Path) -> Node:
    return as_a_whole(replay, here, node, path)


def overriding(replay: Replay, resource: Resource, name: str) -> Node:
    """What the overrides are for that set a parameter of a type, and why those of this one ran.

    Why an override of another resource ran is no matter: only what it is for could be this one.
    """
    kind = resource.type
    targets = replay.memo.once(("overriding", kind, name), _targets, replay, kind, name)
    own = [
        targeted(replay, one)
        for one in _setting(replay, kind, name)
        if _is_for(replay, one, resource)
    ]
    keys = [
        key
        for one in replay.left.record.overrides.get(kind, ())
        if _is_for(replay, one, resource)
        for key in left_out(replay, Here.of(one), one.node, name)
    ]
    return replay.trace.union(targets, *own, *keys)


def _targets(replay: Replay, kind: str, name: str) -> Node:
    every = _setting(replay, kind, name)
    return replay.trace.union(*(replay.everything(Here.of(o), o.node.target) for o in every))


def _setting(replay: Replay, kind: str, name: str) -> list[Override]:
    """The overrides that set a parameter of resources of a type, or may."""
    return [
        one
        for one in replay.left.record.overrides.get(kind, ())
        if name in one.params
        or any(isinstance(part, ast.Attributes) for part in one.node.operations or ())
    ]


def _is_for(replay: Replay, override: Override, resource: Resource) -> bool:
    """Whether an override is for a resource, or it cannot be told."""
    value = replay.value(Here.of(override), override.node.target)
    refs = value if isinstance(value, list) else [value]
    if not all(isinstance(ref, ResourceRef | ClassRef) for ref in refs):
        return True
    found = [replay.left.catalog.find_reference(str(ref)) for ref in refs]
    return None in found or resource in found


def left_out(replay: Replay, here: Here, node: ast.Override | ast.Collect, name: str) -> list[Node]:
    """The hashes with attributes (``* => $hash``), which have or could have one of this name."""
    return [
        replay.of(here, operation.value, (name,))
        for operation in node.operations or ()
        if isinstance(operation, ast.Attributes)
    ]


def targeted(replay: Replay, override: Override) -> Node:
    """What an override is for, and why it ran."""
    here = Here.of(override)
    return replay.trace.union(replay.everything(here, override.node.target), replay.epc(here))
