"""Why the values of a catalog are what they are."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from headwater.langs.puppet.catalog.resource import Param, Resource
from headwater.langs.puppet.catalog.result import EDGES, TAGS, CatalogResult
from headwater.langs.puppet.engine.compilation import Compilation
from headwater.langs.puppet.why.redaction import Blotted, find_places
from headwater.langs.puppet.why.replay import Replay
from headwater.langs.puppet.why.tags import edge_node, outlying, tag_node
from headwater.report import Note
from headwater.text import NOWHERE, Span
from headwater.tree import Address
from headwater.why import Node, Trace

_FRAMES = 400_000
"""Python frames for chains of variables: a chain as long as the longest manifest fits."""


class CatalogCauses:
    """The causes of a catalog; nothing is done before the first question."""

    def __init__(self, compilation: Compilation, result: CatalogResult) -> None:
        self.compilation = compilation
        self.result = result
        self._replay: Replay | None = None
        self._output: Node | None = None

    @property
    def replay(self) -> Replay:
        """The replay, made at the first question."""
        if self._replay is None:
            secrets = self.result.secrets
            with deep():
                if secrets:
                    find_places(secrets, _prepared(Replay(self.compilation)))
                self._replay = _prepared(Replay(self.compilation, Blotted(secrets)))
        return self._replay

    @property
    def trace(self) -> Trace:
        """The trace that the nodes belong to."""
        return self.replay.trace

    def of(self, address: Address) -> Node:
        """The node of a parameter, of what lies in it, or of a resource's existence."""
        address = self.result.named(address)
        resource = self.result.resource(str(address[0])) if address else None
        if resource is None:
            return self.output()
        with deep():
            states = self.replay.states
            if len(address) == 1:
                return states.exists(resource)
            name = str(address[1])
            if name in (TAGS, EDGES):
                return self._of_list(resource, name, address[2:])
            param = parameter(resource, name)
            if param is None:
                return states.exists(resource)
            return states.param(resource, name, param, address[2:])

    def _of_list(self, resource: Resource, name: str, rest: Address) -> Node:
        """The node of one tag or edge, or of all of a resource."""
        replay = self.replay
        wanted = {str(part) for part in rest}
        if name == TAGS:
            nodes = [tag_node(replay, resource, t) for t in resource.tags if _asked(t, wanted)]
        else:
            nodes = [
                edge_node(replay, container, resource)
                for container in resource.containers
                if _asked(container.ref, wanted)
            ]
        if len(nodes) == 1:
            return nodes[0]
        return self.trace.operation(name.removeprefix("@"), nodes, outlying(replay))

    def output(self) -> Node:
        """What could change the set of resources and parameters."""
        if self._output is None:
            with deep():
                states = self.replay.states
                found = [states.grown(), outlying(self.replay)]
                for resource in self.compilation.catalog.resources:
                    if not resource.virtual:
                        found += [
                            states.param(resource, name, param, ())
                            for name, param in resource.params.items()
                        ]
                self._output = self.trace.union(*found)
        return self._output

    def position(self, address: Address) -> tuple[Note, ...]:
        """Resources stand in the order of their making."""
        return ()

    def path(self, address: Address) -> tuple[Span, ...]:
        """The declarations a resource came through, outermost first."""
        address = self.result.named(address)
        self.replay  # noqa: B018  (finds where the secrets stand)
        resource = self.result.resource(str(address[0])) if address else None
        found: list[Span] = []
        while resource is not None:
            place = resource.declared.span
            if place is not NOWHERE:
                found.append(place)
            elif resource.definition is not None:
                for act in self.compilation.record.declarations.get(resource.definition.name, ())[
                    :1
                ]:
                    found.append(act.unit.span(act.node))
            around = resource.declared.around
            resource = around if around is not resource else None
        return tuple(self.result.secrets.span(at) for at in reversed(found))


def parameter(resource: Resource, name: str) -> Param | None:
    """The parameter that stands in a catalog under a name."""
    param = resource.params.get(name)
    if param is None and resource.info is not None and name == resource.info.namevar:
        param = resource.params.get("name")
    return param


def _prepared(replay: Replay) -> Replay:
    replay.running.find_witnesses()
    return replay


def _asked(name: str, wanted: set[str]) -> bool:
    return not wanted or name in wanted


@contextmanager
def deep() -> Iterator[None]:
    """Long chains of variables need many Python frames."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, _FRAMES))
    try:
        yield
    finally:
        sys.setrecursionlimit(limit)
