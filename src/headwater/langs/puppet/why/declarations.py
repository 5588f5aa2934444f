"""Why a resource is there: what declares it, under which conditions, inside what."""

from __future__ import annotations

from typing import Any

from headwater.langs.puppet.catalog.metadata import TypeInfo
from headwater.langs.puppet.catalog.resource import Resource
from headwater.langs.puppet.program.units import Unit
from headwater.langs.puppet.record.declarations import declared
from headwater.langs.puppet.syntax import ast
from headwater.langs.puppet.why.collectors import realized
from headwater.langs.puppet.why.here import Here
from headwater.langs.puppet.why.nodes import node_cause
from headwater.langs.puppet.why.questions import Replay
from headwater.langs.puppet.why.titles import title_node
from headwater.why import NOTHING, Node


def exists(replay: Replay, resource: Resource) -> Node:
    """Why a resource is there."""
    key = ("exists", resource)
    known = replay.memo.whole.get(key)
    return replay.memo.once(key, _exists, replay, resource) if known is None else known


def _exists(replay: Replay, resource: Resource) -> Node:
    if resource.type == "Node":
        return node_cause(replay)
    if resource.type == "Class":
        name = resource.definition.name if resource.definition is not None else ""
        return replay.witnesses.of(name)
    found = declared(resource)
    if found.unit is None or found.frame is None:
        return NOTHING
    causes = replay.trace.union(
        replay.labels.of(*head(resource), "definition"),
        replay.epc(Here.of_declaration(resource)),
        realized(replay, resource),
        *titled(replay, resource),
    )
    return replay.trace.guard(title_node(replay, resource), causes)


def titled(replay: Replay, resource: Resource) -> list[Node]:
    """The pieces of Ruby that told what the title of a resource means."""
    info = resource.info
    if info is None or not info.patterns:
        return []
    known = replay.indexes.tellers
    if info.name not in known:
        known[info.name] = _tellers(replay, info)
    return known[info.name]


def _tellers(replay: Replay, info: TypeInfo) -> list[Node]:
    spans = replay.indexes.titled(info.name)
    path = None if spans else replay.left.types.source_of(info)
    if path is not None:  # patterns that are written out are read, not run
        return [replay.labels.input("file", replay.inputs.file(path).span(0, 0), info.name)]
    return [
        replay.labels.input("file", span, span.text.partition("\n")[0].strip()) for span in spans
    ]


def head(resource: Resource) -> tuple[Unit, Any]:
    """The part of a declaration that stands for the resource: its type."""
    found = declared(resource)
    assert found.unit is not None
    node = found.node
    return found.unit, node.type if isinstance(node, ast.Resource) else node
