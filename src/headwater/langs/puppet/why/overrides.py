"""Overrides by reference: what they are for, and why they ran."""

from __future__ import annotations

import msgspec

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


class _Overrides(msgspec.Struct, frozen=True):
    """The overrides of resources of one type, by what they are for."""

    known: dict[Resource, list[Override]]
    unknown: list[Override]
    """Those of which it cannot be told; they may be for any resource."""

    def of(self, resource: Resource) -> list[Override]:
        """Those that are for a resource, or may be."""
        return [*self.known.get(resource, ()), *self.unknown]


def overriding(replay: Replay, resource: Resource, name: str) -> Node:
    """What the overrides are for that set a parameter of a type, and why those of this one ran.

    Why an override of another resource ran is no matter: only what it is for could be this one.
    """
    kind = resource.type
    targets = replay.memo.once(("overriding", kind, name), _targets, replay, kind, name)
    every = replay.indexes.once(("overrides", kind), lambda: _by_target(replay, kind))
    here = every.of(resource)
    own = [targeted(replay, one) for one in here if _sets(one, name)]
    keys = [key for one in here for key in left_out(replay, Here.of(one), one.node, name)]
    return replay.trace.union(targets, *own, *keys)


def _targets(replay: Replay, kind: str, name: str) -> Node:
    every = [one for one in replay.left.record.overrides.get(kind, ()) if _sets(one, name)]
    return replay.trace.union(*(replay.everything(Here.of(o), o.node.target) for o in every))


def _sets(override: Override, name: str) -> bool:
    """Whether an override sets a parameter, or may."""
    return name in override.params or any(
        isinstance(part, ast.Attributes) for part in override.node.operations or ()
    )


def _by_target(replay: Replay, kind: str) -> _Overrides:
    found = _Overrides({}, [])
    for override in replay.left.record.overrides.get(kind, ()):
        value = replay.value(Here.of(override), override.node.target)
        refs = value if isinstance(value, list) else [value]
        named = all(isinstance(ref, ResourceRef | ClassRef) for ref in refs)
        meant = [replay.left.catalog.find_reference(str(ref)) for ref in refs] if named else []
        resources = [resource for resource in meant if resource is not None]
        if not named or len(resources) < len(meant):
            found.unknown.append(override)
            continue
        for resource in dict.fromkeys(resources):
            found.known.setdefault(resource, []).append(override)
    return found


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
