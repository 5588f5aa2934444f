"""Edges: that one resource comes before another, by a relationship or an arrow."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from headwater.langs.puppet.catalog.metadata import RELATIONS
from headwater.langs.puppet.catalog.resource import Param, Resource
from headwater.langs.puppet.values import Opaque
from headwater.langs.puppet.why.attributes import chain_node
from headwater.langs.puppet.why.declarations import exists
from headwater.langs.puppet.why.instances import Instances
from headwater.langs.puppet.why.meddling import rewriting
from headwater.langs.puppet.why.paths import Path
from headwater.langs.puppet.why.questions import Replay
from headwater.why import Node

_FIRST = frozenset(["before", "notify"])
"""Relationships of the resource that comes first."""

Edge = tuple[Resource, Resource]


def edges(replay: Replay, instances: Instances) -> dict[Edge, Node]:
    """All edges of a catalog, each with all that says it."""
    found: dict[Edge, list[Node]] = {}
    like = instances.like
    for resource in replay.left.catalog.resources:
        for name in RELATIONS:
            param = resource.params.get(name)
            if param is not None and not resource.virtual:
                for edge, node in _of(replay, instances, resource, name, param):
                    found.setdefault(edge, []).append(node)
    union = replay.trace.union
    return {
        edge: union(exists(replay, like(edge[0])), exists(replay, like(edge[1])), nodes[0])
        for edge, nodes in found.items()
    }


def _of(
    replay: Replay, instances: Instances, resource: Resource, name: str, param: Param
) -> Iterator[tuple[Edge, Node]]:
    for value, path in _references(param.value, ()):
        other = replay.left.catalog.find_reference(str(value))
        if other is not None and not other.virtual:
            edge = (resource, other) if name in _FIRST else (other, resource)
            speaker = resource if path else instances.same(resource, name, param)
            key = ("edge", speaker, name, path)
            yield edge, replay.memo.once(key, _said, replay, speaker, name, path)


def _said(replay: Replay, resource: Resource, name: str, path: Path) -> Node:
    """What says that a resource comes before or after another."""
    node = chain_node(replay, resource, resource.params[name], path)
    return replay.trace.union(node, rewriting(replay, resource, name))


def _references(value: Any, path: Path) -> Iterator[tuple[Any, Path]]:  # noqa: ANN401
    """The references in the value of a relationship, with the ways there."""
    if isinstance(value, list):
        for index, item in enumerate(value):
            yield from _references(item, (*path, index))
    elif value is not None and not isinstance(value, Opaque):
        yield value, path
