"""The configuration ⟨σ, κ, v_C, m⟩ and the relations on scopes (A.3.1).

A `State` is immutable; a rule makes a new one.  `Notes` are the side tables of D+
(docs/languages/mupuppet.md): empty, and left empty, when the thesis's definition is asked for.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from headwater.langs.puppet.paper.effects import Effects
from headwater.langs.puppet.paper.provenance import ERASED, NONE, Beta, Why
from headwater.langs.puppet.paper.reader import Manifest
from headwater.langs.puppet.paper.terms import (
    NODE,
    TOP,
    Atom,
    ClassScope,
    DefScope,
    NodeScope,
    Parameter,
    Scope,
    Scoped,
    Stmt,
    Top,
    Value,
)
from headwater.report import Code, Note
from headwater.text import Span


@dataclass(frozen=True, slots=True)
class Stuck:
    """No rule applies: the code that says why, and where."""

    code: Code
    at: Span
    fields: Mapping[str, Any] = field(default_factory=dict)
    labels: tuple[Note, ...] = ()
    help: str | None = None


# -- definitions κ(a) ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ClassDef:
    """``ClassDef(c_opt, ρ, s)``"""

    parent: str | None
    parameters: tuple[Parameter, ...]
    body: Stmt
    at: Span = field(compare=False)


@dataclass(frozen=True, slots=True)
class DeclaredClass:
    """``DeclaredClass(α)``; where it was declared is kept for messages"""

    parent: Scope
    at: Span = field(compare=False)


@dataclass(frozen=True, slots=True)
class ResourceDef:
    """``ResourceDef(ρ, s)``"""

    parameters: tuple[Parameter, ...]
    body: Stmt
    at: Span = field(compare=False)


Definition: TypeAlias = ClassDef | DeclaredClass | ResourceDef


@dataclass(frozen=True, slots=True)
class ResourceValue:
    """``v_R = t {w: v_H}``, with its outer annotation"""

    type: str
    title: Atom
    attributes: tuple[tuple[str, Value], ...]
    exists: Beta = field(default=NONE, compare=False)
    at: Span = field(kw_only=True, compare=False)
    path: tuple[Span, ...] = field(default=(), compare=False)


@dataclass(frozen=True, slots=True)
class Relation:
    """A relationship of a class or a defined type, which stays outside the catalog."""

    name: str
    value: Value
    at: Span = field(compare=False)


@dataclass(frozen=True, slots=True)
class Pending:
    """A declared instance of a defined type whose body waits (like-puppet)."""

    name: str
    number: int
    body: Scoped
    generation: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Notes:
    """The side tables of D+: absences A(α,x) and A_κ(a), links λ(a), witnesses, growth G."""

    variables: Mapping[tuple[Scope, str], Beta] = field(default_factory=dict)
    classes: Mapping[str, Beta] = field(default_factory=dict)
    links: Mapping[str, Beta] = field(default_factory=dict)
    witnesses: Mapping[str, tuple[Beta, ...]] = field(default_factory=dict)
    growth: Beta = NONE

    def untaken(self, effects: Effects, beta: Beta, scope: Scope) -> Notes:
        """A branch with these effects was not taken because of β."""
        variables, classes = self.variables, self.classes
        if effects.assigned:
            here = {(scope, x): variables.get((scope, x), NONE) | beta for x in effects.assigned}
            variables = {**variables, **here}
        if effects.classes:
            more = {a: classes.get(a, NONE) | beta for a in effects.classes}
            classes = {**classes, **more}
        growth = self.growth | beta if effects.adds else self.growth
        return replace(self, variables=variables, classes=classes, growth=growth)

    def declared(self, name: str, link: Beta, witness: Beta) -> Notes:
        """A class is declared for the first time."""
        return replace(
            self,
            links={**self.links, name: link},
            witnesses={**self.witnesses, name: (witness,)},
        )

    def again(self, name: str, witness: Beta) -> Notes:
        """A class is declared once more: another witness that it is."""
        known = self.witnesses.get(name, ())
        return replace(self, witnesses={**self.witnesses, name: (*known, witness)})

    def cleared(self, scope: Scope) -> Notes:
        """Without the absences of a scope that is gone."""
        if not any(of == scope for of, _ in self.variables):
            return self
        kept = {key: beta for key, beta in self.variables.items() if key[0] != scope}
        return replace(self, variables=kept)


@dataclass(frozen=True, slots=True)
class State:
    """σ, κ, v_C; beside them the notes of D+ and, in like-puppet, what waits."""

    sigma: Mapping[tuple[Scope, str], Value] = field(default_factory=dict)
    kappa: Mapping[str, Definition] = field(default_factory=dict)
    catalog: Mapping[tuple[str, str], ResourceValue] = field(default_factory=dict)
    notes: Notes = Notes()
    pending: tuple[Pending, ...] = ()
    instances: Mapping[tuple[str, str], Span] = field(default_factory=dict)
    relations: tuple[Relation, ...] = ()

    def bind(self, scope: Scope, name: str, value: Value) -> State:
        """``σ[(α, x): v]``"""
        sigma = {**self.sigma, (scope, name): value}
        return replace(self, sigma=sigma)

    def define(self, name: str, definition: Definition) -> State:
        """``κ[a: D]``"""
        kappa = {**self.kappa, name: definition}
        return replace(self, kappa=kappa)

    def add(self, resource: ResourceValue) -> State:
        """``v_C v_R``"""
        key = (resource.type, str(resource.title.value))
        return replace(self, catalog={**self.catalog, key: resource})

    def clear(self, scope: Scope) -> State:
        """``clear(σ, α)``"""
        kept = {key: value for key, value in self.sigma.items() if key[0] != scope}
        return replace(self, sigma=kept, notes=self.notes.cleared(scope))


@dataclass(frozen=True, slots=True)
class World:
    """What does not change during an evaluation."""

    manifest: Manifest
    node: str = "default"
    like_puppet: bool = False
    strict: bool = True
    repaired: bool = True
    certname: Why = ERASED
    most_steps: int | None = None
    effects_of: dict[int, Effects] = field(default_factory=dict)

    @property
    def erased(self) -> bool:
        """Whether nothing is recorded."""
        return self.certname is ERASED


@dataclass(frozen=True, slots=True)
class Here:
    """Where a rule is applied: the ambient scope, why this code runs, and when."""

    scope: Scope
    world: World
    epc: Beta = NONE
    tpc: Beta = NONE
    path: tuple[Span, ...] = ()


# -- relations on scopes -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Related:
    """A scope found by a relation: the rules applied, and the classes whose link was followed."""

    scope: Scope
    rules: tuple[str, ...]
    links: tuple[str, ...] = ()


def parent_of(kappa: Mapping[str, Definition], scope: Scope) -> Related | None:
    """β parentof_κ α: PNode, PDefRes, PClass.  The top scope has no parent."""
    match scope:
        case Top():
            return None
        case NodeScope():
            return Related(TOP, ("PNode",))
        case DefScope():
            base = base_of(kappa, scope)
            return Related(base.scope, ("PDefRes", *base.rules), base.links)
        case ClassScope(name=a):
            declared = kappa[a]
            assert isinstance(declared, DeclaredClass)
            return Related(declared.parent, ("PClass",), (a,))


def base_of(kappa: Mapping[str, Definition], scope: Scope) -> Related:
    """β baseof_κ α: BTop, BNode, BDefRes, BClass."""
    rules: list[str] = []
    links: list[str] = []
    while True:
        match scope:
            case Top():
                return Related(TOP, (*rules, "BTop"), tuple(links))
            case NodeScope():
                return Related(NODE, (*rules, "BNode"), tuple(links))
            case DefScope(inner=inner):
                rules.append("BDefRes")
                scope = inner
            case ClassScope(name=a):
                declared = kappa[a]
                assert isinstance(declared, DeclaredClass)
                rules.append("BClass")
                links.append(a)
                scope = declared.parent
