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
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from headwater.langs.puppet.catalog.resource import Param, Resource
from headwater.langs.puppet.engine.absences import FOREVER, Absences, Untaken
from headwater.langs.puppet.engine.collectors import Collector, Realize
from headwater.langs.puppet.engine.definitions import is_constant
from headwater.langs.puppet.engine.effects import ANY, Effects, Summaries
from headwater.langs.puppet.engine.frames import Act, Frame, Guard, Scope
from headwater.langs.puppet.engine.here import Here
from headwater.langs.puppet.engine.params import chain_node
from headwater.langs.puppet.engine.relations import leftmost
from headwater.langs.puppet.engine.replay import Replay
from headwater.langs.puppet.engine.running import Running
from headwater.langs.puppet.engine.states import States
from headwater.langs.puppet.engine.tags import placing
from headwater.langs.puppet.syntax import ast
from headwater.langs.puppet.values import Opaque, capitalised
from headwater.why import NOTHING, Kind, Label, Loser, Node, Trace

if TYPE_CHECKING:
    from headwater.langs.puppet.engine.compiler import Compiler
    from headwater.langs.puppet.engine.definitions import Unit
    from headwater.langs.puppet.engine.overrides import Override
    from headwater.langs.puppet.engine.relations import Relation
    from headwater.langs.puppet.engine.replay import Path


class Hanging(Trace):
    """A trace that knows of a value only an unknown input that it depends on, or that none is."""

    __slots__ = ("_numbers", "whys")

    def __init__(self) -> None:
        super().__init__()
        self.whys = [""]
        self._numbers: dict[str, Node] = {}

    def unknown(self, why: str) -> Node:
        """The node of what depends on an unknown value."""
        found = self._numbers.get(why)
        if found is None:
            found = self._numbers[why] = Node(len(self.whys))
            self.whys.append(why)
        return found

    def label(self, label: Label) -> Node:
        """An input: only those that are unknown count."""
        return self.unknown(label.text) if label.kind == "unknown" else NOTHING

    def miss(self, label: Label) -> Node:
        """What is not there is known not to be."""
        return NOTHING

    def union(self, *nodes: Node) -> Node:
        """The first that is unknown."""
        for node in nodes:
            if node:
                return node
        return NOTHING

    def operation(self, name: str, args: Sequence[Node], causes: Node = NOTHING) -> Node:
        """Unknown if an argument is."""
        return self.union(*args, causes)

    def copy(self, of: Node, via: Node) -> Node:
        """As what is copied, and as why from there."""
        return of or via

    def guard(self, of: Node, causes: Node) -> Node:
        """As the value, and as its causes."""
        return of or causes

    def choice(
        self,
        winner: Node,
        *,
        losers: Iterable[Loser] = (),
        equals: Iterable[Node] = (),
        deciding: Node = NOTHING,
    ) -> Node:
        """As the winner, and as what made it win."""
        return self.union(winner, deciding, *equals)


class Guesses(Replay):
    """A compilation with unknown values, asked what hangs on them."""

    telling = False
    trace: Hanging
    states: GuessedStates
    running: GuessedRunning
    absences: GuessedAbsences

    def __init__(self, compiler: Compiler) -> None:
        super().__init__(compiler, Hanging())
        self.running.find_witnesses()

    def parts(self) -> tuple[GuessedStates, GuessedRunning, GuessedAbsences]:
        """The narrowed ones."""
        return GuessedStates(self), GuessedRunning(self), GuessedAbsences(self)

    def of(self, here: Here, node: Any, path: Path = ()) -> Node:
        """What an expression hangs on; nothing, if it is a plain value."""
        return NOTHING if is_constant(node) else super().of(here, node, path)

    def label(self, unit: Unit, node: Any, kind: Kind = "literal") -> Node:
        """What is written is known."""
        return NOTHING

    def structure(self, unit: Unit, node: Any) -> Node:
        """What is written is known."""
        return NOTHING

    def size(self, node: Node) -> tuple[Any, ...]:
        """A reason that is known is smaller than one that is not."""
        return (node != NOTHING,)


class GuessedRunning(Running):
    """Why and when code ran, as far as that is unknown."""

    replay: Guesses

    def _decide(self, guard: Guard, options: int) -> Node:
        if isinstance(guard.node, Resource):
            return self.replay.states.latent(guard.node)
        if isinstance(guard.taken, Opaque):
            return self.replay.trace.unknown(guard.taken.why)
        return super()._decide(guard, options)

    def _time(self, frame: Frame) -> Node:
        found = super()._time(frame)
        if isinstance(frame, Scope) and frame.resource is not None:
            return self.trace.union(found, self.replay.states.realized(frame.resource))
        return found


