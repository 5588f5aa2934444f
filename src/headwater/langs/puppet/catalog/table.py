"""The catalog under construction: resources by name, and what contains what."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import TYPE_CHECKING

from msgspec.structs import replace

from headwater.langs.puppet import codes
from headwater.langs.puppet.catalog.metadata import TypeInfo, metaparameter_names
from headwater.langs.puppet.catalog.resource import Resource, flattened
from headwater.langs.puppet.fault import Fault, Problem
from headwater.langs.puppet.hashes import identity
from headwater.langs.puppet.types.value import Value
from headwater.langs.puppet.values import Opaque, capitalised
from headwater.report import Note
from headwater.text import NOWHERE
from headwater.text.late import when_called

if TYPE_CHECKING:
    from headwater.langs.puppet.catalog.population import Population
else:
    when_called(globals(), "headwater.langs.puppet.catalog.population", "Population")


class Catalog:
    """Resources in order of their making, found by title, alias or name.

    `native` finds a native type by its name, which says what titles mean.
    """

    def __init__(self, native: Callable[[str], TypeInfo | None]) -> None:
        self._native = native
        self.resources: list[Resource] = []
        self.by_type: dict[str, list[Resource]] = {}
        self._populations: dict[str, Population] = {}
        self.table: dict[Key, Resource] = {}
        self._named: dict[str, Resource] = {}
        """Resources by texts of references that were looked for."""
        self.renamed: set[Resource] = set()
        """The resources that also have another name than their title."""
        self.classes: list[str] = []
        self.tags: dict[str, None] = {}
        self.unknown: dict[str, str] = {}
        """The types of which more resources may be there, ``*`` for all, each with a reason."""

    def add(self, resource: Resource) -> None:
        """Adds a resource; refuses a second one of the same name."""
        type_, title, info, params = resource.type, resource.title, resource.info, resource.params
        key = (type_, title)
        if key in self.table:
            labels = _declared(self.table[key])
            raise located(
                resource, Problem(codes.DUPLICATE_RESOURCE, resource=resource.ref, labels=labels)
            )
        self.table[key] = resource
        self.resources.append(resource)
        if "alias" in params:
            self._add_aliases(resource)
        elif info is None:
            if "name" in params:
                self._add_aliases(resource)
        else:
            keys = info.key_of_title(title, params)
            if keys is None:
                self._add_aliases(resource)
            elif keys:
                self._alias(resource, (type_, *keys))

    def population(self, type_: str) -> Population:
        """The resources of a type, for those who look for some of them again and again."""
        found = self._populations.get(type_)
        if found is None:
            every = self.by_type.setdefault(type_, [])
            found = self._populations[type_] = Population(every)
        return found

    def list_by_type(self, resource: Resource) -> None:
        """Lets collectors find a resource."""
        same = self.by_type.get(resource.type)
        if same is None:
            self.by_type[resource.type] = [resource]
        else:
            same.append(resource)

    def _add_aliases(self, resource: Resource) -> None:
        params, info = resource.params, resource.info
        if "alias" in params:
            for name in flattened(params["alias"].value):
                if name is not None and not isinstance(name, Opaque):
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
            names = {"name", *(info.keys if info is not None else ())}
            if any(isinstance(resource.value(name), Opaque) for name in names):
                return
        key = unique_key(resource, info)
        if not _NOTHING.issuperset(key) and key != (resource.title,):
            self._alias(resource, (resource.type, *key))

    def _alias(self, resource: Resource, key: Key) -> None:
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
        self.renamed.add(resource)

    def find(self, type_: str, title: str) -> Resource | None:
        """The resource that a reference names: by title, alias or name."""
        if type_ == "Class":
            title = (
                "main"
                if title in ("", "main", "Main")
                else capitalised(title.removeprefix("::").lower())
            )
        found = self.table.get((type_, title))
        if found is not None:
            return found
        info = self._native(type_.lower())
        given = None if info is None else info.parse_title(title)
        if info is None or given is None:
            return None
        return self.table.get((type_, *key_of(given, info, f"{type_}/{title}")))

    def find_reference(self, text: str) -> Resource | None:
        """The resource that the text of a reference names."""
        found = self._named.get(text)  # what is found once is there for good
        if found is not None:
            return found
        type_, bracket, rest = text.partition("[")
        if not bracket or not rest.endswith("]"):
            return None
        name = type_
        if not "A" <= name[:1] <= "Z":  # else Puppet takes it as it is written
            name = "::".join(part.capitalize() for part in type_.split("::"))
        if name == "Class" and (rest.startswith("::") or rest.lower() == "main]"):
            return None
        found = self.find(name, rest[:-1])
        if found is not None:
            self._named[text] = found
        return found

    def find_class(self, name: str) -> Resource | None:
        """The resource of a class that is declared."""
        return self.table.get(("Class", capitalised(name)))

    def contain(self, container: Resource, resource: Resource) -> None:
        """Puts a resource into another."""
        container.hold_too(resource)

    def add_class(self, name: str) -> None:
        """Notes that a class (or node) is part of the catalog."""
        self.classes.append(name)
        if name not in self.tags:
            self.tags[name] = None
            if "::" in name:
                self.tags.update(dict.fromkeys(name.split("::")))


def is_parameter(resource: Resource, name: str) -> bool:
    """Whether a resource can have a parameter."""
    if resource.info is not None:
        return resource.info.accepts(name)
    if name in metaparameter_names() or name == "name":
        return True
    definition = resource.definition
    if definition is None or definition.node is None:
        return False
    return any(param.name == name for param in getattr(definition.node, "params", []))


Key = tuple[Hashable, ...]
"""What a resource is found by: its type, and its title or the values of its keys."""


_NOTHING = frozenset([identity(None), identity(False)])
"""What no key consists of."""


def unique_key(resource: Resource, info: TypeInfo | None) -> Key:
    """What makes a resource unique in its type: the values of the key attributes."""
    if info is None:
        name = resource.value("name")
        return key_parts(resource.title if name is None else name)
    given = resource.title_values()
    if given is None:
        raise unfit(resource.type, resource.title)
    values: dict[str, Value] = dict(given)
    for key in {*info.keys, info.namevar, "name"}:
        value = resource.value(key)
        if value is not None:
            values[key] = value
    return key_of(values, info, resource.title)


def unfit(type_: str, title: str) -> Problem:
    """The refusal of a title that says nothing of the keys of its type."""
    return Problem(codes.BAD_TITLE, message=f"no title pattern of {type_} fits '{title}'")


def key_of(values: Mapping[str, Value], info: TypeInfo, otherwise: str) -> Key:
    """The values of the key attributes in order of their names, where arrays are their elements.

    A name that is not given is the value of the key, and the other way round.
    """
    name = _truthy(values.get(info.namevar)) or _truthy(values.get("name")) or [otherwise]
    every = dict(values)
    for key in (info.namevar, "name"):
        if not _truthy(every.get(key)):
            (every[key],) = name
    return tuple(part for key in sorted(info.keys) for part in key_parts(every.get(key)))


def _truthy(value: Value) -> list[Value]:
    """A value that is neither undef nor false, or nothing."""
    return [] if value is None or value is False else [value]


def key_parts(value: Value) -> Key:
    """What a value contributes to a key: arrays their elements, all else what Ruby knows it by."""
    if isinstance(value, list):
        return tuple(part for item in value for part in key_parts(item))
    return (identity(value),)


def _declared(resource: Resource) -> list[Note]:
    place = resource.declared.span
    return [] if place is NOWHERE else [Note("declared here", place)]


def located(resource: Resource, problem: Problem) -> Fault | Problem:
    """A problem at the place where a resource is written, if it is written anywhere."""
    place = resource.declared.span
    return problem if place is NOWHERE else problem.at(place)


def outside(resource: Resource, fault: Fault) -> Fault:
    """A fault in the body of a define, shown where the define is declared, as Puppet does."""
    place = resource.declared.span
    inner = fault.diagnostic
    if place is NOWHERE or (inner.at.source is place.source and inner.at.start == place.start):
        return fault
    note = Note(f"here, in the body of {resource.ref}", inner.at)
    return Fault(replace(inner, at=place, labels=(note, *inner.labels)))
