"""The semantic domains: Definition 4, Definition 5 and Definition 6.

The paper's V is `Basic` | `Vector` | `Store`.  Each carries the node of the trace that
says why it is what it is; without these nodes this is the paper's domain exactly.

A store is a list of attributes, because their order counts.  What an attribute depends on
has several parts, kept apart since different questions need different ones:

`Attribute.why`     its value (a literal, a copy, a choice among writes)
`Attribute.exists`  that there is such an attribute, whatever its value
`Attribute.hidden`  what it replaced: renamed, those would be attributes of their own
`Store.shape`       which attributes a store does *not* have: the prototypes that might
                    have brought them
`Store.lineage`     where one more attribute of it could be written: there, or in a prototype
`Store.absence`     why nothing was there that it would have been merged with (extended dialect)
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TypeAlias

from headwater.langs.smartfrog.paper.keyed import Keyed
from headwater.report import Code, Note
from headwater.text import NOWHERE, Span
from headwater.tree import DataReference
from headwater.why import NOTHING, Node, Reason

Ref: TypeAlias = tuple[str, ...]
"""A list of identifiers; the empty one, ∅I, is the root."""

EMPTY_REF: Ref = ()


@dataclass(frozen=True, slots=True)
class Basic:
    """A boolean, number, string, null or (data) reference."""

    value: bool | int | float | str | DataReference | None
    why: Node = field(default=NOTHING, compare=False)


@dataclass(frozen=True, slots=True)
class Vector:
    """A list of basic values; `structure` is the label of the list itself."""

    items: tuple[Basic | Vector, ...]
    why: Node = field(default=NOTHING, compare=False)
    structure: Node = field(default=NOTHING, compare=False)


@dataclass(frozen=True, slots=True)
class Home:
    """Where one more attribute of a store could be written, and with what path before its name."""

    at: Span
    path: Ref = EMPTY_REF


@dataclass(frozen=True, slots=True, eq=False)
class Lineage:
    """A component's home and, each with the reason for it, the lineages of its prototypes.

    Copies of a store share it.  A component has no home until its first block begins, or, if
    it has no block, until it is complete: what is written there does not change earlier searches.
    """

    home: Home | None = None
    prototypes: tuple[tuple[Node, Lineage], ...] = ()


NO_LINEAGE = Lineage()


@dataclass(frozen=True, slots=True)
class Attribute:
    """⟨id, v⟩ with its causes.

    `placed` says what fixed its place in the order, `moved` which constraints changed it.
    """

    id: str
    value: Val
    why: Node = field(default=NOTHING, compare=False)
    exists: Node = field(default=NOTHING, compare=False)
    hidden: Node = field(default=NOTHING, compare=False)
    how: Reason = field(default="assignment", compare=False)
    placed: tuple[Note, ...] = field(default=(), compare=False)
    moved: tuple[Note, ...] = field(default=(), compare=False)


@dataclass(frozen=True, slots=True)
class Constraint:
    """``order first < second;`` (extended dialect); a later one has a higher `turn`."""

    first: str
    second: str
    at: Span
    turn: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Absence:
    """Why there was nothing that a component would have been merged with (extended dialect).

    `missed` is where it might have been written, or who might have brought it; `shape` only the
    latter, as in a store.
    """

    missed: Node = NOTHING
    shape: Node = NOTHING


NO_ABSENCE = Absence()


Attributes: TypeAlias = Keyed[str, Attribute]
"""Attributes by their identifiers, in order."""
Orders: TypeAlias = Keyed[frozenset[str], Constraint]
"""A constraint for each pair of names."""


NO_ATTRIBUTES: Attributes = Keyed()
NO_ORDERS: Orders = Keyed()


def attributes(listed: Iterable[Attribute]) -> Attributes:
    """A list of attributes with different identifiers."""
    return Keyed((attribute.id, attribute) for attribute in listed)


@dataclass(frozen=True, slots=True)
class Store:
    """A list of attributes with different identifiers.

    `orders` and `absence` are the extended dialect's; the latter holds for all stores inside too.
    """

    attributes: Attributes = NO_ATTRIBUTES
    shape: Node = field(default=NOTHING, compare=False)
    lineage: Lineage = field(default=NO_LINEAGE, compare=False)
    orders: Orders = field(default=NO_ORDERS, compare=False)
    absence: Absence = field(default=NO_ABSENCE, compare=False)


Val: TypeAlias = Basic | Vector | Store

EMPTY_STORE = Store()
"""∅S"""


@dataclass(frozen=True, slots=True)
class Stuck:
    """An error of the paper: which, where, and what it is about."""

    code: Code
    at: Span = NOWHERE
    fields: tuple[tuple[str, str], ...] = ()
    labels: tuple[Note, ...] = ()
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Undefined:
    """⊥: nothing is there; `why` holds what could change that."""

    why: Node = NOTHING
