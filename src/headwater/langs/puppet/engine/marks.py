"""Marking in a catalog what hangs on a guess, so that nothing of it is told as if it were known."""

from __future__ import annotations

from typing import Any

from headwater.langs.puppet.catalog.resource import Param, Resource, Unknown
from headwater.langs.puppet.engine.causes import deep
from headwater.langs.puppet.engine.compiler import Compiler
from headwater.langs.puppet.engine.effects import ANY
from headwater.langs.puppet.engine.guesses import Guesses
from headwater.langs.puppet.engine.running import declaration
from headwater.langs.puppet.syntax import ast
from headwater.langs.puppet.values import Opaque, capitalised, opaque_in
from headwater.why import NOTHING, Node


def mark(compiler: Compiler) -> None:
    """Marks the resources of a compilation that met unknown values, and the catalog."""
    with deep():
        marking = _Marking(compiler)
        marks = [(resource, marking.of(resource)) for resource in compiler.catalog.resources]
        compiler.catalog.unknown = marking.more()
    for resource, found in marks:
        resource.unknown = found


class _Marking:
    """One catalog being marked."""

    def __init__(self, compiler: Compiler) -> None:
        self.compiler = compiler
        self.guesses = Guesses(compiler)
        self.states, self.absences = self.guesses.states, self.guesses.absences

    def why(self, node: Node) -> str | None:
        """The unknown value that something hangs on."""
        return self.guesses.trace.whys[node] if node else None

    def of(self, resource: Resource) -> Unknown | None:
        """The marks of a resource, if it needs any."""
        states = self.states
        found = Unknown(self.why(states.exists(resource)))
        for name, param in resource.params.items():
            self._value(found, resource, name, param)
        for name in states.names(resource):
            self._other(found, resource, name)
        if found.parameters is None:
            found.parameters = self.why(self._splatted(resource))
        if found.existence is None:
            found.tags = self.why(states.tags(resource))
        found.containers = self.why(self.absences.containing(resource))
        for container in resource.containers:
            why = self.why(states.edge(container, resource))
            if why is not None:
                found.edges[container] = why
                if container.type == "Stage":  # it is in another, then
                    found.containers = why
        name = resource.definition.name if resource.definition is not None else ""
        if resource.type == "Class" and name in self.compiler.declared:
            found.declaration = self.why(self.guesses.running.link(name))
        return found if found != Unknown() else None

    def _value(self, found: Unknown, resource: Resource, name: str, param: Param) -> None:
        """A parameter that is there: what may be told of its value."""
        node = self.states.param(resource, name, param, ())
        if node:
            found.values[name] = self._told(resource, name, param, param.value, ())

    def _told(
        self, resource: Resource, name: str, param: Param, value: Any, path: tuple[Any, ...]
    ) -> Any:
        """A value with unknown parts in it, where the rest does not hang on anything."""
        if isinstance(value, Opaque):
            return value
        node = self.states.param(resource, name, param, path)
        if not node:
            return value
        if opaque_in(value) is None:
            return Opaque(self.guesses.trace.whys[node])
        told: Any
        if isinstance(value, dict):
            told = {
                key: self._told(resource, name, param, item, (*path, key))
                for key, item in value.items()
            }
            parts = list(told.values())
        else:
            told = parts = [
                self._told(resource, name, param, item, (*path, index))
                for index, item in enumerate(value)
            ]
        if all(isinstance(part, Opaque) for part in parts):
            return Opaque(self.guesses.trace.whys[node])
        return told

    def _other(self, found: Unknown, resource: Resource, name: str) -> None:
        """A parameter that is not there, and might be."""
        why = self.why(self.states.meddling(resource, name, None))
        if why is None:
            return
        if name == ANY:
            found.parameters = why
        elif name not in resource.params:
            found.values[name] = Opaque(why)

    def _splatted(self, resource: Resource) -> Node:
        """Whether it is known what ``* =>`` gives a resource."""
        if not isinstance(resource.body, ast.Body) or resource.unit is None:
            return NOTHING
        here = declaration(resource)
        found = [
            self.guesses.of(here, one.value)
            for one in resource.body.operations
            if isinstance(one, ast.Attributes)
        ]
        return self.guesses.trace.union(*found)

    def more(self) -> dict[str, str]:
        """The types of which there may be more resources."""
        found: dict[str, str] = {}
        for type_, node in self.absences.more():
            name = type_ if type_ == ANY else capitalised(type_)
            found.setdefault(name, self.guesses.trace.whys[node])
        return found
