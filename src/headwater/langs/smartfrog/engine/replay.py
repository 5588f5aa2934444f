"""Causes on demand: the record of an evaluation turned into a trace.

Cells point back at cells through links and prototypes, in chains as long as the
specification; so the functions here are generators that *yield* the nodes they need, and
`Replay.run` keeps the stack.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from typing import Any

from headwater.langs.smartfrog.engine.cells import (
    Cell,
    Chain,
    Frame,
    Home,
    Inheritance,
    Partial,
    Search,
    Step,
    Store,
)
from headwater.langs.smartfrog.results import SUB_STORE, first_level
from headwater.langs.smartfrog.syntax import (
    BasicValue,
    Data,
    Extends,
    Link,
    Literal,
    Vector,
)
from headwater.report import Note
from headwater.text import Span
from headwater.tree import Value
from headwater.why import NOTHING, Label, Loser, Node, Reason, Trace

Asking = Generator["Asking", Node, Node]


class Replay:
    """Builds nodes for cells; equal questions get the same node."""

    def __init__(self) -> None:
        self.trace = Trace()
        self._memo: dict[tuple[Any, ...], Node] = {}

    def run(self, asking: Asking) -> Node:
        """The node that a question comes to."""
        stack = [asking]
        answer: Node | None = None
        while stack:
            try:
                needed = stack[-1].send(answer) if answer is not None else next(stack[-1])
            except StopIteration as done:
                stack.pop()
                answer = done.value
            else:
                stack.append(needed)
                answer = None
        assert answer is not None
        return answer

    # What a cell's value depends on, and what its being there depends on.

    def why(self, cell: Cell, events: list[Inheritance], upto: int) -> Asking:
        """The node of a cell's value, in a store that has inherited `events[:upto]`."""
        key = ("why", id(cell), upto)
        if key not in self._memo:
            node = yield self._written(cell, events)
            later = yield self.absent(events, cell.since, upto, (cell.id,))
            self._memo[key] = self.trace.guard(node, later)
        return self._memo[key]

    def exists(self, cell: Cell, events: list[Inheritance], upto: int) -> Asking:
        """Why there is such a cell, whatever its value."""
        key = ("exists", id(cell), upto)
        if key not in self._memo:
            parts = []
            if cell.event is not None:
                source, event = cell.source, cell.event
                assert source is not None
                parts.append((yield self.exists(source, event.events, event.upto)))
                parts.append((yield self.via(event)))
            elif cell.search is not None:
                parts.append((yield self._link_via(cell, cell.search)))
                parts.append((yield self.steps_exist(cell.search.steps)))
            else:
                assert cell.statement is not None
                parts.append(self.key(cell))
                if isinstance(cell.statement.value, Vector | Extends):
                    parts.append(self._structure(cell.statement.value))
            parts.append((yield self.absent(events, cell.since, upto, (cell.id,))))
            self._memo[key] = self.trace.union(*parts)
        return self._memo[key]

    def hidden(self, cell: Cell, events: list[Inheritance]) -> Asking:
        """What the cell replaced: renamed, those would be attributes of their own."""
        key = ("hidden", id(cell))
        if key not in self._memo:
            node = NOTHING
            if cell.source is not None:
                assert cell.event is not None
                node = yield self.hidden(cell.source, cell.event.events)
            if cell.prior is not None:
                earlier = yield self.hidden(cell.prior, events)
                there = yield self.exists(cell.prior, events, self._until(cell))
                node = self.trace.union(node, earlier, there)
            self._memo[key] = node
        return self._memo[key]

    def _until(self, cell: Cell) -> int:
        """How many prototypes the store had when the cell replaced another."""
        return cell.since if cell.event is None else cell.since - 1

    def _written(self, cell: Cell, events: list[Inheritance]) -> Asking:
        """The value as it was put there, with what it replaced."""
        key = ("written", id(cell))
        if key in self._memo:
            return self._memo[key]
        trace = self.trace
        if cell.event is not None:
            source, event = cell.source, cell.event
            assert source is not None
            copied = yield self.why(source, event.events, event.upto)
            node = trace.guard(copied, (yield self.via(event)))
            by = self.reference(event.search)
        elif cell.search is not None:
            copied = yield self._found(cell.search.steps)
            node = trace.copy(copied, (yield self._link_via(cell, cell.search)))
            by = self.key(cell)
        else:
            assert cell.statement is not None
            value = cell.statement.value
            assert not isinstance(value, Link)
            given = self._structure(value) if isinstance(value, Extends) else self.given(value)
            by = self.key(cell)
            node = trace.guard(given, by)
        if cell.prior is not None:
            lost = yield self.why(cell.prior, events, self._until(cell))
            loser = Loser(shown(cell.prior.value), lost, how(cell.prior), by)
            node = trace.choice(node, losers=(loser,))
        self._memo[key] = node
        return node

    def _link_via(self, cell: Cell, search: Search) -> Asking:
        searched = yield self.searched(search)
        return self.trace.union(self.key(cell), self.reference(search), searched)

    def _found(self, steps: list[Step]) -> Asking:
        """The value at the end of a path, there because of the way to it."""
        last = steps[-1]
        node = yield self.why(last.cell, last.events, last.upto)
        return self.trace.guard(node, (yield self.steps_exist(steps[:-1])))

    def steps_exist(self, steps: list[Step]) -> Asking:
        """Why every cell of a path is there."""
        node = NOTHING
        for step in steps:
            there = yield self.exists(step.cell, step.events, step.upto)
            node = self.trace.union(node, there)
        return node

    # Prototypes and searches.

    def via(self, event: Inheritance) -> Asking:
        """Why this prototype: its name, the search for it, and that it is there."""
        key = ("via", id(event))
        if key not in self._memo:
            searched = yield self.searched(event.search)
            there = yield self.steps_exist(event.search.steps)
            self._memo[key] = self.trace.union(self.reference(event.search), searched, there)
        return self._memo[key]

    def absent(
        self, events: list[Inheritance], since: int, upto: int, names: tuple[str, ...]
    ) -> Asking:
        """Why these prototypes did not bring such an attribute."""
        if since >= upto:
            return NOTHING
        via = yield self.shape(events, upto, since)
        homes = yield self._homes(events, upto, since)
        return self.trace.union(via, self.trace.lacks(homes, ":".join(names)))

    def missing(
        self, home: Home | None, events: list[Inheritance], upto: int, names: tuple[str, ...]
    ) -> Asking:
        """Why a store has no such attribute: it is written neither there nor in a prototype."""
        node = NOTHING
        if home is not None:
            node = self.trace.lacks(self._home(home), ":".join(names))
        return self.trace.union(node, (yield self.absent(events, 0, upto, names)))

    def shape(self, events: list[Inheritance], upto: int, since: int = 0) -> Asking:
        """Why a store lacks what it lacks: the prototypes that might have brought more."""
        return (yield self._together("shape", self._bringing, events, upto, since))

    def _bringing(self, event: Inheritance) -> Asking:
        via = yield self.via(event)
        return self.trace.union(via, (yield self.shape(event.events, event.upto)))

    def _homes(self, events: list[Inheritance], upto: int, since: int = 0) -> Asking:
        """Where these prototypes, and theirs, could have one more attribute."""
        return (yield self._together("homes", self._homes_of, events, upto, since))

    def _homes_of(self, event: Inheritance) -> Asking:
        own = self._home(event.home) if event.home is not None else NOTHING
        return self.trace.union(own, (yield self._homes(event.events, event.upto)))

    def _home(self, home: Home) -> Node:
        return self.trace.home(home.at, ":".join(home.path))

    def _together(
        self,
        what: str,
        of: Callable[[Inheritance], Asking],
        events: list[Inheritance],
        upto: int,
        since: int,
    ) -> Asking:
        """A union over prototypes, made from the last one on: those since any of them share it."""
        memo = self._memo
        start = since
        while start < upto and (what, id(events), start, upto) not in memo:
            start += 1
        node = memo[what, id(events), start, upto] if start < upto else NOTHING
        for number in range(start - 1, since - 1, -1):
            event = events[number]
            if (what, id(event)) not in memo:
                memo[what, id(event)] = yield of(event)
            node = self.trace.union(node, memo[what, id(event)])
            memo[what, id(events), number, upto] = node
        return node

    def searched(self, search: Search) -> Asking:
        """What the search depends on: the namespaces that were searched in vain."""
        node = NOTHING
        at: Frame | None = search.start
        while at is not None and at is not search.found_in:
            partial = search.partial.get(id(at)) if search.partial else None
            if partial is not None:
                missed = yield self._broken_off(partial)
            else:
                store, parts = at.store, search.reference.parts
                missed = yield self.missing(store.home, store.events, at.upto, parts)
            node = self.trace.union(node, missed)
            at = at.parent
        return node

    def _broken_off(self, partial: Partial) -> Asking:
        node = yield self.steps_exist(partial.steps)
        if partial.missing:
            home, events, upto, names = partial.home, partial.events, partial.upto, partial.missing
            node = self.trace.union(node, (yield self.missing(home, events, upto, names)))
        return node

    # Labels.

    def reference(self, search: Search) -> Node:
        """The label of a reference as written."""
        at = search.reference.at
        return self.trace.label(Label("reference", at, at.text))

    def key(self, cell: Cell) -> Node:
        """Why the statement is there: its left side, and the includes it came by."""
        assert cell.statement is not None
        at = cell.statement.target.at
        node = self.trace.label(Label("key", at, at.text))
        for directive in chain(cell.included):
            node = self.trace.union(
                node, self.trace.label(Label("file", directive, directive.text))
            )
        return node

    def _structure(self, value: Vector | Extends) -> Node:
        text = "[…]" if isinstance(value, Vector) else value.at.text
        return self.trace.label(Label("structure", value.at, text))

    def given(self, value: BasicValue) -> Node:
        """The node of a value as written; a vector stands for all its parts."""
        match value:
            case Literal(at=at):
                return self.trace.label(Label("literal", at, at.text))
            case Data(at=at):
                return self.trace.label(Label("reference", at, at.text))
            case Vector():
                causes = NOTHING
                todo: list[BasicValue] = list(value.items)
                while todo:
                    item = todo.pop()
                    if isinstance(item, Vector):
                        todo.extend(item.items)
                        causes = self.trace.union(causes, self._structure(item))
                    else:
                        causes = self.trace.union(causes, self.given(item))
                return self.trace.guard(self._structure(value), causes)

    def structures(self, vectors: list[Vector]) -> Node:
        """The labels of nested lists."""
        return self.trace.union(*(self._structure(vector) for vector in vectors))


