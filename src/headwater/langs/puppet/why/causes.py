"""Why the values of a catalog are what they are."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import RLock

from headwater.langs.protocol import Segment
from headwater.langs.puppet.catalog.resource import Param, Resource
from headwater.langs.puppet.catalog.result import EDGES, TAGS, CatalogResult
from headwater.langs.puppet.catalog.secrets import Secrets
from headwater.langs.puppet.engine.compilation import Compilation
from headwater.langs.puppet.values import opaque_in
from headwater.langs.puppet.why.declarations import exists
from headwater.langs.puppet.why.meddling import meddling
from headwater.langs.puppet.why.outputs import grown, output_node
from headwater.langs.puppet.why.questions import Absences
from headwater.langs.puppet.why.redaction import find_spots
from headwater.langs.puppet.why.replay import Replay
from headwater.langs.puppet.why.segments import segments_of
from headwater.langs.puppet.why.tags import edge_node, outlying, tag_node
from headwater.text import NOWHERE, Span
from headwater.tree import Address
from headwater.why import Node, Trace

_FRAMES = 400_000
"""Python frames for chains of variables: a chain as long as the longest manifest fits."""


@contextmanager
def deep() -> Iterator[None]:
    """Long chains of variables need many Python frames."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, _FRAMES))
    try:
        yield
    finally:
        sys.setrecursionlimit(limit)


class CatalogCauses:
    """The causes of a catalog.  Nothing is done before the first question; one waits for another.

    `absences` stands in for what did not happen, where somebody wants to leave that out.
    """

    def __init__(
        self, compilation: Compilation, result: CatalogResult, absences: Absences | None = None
    ) -> None:
        self._compilation = compilation
        self._result = result
        self._absences = absences
        self._replay: Replay | None = None
        self._output: Node | None = None
        self._asking = RLock()

    def _replayed(self) -> Replay:
        """The replay, made at the first question; secrets are found by one of their own."""
        if self._replay is None:
            secrets = self._result.secrets
            if secrets:
                find_spots(secrets, Replay(self._compilation, Secrets()))
            self._replay = Replay(self._compilation, secrets, self._absences)
        return self._replay

    @contextmanager
    def _question(self) -> Iterator[Replay]:
        with self._asking, deep():
            yield self._replayed()

    @property
    def trace(self) -> Trace:
        """The trace that the nodes belong to."""
        with self._question() as replay:
            return replay.trace

    def of(self, address: Address) -> Node:
        """The node of a parameter, of what lies in it, or of a resource's existence."""
        address = self._result.named(address)
        resource = self._result.resource(str(address[0])) if address else None
        if resource is None:
            return self.output()
        with self._question() as replay:
            if len(address) == 1:
                return exists(replay, resource)
            name = str(address[1])
            if name in (TAGS, EDGES):
                return _listed(replay, resource, name, address[2:])
            param = parameter(resource, name)
            if param is None:
                found = _missing(replay, resource, name)
            else:
                found = output_node(replay, resource, name, param, address[2:])
            return self._guessed(replay, resource, name, found)

    def _guessed(self, replay: Replay, resource: Resource, name: str, found: Node) -> Node:
        """A parameter with the unknown value that marks it, at a place where that decides."""
        marked = None if resource.unknown is None else opaque_in(resource.unknown.values.get(name))
        if marked is None:
            return found
        undecided = self._compilation.messages.undecided
        spans = (at for at, why in undecided.items() if why == marked.why)
        at = next(spans, self._compilation.program.units[0].source.span(0, 0))
        return replay.trace.guard(found, replay.labels.input("unknown", at, marked.why))

    def output(self) -> Node:
        """What could change the set of resources and parameters."""
        with self._question() as replay:
            if self._output is None:
                found = [grown(replay), outlying(replay)]
                for resource in self._compilation.catalog.resources:
                    if not resource.virtual:
                        found += [
                            output_node(replay, resource, name, param, ())
                            for name, param in resource.params.items()
                        ]
                self._output = replay.trace.union(*found)
            return self._output

    def position(self, address: Address) -> None:
        """Resources stand in the order of their making."""

    def segments(self, address: Address) -> list[Segment]:
        """The pieces of a text that a template wrote; none for other values."""
        address = self._result.named(address)
        resource = self._result.resource(str(address[0])) if len(address) == 2 else None
        param = None if resource is None else parameter(resource, str(address[1]))
        if resource is None or param is None:
            return []
        with self._question() as replay:
            return segments_of(replay, resource, param)

    def path(self, address: Address) -> tuple[Span, ...]:
        """The declarations a resource came through, outermost first, and a resource default."""
        with self._question():  # which finds where the secrets stand
            return self._path(address)

    def _path(self, address: Address) -> tuple[Span, ...]:
        address = self._result.named(address)
        resource = self._result.resource(str(address[0])) if address else None
        found: list[Span] = []
        param = parameter(resource, str(address[1])) if resource and len(address) > 1 else None
        if param is not None and param.how == "default" and param.span is not None:
            found.append(param.span)
        while resource is not None:
            place = resource.declared.span
            if place is not NOWHERE:
                found.append(place)
            elif resource.definition is not None:
                declarations = self._compilation.record.declarations
                for act in declarations.get(resource.definition.name, ())[:1]:
                    found.append(act.unit.span(act.node))
            around = resource.declared.around
            resource = around if around is not resource else None
        return tuple(self._result.secrets.span(at) for at in reversed(found))


def _listed(replay: Replay, resource: Resource, name: str, rest: Address) -> Node:
    """The node of one tag or edge, or of all of a resource."""
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
    return replay.trace.operation(name.removeprefix("@"), nodes, outlying(replay))


def _missing(replay: Replay, resource: Resource, name: str) -> Node:
    """A parameter that is not there; something unknown might have written it."""
    there = exists(replay, resource)
    if resource.unknown is None or name not in resource.unknown.values:
        return there
    causes = replay.trace.union(there, meddling(replay, resource, name, None))
    return replay.trace.operation("unknown", [], causes)


def parameter(resource: Resource, name: str) -> Param | None:
    """The parameter that stands in a catalog under a name."""
    param = resource.params.get(name)
    if param is None and resource.info is not None and name == resource.info.namevar:
        param = resource.params.get("name")
    return param


def _asked(name: str, wanted: set[str]) -> bool:
    return not wanted or name in wanted
