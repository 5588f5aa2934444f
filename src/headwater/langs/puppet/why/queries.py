"""The catalog as something that is read: by defined() and tagged(), and by references."""

from __future__ import annotations

from headwater.langs.puppet.catalog.resource import Resource
from headwater.langs.puppet.record.declarations import declared
from headwater.langs.puppet.syntax import ast
from headwater.langs.puppet.why.here import Here
from headwater.langs.puppet.why.questions import Replay
from headwater.langs.puppet.why.titles import title_node
from headwater.why import NOTHING, Node


def query(replay: Replay, here: Here) -> Node:
    """The catalog as defined() and tagged() see it: all that was there, or was not."""
    found = [replay.tpc(here)]
    for table in ("type", "class", "tag"):
        found.append(replay.absences.every(table, here.when))
    for resource in replay.left.catalog.resources:
        if declared(resource).when <= here.when:
            found.append(declaration_node(replay, resource))
    for name, scope in replay.left.record.scopes.items():
        if 0 < scope.when <= here.when and scope.source.kind == "class":
            found.append(replay.link(name))
    return replay.trace.union(*found)


def declaration_node(replay: Replay, resource: Resource) -> Node:
    """That a resource was declared: why its declaration ran, and its title."""
    found = declared(resource)
    if found.unit is None or found.frame is None:
        return NOTHING
    return replay.memo.once(("declaration", resource), _declaration, replay, resource)


def _declaration(replay: Replay, resource: Resource) -> Node:
    epc = replay.epc(Here.of_declaration(resource))
    return replay.trace.union(epc, title_node(replay, resource))


def resource_named(replay: Replay, type_: object, title: object) -> Resource | None:
    """The resource of a type as it is written, and a title."""
    if not isinstance(title, str) or not isinstance(type_, ast.TypeName):
        return None
    kind = "::".join(part.capitalize() for part in type_.value.split("::"))
    return replay.left.catalog.find(kind, title)
