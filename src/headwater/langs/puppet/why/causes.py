"""Why the values of a catalog are what they are."""

from __future__ import annotations

from threading import RLock

from headwater.langs.protocol import Segment
from headwater.langs.puppet.catalog.resource import Param, Resource, is_main
from headwater.langs.puppet.catalog.result import EDGES, TAGS, CatalogResult, reference
from headwater.langs.puppet.catalog.secrets import Secrets
from headwater.langs.puppet.engine.compilation import Compilation
from headwater.langs.puppet.record.declarations import declared
from headwater.langs.puppet.values import opaque_in
from headwater.langs.puppet.why.declarations import exists
from headwater.langs.puppet.why.edges import edges
from headwater.langs.puppet.why.instances import Instances
from headwater.langs.puppet.why.meddling import meddling
from headwater.langs.puppet.why.outputs import grown, output_node
from headwater.langs.puppet.why.questions import Absences
from headwater.langs.puppet.why.redaction import find_spots
from headwater.langs.puppet.why.replay import Replay
from headwater.langs.puppet.why.segments import Pieces, may_have_pieces
from headwater.langs.puppet.why.tags import Alike, edge_node, outlying, tag_node
from headwater.text import NOWHERE, Source, Span
from headwater.text.recursion import room
from headwater.tree import Address
from headwater.why import Node, Trace

_BUILT_IN = Source("(built in)", "main")
"""Where the main stage and the class of the top are named."""

_FRAMES = 400_000
"""Python frames for chains of variables: a chain as long as the longest manifest fits."""


