"""What hangs on a guess: the replay of provenance with one question, is anything unknown in it?

An unknown value decides conditions, titles, names of classes.  The compilation goes on with a
guess, and everything that another outcome could change must not be told as if it were known.
D+ answers exactly that: an output that has no unknown input among its causes is the same
whatever the unknown values are.  So D+ is followed as for any question (`Replay`), over a
trace that keeps of each value only the first unknown input it depends on (`Hanging`).

Where D+ speaks of all resources of a type it is narrowed here, since one guess would taint a
whole catalog: parameters that untaken branches write are told apart by name, arrows by what
they point from, and of several reasons why a class is there a known one is enough.  And of
functions that nobody here can read more is taken for granted: they give a value, declare
resources and refuse, but do not touch what others wrote.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator
from typing import Any

from headwater.langs.puppet.catalog.resource import Param, Resource
from headwater.langs.puppet.catalog.secrets import Secrets
from headwater.langs.puppet.engine.compilation import Compilation
from headwater.langs.puppet.engine.doing import name_called
from headwater.langs.puppet.engine.relations import leftmost
from headwater.langs.puppet.program.definitions import is_constant
from headwater.langs.puppet.record.acts import Act, Arrow, Collector, Realize
from headwater.langs.puppet.record.declarations import declared
from headwater.langs.puppet.record.frames import Guard, Scope
from headwater.langs.puppet.syntax import ast
from headwater.langs.puppet.why.attributes import chain_node
from headwater.langs.puppet.why.calls import arguments
from headwater.langs.puppet.why.collectors import asked, attributes, matching, population, tested
from headwater.langs.puppet.why.constructs import decides
from headwater.langs.puppet.why.hanging import Hanging, UnknownLabels
from headwater.langs.puppet.why.here import Here
from headwater.langs.puppet.why.labels import Labels
from headwater.langs.puppet.why.meddling import meddling
from headwater.langs.puppet.why.outputs import output_node
from headwater.langs.puppet.why.queries import declaration_node
from headwater.langs.puppet.why.questions import Path
from headwater.langs.puppet.why.questions import Replay as AnyReplay
from headwater.langs.puppet.why.replay import Replay
from headwater.langs.puppet.why.tags import placing, tags_before
from headwater.langs.puppet.why.unsettled import QUERIED, Unsettled
from headwater.why import NOTHING, Node, Trace


@decides(Resource)
def _latent(replay: AnyReplay, here: Here, guard: Guard, options: int) -> Node:
    """Whether it is known that nothing makes a virtual resource real."""
    assert isinstance(replay, Guesses)
    return replay.latent(guard.node)


class Guesses(Replay):
    """A compilation with unknown values, asked what hangs on them."""

    telling = False

    def __init__(self, compilation: Compilation) -> None:
        self._from: dict[tuple[str, str], Node] | None = None
        self._tags: dict[Resource, Node] = {}
        self._names: dict[str, tuple[str, ...]] = {}
        self._staged: Node | None = None
        self._targets: dict[tuple[str, str], Node] = {}
        self._testing: dict[tuple[str, tuple[str, ...]], Node] = {}
        record, catalog = compilation.record, compilation.catalog
        self._writing: dict[str, list[Collector]] = {}
        for one in record.collectors:
            if isinstance(one, Collector) and one.overrides:
                self._writing.setdefault(one.type, []).append(one)
        self._acts: dict[Any, list[Act]] = {}
        for act in record.acts:
            self._acts.setdefault((act.kind, act.subject), []).append(act)
        self._ordered = sorted(catalog.resources, key=_declared_when)
        self._declared_until = [NOTHING]
        self._scopes = sorted(
            (s for s in record.scopes.values() if s.when > 0 and s.source.kind == "class"),
            key=_scope_when,
        )
        self._linked_until = [NOTHING]
        super().__init__(compilation, Secrets())

    def new_trace(self) -> Trace:
        """One that knows only of unknown inputs."""
        self.hanging = Hanging()
        return self.hanging

    def new_labels(self, secrets: Secrets) -> Labels:
        """Labels of unknown inputs."""
        return UnknownLabels(self.trace, secrets)

    def new_absences(self) -> Unsettled:
        """The finer ones."""
        self.unsettled = Unsettled(self)
        return self.unsettled

    def of(self, here: Here, node: object, path: Path = ()) -> Node:
        """What an expression hangs on; nothing, if it is a plain value."""
        return NOTHING if is_constant(node) else super().of(here, node, path)

    def size(self, node: Node) -> tuple[Any, ...]:
        """A reason that is known is smaller than one that is not."""
        return (node != NOTHING,)

    def param(self, resource: Resource, name: str, param: Param, path: Path) -> Node:
        """A parameter as an output; most are known by how they are written."""
        known = self.exists(resource) or meddling(self, resource, name, param)
        if known or (
            param.how == "given"
            and param.old is None
            and param.guard is declared(resource).guard
            and isinstance(param.node, ast.Attribute)
            and is_constant(param.node.value)
            and resource.type != "Class"
        ):
            return known
        return output_node(self, resource, name, param, path)

    def query(self, here: Here, node: object) -> Node:
        """The catalog as a call sees it: defined() only what it names, if that is written."""
        args = (
            node.args if isinstance(node, ast.Call) and name_called(node) == "defined" else [node]
        )
        named = [named_in(arg) for arg in args]
        if None not in named:
            asked_of = (self._named(here, *one) for one in named if one is not None)
            return self.trace.union(self.tpc(here), *asked_of)
        return self.trace.union(
            self.tpc(here),
            *(self.absences.every(table, here.when) for table in sorted(QUERIED)),
            self._until(self._ordered, _declared_when, self._declared_until, self._is_declared,
                        here.when),
            self._until(self._scopes, _scope_when, self._linked_until, self._linked, here.when),
        )  # fmt: skip

    def _named(self, here: Here, type_: str, title: str) -> Node:
        """Whether it is known that a resource was there at a time."""
        resource = self.left.catalog.find(type_, title)
        there = resource is not None and declared(resource).when <= here.when
        if type_ != "Class":
            found = declaration_node(self, resource) if resource is not None and there else NOTHING
            return self.trace.union(found, self.absences.of("type", type_.lower(), here.when))
        name = title.removeprefix("::").lower()
        if not there:
            return self.absences.declared(name, here.when)
        return self.link(name) if name in self.left.record.scopes else NOTHING

    def _is_declared(self, resource: Resource) -> Node:
        return declaration_node(self, resource)

    def _linked(self, scope: Scope) -> Node:
        return self.link(scope.source.name)

    def _until(
        self, every: list[Any], time: Callable[[Any], int], found: list[Node],
        of: Callable[[Any], Node], when: int,
    ) -> Node:  # fmt: skip
        """What any of some things hangs on that were there at a time; each is asked once."""
        count = bisect_right(every, when, key=time)
        while len(found) <= count and not found[-1]:
            at = len(found) - 1
            node = of(every[at])
            if len(found) == at + 1:
                found.append(node)
            elif node:  # asked again meanwhile, before it was known
                found[at + 1 :] = [node]
        return found[min(count, len(found) - 1)]

    def meddle(self, resource: Resource, name: str) -> Node:
        """Who else could have written a parameter, as far as that is unknown."""
        absences = self.unsettled
        found = [
            absences.writing(resource.type.lower(), name),
            self._overriding(resource.type, name),
        ]
        for collector in self._writing.get(resource.type, ()):
            if name in collector.given() and self._asking(collector):
                found.append(matching(self, collector, resource))
        if name in ("before", "notify"):
            found.append(self.arrows(resource, name))
        if name == "require":
            found.append(absences.requiring(resource))
        return self.trace.union(*found)

    def _asking(self, collector: Collector) -> Node:
        """Whether anything is unknown that a query asks of the resources there are."""
        names = tuple(sorted(set(attributes(self, collector))))
        known = self._testing.get((collector.type, names))
        if known is None:
            every = self.left.catalog.by_type.get(collector.type, ())
            found = [tested(self, resource, name) for resource in every for name in names]
            known = self._testing[collector.type, names] = self.trace.union(*found)
        return asked(self, collector) or known

    def _overriding(self, kind: str, name: str) -> Node:
        """What the overrides are for that set a parameter; why they ran shows where they did."""
        key = (kind, name)
        known = self._targets.get(key)
        if known is None:
            every = self.left.record.overrides.get(kind, ())
            found = [self.everything(Here.of(o), o.node.target) for o in every if name in o.params]
            known = self._targets[key] = self.trace.union(*found)
        return known

    def arrows(self, resource: Resource, parameter: str) -> Node:
        """Whether it is known which arrows point from a resource."""
        if self._from is None:
            self._from = {}
            for relation in self.left.record.arrows:
                for end, why in self._pointing(relation):
                    self._from.setdefault((relation.parameter, end), why)
        absences = self.unsettled
        return self.trace.union(
            self._from.get((parameter, resource.ref), NOTHING),
            absences.relating(parameter, resource),
        )

    def _pointing(self, relation: Arrow) -> Iterator[tuple[str, Node]]:
        """The resources that an arrow may point from, if something about it is unknown.

        What its ends are computed from is noted with what is computed.
        """
        source = relation.source
        epc = self.epc(Here.of(relation))
        why = self.trace.union(epc, self._end(relation.target))
        if isinstance(source, Collector):
            if self._asking(source):
                for resource in self.left.catalog.by_type.get(source.type, ()):
                    found = matching(self, source, resource)
                    if found:
                        yield resource.ref, found
            gaps = population(self, source)
            if gaps and source.alternative is not None:
                # What stands before it points on, if it takes nothing.
                for one in source.alternative:
                    yield from ((str(ref), gaps) for ref in leftmost(one))
        if why:
            yield from ((str(ref), why) for ref in leftmost(source))

    def _end(self, end: object) -> Node:
        """Whether it is known what an arrow points to."""
        if isinstance(end, Collector):
            return population(self, end)
        if isinstance(end, Realize):
            return arguments(self, Here.of(end.act), end.act.node)
        if self.left.catalog.find_reference(str(end)) is None:
            return self.hanging.unknown(f"whether {end} is there")
        return NOTHING

    def names(self, resource: Resource) -> tuple[str, ...]:
        """The parameters that something may have given resources of a type."""
        known = self._names.get(resource.type)
        if known is None:
            found = ["before", "notify", "require"]
            found += self.unsettled.names(resource.type.lower())
            for collector in self._writing.get(resource.type, ()):
                found += collector.given()
            for override in self.left.record.overrides.get(resource.type, ()):
                found += override.params
            known = self._names[resource.type] = tuple(dict.fromkeys(found))
        return known

    def latent(self, resource: Resource) -> Node:
        """Whether it is known that nothing makes a virtual resource real."""
        found = [self.absences.of("collected", resource.type.lower())]
        for one in self.left.record.collectors:
            if isinstance(one, Realize):
                found.append(arguments(self, Here.of(one.act), one.act.node))
            elif one.type == resource.type:
                found.append(matching(self, one, resource))
        return self.trace.union(*found)

    def tags(self, resource: Resource) -> Node:
        """Whether it is known which tags a resource has: its own and those of what it is in."""
        known = self._tags.get(resource)
        if known is not None:
            return known
        self._tags[resource] = NOTHING
        absences = self.unsettled
        around = resource.declared.around
        found = [
            absences.tagging(resource), absences.containing(resource),
            placing(self, resource),
        ]  # fmt: skip
        param = resource.params.get("tag")
        if param is not None:
            found.append(self.param(resource, "tag", param, ()))
        found.append(meddling(self, resource, "tag", param))
        found.append(tags_before(self, resource))
        found.append(self._acted("tag", resource))
        for holder in dict.fromkeys([*resource.containers, around]):
            if holder is not None and holder is not resource:
                found += [self.tags(holder), self.edge(holder, resource)]
        known = self._tags[resource] = self.trace.union(*found)
        return known

    def edge(self, container: Resource, resource: Resource) -> Node:
        """Whether it is known that one contains the other."""
        causes = [
            self.exists(container), self.exists(resource), placing(self, resource),
            self._acted("contain", (container, resource)),
        ]  # fmt: skip
        if container.type == "Stage":
            if self._staged is None:
                staged = [r for r in self.left.catalog.resources if "stage" in r.params]
                nodes = [chain_node(self, r, r.params["stage"]) for r in staged]
                self._staged = self.trace.union(*nodes)
            causes.append(self._staged)
        return self.trace.union(*causes)

    def _acted(self, kind: str, subject: object) -> Node:
        """Whether it is known that tag() or contain() did something."""
        found: list[Node] = []
        for act in self._acts.get((kind, subject), ()):
            here = Here.of(act)
            found += [self.epc(here), arguments(self, here, act.node)]
        return self.trace.union(*found)


def named_in(node: object) -> tuple[str, str] | None:
    """The type and title of a reference whose parts are written out."""
    match node:
        case ast.Access(left=ast.TypeName(value=type_), keys=[ast.String(value=title)]):
            pass
        case ast.Access(left=ast.TypeName(value=type_), keys=[ast.Name(value=title)]):
            pass
        case _:
            return None
    return "::".join(part.capitalize() for part in type_.removeprefix("::").split("::")), title


def _declared_when(resource: Resource) -> int:
    return declared(resource).when


def _scope_when(scope: Scope) -> int:
    return scope.when
