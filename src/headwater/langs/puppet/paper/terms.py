"""The abstract syntax of µPuppet (Figure 6 of the paper), with annotations (Figure 5.2).

A value is an expression that no rule applies to.  `Under`, `Scoped` and `Skip` are made by
rules, never by the reader; `Beyond` stands for a construct outside the calculus and is
stuck when it is reached.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias, TypeVar

from headwater.langs.puppet.paper.provenance import ERASED, NONE, Beta, Why
from headwater.text import NOWHERE, Span

# -- values v ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Atom:
    """``i``, ``w``, ``true``, ``false``; None is ``undef``, which only like-puppet has."""

    value: int | str | bool | None
    why: Why = field(default=ERASED, compare=False)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Atom)
            and type(self.value) is type(other.value)
            and self.value == other.value
        )

    def __hash__(self) -> int:
        return hash((type(self.value), self.value))


@dataclass(frozen=True, slots=True)
class ArrayValue:
    """``[v, …]``; `why` is that of the structure, each element has its own."""

    items: tuple[Value, ...]
    why: Why = field(default=ERASED, compare=False)


@dataclass(frozen=True, slots=True)
class HashValue:
    """``{k => v, …}``; `why` is that of the structure: the literal and its keys."""

    entries: tuple[tuple[Atom, Value], ...]
    why: Why = field(default=ERASED, compare=False)


@dataclass(frozen=True, slots=True)
class Reference:
    """``t[w]``"""

    type: str
    title: str
    why: Why = field(default=ERASED, compare=False)


Value: TypeAlias = Atom | ArrayValue | HashValue | Reference
VALUES = (Atom, ArrayValue, HashValue, Reference)


# -- expressions e -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Variable:
    """``$x``"""

    name: str
    at: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class TopVariable:
    """``$::x``"""

    name: str
    at: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class ClassVariable:
    """``$::a::x``"""

    owner: str
    name: str
    at: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class Arithmetic:
    """``e1 + e2`` and the like"""

    op: str
    left: Expr
    right: Expr
    at: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class Comparison:
    """``e1 > e2`` and the like"""

    op: str
    left: Expr
    right: Expr
    at: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class And:
    """``e1 and e2``"""

    left: Expr
    right: Expr
    at: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class Or:
    """``e1 or e2``"""

    left: Expr
    right: Expr
    at: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class Not:
    """``!e``"""

    value: Expr
    at: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class Array:
    """``[A]`` with elements still to be evaluated"""

    items: tuple[Expr, ...]
    why: Why = field(default=ERASED, compare=False)
    at: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class Hash:
    """``{H}`` with values still to be evaluated"""

    entries: tuple[tuple[Atom, Expr], ...]
    why: Why = field(default=ERASED, compare=False)
    at: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class Default:
    """``default`` of a selector or case"""

    why: Why = field(default=ERASED, compare=False)


@dataclass(frozen=True, slots=True)
class Selector:
    """``e ? { c => e, … }``"""

    control: Expr
    options: tuple[tuple[Expr | Default, Expr], ...]
    at: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class Dereference:
    """``d[e]``"""

    target: Expr
    index: Expr
    at: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class ReferenceTo:
    """``t[e]``"""

    type: str
    title: Expr
    at: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class Concat:
    """``"a${x}b"`` read as a concatenation"""

    parts: tuple[Expr, ...]
    why: Why
    at: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class UnderExpr:
    """``e^{+β}``: an expression that was chosen because of β.  Made by rules."""

    value: Expr
    beta: Beta
    at: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class Beyond:
    """A construct outside the calculus; `what` names it."""

    what: str
    at: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class Fail:
    """``fail(e)``: no rule applies to it"""

    message: str
    at: Span = NOWHERE


Expr: TypeAlias = (
    Value | Variable | TopVariable | ClassVariable | Arithmetic | Comparison | And | Or | Not
    | Array | Hash | Selector | Dereference | ReferenceTo | Concat | UnderExpr | Beyond | Fail
)  # fmt: skip


# -- statements s ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Skip:
    """``skip``: nothing left to do"""


SKIP = Skip()


@dataclass(frozen=True, slots=True)
class Seq:
    """``s1 s2``"""

    first: Stmt
    second: Stmt


@dataclass(frozen=True, slots=True)
class Assign:
    """``$x = e``; `given` when it binds a parameter to an argument"""

    name: str
    value: Expr
    at: Span = NOWHERE
    masks: Expr | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class If:
    """``if e {s1} else {s2}``"""

    test: Expr
    then: Stmt
    otherwise: Stmt
    at: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class Unless:
    """``unless e {s}``"""

    test: Expr
    body: Stmt
    at: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class Case:
    """``case e { c: {s} … }``"""

    control: Expr
    options: tuple[tuple[Expr | Default, Stmt], ...]
    at: Span = NOWHERE


Attributes: TypeAlias = tuple[tuple[str, "Expr"], ...]


@dataclass(frozen=True, slots=True)
class Resource:
    """``t {e: H}`` or ``u {e: H}``; which of them depends on what κ knows"""

    type: str
    title: Expr
    attributes: Attributes
    at: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class ClassDeclaration:
    """``class {a: H}``"""

    name: str
    attributes: Attributes
    at: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class Include:
    """``include a``"""

    name: str
    at: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class Under:
    """``s^{+β}``: a statement that runs because of `epc`, when it does because of `tpc`."""

    body: Stmt
    epc: Beta
    tpc: Beta


@dataclass(frozen=True, slots=True)
class Scoped:
    """``scope α s``, with the causes of running it (they are those of the class, if it is one)"""

    scope: Scope
    body: Stmt
    epc: Beta = NONE
    tpc: Beta = NONE
    path: tuple[Span, ...] = ()


Stmt: TypeAlias = (
    Expr | Skip | Seq | Assign | If | Unless | Case | Resource | ClassDeclaration | Include
    | Under | Scoped
)  # fmt: skip


# -- scopes α ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Top:
    """``::``"""

    def __str__(self) -> str:
        return "::"


@dataclass(frozen=True, slots=True)
class NodeScope:
    """``::nd``"""

    def __str__(self) -> str:
        return "::nd"


@dataclass(frozen=True, slots=True)
class ClassScope:
    """``::a``"""

    name: str

    def __str__(self) -> str:
        return f"::{self.name}"


@dataclass(frozen=True, slots=True)
class DefScope:
    """``α def``; `number` tells instances that wait apart.

    `around` are the defined types whose declarations led here, outermost first.
    """

    inner: Scope
    number: int = 0
    around: tuple[str, ...] = field(default=(), compare=False)

    def __str__(self) -> str:
        return f"{self.inner} def"


Scope: TypeAlias = Top | NodeScope | ClassScope | DefScope
TOP = Top()
NODE = NodeScope()


# -- manifests m -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Parameter:
    """``$x`` or ``$x = e`` of ρ"""

    name: str
    default: Expr | None
    at: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class ClassDefinition:
    """``class a (ρ) inherits b {s}``"""

    name: str
    parameters: tuple[Parameter, ...]
    parent: str | None
    body: Stmt
    at: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class DefineDefinition:
    """``define u (ρ) {s}``"""

    name: str
    parameters: tuple[Parameter, ...]
    body: Stmt
    at: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class NodeDefinition:
    """``node Q {s}``; Q is a list of names, regular expressions and ``default``"""

    hosts: tuple[Host, ...]
    body: Stmt
    at: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class Host:
    """One of Q: ``name``, ``regex`` or ``default``"""

    kind: str
    text: str
    why: Why = field(default=ERASED, compare=False)
    at: Span = NOWHERE


Body = TypeVar("Body")
Element: TypeAlias = Stmt | ClassDefinition | DefineDefinition | NodeDefinition
"""An element of a manifest."""