class Asking:
    """While a question is answered: others wait, and there are frames for long chains.

    Large results ask many thousands of short questions, hence no generator.
    """

    __slots__ = ("_depth", "_lock", "_room")

    def __init__(self) -> None:
        self._lock = RLock()
        self._depth = 0
        self._room = room(_FRAMES)

    def __enter__(self) -> None:
        self._lock.acquire()
        self._depth += 1
        if self._depth == 1:
            self._room.__enter__()

    def __exit__(self, *_: object) -> None:
        self._depth -= 1
        if self._depth == 0:
            self._room.__exit__()
        self._lock.release()


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
        self._instances: Instances | None = None
        self._pieces: Pieces | None = None
        self._tags: Alike | None = None
        self._output: Node | None = None
        self._outputs: dict[tuple[Resource, str], Node] = {}
        self._paths: dict[Resource, tuple[Span, ...]] = {}
        self._asking = Asking()

    def _replayed(self) -> Replay:
        """The replay, made at the first question; secrets are found by one of their own."""
        if self._replay is None:
            secrets = self._result.secrets
            if secrets:
                find_spots(secrets, Replay(self._compilation, Secrets()))
            self._replay = Replay(self._compilation, secrets, self._absences)
            self._instances = Instances(self._replay)
            self._pieces = Pieces(self._replay)
            self._tags = Alike(self._replay)
        return self._replay

    @property
    def trace(self) -> Trace:
        """The trace that the nodes belong to."""
        if self._replay is not None:
            return self._replay.trace
        with self._asking:
            return self._replayed().trace

    def in_a_row(self) -> Asking:
        """While it lasts many questions are answered, each as part of one."""
        return self._asking

    def of(self, address: Address) -> Node:
        """The node of a parameter, of what lies in it, or of a resource's existence."""
        address = self._result.named(address)
        resource = self._result.resource(str(address[0])) if address else None
        if resource is None:
            return self.output()
        with self._asking:
            replay = self._replayed()
            if len(address) == 1:
                return exists(replay, self._like(resource))
            name = str(address[1])
            if name in (TAGS, EDGES):
                return _listed(replay, resource, name, address[2:])
            param = parameter(resource, name)
            if param is None:
                found = _missing(replay, resource, name)
            elif len(address) == 2:
                found = self._parameter(replay, resource, name, param)
            else:
                found = output_node(replay, resource, name, param, address[2:])
            return self._guessed(replay, resource, name, found)

    def _parameter(self, replay: Replay, resource: Resource, name: str, param: Param) -> Node:
        """A parameter as an output; who asks for all of them asks for each twice."""
        key = (resource, name)
        found = self._outputs.get(key)
        if found is None:
            assert self._instances is not None
            other = self._instances.same(resource, name, param)
            if other is resource:
                found = output_node(replay, resource, name, param, ())
            else:
                same = parameter(other, name)
                assert same is not None
                found = self._parameter(replay, other, name, same)
            self._outputs[key] = found
        return found

    def _like(self, resource: Resource) -> Resource:
        """The resource that speaks for one: another that came about alike, or itself."""
        assert self._instances is not None
        return self._instances.like(resource)

    def _guessed(self, replay: Replay, resource: Resource, name: str, found: Node) -> Node:
        """A parameter with the unknown value that marks it, at a place where that decides."""
        if resource.unknown is None:
            return found
        marked = opaque_in(resource.unknown.values.get(name))
        if marked is None:
            return found
        undecided = self._compilation.messages.undecided
        spans = (at for at, why in undecided.items() if why == marked.why)
        at = next(spans, self._compilation.program.units[0].source.span(0, 0))
        return replay.trace.guard(found, replay.labels.input("unknown", at, marked.why))

    def output(self) -> Node:
        """What could change the set of resources and parameters."""
        with self._asking:
            replay = self._replayed()
            if self._output is None:
                assert self._instances is not None
                found = [grown(replay, self._instances), outlying(replay)]
                for resource in self._compilation.catalog.resources:
                    if not resource.virtual:
                        found += [
                            self._parameter(replay, resource, name, param)
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
        if resource is None or param is None or not may_have_pieces(param):
            return []
        with self._asking:
            self._replayed()
            assert self._instances is not None
            assert self._pieces is not None
            name = str(address[1])
            other = self._instances.same(resource, name, param)
            if other is resource:
                return self._pieces.of(resource, param)
            return self._pieces.like(resource, name, param, other)

    def resources(self) -> list[Address]:
        """The resources that are there, in order."""
        every = self._compilation.catalog.resources
        return [(reference(one),) for one in every if self._result.resource(reference(one)) is one]

    def tags(self, address: Address) -> dict[str, Node]:
        """The tags of a resource, each with how it came by it."""
        resource = self._result.resource(str(address[0]))
        if resource is None:
            return {}
        with self._asking:
            replay = self._replayed()
            like = self._like(resource)
            assert self._tags is not None
            found = None if like is resource else self._tags.of(resource, like)
            if found is None:
                found = {tag: tag_node(replay, resource, tag) for tag in resource.tags}
            return found

    def edges(self) -> list[tuple[Address, Address, Node]]:
        """Which resource comes before which, and why."""
        with self._asking:
            replay = self._replayed()
            assert self._instances is not None
            found = edges(replay, self._instances)
            return [((reference(a),), (reference(b),), node) for (a, b), node in found.items()]

    def path(self, address: Address) -> tuple[Span, ...]:
        """The declarations a resource came through, outermost first, and a resource default."""
        with self._asking:
            self._replayed()  # which finds where the secrets stand
            return self._path(address)

    def _path(self, address: Address) -> tuple[Span, ...]:
        address = self._result.named(address)
        resource = self._result.resource(str(address[0])) if address else None
        if resource is None:
            return ()
        found = self._declarations(resource)
        param = parameter(resource, str(address[1])) if len(address) > 1 else None
        if param is not None and param.how == "default" and param.span is not None:
            return (*found, self._result.secrets.span(param.span))
        return found

    def _declarations(self, resource: Resource) -> tuple[Span, ...]:
        """The declarations a resource came through, found once for all its parameters."""
        row = [resource]
        while row[-1] not in self._paths:
            around = row[-1].declared.around
            if around is None or around is row[-1]:
                break
            row.append(around)
        found = self._paths.get(row[-1], ())
        for one in reversed(row):
            if one not in self._paths:
                found = self._paths[one] = (*found, *self._declaration(one))
        return found

    def _declaration(self, resource: Resource) -> tuple[Span, ...]:
        place = resource.declared.span
        if place is not NOWHERE:
            return (self._result.secrets.span(place),)
        if resource.definition is None:
            return ()
        acts = self._compilation.record.declarations.get(resource.definition.name, ())[:1]
        return tuple(self._result.secrets.span(act.unit.span(act.node)) for act in acts)


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
    if name == "name" and is_built_in(resource):
        return replay.labels.input("argument", _BUILT_IN.span(0, len("main")), resource.ref)
    if resource.unknown is None or name not in resource.unknown.values:
        return there
    causes = replay.trace.union(there, meddling(replay, resource, name, None))
    return replay.trace.operation("unknown", [], causes)


def is_built_in(resource: Resource) -> bool:
    """Whether a resource is in every catalog: the main stage, and the class of the top."""
    return is_main(resource) or (resource.type == "Stage" and declared(resource).unit is None)


def parameter(resource: Resource, name: str) -> Param | None:
    """The parameter that stands in a catalog under a name.

    Puppet has one place for `name` and for what names the resources of a type; the name wins.
    """
    param = resource.params.get(name)
    if resource.info is None or name != resource.info.namevar or name == "name":
        return param
    called = resource.params.get("name")
    return called if called is not None and (param is None or called.value is not None) else param


def _asked(name: str, wanted: set[str]) -> bool:
    return not wanted or name in wanted
