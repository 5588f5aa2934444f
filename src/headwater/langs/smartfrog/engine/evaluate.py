"""The evaluation: Definitions 12 to 27, over mutable stores, without recursion.

Blocks and components are generators; where one needs an inner block evaluated it yields
that block, and `run` keeps the stack.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from functools import partial
from typing import Any

from headwater.langs.smartfrog import codes
from headwater.langs.smartfrog.engine.cells import (
    Cell,
    CellValue,
    Chain,
    Frame,
    Home,
    Inheritance,
    Store,
)
from headwater.langs.smartfrog.engine.replay import placed_notes
from headwater.langs.smartfrog.engine.search import found_cell, names_seen, search
from headwater.langs.smartfrog.order import Listing, OrderChange, listing_of_body, order_change
from headwater.langs.smartfrog.syntax import (
    Assignment,
    BasicValue,
    Body,
    Data,
    Extends,
    Included,
    Link,
    Literal,
    Order,
    Reference,
    Statement,
)
from headwater.report import Code, Note, nearest
from headwater.text import Span
from headwater.tree import DataReference

MOST_COPIES = 3_000_000
"""Attributes that prototypes and snapshots may copy in one evaluation."""

Work = Generator["Work", None, None]


class SfError(Exception):
    """The specification has an error.  Caught in `language`, and nowhere else."""

    def __init__(self, code: Code, at: Span, help: str | None = None, **fields: Any) -> None:  # noqa: ANN401
        super().__init__(code.name)
        self.diagnostic = code.at(at, help=help, **fields)


def suggestion(name: str, known: Sequence[str]) -> str | None:
    """A help line that names what may have been meant."""
    close = nearest(name, known)
    return f"did you mean {close}?" if close else None


class Evaluation:
    """One evaluation of a specification, and what it found out about the order of attributes."""

    def __init__(self, *, watch_order: bool = False, placements_wait: bool = False) -> None:
        self.root = Store({}, [], None, live=True)
        self.watch_order = watch_order
        self.placements_wait = placements_wait
        self.copies = 0
        self.order_changes: list[OrderChange] = []

    def run(self, body: Body) -> Cell:
        """The cell of sfConfig.  Raises `SfError`."""
        self.root.home = Home(body.inside)
        frame = Frame(self.root, None, 0)
        stack: list[Work] = [self.block(frame, body.statements, None)]
        while stack:
            inner = next(stack[-1], None)
            if inner is None:
                stack.pop()
            else:
                stack.append(inner)
        cell = self.root.cells.get("sfConfig")
        if cell is None or not isinstance(cell.value, Store):
            reason = "it is not set" if cell is None else "it is a plain value"
            end = Span(body.at.source, body.at.end, body.at.end)
            at = placed_notes(cell)[0].at if cell is not None else end
            help = suggestion("sfConfig", names_seen(frame))
            raise SfError(codes.NO_SFCONFIG, at, help, reason=reason)
        return cell

    def block(
        self,
        frame: Frame,
        statements: Sequence[Statement],
        included: Chain | None,
        waiting: list[tuple[Assignment, Chain | None]] | None = None,
    ) -> Work:
        """The statements of a block, in order; if placements wait, those come at its end.

        An included file is part of the block, and hands over what is `waiting` in it.
        """
        late = [] if waiting is None else waiting
        for statement in statements:
            if isinstance(statement, Included):
                chain = Chain(statement.at, included)
                yield self.block(frame, statement.body.statements, chain, late)
                continue
            assert not isinstance(statement, Order), "the core language has no order constraints"
            if self.placements_wait and len(statement.target.parts) > 1:
                late.append((statement, included))
            else:
                yield from self.assign(frame, statement, included)
        if waiting is None:
            for statement, way in late:
                yield from self.assign(frame, statement, way)

    def assign(self, frame: Frame, statement: Assignment, included: Chain | None) -> Work:
        """One statement."""
        value = statement.value
        if isinstance(value, Extends):
            yield self.component(frame, statement, value, included)
            return
        since = len(frame.store.events)
        name = statement.target.parts[-1]
        if isinstance(value, Link):
            found = search(frame, value.reference)
            if found is None:
                help = suggestion(value.reference.parts[0], names_seen(frame))
                raise SfError(codes.UNRESOLVED_LINK, value.at, help, name=value.reference)
            copied = self.refer(found_cell(found).value)
            cell = Cell(name, copied, statement, included, since, search=found)
        else:
            cell = Cell(name, basic(value), statement, included, since)
        self.bind(frame, statement, cell)

    def component(
        self, frame: Frame, statement: Assignment, value: Extends, included: Chain | None
    ) -> Work:
        """``r extends P, P, …``: a new store at `r`, then each prototype into it."""
        store = Store({}, [], None, live=True)
        target = statement.target.parts
        cell = Cell(target[-1], store, statement, included, len(frame.store.events))
        passed = self.bind(frame, statement, cell)
        inner = frame
        for step in passed:
            step.live = True
            inner = Frame(step, inner, len(step.events))
        listings: list[Listing] = []
        for prototype in value.prototypes:
            if isinstance(prototype, Body):
                store.home = store.home or Home(prototype.inside)
                here = Frame(store, inner, len(store.events))
                yield self.block(here, prototype.statements, included)
                if self.watch_order:
                    listings.append(listing_of_body(prototype))
            else:
                brought = self.inherit(frame, store, prototype)
                if self.watch_order and brought is not None:
                    cells = brought.own_cells()
                    ids = tuple((cell.id, placed_notes(cell)[0].at) for cell in cells)
                    listings.append(Listing(str(prototype), prototype.at, ids))
        for step in passed:
            step.live = False
        store.live = False
        if store.home is None:
            end = statement.at.end
            store.home = Home(Span(statement.at.source, end, end), target)
        if listings:
            notes, again = partial(placed, store), partial(replaced, store)
            changes = (order_change(x, store.cells, notes, replaced=again) for x in listings)
            self.order_changes += [change for change in changes if change]

    def bind(self, frame: Frame, statement: Assignment, cell: Cell) -> list[Store]:
        """Definition 13; answers the stores between the namespace and the target."""
        store = frame.store
        parts = statement.target.parts
        passed: list[Store] = []
        for part in parts[:-1]:
            step = store.cell(part)
            at, target = statement.target.at, statement.target
            if step is None:
                help = suggestion(part, list(store.cells))
                raise SfError(codes.NO_PARENT, at, help, parent=part, target=target)
            if not isinstance(step.value, Store):
                raise SfError(codes.PARENT_NOT_STORE, at, parent=part, target=target)
            if step.value.shared:
                step = store.cells[part] = self.own(step, step.value)
            assert isinstance(step.value, Store)
            store = step.value
            passed.append(store)
        if passed:
            cell.since = len(store.events)
        put(store, cell)
        return passed

    def inherit(self, frame: Frame, target: Store, reference: Reference) -> Store | None:
        """Definition 18: copies the attributes of a prototype into the target.

        Answers the prototype if their order may change: not if the target was empty.
        """
        found = search(frame, reference)
        if found is None:
            help = suggestion(reference.parts[0], names_seen(frame))
            raise SfError(codes.UNRESOLVED_PROTOTYPE, reference.at, help, name=reference)
        proto = found_cell(found).value
        if not isinstance(proto, Store):
            raise SfError(codes.NOT_A_PROTOTYPE, reference.at, name=reference)
        self.spend(len(proto.cells), reference.at)
        events, upto = proto.events, len(proto.events)
        # A prototype that is being built may contain the target, and goes on changing.
        frozen = self.snapshot(proto) if proto.live else proto
        frozen.shared = True
        event = Inheritance(found, frozen, proto.home, events, upto)
        since = len(target.events) + 1
        # A copy of the target itself, or what inherits from one, brings cells that bear its mark.
        kin: list[str] = []
        if target.copied:
            kin = [id for id, cell in frozen.cells.items() if cell.mark is target.mark]
        if not target.cells:
            target.cells = frozen.cells.copy()
            self.take_over(target, frozen, kin, since, event)
            target.events.append(event)
            return None
        for id in frozen.cells.keys() & target.cells.keys():
            source = frozen.cell(id)
            assert source is not None
            value = self.refer(source.value)
            put(target, Cell(id, value, None, None, since, None, source, event))
        new = {id: cell for id, cell in frozen.cells.items() if id not in target.cells}
        target.cells.update(new)
        self.take_over(target, frozen, [id for id in kin if id in new], since, event)
        target.events.append(event)
        return frozen

    def take_over(
        self, target: Store, frozen: Store, ids: list[str], since: int, event: Inheritance
    ) -> None:
        """Makes the target's own cells of some of a prototype's at once."""
        for id in ids:
            source = frozen.cell(id)
            assert source is not None
            value = self.refer(source.value)
            target.cells[id] = Cell(
                id, value, None, None, since, None, source, event, mark=target.mark
            )

    def refer(self, value: CellValue) -> CellValue:
        """A value as a second place may hold it."""
        if isinstance(value, Store):
            if value.live:
                return self.snapshot(value)
            value.shared = True
        return value

    def snapshot(self, store: Store) -> Store:
        """A live store as it is now; of what it holds, only live stores need to be copied."""
        top: Store | None = None
        holder: tuple[Store, str] | None = None
        inner: Store | None = store
        while inner is not None:
            self.spend(len(inner.cells), None)
            inner.copied = True
            cells, events = dict(inner.cells), list(inner.events)
            made = Store(cells, events, inner.home, shared=True, mark=inner.mark)
            if holder is None:
                top = made
            else:
                held, id = holder
                held.cells[id] = recell(held.cells[id], made)
            below = None
            for id, cell in inner.cells.items():
                if isinstance(cell.value, Store):
                    if cell.value.live:
                        holder, below = (made, id), cell.value
                    else:
                        cell.value.shared = True
            inner = below
        assert top is not None
        return top

    def own(self, cell: Cell, store: Store) -> Cell:
        """The cell with a store that may be written to."""
        self.spend(len(store.cells), None)
        clone = Store(dict(store.cells), list(store.events), store.home, mark=store.mark)
        for held in store.cells.values():
            if isinstance(held.value, Store):
                held.value.shared = True
        return recell(cell, clone)

    def spend(self, copies: int, at: Span | None) -> None:
        """Counts copied attributes against the bound."""
        self.copies += copies + 5  # an empty component costs something too
        if self.copies > MOST_COPIES:
            start = Span(at.source, at.start, at.end) if at else self.anywhere()
            raise SfError(codes.TOO_MUCH_COPYING, start, bound=MOST_COPIES)

    def anywhere(self) -> Span:
        """Some place of the specification."""
        cell = next(iter(self.root.cells.values()))
        assert cell.statement is not None
        return cell.statement.target.at


def put(store: Store, cell: Cell) -> None:
    """Definition 12: in the place of its namesake, or last.  A dict keeps that order."""
    cell.prior = store.cell(cell.id)
    cell.mark = store.mark
    store.cells[cell.id] = cell


def recell(cell: Cell, value: Store) -> Cell:
    """The same cell holding another copy of its store."""
    return Cell(
        cell.id,
        value,
        cell.statement,
        cell.included,
        cell.since,
        cell.search,
        cell.source,
        cell.event,
        cell.prior,
        cell.mark,
    )


def placed(store: Store, id: str) -> tuple[Note, ...]:
    """What fixed the place of an attribute of a store."""
    cell = store.cell(id)
    assert cell is not None
    return placed_notes(cell)


def replaced(store: Store, id: str) -> bool:
    """Whether an attribute of a store replaced another."""
    return id in store.cells and store.cells[id].prior is not None


def basic(value: BasicValue) -> CellValue:
    """Definition 22, without recursion: vectors may be nested deep."""
    if isinstance(value, Literal):
        return value.value
    if isinstance(value, Data):
        return DataReference(value.reference.parts)
    made: list[object] = []
    todo: list[tuple[list[object], Sequence[BasicValue]]] = [(made, value.items)]
    while todo:
        into, items = todo.pop()
        for item in items:
            if isinstance(item, Literal):
                into.append(item.value)
            elif isinstance(item, Data):
                into.append(DataReference(item.reference.parts))
            else:
                inner: list[object] = []
                into.append(inner)
                todo.append((inner, item.items))
    return made
