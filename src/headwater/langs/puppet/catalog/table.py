"""The catalog under construction: resources by name, and what contains what."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from headwater.langs.puppet import codes
from headwater.langs.puppet.catalog.resource import Resource, flattened
from headwater.langs.puppet.fault import Fault, Problem
from headwater.langs.puppet.values import Opaque
from headwater.report import Note
from headwater.text import NOWHERE, Span

if TYPE_CHECKING:
    from headwater.langs.puppet.catalog.metadata import TypeInfo


class Catalog:
    """Resources in order of their making, found by title, alias or name."""

    def __init__(self) -> None:
        self.resources: list[Resource] = []
        self.table: dict[tuple[str | None, ...], Resource] = {}
        self.classes: list[str] = []
        self.tags: dict[str, None] = {}
        self.unknown: dict[str, str] = {}
        """The types of which more resources may be there, ``*`` for all, each with a reason."""

    def add(self, resource: Resource) -> None:
        """Adds a resource; refuses a second one of the same name."""
        key = (resource.type, resource.title)
        other = self.table.get(key)
        if other is not None:
            raise located(
                resource,
                Problem(codes.DUPLICATE_RESOURCE, resource=resource.ref, labels=_declared(other)),
            )
        self.table[key] = resource
        self.resources.append(resource)
        self._add_aliases(resource)

    def _add_aliases(self, resource: Resource) -> None:
        params, info = resource.params, resource.info
        if "alias" in params:
            for name in flattened(params["alias"].value):
                if isinstance(name, Opaque):
                    _note_unknown(resource)
                elif name is not None:
                    self._alias(resource, (resource.type, str(name)))
        if info is None:
            if "name" not in params:
                return
        elif not info.isomorphic or (
            info.plain
            and info.namevar not in params
            and "name" not in params
            and resource.title[-1:] != info.ending
        ):
            return
        if any(isinstance(param.value, Opaque) for param in params.values()):
            _note_unknown(resource)
            return
        key = unique_key(resource, info)
        if any(part is not None for part in key) and key != (resource.title,):
            self._alias(resource, (resource.type, *key))

    def _alias(self, resource: Resource, key: tuple[str | None, ...]) -> None:
        if key == (resource.type, resource.title):
            return
        other = self.table.get(key)
        if other is not None:
            if other is resource:
                return
            name = ", ".join(str(part) for part in key[1:] if part is not None)
            raise Problem(
                codes.DUPLICATE_NAME, resource=resource.ref, alias=name, labels=_declared(other)
            )
        self.table[key] = resource

    def find(self, type_: str, title: str, info: TypeInfo | None = None) -> Resource | None:
        """The resource of a type that is called so by title, alias or name."""
        found = self.table.get((type_, title))
        if found is None and info is not None:
            given = info.parse_title(title)
            if given is not None:
                name = given.get(info.namevar) or given.get("name") or f"{type_}/{title}"
                key = key_of({**given, "name": given.get("name") or name}, info, name)
                found = self.table.get((type_, *key))
        return found

    def contain(self, container: Resource, resource: Resource) -> None:
        """Puts a resource into another."""
        container.contents[resource] = None
        resource.containers[container] = None

    def add_class(self, name: str) -> None:
        """Notes that a class (or node) is part of the catalog."""
        self.classes.append(name)
        if name not in self.tags:
            self.tags[name] = None
            if "::" in name:
                self.tags.update(dict.fromkeys(name.split("::")))


def _note_unknown(resource: Resource) -> None:
    """By which names a resource is found is unknown."""
    if resource.scope is not None:
        resource.scope.compiler.guessed = True


def unique_key(resource: Resource, info: TypeInfo | None) -> tuple[str | None, ...]:
    """What makes a resource unique in its type: the values of the key attributes."""
    if info is None:
        name = resource.value("name")
        return (resource.title if name is None else _text(name),)
    given = resource.title_values()
    if given is None:
        raise Problem(
            codes.BAD_TITLE,
            message=f"no title pattern of {resource.type} fits '{resource.title}'",
        )
    params, namevar = resource.params, info.namevar

    def value_of(name: str) -> str | None:
        param = params.get(name)
        if param is not None and param.value is not None:
            return _text(param.value)
        return given.get(name)

    name = value_of(namevar) or value_of("name") or f"{resource.type}/{resource.title}"
    if info.keys == (namevar,):
        return (name if namevar == "name" else _or(value_of(namevar), name),)
    values = {key: value_of(key) for key in info.keys}
    values["name"] = value_of("name") or name
    return key_of(values, info, name)


def _or(value: str | None, other: str) -> str:
    return other if value is None else value


def key_of(
    values: dict[str, str | None], info: TypeInfo, name: str | None
) -> tuple[str | None, ...]:
    """The values of the key attributes in order of their names."""
    if values.get(info.namevar) is None:
        values = {**values, info.namevar: name}
    return tuple(values.get(key) for key in sorted(info.keys))


def _text(value: object) -> str:
    if isinstance(value, list):
        return "\0".join(_text(item) for item in value)
    return value if isinstance(value, str) else repr(value)


def _declared(resource: Resource) -> list[Note]:
    place = place_of(resource)
    return [] if place is NOWHERE else [Note("declared here", place)]


def place_of(resource: Resource) -> Span:
    """Where a resource is written."""
    if resource.unit is None or resource.node is None:
        return NOWHERE
    return resource.unit.span(resource.node)


def located(resource: Resource, problem: Problem) -> Fault | Problem:
    """A problem at the place where a resource is written, if it is written anywhere."""
    place = place_of(resource)
    return problem if place is NOWHERE else problem.at(place)


def outside(resource: Resource, fault: Fault) -> Fault:
    """A fault in the body of a define, shown where the define is declared, as Puppet does."""
    place = place_of(resource)
    inner = fault.diagnostic
    if place is NOWHERE or (inner.at.source is place.source and inner.at.start == place.start):
        return fault
    note = Note(f"here, in the body of {resource.ref}", inner.at)
    return Fault(replace(inner, at=place, labels=(note, *inner.labels)))
