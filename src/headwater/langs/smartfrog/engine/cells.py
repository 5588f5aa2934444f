"""What the engine builds: mutable stores whose cells point at what caused them.

Nothing here is a trace.  A cell keeps pointers (the statement that wrote it, what it was
copied from, what it replaced); `replay` turns them into trace nodes when a question comes.

Stores are shared instead of copied.  A store that a second place refers to is `shared`
and is cloned before it is written to.  A store whose block is being evaluated is `live`
and is snapshotted before anyone refers to it.

So are cells.  The cells of a prototype are taken over as they are; one that says how the heir
came by it is made when it is looked at (`Store.cell`), or a chain of prototypes would make a
cell for every attribute in every link of it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from headwater.langs.smartfrog.syntax import Assignment, Reference
from headwater.text import Span
from headwater.text.named import NamedTuple
from headwater.tree import DataReference


@dataclass(slots=True, eq=False)
class Chain:
    """The ``#include`` directives a statement came by, innermost first."""

    at: Span
    outer: Chain | None


class Home(NamedTuple):
    """Where one more attribute of a component could be written, and what comes before its name."""

    at: Span
    path: tuple[str, ...] = ()


@dataclass(slots=True, eq=False)
class Store:
    """A component.

    It has no `home` until its first block begins, or, if it has no block, until it is complete.
    """

    cells: dict[str, Cell]
    events: list[Inheritance]
    home: Home | None
    live: bool = False
    shared: bool = False
    mark: object = field(default_factory=object)
    """What its own cells bear, and those of its copies; others are a prototype's."""
    copied: bool = False
    """Whether a snapshot of it was taken while it was live, so that others may bear its mark."""
    bringers: dict[str, int] = field(default_factory=dict)
    looked_at: int = 0
    """Which prototype was the last to bring a name, among the first so many."""

    def cell(self, id: str) -> Cell | None:
        """The store's own cell of a name."""
        found = self.cells.get(id)
        if found is None or found.mark is self.mark:
            return found
        heirs: list[tuple[Store, int]] = []
        at = self
        while (found := at.cells[id]).mark is not at.mark:
            number = at.brought(id)
            heirs.append((at, number))
            at = at.events[number].store
        for heir, number in reversed(heirs):
            if isinstance(found.value, Store):
                found.value.shared = True
            event = heir.events[number]
            found = Cell(
                id, found.value, None, None, number + 1, None, found, event, mark=heir.mark
            )
            heir.cells[id] = found
        return found

    def brought(self, id: str) -> int:
        """Which of the prototypes a cell was taken over from: the last that has it."""
        for number in range(self.looked_at, len(self.events)):
            for name in self.events[number].store.cells:
                self.bringers[name] = number
        self.looked_at = len(self.events)
        return self.bringers[id]

    def own_cells(self) -> list[Cell]:
        """The store's own cells, in order."""
        return [cell for id in list(self.cells) if (cell := self.cell(id)) is not None]


CellValue: TypeAlias = "None | bool | int | float | str | DataReference | list[object] | Store"


@dataclass(slots=True, eq=False)
class Cell:
    """An attribute's value and what caused it.

    A written cell has a `statement` (and a `search` if its value is a link); an inherited
    one has a `source` cell and the `event` that brought it.  `prior` is the cell it
    replaced.  `since` counts the prototypes its store had inherited when it was put there.
    """

    id: str
    value: CellValue
    statement: Assignment | None
    included: Chain | None
    since: int
    search: Search | None = None
    source: Cell | None = None
    event: Inheritance | None = None
    prior: Cell | None = None
    mark: object = None


@dataclass(slots=True, eq=False)
class Frame:
    """A namespace: its store as it is while the block inside is evaluated, and the one around."""

    store: Store
    parent: Frame | None
    upto: int


@dataclass(slots=True, eq=False)
class Step:
    """A cell passed on the way to another, with the prototypes its store had by then."""

    cell: Cell
    events: list[Inheritance]
    upto: int


@dataclass(slots=True, eq=False)
class Partial:
    """A namespace where a path began and broke off: the steps made, and what was missing where.

    Nothing is missing where a plain value was in the way.
    """

    steps: list[Step]
    home: Home | None = None
    events: list[Inheritance] = field(default_factory=list)
    upto: int = 0
    missing: tuple[str, ...] = ()


@dataclass(slots=True, eq=False)
class Search:
    """A reference that was resolved: from which frame, in which it was found, and by which steps.

    The frames between `start` and `found_in` were searched in vain; `partial` has those
    where the first part of the path was there.
    """

    reference: Reference
    start: Frame
    found_in: Frame
    steps: list[Step]
    partial: dict[int, Partial] | None


@dataclass(slots=True, eq=False)
class Inheritance:
    """A prototype copied into a store: as it was, its home and, in `events[:upto]`, its own."""

    search: Search
    store: Store
    home: Home | None
    events: list[Inheritance]
    upto: int
