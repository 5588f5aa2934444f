"""The catalog as something that is read: by defined() and tagged(), and by references."""

from __future__ import annotations

from headwater.langs.puppet.catalog.resource import Resource, flattened
from headwater.langs.puppet.record.declarations import declared
from headwater.langs.puppet.syntax import ast
from headwater.langs.puppet.why.attributes import chain_node
from headwater.langs.puppet.why.here import Here
from headwater.langs.puppet.why.left import Left
from headwater.langs.puppet.why.questions import Replay
from headwater.langs.puppet.why.timelines import Timeline
from headwater.langs.puppet.why.titles import title_node
from headwater.why import NOTHING, Node


def query(replay: Replay, here: Here) -> Node:
    """The catalog as defined() and tagged() see it: all that was there, or was not."""
    found = [replay.tpc(here)]
    for table in ("type", "class", "tag"):
        found.append(replay.absences.every(table, here.when))
    return replay.trace.union(*found, replay.declared_until(here.when))


def inventory(left: Left) -> Timeline[Resource | str]:
    """All resources and, by their names, classes, in the order in which they were declared."""
    found: list[tuple[int, Resource | str]] = [
        (declared(resource).when, resource) for resource in left.catalog.resources
    ]
    for name, scope in left.record.scopes.items():
        if scope.when > 0 and scope.source.kind == "class":
            found.append((scope.when, name))
    line: Timeline[Resource | str] = Timeline(_declaring)
    for when, one in sorted(found, key=lambda entry: entry[0]):
        line.add(when, one)
    return line


def _declaring(replay: Replay, one: Resource | str) -> Node:
    return replay.link(one) if isinstance(one, str) else declaration_node(replay, one)


def declaration_node(replay: Replay, resource: Resource) -> Node:
    """Why a resource was declared: why its declaration ran, and its title."""
    found = declared(resource)
    if found.unit is None or found.frame is None:
        return NOTHING
    return replay.memo.once(("declaration", resource), _declaration, replay, resource)


def _declaration(replay: Replay, resource: Resource) -> Node:
    epc = replay.epc(Here.of_declaration(resource))
    return replay.trace.union(epc, title_node(replay, resource), other_names(replay, resource))


def other_names(replay: Replay, resource: Resource) -> Node:
    """The parameters by which a resource has other names than its title."""
    info = resource.info
    names = {"alias", "name", *(() if info is None else info.keys)} & resource.params.keys()
    own = (resource.params[name] for name in sorted(names))
    return replay.trace.union(*(chain_node(replay, resource, param) for param in own))


def named(replay: Replay, here: Here, reference: ast.Access) -> list[Node]:
    """By what a resource has the name that a reference names it by, if that is not its title."""
    catalog = replay.left.catalog
    if not catalog.renamed:
        return []
    value = replay.value(here, reference)
    found = [catalog.find_reference(str(one)) for one in flattened(value)]
    return [other_names(replay, one) for one in found if one in catalog.renamed]


def resource_named(replay: Replay, type_: object, title: object) -> Resource | None:
    """The resource of a type as it is written, and a title."""
    if not isinstance(title, str) or not isinstance(type_, ast.TypeName):
        return None
    kind = "::".join(part.capitalize() for part in type_.value.split("::"))
    return replay.left.catalog.find(kind, title)
