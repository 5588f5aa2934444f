"""What the engine builds: mutable stores whose cells point at what caused them.

Nothing here is a trace.  A cell keeps pointers (the statement that wrote it, what it was
copied from, what it replaced); `replay` turns them into trace nodes when a question comes.

Stores are shared instead of copied.  A store that a second place refers to is `shared`
and is cloned before it is written to.  A store whose block is being evaluated is `live`
and is snapshotted before anyone refers to it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from headwater.langs.smartfrog.syntax import Assignment, Extends, Reference
from headwater.text import Span
from headwater.tree import DataReference


@dataclass(slots=True, eq=False)
class Chain:
    """The ``#include`` directives a statement came by, innermost first."""

    at: Span
    outer: Chain | None


@dataclass(slots=True, eq=False)
class Store:
    """A component.

    `made_by` is the statement whose ``extends`` made it, none for the root.  `within` is the
    way from that component to this copy of it, if it was copied into itself while empty.
    """

    cells: dict[str, Cell]
    events: list[Inheritance]
    made_by: Assignment | None
    live: bool = False
    shared: bool = False
    within: tuple[str, ...] = ()


CellValue: TypeAlias = "None | bool | int | float | str | DataReference | list[object] | Store"


@dataclass(slots=True, eq=False)
class Cell:
    """An attribute's value and what caused it.

    A written cell has a `statement` (and a `search` if its value is a link); an inherited
    one has a `source` cell and the `event` that brought it.  `prior` is the cell it
    replaced.  `since` counts the prototypes its store had inherited when it was put there.
    """

    value: CellValue
    statement: Assignment | None
    included: Chain | None
    since: int
    search: Search | None = None
    source: Cell | None = None
    event: Inheritance | None = None
    prior: Cell | None = None


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
    """A namespace where a path began and broke off: the steps made, and where it ended."""

    steps: list[Step]
    ended: Store | None
    missing: tuple[str, ...]
    upto: int


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
    """A prototype copied into a store; `events[:upto]` are the prototype's own at that time."""

    search: Search
    events: list[Inheritance]
    upto: int


def new_store(statement: Assignment) -> Store:
    """An empty component that is about to be filled."""
    assert isinstance(statement.value, Extends)
    return Store({}, [], statement, live=True)
