"""What did not happen, and because of what: the absence labels A of D+.

For everything that a branch not taken could have done there is a `Timeline` of the
decisions that kept it from happening.  What was read at some time depends on those
decided before.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from headwater.langs.puppet.program.units import Unit
from headwater.langs.puppet.record.frames import Frame, Guard
from headwater.langs.puppet.why.classes import computed_name
from headwater.langs.puppet.why.consequences import ANY, Consequences, Summaries
from headwater.langs.puppet.why.constructs import branches_of
from headwater.langs.puppet.why.questions import FOREVER, Replay
from headwater.why import NOTHING, Node


class Untaken(NamedTuple):
    """A branch that was not taken: by which decision, and how many options were looked at."""

    guard: Guard
    options: int
    body: list[Any]


class Timeline:
    """Decisions in order, and the union of their causes up to any time."""

    __slots__ = ("_unions", "causes", "whens")

    def __init__(self) -> None:
        self.whens: list[int] = []
        self.causes: list[Untaken] = []
        self._unions: list[Node] = [NOTHING]
        """The unions that are whole, by how many decisions are in them."""

    def until(self, replay: Replay, when: int) -> Node:
        """The causes of the decisions made up to a time."""
        count = bisect_right(self.whens, when)
        unions = self._unions
        if count < len(unions):
            return unions[count]
        at = len(unions) - 1
        union = unions[at]
        while at < count:
            cause = self.causes[at]
            node, whole = replay.memo.watched(replay.deciding, cause.guard, cause.options)
            union = replay.trace.union(union, node)
            at += 1
            if whole and len(unions) == at:  # else it was reached meanwhile, or is not whole
                unions.append(union)
        return union


class Absences:
    """The timelines of one compilation, made when the first question comes."""

    def __init__(self, replay: Replay, summaries: Summaries | None = None) -> None:
        self.replay = replay
        self.summaries = Summaries(replay.left.program) if summaries is None else summaries
        self._tables: dict[tuple[Any, ...], Timeline] = {}
        self._known: dict[int, Consequences] = {}
        self._kept: list[Any] = []
        for guard in sorted(self._noted(), key=lambda guard: guard.when):
            branches = list(branches_of(guard))
            for branch in branches:
                if not branch.taken:
                    self._note(Untaken(guard, branch.options, branch.body))
            for branch in branches:
                if branch.taken:
                    self._note_jumps(guard, branch.body)

    def _noted(self) -> Iterator[Guard]:
        """All that was decided, not only by conditions."""
        record = self.replay.left.record
        yield from record.decisions
        yield from self._other_nodes()
        yield from self._computed_names()
        yield from record.unsettled

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

    def _note(self, branch: Untaken) -> None:
        guard = branch.guard
        found = self._consequences(branch.body, guard.unit)
        for name in found.assigned:
            self._add(("variable", id(guard.frame), name), branch)
        for table, names in (
            ("class", found.classes), ("type", found.types), ("default", found.defaults),
            ("override", found.overrides), ("collected", found.collected),
        ):  # fmt: skip
            for name in names:
                self._add((table, name), branch)
        if found.relations:
            self._add(("relation",), branch)
        if found.tags:
            self._add(("tag",), branch)
        if found.grows:
            self._add(("growth",), branch)
        if found.jumps:
            self._add(("jump", id(guard.frame.scope)), branch)

    def _note_jumps(self, guard: Guard, body: list[Any]) -> None:
        """A branch taken that may have jumped keeps the rest of the body from running."""
        if self._consequences(body, guard.unit).jumps:
            self._note(Untaken(guard, FOREVER, guard.frame.scope.source.body))

    def _consequences(self, body: list[Any], unit: Unit) -> Consequences:
        known = self._known.get(id(body))
        if known is None:
            self._kept.append(body)
            known = self._known[id(body)] = self.summaries.consequences(body, unit)
        return known

    def _add(self, key: tuple[Any, ...], branch: Untaken) -> None:
        line = self._tables.setdefault(key, Timeline())
        line.whens.append(branch.guard.when)
        line.causes.append(branch)

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

    def declared(self, name: str, when: int) -> Node:
        """A_κ(a): why a class was not declared before."""
        return self._named("class", name, when)

    def of(self, table: str, name: str, when: int = FOREVER) -> Node:
        """A_t: why nothing was added, defaulted, overridden or collected of a type."""
        return self._named(table, name, when)

    def jumped(self, frame: Frame, when: int) -> Node:
        """Why no jump left the body that a frame belongs to."""
        line = self._tables.get(("jump", id(frame.scope)))
        return NOTHING if line is None else line.until(self.replay, when)

    def any(self, table: str, when: int = FOREVER) -> Node:
        """Why no relation, no tag, nothing at all came to be."""
        line = self._tables.get((table,))
        return NOTHING if line is None else line.until(self.replay, when)

    def every(self, table: str, when: int = FOREVER) -> Node:
        """The absences of all names of a table."""
        return self._until([key for key in self._tables if key[0] == table], when)
