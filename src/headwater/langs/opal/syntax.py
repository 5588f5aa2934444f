"""The syntax of Opal: the paper's categories Com, World, Sexp and Bool (section 2).

Every node is a frozen record; its place in the text does not count in comparisons.
The paper's ``Com; Com`` is kept as one `Seq` of two or more commands, because the
grammar has no way to group commands other than in blocks.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from headwater.text import NOWHERE, Span
from headwater.text.named import NamedTuple


class Place(NamedTuple):
    """``n.v``: the variable *v* of the node *n*."""

    node: str
    var: str


# --- Sexp -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Empty:
    """``∅``, ``()`` or ``nil``"""

    at: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Var:
    """``n.v``"""

    place: Place
    at: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Weight:
    """``w.n.v``: the value that *n.v* has in the world *w*."""

    world: World
    place: Place
    at: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Cons:
    """``(s1 . s2)``"""

    left: Sexp
    right: Sexp
    at: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Atom:
    """``"text"``, ``7`` or ``true``: an extension."""

    value: str | int | bool
    at: Span = field(default=NOWHERE, compare=False, repr=False)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Atom):
            return NotImplemented
        return type(self.value) is type(other.value) and self.value == other.value

    def __hash__(self) -> int:
        return hash((type(self.value), self.value))


@dataclass(frozen=True, slots=True)
class Conflict:
    """``conflict``: a merge that refuses; an extension."""

    at: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Preset:
    """``set3`` and the like: a whole merge by name; an extension."""

    name: str
    at: Span = field(default=NOWHERE, compare=False, repr=False)


Sexp: TypeAlias = Empty | Var | Weight | Cons | Atom | Conflict | Preset


# --- Bool -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Truth:
    """``true`` or ``false``"""

    value: bool
    at: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class And:
    """``b1 ∧ b2``"""

    left: Bool
    right: Bool
    at: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Or:
    """``b1 ∨ b2``"""

    left: Bool
    right: Bool
    at: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Eq:
    """``s1 = s2``"""

    left: Sexp
    right: Sexp
    at: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Mem:
    """``s1 ∈ s2``"""

    left: Sexp
    right: Sexp
    at: Span = field(default=NOWHERE, compare=False, repr=False)


Bool: TypeAlias = Truth | And | Or | Eq | Mem


# --- World ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class WorldVar:
    """``u``"""

    name: str
    at: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Hyp:
    """``hyp { c }``"""

    body: Com
    at: Span = field(default=NOWHERE, compare=False, repr=False)


World: TypeAlias = WorldVar | Hyp


# --- Com ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Skip:
    """``skip``"""

    at: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Seq:
    """``c1; c2; …``: two commands or more."""

    commands: tuple[Com, ...]
    at: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class If:
    """``if b then { c1 } else { c2 }``"""

    test: Bool
    then: Com
    orelse: Com
    at: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class With:
    """``with n do { c }``: *c* with the permission of *n*."""

    node: str
    body: Com
    at: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class At:
    """``at n do { c }``: *c* on the machine *n*."""

    node: str
    body: Com
    at: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Assign:
    """``u := w``"""

    name: str
    world: World
    at: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Commit:
    """``commit w``"""

    world: World
    at: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Op:
    """``op``: an operation that a `Handle` around it defines."""

    name: str
    at: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Handle:
    """``handle n.v := op with s_h merging v_o v_h v_c to s_m in { c }``

    `head` is the text from ``handle`` to ``op``; `names_at` are the places of the three names.
    """

    place: Place
    op: str
    handler: Sexp
    orig: str
    hyp: str
    curr: str
    merge: Sexp
    body: Com
    at: Span = field(default=NOWHERE, compare=False, repr=False)
    head: Span = field(default=NOWHERE, compare=False, repr=False)
    place_at: Span = field(default=NOWHERE, compare=False, repr=False)
    names_at: tuple[Span, Span, Span] = field(
        default=(NOWHERE, NOWHERE, NOWHERE), compare=False, repr=False
    )


Com: TypeAlias = Skip | Seq | If | With | At | Assign | Commit | Op | Handle

RESERVED = frozenset(
    ("skip", "if", "then", "else", "with", "do", "at", "commit", "handle", "merging", "to", "in",
     "hyp", "true", "false", "nil", "and", "or")
)  # fmt: skip

PRESETS = ("hyp", "curr", "refuse", "set3", "list3", "map3", "max", "min")
"""The merges that have a name; `merges` says what they do."""

SUGAR_NAMES = ("ORIG", "HYP", "CURR")
"""The merge names of a handle that gives none (an extension)."""
