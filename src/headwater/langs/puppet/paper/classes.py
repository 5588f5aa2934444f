"""Classes (A.3.4.9, A.3.4.10): IncU, IncD, IncPU, IncPD; CDecStep, CDecU, CDecPU, CDecPD.

An arm of `step_include` matches the premises κ(a) and κ(b), where b is the parent of a.
For CDecPD the thesis is followed: the parent scope of a is ::b.

D+ (provenance docs): the first declaration of a fixes λ(a), what decides where and when
that is; the parameters depend on λ(a).  Its body runs because of the symbol E_a, for which
the smallest witness is put in the end, so every further declaration is noted as a witness.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from headwater.langs.puppet.codes import calculus as codes
from headwater.langs.puppet.paper import terms as t
from headwater.langs.puppet.paper.declarations import sequence, step_attributes
from headwater.langs.puppet.paper.judgement import STATEMENTS, StmtStep
from headwater.langs.puppet.paper.parameters import merge, name_given, refuse_metaparameters
from headwater.langs.puppet.paper.provenance import ERASED, NONE, computed
from headwater.langs.puppet.paper.relationships import relations_of
from headwater.langs.puppet.paper.state import (
    ClassDef,
    DeclaredClass,
    Definition,
    Here,
    ResourceDef,
    State,
    Stuck,
    base_of,
)
from headwater.langs.puppet.paper.values import plus
from headwater.report import Note, nearest
from headwater.text import Span


def step_include(state: State, s: t.Stmt, here: Here) -> StmtStep | Stuck:
    """``include a``"""
    assert isinstance(s, t.Include)
    a, kappa = s.name, state.kappa
    match kappa.get(a), parent_in(kappa, a):
        case ClassDef(parent=None) as found, _:
            return declare(state, a, found, {}, "IncU", s.at, here)
        case DeclaredClass(), _:
            noted = state.notes.again(a, here.epc) if here.world.repaired else state.notes
            return StmtStep("IncD", replace(state, notes=noted), t.SKIP, (), s.at)
        case ClassDef(parent=str(b)), ClassDef():
            around = inheritance_cycle(kappa, a)
            if around is not None:
                return endless(kappa, around, s.at)
            return StmtStep("IncPU", state, t.Seq(t.Include(b, s.at), s), (), s.at)
        case ClassDef(parent=str(b)) as found, DeclaredClass():
            return declare(state, a, found, {}, "IncPD", s.at, here)
        case ClassDef(parent=str(b)), _:
            return unknown_class(b, s.at, here)
        case _:
            return unknown_class(a, s.at, here)


def step_class(state: State, s: t.Stmt, here: Here) -> StmtStep | Stuck:
    """``class {a: H}``"""
    assert isinstance(s, t.ClassDeclaration)
    a, kappa = s.name, state.kappa
    definition = kappa.get(a)
    if isinstance(definition, DeclaredClass):
        labels = (Note("first declared here", definition.at),)
        return Stuck(codes.CLASS_AGAIN, s.at, {"name": a}, labels)
    if not isinstance(definition, ClassDef):
        return unknown_class(a, s.at, here)
    inner = step_attributes(state, s.attributes, here)
    if isinstance(inner, Stuck):
        return inner
    if inner is not None:
        part, attributes = inner
        return StmtStep.of(part, state, t.ClassDeclaration(a, attributes, s.at), "CDecStep")
    names = [name for name, _ in s.attributes]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        return Stuck(codes.DUPLICATE_ATTRIBUTE, s.at, {"name": twice})
    values = {name: value for name, value in s.attributes if isinstance(value, t.VALUES)}
    match definition, parent_in(kappa, a):
        case ClassDef(parent=None), _:
            return declare(state, a, definition, values, "CDecU", s.at, here)
        case ClassDef(parent=str(b)), ClassDef():
            around = inheritance_cycle(kappa, a)
            if around is not None:
                return endless(kappa, around, s.at)
            return StmtStep("CDecPU", state, t.Seq(t.Include(b, s.at), s), (), s.at)
        case ClassDef(parent=str(b)), DeclaredClass():
            return declare(state, a, definition, values, "CDecPD", s.at, here)
        case ClassDef(parent=str(b)), _:
            return unknown_class(b, s.at, here)
    raise AssertionError(definition)


def parent_in(kappa: Mapping[str, Definition], a: str) -> Definition | None:
    """κ(b), where b is the parent of a."""
    found = kappa.get(a)
    return kappa.get(found.parent) if isinstance(found, ClassDef) and found.parent else None


def declare(
    state: State,
    a: str,
    found: ClassDef,
    values: Mapping[str, t.Value],
    rule: str,
    at: Span,
    here: Here,
) -> StmtStep | Stuck:
    """The first declaration of a: κ[a: DeclaredClass(α)] and ``scope (::a) {s′ s}``."""
    repaired = here.world.repaired
    if found.parent is None:
        base = base_of(state.kappa, here.scope)
        parent, rules, crossed = base.scope, base.rules, base.links
    else:
        parent, rules, crossed = t.ClassScope(found.parent), (), ()
    notes = state.notes
    link = epc = tpc = NONE
    if repaired:
        hops = NONE.union(*(notes.links.get(b, NONE) for b in crossed))
        tpc = here.tpc | notes.classes.get(a, NONE)
        link = tpc | hops
        epc = frozenset((a,))
        notes = notes.declared(a, link, here.epc)
    else:
        epc = here.epc
    statements = merge(
        found.parameters,
        values,
        of=f"class {a}",
        at=at,
        beta=link,
        like_puppet=here.world.like_puppet,
    )
    if isinstance(statements, Stuck):
        return statements
    first: list[t.Stmt] = []
    relations = state.relations
    if here.world.like_puppet:
        refused = refuse_metaparameters(state, values, of=f"class {a}", at=at, of_class=True)
        if refused is not None:
            return refused
        title: t.Value = t.Atom(a, ERASED if here.world.erased else computed("title"))
        name = values["name"] if name_given(values) else title
        naming = t.Assign("name", plus(name, link), at)
        first = [t.Assign("title", title, at), naming]
        relations = (*relations, *relations_of(values, at))
    body = sequence([*first, *statements], found.body)
    after = state.define(a, DeclaredClass(parent, at))
    after = replace(after, notes=notes, relations=relations)
    made = t.Scoped(t.ClassScope(a), body, epc, tpc, (*here.path, at))
    return StmtStep(rule, after, made, rules, at)


def unknown_class(name: str, at: Span, here: Here) -> Stuck:
    """A class that κ does not know, or does not know yet."""
    manifest = here.world.manifest
    labels: tuple[Note, ...] = ()
    help = None
    later = manifest.classes.get(name)
    if later is not None:
        labels = (Note("it is defined here, after its use", later.at),)
    else:
        close = nearest(name, manifest.classes)
        help = f"did you mean {close}?" if close else None
    if name in manifest.defines and later is None:
        return Stuck(codes.UNKNOWN_CLASS, at, {"name": name}, help=f"{name} is a defined type")
    return Stuck(codes.UNKNOWN_CLASS, at, {"name": name}, labels, help)


def inheritance_cycle(kappa: Mapping[str, Definition], a: str) -> list[str] | None:
    """The classes that inherit round in a circle from a on, if they do: IncPU would go on."""
    way = [a]
    found = kappa.get(a)
    while isinstance(found, ClassDef) and found.parent is not None:
        way.append(found.parent)
        if found.parent in way[:-1]:
            return way[way.index(found.parent) :]
        found = kappa.get(found.parent)
    return None


def endless(kappa: Mapping[str, Definition], around: list[str], at: Span) -> Stuck:
    """The error for inheritance that goes round."""
    labels = []
    for name in around[:-1]:
        found = kappa[name]
        assert isinstance(found, ClassDef | ResourceDef)
        labels.append(Note(f"class {name}", found.at))
    way = " inherits ".join(around)
    return Stuck(codes.CYCLE, at, {"way": way}, tuple(labels))


STATEMENTS[t.Include] = step_include
STATEMENTS[t.ClassDeclaration] = step_class
