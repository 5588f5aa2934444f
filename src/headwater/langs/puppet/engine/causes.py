"""Why the values of a catalog are what they are."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from headwater.langs.puppet.catalog.resource import Resource
from headwater.langs.puppet.catalog.table import place_of
from headwater.langs.puppet.engine.compiler import Compiler
from headwater.langs.puppet.engine.params import param_node
from headwater.langs.puppet.engine.replay import Replay
from headwater.langs.puppet.engine.result import CatalogResult
from headwater.langs.puppet.syntax import ast
from headwater.report import Note
from headwater.text import NOWHERE, Span
from headwater.tree import Address
from headwater.why import NOTHING, Label, Node, Trace


class CatalogCauses:
    """The causes of a catalog; nothing is done before the first question."""

    def __init__(self, compiler: Compiler, result: CatalogResult) -> None:
        self.compiler = compiler
        self.result = result
        self._replay: Replay | None = None
        self._existence: dict[Resource, Node] = {}

    @property
    def replay(self) -> Replay:
        """The replay, made at the first question."""
        if self._replay is None:
            self._replay = Replay(self.compiler)
        return self._replay

    @property
    def trace(self) -> Trace:
        """The trace that the nodes belong to."""
        return self.replay.trace

    def of(self, address: Address) -> Node:
        """The node of a parameter, of what lies in it, or of a resource's existence."""
        resource = self.result.resource(str(address[0])) if address else None
        if resource is None:
            return self.output()
        with deep():
            exists = self.exists(resource)
            if len(address) == 1:
                return exists
            name = str(address[1])
            param = resource.params.get(name)
            if param is None and resource.info is not None and name == resource.info.namevar:
                param = resource.params.get("name")
            if param is None:
                return exists
            return self.trace.guard(param_node(self.replay, param, address[2:]), exists)

    def exists(self, resource: Resource) -> Node:
        """Why a resource is there: what declares it, under which conditions, inside what."""
        known = self._existence.get(resource)
        if known is not None:
            return known
        self._existence[resource] = NOTHING
        replay, causes = self.replay, [NOTHING]
        if resource.unit is not None and resource.node is not None:
            causes.append(replay.label(resource.unit, _head(resource), "definition"))
            causes.append(replay.guard(resource.guard))
            if isinstance(resource.body, ast.Body) and resource.frame is not None:
                causes.append(replay.of(resource.unit, resource.body.title, resource.frame))
        definition = resource.definition
        if definition is not None and resource.type == "Class":
            for frame, unit, node, guard in self.compiler.included.get(definition.name, ())[:1]:
                causes.append(replay.label(unit, node, "definition"))
                causes.append(replay.guard(guard))
                if frame.scope.resource is not None:
                    causes.append(self.exists(frame.scope.resource))
            if resource.unit is None and definition.name not in self.compiler.included:
                causes += [self.exists(child) for child in self._children(definition.name)[:1]]
        if resource.type == "Node":
            causes.append(replay.trace.label(self._certname()))
        around = resource.scope.resource if resource.scope is not None else None
        if around is not None and around is not resource:
            causes.append(self.exists(around))
        found = self._existence[resource] = self.trace.union(*causes)
        return found

    def _children(self, name: str) -> list[Resource]:
        """The classes that inherit from a class and so declared it."""
        scopes = self.compiler.class_scopes.values()
        return [s.resource for s in scopes if s.source.parent == name and s.resource is not None]

    def _certname(self) -> Label:
        source = self.compiler.unit.source
        return Label("argument", source.span(0, 0), self.compiler.inputs.node)

    def output(self) -> Node:
        """What could change the set of resources."""
        with deep():
            every = [self.exists(resource) for resource in self.result.catalog.resources]
            return self.trace.union(*every)

    def position(self, address: Address) -> tuple[Note, ...]:
        """Resources stand in the order of their making."""
        return ()

    def path(self, address: Address) -> tuple[Span, ...]:
        """The declarations a resource came through, outermost first."""
        resource = self.result.resource(str(address[0])) if address else None
        found: list[Span] = []
        while resource is not None:
            place = place_of(resource)
            if place is not NOWHERE:
                found.append(place)
            elif resource.definition is not None:
                for _, unit, node, _ in self.compiler.included.get(resource.definition.name, ())[
                    :1
                ]:
                    found.append(unit.span(node))
            around = resource.scope.resource if resource.scope is not None else None
            resource = around if around is not resource else None
        return tuple(reversed(found))


def _head(resource: Resource) -> Any:
    """The part of a declaration that stands for the resource: its type."""
    node = resource.node
    return node.type if isinstance(node, ast.Resource) else node


@contextmanager
def deep() -> Iterator[None]:
    """Long chains of variables need many Python frames."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, 60_000))
    try:
        yield
    finally:
        sys.setrecursionlimit(limit)
