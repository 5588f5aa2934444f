"""Relationships as Puppet reads them (dialect like-puppet).

``before``, ``require``, ``notify`` and ``subscribe`` of resources, of classes and of defined
types must lead to something that is declared in the end, by its title or by the name it
manages.  A reference may be spelled as text.  The calculus asks nothing of the kind.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from headwater.langs.codes import BEYOND_PAPER
from headwater.langs.puppet.codes import calculus as codes
from headwater.langs.puppet.paper import terms as t
from headwater.langs.puppet.paper.natives import RELATIONSHIPS, native
from headwater.langs.puppet.paper.state import (
    DeclaredClass,
    Relation,
    ResourceValue,
    State,
    Stuck,
    World,
)
from headwater.langs.puppet.paper.values import capitalised, flat, show
from headwater.text import Span

SPELLED = re.compile(r"([A-Za-z]\w*(?:::[A-Za-z]\w*)*)\[(.+)\]\Z", re.DOTALL)
"""A reference as text: the first letter of each part of the type may be small."""


def relations_of(values: Mapping[str, t.Value], at: Span) -> tuple[Relation, ...]:
    """The relationships among the arguments of a class or a defined type."""
    given = ((name, values.get(name)) for name in RELATIONSHIPS)
    return tuple(Relation(name, value, at) for name, value in given if value is not None)


def loose_end(state: State, world: World) -> Stuck | None:
    """Puppet refuses a relationship to what is not in the catalog."""
    if not world.like_puppet:
        return None
    for relation in all_relations(state):
        for part in flat(relation.value):
            if isinstance(part, t.Atom) and part.value is None:
                continue
            if isinstance(part, t.Reference) and part.type == "node":
                return Stuck(BEYOND_PAPER, relation.at, {"what": "a reference to a node"})
            if not present(state, part):
                fields = {"resource": spelled(part), "name": relation.name}
                return Stuck(codes.NO_TARGET, relation.at, fields)
    return None


def all_relations(state: State) -> Iterator[Relation]:
    """Those of the resources of the catalog, and those of classes and defined types."""
    for resource in state.catalog.values():
        yield from relations_of(dict(resource.attributes), resource.at)
    yield from state.relations


def spelled(value: t.Value) -> str:
    """What a relationship names, for messages."""
    if isinstance(value, t.Reference):
        return f"{capitalised(value.type)}[{value.title}]"
    return show(value)


def present(state: State, named: t.Value) -> bool:
    """Whether a reference, or the text of one, leads to something declared."""
    match named:
        case t.Reference(type=kind, title=title):
            pass
        case t.Atom(value=str(text)) if (found := SPELLED.match(text)) is not None:
            type_, title = found.groups()
            kind = type_.lower()
            if type_[0].isupper() and type_ != capitalised(kind):
                return False
        case _:
            return False
    if (kind, title) in (("stage", "main"), ("class", "Settings")):
        return True
    if kind == "class":
        return isinstance(state.kappa.get(title.lower()), DeclaredClass)
    return resource_named(state, kind, title) is not None or (kind, title) in state.instances


def resource_named(state: State, kind: str, name: str) -> ResourceValue | None:
    """The resource with that title, or that manages what has this name."""
    found = state.catalog.get((kind, name))
    known = native(kind)
    if found is not None or known is None or not known.unique:
        return found
    wanted = name.rstrip("/") or "/" if kind == "file" else name
    for (type_, _), resource in state.catalog.items():
        if type_ == kind and managed(resource.title, dict(resource.attributes), kind) == wanted:
            return resource
    return None


def managed(title: t.Atom, values: Mapping[str, t.Value], kind: str) -> str:
    """What a resource of a built-in type manages: its name attribute, else its title."""
    known = native(kind)
    assert known is not None
    given = values.get(known.namevar)
    named = isinstance(given, t.Atom) and given.value is not None
    text = str(given.value if named else title.value)  # type: ignore[union-attr]
    return text.rstrip("/") or "/" if kind == "file" else text