_QUERIED = frozenset(["type", "class", "tag"])


class _Summaries(Summaries):
    """What definitions do, if functions in Ruby do no more than declare resources."""

    def unreadable(self, found: Effects) -> None:
        """It may declare resources."""
        found.types.add(ANY)

    def any_class(self, found: Effects) -> None:
        """And so may do anything."""
        found.everything()


class GuessedAbsences(Absences):
    """What did not happen, with parameters by name and arrows by their ends."""

    def __init__(self, replay: Replay) -> None:
        self._written: dict[tuple[str, str], Node] = {}
        super().__init__(replay, _Summaries(replay.compiler))
        self._ends: dict[tuple[str, Resource], list[tuple[Any, ...]]] | None = None

    def _noted(self) -> Iterator[Guard]:
        """Decisions, what is computed, and virtual resources that nothing made real."""
        yield from super()._noted()
        yield from self.replay.compiler.computed
        for one in self.replay.compiler.catalog.resources:
            if one.virtual and one.unit is not None and one.frame is not None:
                yield Guard(one.unit, one, one.frame, None, one.guard, one.when)

    def jumped(self, frame: Frame, when: int) -> Node:
        """Why no jump left the body that a frame belongs to."""
        line = self._tables.get(("jump", id(frame.scope)))
        return NOTHING if line is None else line.until(self.replay, when)

    def every(self, table: str, when: int = FOREVER) -> Node:
        """The absences of all names of a table, which are noted together."""
        return self._until([("every", table)], when)

    def _add(self, key: tuple[Any, ...], branch: Untaken) -> None:
        super()._add(key, branch)
        if key[0] in _QUERIED:
            super()._add(("every", key[0]), branch)

    def _note(self, branch: Untaken) -> None:
        super()._note(branch)
        found = self._effects_of(branch.body, branch.guard.unit)
        for type_, name in found.written:
            self._add(("written", type_, name), branch)
        for end in found.related:
            self._add(("related", *end), branch)
        for name in found.contained:
            self._add(("contained", name), branch)
        owner = branch.guard.frame.scope.resource
        if found.tagged:
            self._add(("tagged", owner), branch)
        if found.requires:
            self._add(("requires", owner), branch)

    def writing(self, type_: str, name: str) -> Node:
        """Why a parameter of a type was not written."""
        known = self._written.get((type_, name))
        if known is None:
            keys = [("written", t, n) for t in (type_, ANY) for n in (name, ANY)]
            known = self._written[type_, name] = self._until(keys, FOREVER)
        return known

    def relating(self, parameter: str, resource: Resource) -> Node:
        """Why no arrow points from a resource."""
        if self._ends is None:
            self._ends = self._find_ends()
        found = [self._until(self._ends.get((parameter, resource), ()), FOREVER)]
        for type_ in (resource.type.lower(), ANY):
            line = self._tables.get(("related", parameter, type_, ANY))
            if line is not None:
                found.append(line.until(self.replay, FOREVER))
        return self.replay.trace.union(*found)

    def _find_ends(self) -> dict[tuple[str, Resource], list[tuple[Any, ...]]]:
        """The resources that arrows of untaken branches name: by title, alias or name."""
        found: dict[tuple[str, Resource], list[tuple[Any, ...]]] = {}
        for key in self._tables:
            if key[0] == "related" and key[3] != ANY:
                _, parameter, type_, title = key
                resource = self.replay.compiler.find_resource(capitalised(type_), title)
                if resource is not None:
                    found.setdefault((parameter, resource), []).append(key)
        return found

    def requiring(self, resource: Resource) -> Node:
        """Why a class or define does not require another class."""
        return self._until([("requires", resource)], FOREVER)

    def tagging(self, resource: Resource) -> Node:
        """Why a resource is not tagged by what runs in it."""
        return self._until([("tagged", resource)], FOREVER)

    def containing(self, resource: Resource) -> Node:
        """Why a class is not contained in more."""
        if resource.type != "Class" or resource.definition is None:
            return NOTHING
        return self._until([("contained", n) for n in (resource.definition.name, ANY)], FOREVER)

    def names(self, type_: str) -> Iterator[str]:
        """The parameters of a type that might have been written, by an unknown outcome."""
        for key in list(self._tables):
            if key[0] == "written" and key[1] in (type_, ANY) and self._until([key], FOREVER):
                yield key[2]

    def more(self) -> Iterator[tuple[str, Node]]:
        """The types of which there might be more resources."""
        for key in list(self._tables):
            if key[0] in ("type", "class"):
                found = self._until([key], FOREVER)
                if found:
                    yield ("class" if key[0] == "class" else key[1]), found