def chain(included: Chain | None) -> Iterator[Span]:
    """The include directives a statement came by."""
    while included is not None:
        yield included.at
        included = included.outer


def how(cell: Cell) -> Reason:
    """How a cell came to its store: what it is called when it is overridden."""
    if cell.event is not None:
        return "prototype"
    assert cell.statement is not None
    return "assignment" if len(cell.statement.target.parts) == 1 else "placement"


def placed_notes(cell: Cell) -> tuple[Note, ...]:
    """What fixed the place of an attribute in the order: the first time it was set."""
    notes: list[Note] = []
    at: Cell | None = cell
    while at is not None:
        while at.prior is not None:
            at = at.prior
        if at.event is not None:
            reference = at.event.search.reference
            notes.append(Note("inherited through this prototype", reference.at))
        else:
            assert at.statement is not None
            notes.append(Note("first set here", at.statement.target.at))
        at = at.source
    return tuple(reversed(notes))


def shown(value: Any) -> Value:  # noqa: ANN401
    """A cell's value as it is listed among overridden ones."""
    if isinstance(value, Store):
        cells = value.cells.items()
        return first_level(
            (id, SUB_STORE if isinstance(c.value, Store) else c.value)  # type: ignore[misc]
            for id, c in cells
        )
    shown_value: Value = value
    return shown_value
