"""What did not happen, and because of what: the absence labels A of D+.

For everything that a branch not taken could have done there is a `Timeline` of the
decisions that kept it from happening.  What was read at some time depends on those
decided before.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from headwater.langs.puppet.catalog.resource import Resource
from headwater.langs.puppet.program.units import Unit
from headwater.langs.puppet.record.declarations import declared
from headwater.langs.puppet.record.frames import Frame, Guard, Scope
from headwater.langs.puppet.why.classes import computed_name
from headwater.langs.puppet.why.consequences import ANY, Consequences, Summaries
from headwater.langs.puppet.why.constructs import branches_of
from headwater.langs.puppet.why.jumps import around, left_by, skipped
from headwater.langs.puppet.why.questions import FOREVER, Replay
from headwater.langs.puppet.why.timelines import Timeline
from headwater.text.named import NamedTuple
from headwater.why import NOTHING, Node

EVERY = "every"
"""The table of all names of another."""


class Untaken(NamedTuple):
    """A branch that was not taken: by which decision, and how many options were looked at."""

    guard: Guard
    options: int
    body: list[Any]


def _deciding(replay: Replay, branch: Untaken) -> Node:
    return replay.deciding(branch.guard, branch.options)


class Absences:
    """The timelines of one compilation, made when the first question comes."""

    def __init__(self, replay: Replay, summaries: Summaries | None = None) -> None:
        self.replay = replay
        self.summaries = Summaries(replay.left.program) if summaries is None else summaries
        self._tables: dict[tuple[Any, ...], Timeline[Untaken]] = {}
        self._known: dict[int, Consequences] = {}
        self._kept: list[Any] = []
        self._defaults: set[tuple[str, str]] | None = None
        self._jumps = False
        """Whether anything may leave a body."""
        for guard in sorted(self._noted(), key=lambda guard: guard.when):
            branches = list(branches_of(guard))
            for branch in branches:
                if not branch.taken:
                    self._note(Untaken(guard, branch.options, branch.body), guard.frame)
            for branch in branches:
                if branch.taken:
                    self._note_jumps(guard, branch.body)

    def _noted(self) -> Iterator[Guard]:
        """All that was decided, not only by conditions."""
        record = self.replay.left.record
        yield from record.decisions
        yield from self._other_nodes()
        yield from self._computed_names()
        yield from record.guesses.unsettled

    def _other_nodes(self) -> Iterator[Guard]:
        """The node definitions that do not match, as decisions."""
        record = self.replay.left.record
        scope = record.node_scope
        if scope is None:
            return
        for definition, _ in self.replay.left.program.nodes.hosts:
            if definition.node is not scope.source.node and definition.unit is not None:
                yield Guard(
                    definition.unit, definition.node, scope, None, None, scope.when - 1
                )  # fmt: skip

    def _computed_names(self) -> Iterator[Guard]:
        """Declarations of classes whose names are computed: they might name any other class."""
        for acts in self.replay.left.record.declarations.values():
            for act in acts:
                if computed_name(act.node):
                    yield Guard(act.unit, act.node, act.frame, None, act.guard, act.when)

    def _note(self, branch: Untaken, frame: Frame) -> None:
        """Notes what a branch might have done in a frame."""
        guard = branch.guard
        found = self._consequences(branch.body, guard.unit)
        for name in found.assigned:
            self._add(("variable", id(frame), name), branch)
        if found.assigned:
            self._add(("variables", id(frame)), branch)
        for table, names in (
            ("class", found.classes), ("type", found.types), ("default", found.defaults),
            ("override", found.overrides), ("collected", found.collected),
        ):  # fmt: skip
            for name in names:
                self._add((table, name), branch)
            if names:
                self._add((EVERY, table), branch)
        if found.relations:
            self._add(("relation",), branch)
        if found.tags:
            self._add(("tag",), branch)
        for type_, name in found.params:
            self._add(("written", type_, name), branch)
        for parameter, type_, _ in found.related:
            self._add(("relating", parameter, type_), branch)
        if found.requires:
            self._add(("requires", guard.frame.scope.resource), branch)
        if found.grows:
            self._add(("growth",), branch)
        for left in left_by(guard, found.jumps):
            self._jumps = True
            self._add(("jump", left), branch)

    def _note_jumps(self, guard: Guard, body: list[Any]) -> None:
        """A branch taken that may have jumped keeps what follows it from running."""
        for frame, rest in skipped(guard, self._consequences(body, guard.unit).jumps):
            self._note(Untaken(guard, FOREVER, rest), frame)

    def _consequences(self, body: list[Any], unit: Unit) -> Consequences:
        known = self._known.get(id(body))
        if known is None:
            self._kept.append(body)
            known = self._known[id(body)] = self.summaries.consequences(body, unit)
        return known

    def _add(self, key: tuple[Any, ...], branch: Untaken) -> None:
        line = self._tables.get(key)
        if line is None:
            line = self._tables[key] = Timeline(_deciding)
        line.add(branch.guard.when, branch)

    def _until(self, keys: Iterable[tuple[Any, ...]], when: int) -> Node:
        lines = [self._tables[key] for key in keys if key in self._tables]
        return self.replay.trace.union(*(line.until(self.replay, when) for line in lines))

    def _named(self, table: str, name: str, when: int) -> Node:
        """What is kept of a name, and of names that are not known."""
        own, others = self._tables.get((table, name)), self._tables.get((table, ANY))
        found = NOTHING if own is None else own.until(self.replay, when)
        if others is None:
            return found
        return self.replay.trace.union(found, others.until(self.replay, when))

    # -- questions -------------------------------------------------------------------------------

    def variable(self, frame: Frame, name: str, when: int) -> Node:
        """A(α, x): why a variable was not assigned in a frame."""
        line = self._tables.get(("variable", id(frame), name))
        return NOTHING if line is None else line.until(self.replay, when)

    def variables(self, frame: Frame, when: int) -> Node:
        """Why no other variables were assigned in a frame."""
        return self._until([("variables", id(frame))], when)

    def declared(self, name: str, when: int) -> Node:
        """A_κ(a): why a class was not declared before."""
        return self._named("class", name, when)

    def of(self, table: str, name: str, when: int = FOREVER) -> Node:
        """A_t: why nothing was added, defaulted, overridden or collected of a type."""
        return self._named(table, name, when)

    def writing(self, type_: str, name: str) -> Node:
        """Why a parameter of a type was not written by an override or a collector.

        A collector that sets anything brings the resource defaults with it that are in force.
        """
        keys: list[tuple[Any, ...]] = [("written", t, n) for t in (type_, ANY) for n in (name, ANY)]
        if (type_, name) in self._defaulted() or ("default", type_) in self._tables:
            keys += [("collected", type_), ("collected", ANY)]
        return self._until(keys, FOREVER)

    def _defaulted(self) -> set[tuple[str, str]]:
        """The types and parameters that any scope has a resource default for."""
        if self._defaults is None:
            left = self.replay.left
            scopes: set[Scope] = set(left.record.scopes.values())
            scopes |= {guard.frame.scope for guard in left.record.decisions}
            found = (declared(resource).scope for resource in left.catalog.resources)
            scopes |= {scope for scope in found if scope is not None}
            self._defaults = {
                (type_.lower(), name)
                for scope in scopes
                for type_, params in scope.defaults.items()
                for name in params
            }
        return self._defaults

    def relating(self, parameter: str, resource: Resource) -> Node:
        """Why no arrow points from a resource, or why a class does not require another."""
        if parameter == "require":
            main = self.replay.left.record.top.resource
            return self._until([("requires", one) for one in {resource, main}], FOREVER)
        types = (resource.type.lower(), ANY)
        return self._until([("relating", parameter, type_) for type_ in types], FOREVER)

    def jumped(self, frame: Frame, when: int) -> Node:
        """Why no jump left what a frame belongs to."""
        if not self._jumps:
            return NOTHING
        return self._until([("jump", one) for one in around(frame)], when)

    def stays(self, frame: Frame) -> bool:
        """Whether nothing could leave what a frame belongs to, at any time."""
        return not self._jumps or not any(("jump", x) in self._tables for x in around(frame))

    def any(self, table: str, when: int = FOREVER) -> Node:
        """Why no relation, no tag, nothing at all came to be."""
        line = self._tables.get((table,))
        return NOTHING if line is None else line.until(self.replay, when)

    def every(self, table: str, when: int = FOREVER) -> Node:
        """The absences of all names of a table."""
        return self._until(((EVERY, table), (table,)), when)
