"""From the evaluated cells to a result: the plain tree, and the causes of its values."""

from __future__ import annotations

from headwater.langs.protocol import Placement
from headwater.langs.smartfrog.engine.cells import Cell, Store
from headwater.langs.smartfrog.engine.descent import Descent
from headwater.langs.smartfrog.engine.replay import Replay, placed_notes
from headwater.langs.smartfrog.order import FIRST_SET
from headwater.langs.smartfrog.results import children_first, count_values
from headwater.langs.smartfrog.syntax import Vector
from headwater.text import Span
from headwater.tree import Address, Value
from headwater.why import NOTHING, Node, Trace


def stores_in(root: Store) -> list[Store]:
    """Every store below and including `root`, inner ones first."""
    return children_first(
        root, lambda store: [c.value for c in store.cells.values() if isinstance(c.value, Store)]
    )


def count(root: Store) -> int:
    """How many values the result has, or some number over the bound."""
    return count_values(
        stores_in(root),
        lambda store: [
            c.value if isinstance(c.value, Store) else None for c in store.cells.values()
        ],
    )


def tree(root: Store) -> Value:
    """The plain tree; what is shared between stores stays shared."""
    made: dict[int, Value] = {}
    for store in stores_in(root):
        made[id(store)] = {
            name: made[id(cell.value)] if isinstance(cell.value, Store) else cell.value  # type: ignore[misc]
            for name, cell in store.cells.items()
        }
    return made[id(root)]


class EngineCauses:
    """The causes of an engine's result, replayed when they are asked for."""

    def __init__(self, top: Cell) -> None:
        self._top = top
        self._replay = Replay()
        self._descent = Descent(self._replay)

    @property
    def trace(self) -> Trace:
        """The trace that grows with the questions."""
        return self._replay.trace

    def of(self, address: Address) -> Node:
        """The node of the value at an address."""
        replay = self._replay
        cell, store = self._top, None
        node = replay.run(replay.why(cell, [], 0))
        exists = NOTHING
        at = 0
        while at < len(address) and isinstance(cell.value, Store):
            exists = replay.trace.union(exists, self._exists(store, cell.id))
            store, name = cell.value, str(address[at])
            cell = store.cells[name]
            node = replay.run(self._descent.why(store, name))
            at += 1
        if at < len(address):
            exists = replay.trace.union(exists, self._exists(store, cell.id))
            node, within = self._element(cell, address[at:])
            exists = replay.trace.union(exists, within)
        if isinstance(cell.value, Store):
            exists = replay.trace.union(exists, self._inside(cell.value))
        return replay.trace.guard(node, exists)

    def _exists(self, store: Store | None, name: str) -> Node:
        if store is None:
            return self._replay.run(self._replay.exists(self._top, [], 0))
        return self._replay.run(self._descent.exists(store, name))

    def _element(self, cell: Cell, indexes: Address) -> tuple[Node, Node]:
        """The node of an element of a vector, and the lists it is nested in."""
        at = cell
        while at.source is not None or at.search is not None:
            at = at.source or at.search.steps[-1].cell  # type: ignore[union-attr]
        assert at.statement is not None
        item = at.statement.value
        passed: list[Vector] = []
        for index in indexes:
            assert isinstance(item, Vector)
            passed.append(item)
            item = item.items[int(index)]
        assert not isinstance(item, Vector) or item.items is not None
        return self._replay.given(item), self._replay.structures(passed)  # type: ignore[arg-type]

    def _inside(self, root: Store) -> Node:
        """Everything a whole component depends on: its attributes, and those it might have."""
        replay = self._replay
        node = NOTHING
        for store in stores_in(root):
            upto = len(store.events)
            node = replay.trace.union(node, replay.run(replay.shape(store.events, upto)))
            for name in store.cells:
                why = replay.run(self._descent.why(store, name))
                hidden = replay.run(self._descent.hidden(store, name))
                node = replay.trace.union(node, why, hidden)
        return node

    def output(self) -> Node:
        """What could change which attributes there are."""
        replay = self._replay
        hidden = replay.run(replay.hidden(self._top, []))
        node = replay.trace.union(self._exists(None, self._top.id), hidden)
        assert isinstance(self._top.value, Store)
        for store in stores_in(self._top.value):
            upto = len(store.events)
            node = replay.trace.union(node, replay.run(replay.shape(store.events, upto)))
            for name in store.cells:
                there = self._exists(store, name)
                hidden = replay.run(self._descent.hidden(store, name))
                node = replay.trace.union(node, there, hidden)
        return node

    def position(self, address: Address) -> Placement | None:
        """What fixed the attribute's place among its siblings."""
        cell = self._top
        for part in address:
            if not isinstance(cell.value, Store):
                return None
            found = cell.value.cell(str(part))
            assert found is not None
            cell = found
        return Placement(FIRST_SET, placed_notes(cell)) if address else None

    def path(self, address: Address) -> tuple[Span, ...]:
        """SmartFrog has no calls: a value's way is told by the references it depends on."""
        return ()
