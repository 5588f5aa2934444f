"""The document of a catalog in Puppet's wire format, as structs that are written at once.

A catalog has thousands of resources, and most are only ever written as JSON: their structs
cost half of what dicts of the same content do.  Who wants dicts makes them of these.
"""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from headwater.langs.puppet import codes
from headwater.langs.puppet.bytestrings import as_text, is_broken
from headwater.langs.puppet.catalog.resource import Resource, Unknown
from headwater.langs.puppet.catalog.table import Catalog, located
from headwater.langs.puppet.catalog.wire import parameters
from headwater.langs.puppet.fault import Problem


class Entry(msgspec.Struct, eq=False, gc=False):
    """A resource of the document; what is unset is not written."""

    type: str
    title: str
    tags: list[str]
    file: str | UnsetType
    line: int | UnsetType
    exported: bool
    virtual: bool | UnsetType
    kind: str
    parameters: dict[str, Any] | UnsetType
    sensitive_parameters: list[str] | UnsetType
    unknown: dict[str, str] | UnsetType


class Edge(msgspec.Struct, eq=False, gc=False):
    """What contains what."""

    source: str
    target: str
    unknown: str | UnsetType = UNSET


class Document(msgspec.Struct, eq=False, gc=False):
    """A catalog."""

    tags: list[str]
    name: str
    code_id: None
    catalog_format: int
    environment: str
    resources: list[Entry]
    edges: list[Edge]
    classes: list[str]
    unknown: dict[str, Any] | UnsetType


def document(catalog: Catalog, name: str, environment: str, keep_virtual: bool) -> Document:
    """The document of a catalog; refuses a value that none can hold."""
    kept = {
        r: f"{r.type}[{r.title if r.title.__class__ is str else _in_utf8(r)}]"
        for r in catalog.resources
        if keep_virtual or not r.virtual
    }
    entries, edges = _entries(kept, keep_virtual)
    unknown = {"resources": catalog.unknown} if catalog.unknown else UNSET
    return Document(
        _tags(catalog, keep_virtual), name, None, 2, environment, entries, edges,
         list(catalog.classes), unknown,
    )  # fmt: skip


def _in_utf8(resource: Resource) -> str:
    """A title that is no text, as JSON has it; refuses one that is no UTF-8."""
    title = as_text(resource.title)
    if is_broken(title):
        raise located(resource, Problem(codes.NOT_UTF8, what="the title of a resource"))
    return title


def _tags(catalog: Catalog, keep_virtual: bool) -> list[str]:
    tags: dict[str, None] = {}
    if not keep_virtual:
        for owner in catalog.classes:
            if owner not in tags:
                tags[owner] = None
                if "::" in owner:
                    tags.update(dict.fromkeys(owner.split("::")))
    tags.update(catalog.tags)
    return list(tags)


def _entries(kept: dict[Resource, str], keep_virtual: bool) -> tuple[list[Entry], list[Edge]]:
    entries: list[Entry] = []
    edges: list[Edge] = []
    for resource, target in kept.items():
        for container in resource.containers:
            if container in kept:
                edge = Edge(kept[container], target)
                if resource.unknown is not None and container in resource.unknown.edges:
                    edge.unknown = resource.unknown.edges[container]
                edges.append(edge)
        declared, title = resource.declared, resource.title
        unit, definition = declared.unit, resource.definition
        file: str | UnsetType = UNSET
        line: int | UnsetType = UNSET
        node = declared.node
        if unit is not None and node is not None:
            file, start = unit.name, node.start
            # The lines of most places are known.
            line = unit.lines[start] if start in unit.lines else unit.line(node)
        if resource.info is not None:
            kind = "compilable_type"
        elif definition is not None and definition.kind == "define":
            kind = "defined_type"
        else:  # of a class only where a text declares it
            kind = "unknown" if unit is None else "class"
        marks = None if resource.unknown is None else _marks(resource.unknown)
        sensitive = resource.sensitive
        entries.append(
            Entry(
                resource.type, title if title.__class__ is str else as_text(title),
                [*resource.tags], file, line,
                resource.exported,
                True if keep_virtual and resource.virtual else UNSET, kind,
                parameters(resource) or UNSET, [*sensitive] if sensitive else UNSET, marks or UNSET,
            )
        )  # fmt: skip
    return entries, edges


def _marks(unknown: Unknown) -> dict[str, str]:
    """What of a resource is unknown beside its values."""
    parts = {
        "existence": unknown.existence, "parameters": unknown.parameters, "tags": unknown.tags,
        "containers": unknown.containers, "declaration": unknown.declaration,
    }  # fmt: skip
    return {name: why for name, why in parts.items() if why is not None}
