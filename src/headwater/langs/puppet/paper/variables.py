"""Variables (A.3.2.1): LVar, PVar, TVar, QVar.

D+ adds to the labels stored with the value: for every scope searched in vain the absence
labels A(α, x), for every class whose parent scope was followed its link label λ(a), and,
where undefined variables are allowed, the labels that decide when the reading code runs.
"""

from __future__ import annotations

from headwater.langs.codes import BEYOND_PAPER
from headwater.langs.puppet.codes import calculus as codes
from headwater.langs.puppet.paper import terms as t
from headwater.langs.puppet.paper.judgement import EXPRESSIONS, ExprStep
from headwater.langs.puppet.paper.natives import PRESET, RELATIONSHIPS
from headwater.langs.puppet.paper.provenance import ERASED, NONE, Beta, Masked, computed
from headwater.langs.puppet.paper.state import (
    ClassDef,
    DeclaredClass,
    Here,
    State,
    Stuck,
    parent_of,
)
from headwater.langs.puppet.paper.values import plain, plus, whole
from headwater.report import Note, nearest
from headwater.text import Span


def step_variable(state: State, e: t.Expr, here: Here) -> ExprStep | Stuck:
    """LVar and PVar: ``$x`` in the ambient scope, else in its parent, and so on."""
    assert isinstance(e, t.Variable)
    x, scope, missed = e.name, here.scope, NONE
    rules: tuple[str, ...] = ()
    while (found := state.sigma.get((scope, x))) is None:
        up = parent_of(state.kappa, scope)
        missed |= state.notes.variables.get((scope, x), NONE)
        if up is None:
            return unknown(state, x, f"${x}", missed, e.at, here)
        rules += up.rules
        missed = missed.union(*(state.notes.links.get(a, NONE) for a in up.links))
        scope = up.scope
    value = shadowing(state, found, x, scope)
    name = "PVar" if rules else "LVar"
    via = ("LVar", *rules) if rules else ()
    return ExprStep(name, plus(value, missed | timing(here)), via, e.at)


def shadowing(state: State, found: t.Value, x: str, scope: t.Scope) -> t.Value:
    """The value with the bindings of the same name that it hides, nearest first."""
    if found.why is ERASED:
        return found
    masked: list[Masked] = []
    up = parent_of(state.kappa, scope)
    while up is not None:
        hidden = state.sigma.get((up.scope, x))
        if hidden is not None:
            masked.append(Masked(plain(hidden), whole(hidden), "shadow", whole(found).depends))
        up = parent_of(state.kappa, up.scope)
    if not masked:
        return found
    why = found.why.over(tuple(masked))
    match found:
        case t.Atom(value=inner):
            return t.Atom(inner, why)
        case t.ArrayValue(items=items):
            return t.ArrayValue(items, why)
        case t.HashValue(entries=entries):
            return t.HashValue(entries, why)
        case t.Reference(type=kind, title=title):
            return t.Reference(kind, title, why)


def step_top_variable(state: State, e: t.Expr, here: Here) -> ExprStep | Stuck:
    """TVar: ``$::x``"""
    assert isinstance(e, t.TopVariable)
    found = state.sigma.get((t.TOP, e.name))
    if found is None:
        missed = state.notes.variables.get((t.TOP, e.name), NONE)
        return unknown(state, e.name, f"$::{e.name}", missed, e.at, here)
    return ExprStep("TVar", plus(found, timing(here)), (), e.at)


def step_class_variable(state: State, e: t.Expr, here: Here) -> ExprStep | Stuck:
    """QVar: ``$::a::x``.  Puppet, unlike the calculus, goes on to the classes a inherits."""
    assert isinstance(e, t.ClassVariable)
    shown = f"$::{e.owner}::{e.name}"
    if e.owner == "settings":
        return Stuck(BEYOND_PAPER, e.at, {"what": f"the setting {shown}"})
    owner, missed = e.owner, NONE
    notes = state.notes
    while True:
        declared = state.kappa.get(owner)
        if not isinstance(declared, DeclaredClass):
            missed |= notes.classes.get(owner, NONE)
            return unknown_class_variable(state, e, missed, here)
        if not here.world.strict:
            missed |= notes.links.get(owner, NONE)
        scope = t.ClassScope(owner)
        found = state.sigma.get((scope, e.name))
        if found is not None:
            return ExprStep("QVar", plus(found, missed | timing(here)), (), e.at)
        missed |= notes.variables.get((scope, e.name), NONE) | notes.links.get(owner, NONE)
        if not (here.world.like_puppet and isinstance(declared.parent, t.ClassScope)):
            return unknown(state, e.name, shown, missed, e.at, here)
        owner = declared.parent.name


def timing(here: Here) -> Beta:
    """The labels that decide when this code runs, where that can change what it reads."""
    return NONE if here.world.strict else here.tpc


def unknown_class_variable(
    state: State, e: t.ClassVariable, missed: Beta, here: Here
) -> ExprStep | Stuck:
    """``$::a::x`` of a class that is not declared."""
    shown = f"$::{e.owner}::{e.name}"
    if here.world.like_puppet and not here.world.strict:
        return unknown(state, e.name, shown, missed, e.at, here)
    labels: tuple[Note, ...] = ()
    match state.kappa.get(e.owner):
        case ClassDef(at=at):
            labels = (Note(f"class {e.owner} is defined here and not declared yet", at),)
        case _:
            pass
    return Stuck(codes.UNKNOWN_VARIABLE, e.at, {"name": shown}, labels)


def unknown(
    state: State, x: str, shown: str, missed: Beta, at: Span, here: Here
) -> ExprStep | Stuck:
    """A variable that is nowhere: an error, or ``undef`` where that is allowed."""
    if x in PRESET:
        return Stuck(BEYOND_PAPER, at, {"what": f"the preset variable ${x}"})
    if x.isdigit() and here.world.like_puppet:
        return Stuck(BEYOND_PAPER, at, {"what": f"${x}, a part of what was matched"})
    if x in RELATIONSHIPS and here.world.like_puppet:
        return Stuck(BEYOND_PAPER, at, {"what": f"the metaparameter {x} as a variable"})
    if here.world.strict:
        close = nearest(x, {name for _, name in state.sigma})
        help = f"did you mean ${close}?" if close else None
        return Stuck(codes.UNKNOWN_VARIABLE, at, {"name": shown}, help=help)
    why = ERASED if here.world.erased else computed("undef").plus(missed | timing(here))
    return ExprStep("undef", t.Atom(None, why), (), at)


EXPRESSIONS[t.Variable] = step_variable
EXPRESSIONS[t.TopVariable] = step_top_variable
EXPRESSIONS[t.ClassVariable] = step_class_variable
