"""Why a piece of program ran, and what decided when: epc and tpc, links and witnesses.

``epc``    the conditions, iterations and declarations that code ran because of
``tpc``    what decided when it ran, where that can change what it saw
``link``   λ(a): what decided where and when a class was first declared
``exists`` E_a: one witness that a class is declared, the smallest
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from headwater.langs.puppet.record.acts import Act
from headwater.langs.puppet.record.declarations import declared
from headwater.langs.puppet.record.frames import Entered, Frame, Guard, Scope
from headwater.langs.puppet.syntax import ast
from headwater.langs.puppet.why.absences import FOREVER, computed_name, is_default_option
from headwater.langs.puppet.why.here import Here
from headwater.text import Source
from headwater.why import NOTHING, Label, Node, depends

if TYPE_CHECKING:
    from headwater.langs.puppet.catalog.resource import Resource
    from headwater.langs.puppet.why.replay import Replay

_NO_INPUTS = frozenset(["definition", "miss"])


class Later(Exception):
    """A witness rests on a class that was declared later."""


class Running:
    """Why and when the code of one compilation ran."""

    def __init__(self, replay: Replay) -> None:
        self.replay = replay
        self.compilation = replay.compilation
        self.trace = replay.trace
        self._guards: dict[int, Node] = {}
        self._deciding: dict[tuple[int, int], Node] = {}
        self._entries: dict[int, Node] = {}
        self._timings: dict[int, Node] = {}
        self._links: dict[str, Node] = {}
        self._witnesses: dict[str, Node] = {}
        self._node: Node | None = None
        self._limit = -1
        names = [name for name, scope in self.compilation.record.scopes.items() if _is_class(scope)]
        self._order = {name: index for index, name in enumerate(names)}

    # -- conditions ------------------------------------------------------------------------------

    def guards(self, guard: Guard | None) -> Node:
        """The conditions around a piece of program."""
        if guard is None:
            return NOTHING
        known = self._guards.get(id(guard))
        if known is None:
            outer = self.guards(guard.outer)
            known = self.trace.union(outer, self.deciding(guard, FOREVER))
            self._guards[id(guard)] = known
        return known

    def deciding(self, guard: Guard, options: int) -> Node:
        """β: what a decision was made by, up to an option of a case."""
        key = (id(guard), options)
        known = self._deciding.get(key)
        if known is None:
            known = self._deciding[key] = self._decide(guard, options)
        return known

    def _decide(self, guard: Guard, options: int) -> Node:
        replay, node = self.replay, guard.node
        here = Here(guard.unit, guard.frame, guard.outer, guard.when - 1)
        match node:
            case ast.If(test=test) | ast.Unless(test=test) | ast.Binary(left=test):
                return replay.of(here, test)
            case ast.Case(test=test):
                return self.trace.union(
                    replay.of(here, test), *self._tried(here, node, guard.taken, options)
                )
            case ast.Selector(value=value):
                return self.trace.union(
                    replay.of(here, value), *self._tried(here, node, guard.taken, options)
                )
            case ast.Call(block=ast.Lambda()) | ast.Method(block=ast.Lambda()):
                return replay.calling.turns(here, node)
            case ast.Call() | ast.Method() | ast.Resource():
                return self._named_by(here, node)
            case ast.Node(hosts=hosts):
                own = [replay.label(guard.unit, host) for host in hosts]
                return self.trace.union(*own, self.node_cause())
        return replay.everything(here, node)

    def _tried(
        self, here: Here, node: ast.Case | ast.Selector, chosen: Any, options: int
    ) -> list[Node]:
        """The values of options that were compared with the subject."""
        found: list[Node] = []
        default: list[Node] = []
        for index, option in enumerate(node.options):
            if is_default_option(option) and options == FOREVER:
                default = [
                    self.replay.label(here.unit, value)
                    for value in _values(option)
                    if isinstance(value, ast.Default)
                ]
            for value in _values(option):
                if index <= options and not isinstance(value, ast.Default):
                    found.append(self.replay.of(here, value))
            if option is chosen:
                return found
        return found + default

    # -- frames ----------------------------------------------------------------------------------

    def epc(self, here: Here) -> Node:
        """Why a piece of program ran."""
        return self.trace.union(
            self.guards(here.guard), self.entry(here.frame),
            self.replay.absences.jumped(here.frame, here.when),
        )  # fmt: skip

    def tpc(self, here: Here) -> Node:
        """What decided when a piece of program ran."""
        return self.trace.union(
            self.guards(here.guard), self.timing(here.frame),
            self.replay.absences.jumped(here.frame, here.when),
        )  # fmt: skip

    def entry(self, frame: Frame) -> Node:
        """Why the code of a frame ran at all."""
        known = self._entries.get(id(frame))
        if known is None:
            known = self._entries[id(frame)] = self._enter(frame)
        return known

    def _enter(self, frame: Frame) -> Node:
        if isinstance(frame, Scope):
            resource = frame.resource
            if resource is None or resource.is_main or resource.definition is None:
                return NOTHING
            if resource.type == "Node":
                return self.node_cause()
            if resource.type == "Class":
                return self.exists(frame.source.name)
            realized = self.replay.states.realized(resource)
            return self.trace.union(self.epc(declaration(resource)), realized)
        return self._nested(frame, self.entry)

    def timing(self, frame: Frame) -> Node:
        """What decided when the code of a frame ran."""
        known = self._timings.get(id(frame))
        if known is None:
            known = self._timings[id(frame)] = self._time(frame)
        return known

    def _time(self, frame: Frame) -> Node:
        if isinstance(frame, Scope):
            resource = frame.resource
            if resource is None or resource.is_main or resource.definition is None:
                return NOTHING
            if resource.type == "Node":
                return self.node_cause()
            if resource.type != "Class":
                return self.tpc(declaration(resource))
            act = self.first(frame.source.name)
            if act is None:
                return NOTHING
            absent = self.replay.absences.declared(frame.source.name, act.when)
            return self.trace.union(self.tpc(Here.of(act)), absent)
        return self._nested(frame, self.timing)

    def _nested(self, frame: Frame, outer: Any) -> Node:
        """A frame of a lambda, a function or a template: as its caller, and by iteration."""
        if isinstance(frame.origin, Entered):
            around: Node = outer(frame.origin.frame)
            return around
        assert frame.up is not None
        return self.trace.union(outer(frame.up), self.replay.calling.iteration(frame))

    # -- classes and nodes -----------------------------------------------------------------------

    def first(self, name: str) -> Act | None:
        """The declaration of a class that took effect."""
        found = self.compilation.record.declarations.get(name)
        return found[0] if found else None

    def link(self, name: str) -> Node:
        """λ(a): what decided where and when a class was first declared."""
        known = self._links.get(name)
        if known is None:
            scope, act = self.compilation.record.scopes[name], self.first(name)
            hops = NOTHING
            if act is not None and scope.source.parent is None:
                hops = self.base(act.frame.scope)
            known = self._links[name] = self.trace.union(self.timing(scope), hops)
        return known

    def base(self, scope: Scope | None) -> Node:
        """The links of the classes between a scope and the node or top around it."""
        found: list[Node] = []
        while scope is not None and scope.parent is not None and not scope.is_node:
            if _is_class(scope):
                found.append(self.link(scope.source.name))
                scope = scope.outer
            else:
                scope = scope.parent
        return self.trace.union(*found)

    def hop(self, scope: Scope) -> Node:
        """What decided which scope is looked in after this one."""
        if scope.parent is None or scope.is_node:
            return NOTHING
        return self.link(scope.source.name) if _is_class(scope) else self.base(scope.parent)

    def exists(self, name: str) -> Node:
        """E_a: why a class is declared.

        Every executed declaration is a witness.  The smallest is taken of those that rest
        only on classes declared before, so that no class is its own reason.
        """
        order = self._order.get(name)
        if order is None:
            return NOTHING
        if 0 <= self._limit <= order:
            raise Later
        return self._witnesses[name]

    def find_witnesses(self) -> None:
        """Finds E_a of every class, before anything else is asked: in order of declaration."""
        for index, one in enumerate(self._order):
            self._limit = index
            self._witnesses[one] = self._smallest(one)
        self._limit = -1

    def _smallest(self, name: str) -> Node:
        best: Node | None = None
        best_size: tuple[Any, ...] = ()
        for act in self.compilation.record.declarations.get(name, ()):
            try:
                found = self._witness(act)
            except Later:
                continue
            labels = [x for x in depends(self.trace, found) if x.kind not in _NO_INPUTS]
            size = (len(labels), sorted(x.order[1:] for x in labels))
            if best is None or size < best_size:
                best_size = size
                best = self.trace.union(found, self.replay.label(act.unit, act.node, "definition"))
        if best is None:
            given = Source("classes", name)
            return self.trace.label(Label("argument", given.span(0, len(name)), name))
        return best

    def _witness(self, act: Act) -> Node:
        here = Here.of(act)
        found = self.epc(here)
        if not computed_name(act.node):
            return found
        return self.trace.union(found, self._named_by(here, act.node))

    def _named_by(self, here: Here, node: Any) -> Node:
        """What the name of a declared class was computed from."""
        if isinstance(node, ast.Resource):
            titles = [self.replay.of(here, body.title) for body in node.bodies]
            return self.trace.union(*titles)
        return self.replay.arguments(here, node)

    def node_cause(self) -> Node:
        """Why a node definition was chosen: the name of the node, and the hosts looked at."""
        if self._node is None:
            self._node = self._chosen_node()
        return self._node

    def _chosen_node(self) -> Node:
        compilation, trace = self.compilation, self.trace
        name = compilation.inputs.node
        certname = Label("argument", Source("--node", name).span(0, len(name)), name)
        found = [trace.label(certname)]
        exact = compilation.program.nodes.named.get(name.lower())
        for definition, host in compilation.program.nodes.hosts:
            assert definition.unit is not None
            label = self.replay.label(definition.unit, host)
            if exact is not None:
                if definition is exact and _is_named(host, name):
                    found.append(label)
            elif not isinstance(host, ast.Regex | ast.Default):
                found.append(label)
        if exact is not None:
            return trace.union(*found)
        chosen = (
            compilation.record.node_scope.source
            if compilation.record.node_scope is not None
            else None
        )
        for definition, host in compilation.program.nodes.hosts:
            assert definition.unit is not None
            if isinstance(host, ast.Regex):
                found.append(self.replay.label(definition.unit, host))
                if definition is chosen:
                    return trace.union(*found)
        for definition, host in compilation.program.nodes.hosts:
            if isinstance(host, ast.Default) and definition.unit is not None:
                found.append(self.replay.label(definition.unit, host))
        return trace.union(*found)


def declaration(resource: Resource) -> Here:
    """Where a resource was declared."""
    found = declared(resource)
    assert found.unit is not None
    assert found.frame is not None
    return Here(found.unit, found.frame, found.guard, found.when)


def _is_class(scope: Scope) -> bool:
    resource = scope.resource
    if resource is None or resource.is_main or resource.title == "Settings":
        return False
    return resource.type == "Class"


def _is_named(host: Any, name: str) -> bool:
    if isinstance(host, ast.Default):
        return name == "default"
    return str(getattr(host, "value", "")).lower() == name.lower()


def _values(option: Any) -> list[Any]:
    return option.values if isinstance(option, ast.When) else [option.match]


__all__ = ["Later", "Running", "declaration"]