class GuessedStates(States):
    """What there is in the catalog, as far as it is unknown."""

    replay: Guesses
    trace: Hanging

    def __init__(self, replay: Replay) -> None:
        super().__init__(replay)
        self._from: dict[tuple[str, str], Node] | None = None
        self._tags: dict[Resource, Node] = {}
        self._names: dict[str, tuple[str, ...]] = {}
        self._staged: Node | None = None
        self._testing: dict[tuple[str, tuple[str, ...]], Node] = {}
        compiler = replay.compiler
        self._writing: dict[str, list[Collector]] = {}
        for one in compiler.collecting:
            if isinstance(one, Collector) and one.overrides:
                self._writing.setdefault(one.type, []).append(one)
        self._acts: dict[Any, list[Act]] = {}
        for act in compiler.acts:
            self._acts.setdefault((act.kind, act.subject), []).append(act)
        self._ordered = sorted(compiler.catalog.resources, key=_when)
        self._declared_until = [NOTHING]
        self._scopes = sorted(
            (s for s in compiler.class_scopes.values() if s.when > 0 and s.source.kind == "class"),
            key=_when,
        )
        self._linked_until = [NOTHING]

    def param(self, resource: Resource, name: str, param: Param, path: Path) -> Node:
        """A parameter as an output; most are known by how they are written."""
        known = self.exists(resource) or self.meddling(resource, name, param)
        if known or (
            param.how == "given"
            and param.old is None
            and param.guard is resource.guard
            and isinstance(param.node, ast.Attribute)
            and is_constant(param.node.value)
            and resource.type != "Class"
        ):
            return known
        return super().param(resource, name, param, path)

    def query(self, here: Here) -> Node:
        """The catalog as defined() and tagged() see it."""
        replay = self.replay
        return self.trace.union(
            replay.running.tpc(here),
            *(replay.absences.every(table, here.when) for table in _QUERIED),
            self._until(self._ordered, self._declared_until, self._declared, here.when),
            self._until(self._scopes, self._linked_until, self._linked, here.when),
        )

    def _linked(self, scope: Scope) -> Node:
        return self.replay.running.link(scope.source.name)

    def _until(
        self, every: list[Any], found: list[Node], of: Callable[[Any], Node], when: int
    ) -> Node:
        """What any of some things hangs on that were there at a time; each is asked once."""
        count = bisect_right(every, when, key=_when)
        while len(found) <= count and not found[-1]:
            at = len(found) - 1
            node = of(every[at])
            if len(found) == at + 1:
                found.append(node)
            elif node:  # asked again meanwhile, before it was known
                found[at + 1 :] = [node]
        return found[min(count, len(found) - 1)]

    def _meddle(self, resource: Resource, name: str) -> Node:
        absences = self.replay.absences
        found = [
            absences.writing(resource.type.lower(), name),
            self._overriding(resource.type, name),
        ]
        for collector in self._writing.get(resource.type, ()):
            if collector.overrides and name in collector.overrides and self._asking(collector):
                found.append(self.matching(collector, resource))
        if name in ("before", "notify"):
            found.append(self.arrows(resource, name))
        if name == "require":
            found.append(absences.requiring(resource))
        return self.trace.union(*found)

    def _asking(self, collector: Collector) -> Node:
        """Whether anything is unknown that a query asks of the resources there are."""
        asked, attributes = self._asked(collector)
        names = tuple(sorted(set(attributes)))
        known = self._testing.get((collector.type, names))
        if known is None:
            every = self.compiler.by_type.get(collector.type, ())
            found = [self._tested(resource, name) for resource in every for name in names]
            known = self._testing[collector.type, names] = self.trace.union(*found)
        return asked or known

    def _targeted(self, override: Override) -> Node:
        """What an override is for; why it is there is known of what it was applied to."""
        target = override.node.target if isinstance(override.node, ast.Override) else override.node
        return self.replay.everything(Here.of(override), target)

    def arrows(self, resource: Resource, parameter: str) -> Node:
        """Whether it is known which arrows point from a resource."""
        if self._from is None:
            self._from = {}
            for relation in self.compiler.relations:
                for end, why in self._pointing(relation):
                    self._from.setdefault((relation.parameter, end), why)
        absences = self.replay.absences
        return self.trace.union(
            self._from.get((parameter, resource.ref), NOTHING),
            absences.relating(parameter, resource),
        )

    def _pointing(self, relation: Relation) -> Iterator[tuple[str, Node]]:
        """The resources that an arrow may point from, if something about it is unknown.

        What its ends are computed from is noted with what is computed.
        """
        source = relation.source
        epc = self.replay.running.epc(Here.of(relation))
        why = self.trace.union(epc, self._end(relation.target))
        if isinstance(source, Collector):
            if self._asking(source):
                for resource in self.compiler.by_type.get(source.type, ()):
                    found = self.matching(source, resource)
                    if found:
                        yield resource.ref, found
            gaps = self._collecting(source)
            if gaps and source.alternative is not None:
                # What stands before it points on, if it takes nothing.
                for one in source.alternative:
                    yield from ((str(ref), gaps) for ref in leftmost(one))
        if why:
            yield from ((str(ref), why) for ref in leftmost(source))

    def _end(self, end: Any) -> Node:
        """Whether it is known what an arrow points to."""
        if isinstance(end, Collector):
            return self._collecting(end)
        if isinstance(end, Realize):
            return self.replay.arguments(Here.of(end.act), end.act.node)
        if self.compiler.find_reference(str(end)) is None:
            return self.trace.unknown(f"whether {end} is there")
        return NOTHING

    def names(self, resource: Resource) -> tuple[str, ...]:
        """The parameters that something may have given resources of a type."""
        known = self._names.get(resource.type)
        if known is None:
            found = ["before", "notify", "require"]
            found += self.replay.absences.names(resource.type.lower())
            for collector in self._writing.get(resource.type, ()):
                found += collector.overrides or ()
            for override in self.compiler.overrides.all.get(resource.type, ()):
                found += override.params
            known = self._names[resource.type] = tuple(dict.fromkeys(found))
        return known

    def latent(self, resource: Resource) -> Node:
        """Whether it is known that nothing makes a virtual resource real."""
        found = [self.replay.absences.of("collected", resource.type.lower())]
        for one in self.compiler.collecting:
            if isinstance(one, Realize):
                found.append(self.replay.arguments(Here.of(one.act), one.act.node))
            elif one.type == resource.type:
                found.append(self.matching(one, resource))
        return self.trace.union(*found)

    def tags(self, resource: Resource) -> Node:
        """Whether it is known which tags a resource has: its own and those of what it is in."""
        known = self._tags.get(resource)
        if known is not None:
            return known
        self._tags[resource] = NOTHING
        absences = self.replay.absences
        around = resource.scope.resource if resource.scope is not None else None
        found = [
            absences.tagging(resource), absences.containing(resource),
            placing(self.replay, resource),
        ]  # fmt: skip
        param = resource.params.get("tag")
        if param is not None:
            found.append(self.param(resource, "tag", param, ()))
        found.append(self.meddling(resource, "tag", param))
        found.append(self._acted("tag", resource))
        for holder in dict.fromkeys([*resource.containers, around]):
            if holder is not None and holder is not resource:
                found += [self.tags(holder), self.edge(holder, resource)]
        known = self._tags[resource] = self.trace.union(*found)
        return known

    def edge(self, container: Resource, resource: Resource) -> Node:
        """Whether it is known that one contains the other."""
        causes = [
            self.exists(container), self.exists(resource), placing(self.replay, resource),
            self._acted("contain", (container, resource)),
        ]  # fmt: skip
        if container.type == "Stage":
            if self._staged is None:
                staged = [r for r in self.compiler.catalog.resources if "stage" in r.params]
                nodes = [chain_node(self.replay, r, r.params["stage"]) for r in staged]
                self._staged = self.trace.union(*nodes)
            causes.append(self._staged)
        return self.trace.union(*causes)

    def _acted(self, kind: str, subject: Any) -> Node:
        """Whether it is known that tag() or contain() did something."""
        found: list[Node] = []
        for act in self._acts.get((kind, subject), ()):
            here = Here.of(act)
            found += [self.replay.running.epc(here), self.replay.arguments(here, act.node)]
        return self.trace.union(*found)


def _when(thing: Any) -> int:
    when: int = thing.when
    return when


__all__ = ["Guesses"]
