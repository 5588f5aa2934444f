"""Marking in a catalog what hangs on a guess, so that nothing of it is told as if it were known."""

from __future__ import annotations

from typing import Any

from headwater.langs.puppet.catalog.resource import Param, Resource, Unknown
from headwater.langs.puppet.engine.compilation import Compilation
from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.record.declarations import declared
from headwater.langs.puppet.syntax import ast
from headwater.langs.puppet.values import Opaque, capitalised, opaque_in
from headwater.langs.puppet.why.causes import Asking
from headwater.langs.puppet.why.consequences import ANY
from headwater.langs.puppet.why.guesses import Guesses
from headwater.langs.puppet.why.here import Here
from headwater.langs.puppet.why.meddling import meddling
from headwater.why import NOTHING, Node


def mark(compilation: Compilation) -> None:
    """Marks the resources of a compilation that met unknown values, and the catalog."""
    catalog = compilation.catalog
    with Asking():
        marking = _Marking(compilation)
        marks = [(resource, marking.of(resource)) for resource in catalog.resources]
        catalog.unknown = marking.more()
    for resource, found in marks:
        resource.unknown = found


class _Marking:
    """One catalog being marked."""

    def __init__(self, compilation: Compilation) -> None:
        self.record = compilation.record
        self.guesses = Guesses(compilation)

    def why(self, node: Node) -> str | None:
        """The unknown value that something hangs on."""
        return self.guesses.hanging.whys[node] if node else None

    def of(self, resource: Resource) -> Unknown | None:
        """The marks of a resource, if it needs any."""
        guesses = self.guesses
        found = Unknown(self.why(guesses.exists(resource)))
        for name, param in resource.params.items():
            self._value(found, resource, name, param)
        for name in guesses.names(resource):
            self._other(found, resource, name)
        if found.parameters is None:
            found.parameters = self.why(self._splatted(resource))
        if resource.info is not None and resource.info.unread:
            found.parameters = f"title patterns of {resource.type}"
        if found.existence is None:
            found.tags = self.why(guesses.tags(resource))
        found.containers = self.why(guesses.unsettled.containing(resource))
        for container in resource.containers:
            why = self.why(guesses.edge(container, resource))
            if why is not None:
                found.edges[container] = why
                if container.type == "Stage":  # it is in another, then
                    found.containers = why
        name = resource.definition.name if resource.definition is not None else ""
        if resource.type == "Class" and name in self.record.declarations:
            found.declaration = self.why(guesses.link(name))
        return found if found != Unknown() else None

    def _value(self, found: Unknown, resource: Resource, name: str, param: Param) -> None:
        """A parameter that is there: what may be told of its value."""
        node = self.guesses.param(resource, name, param, ())
        if node:
            found.values[name] = self._told(resource, name, param, param.value, ())

    def _told(
        self,
        resource: Resource,
        name: str,
        param: Param,
        value: Any,  # noqa: ANN401
        path: tuple[Any, ...],
    ) -> Any:  # noqa: ANN401
        """A value with unknown parts in it, where the rest does not hang on anything."""
        if isinstance(value, Opaque):
            return value
        node = self.guesses.param(resource, name, param, path)
        if not node:
            return value
        if opaque_in(value) is None:
            return Opaque(self.guesses.hanging.whys[node])
        told: Any
        if isinstance(value, Hash):
            pairs = [
                (key, self._told(resource, name, param, item, (*path, key)))
                for key, item in value.pairs()
            ]
            told, parts = Hash.of(pairs), [part for _, part in pairs]
        else:
            told = parts = [
                self._told(resource, name, param, item, (*path, index))
                for index, item in enumerate(value)
            ]
        if all(isinstance(part, Opaque) for part in parts):
            return Opaque(self.guesses.hanging.whys[node])
        return told

    def _other(self, found: Unknown, resource: Resource, name: str) -> None:
        """A parameter that is not there, and might be."""
        why = self.why(meddling(self.guesses, resource, name, None))
        if why is None:
            return
        if name == ANY:
            found.parameters = why
        elif name not in resource.params:
            found.values[name] = Opaque(why)

    def _splatted(self, resource: Resource) -> Node:
        """Whether it is known what ``* =>`` gives a resource."""
        body = declared(resource).body
        if not isinstance(body, ast.Body):
            return NOTHING
        here = Here.of_declaration(resource)
        found = [
            self.guesses.of(here, one.value)
            for one in body.operations
            if isinstance(one, ast.Attributes)
        ]
        return self.guesses.trace.union(*found)

    def more(self) -> dict[str, str]:
        """The types of which there may be more resources."""
        found: dict[str, str] = {}
        for type_, node in self.guesses.unsettled.more():
            name = type_ if type_ == ANY else capitalised(type_)
            found.setdefault(name, self.guesses.hanging.whys[node])
        return found
