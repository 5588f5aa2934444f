"""⟨s, Σ, ω, π, ρ, η, μ⟩ ⇓ s′: the rules EMPTYSET, CONS, VAR and WEIGHT."""

from __future__ import annotations

from typing import assert_never

from headwater.langs.codes import BEYOND_PAPER
from headwater.langs.opal.codes import PERMISSION_MISSING, UNBOUND_VARIABLE, WORLD_IN_HANDLER
from headwater.langs.opal.paper.state import Config, Known, Run, Stack, Stuck
from headwater.langs.opal.paper.worlds import world
from headwater.langs.opal.printer import print_program, show_name, show_place
from headwater.langs.opal.syntax import (
    Atom,
    Conflict,
    Cons,
    Empty,
    Place,
    Preset,
    Sexp,
    Var,
    Weight,
)
from headwater.langs.opal.values import NIL, show
from headwater.langs.opal.writes import literal, reference
from headwater.text import Span
from headwater.why import Node


def sexp(run: Run, s: Sexp, k: Config) -> Known | Stuck:
    """The value of an S-expression."""
    opened = run.begin(s.at)
    match s:
        case Empty():
            rule = "eval/EMPTYSET"
            made: Known | Stuck = Known(NIL, run.trace.label(literal(s)))
        case Cons(s1, s2):
            rule = "eval/CONS"
            made = cons(run, s, s1, s2, k)
        case Var(place):
            rule = "eval/VAR"
            made = var(run, place, s.at, k.stack, k.pi, run.trace.label(reference(s)))
        case Weight():
            rule = "eval/WEIGHT"
            made = weight(run, s, k)
        case Atom() | Conflict() | Preset():
            return Stuck(BEYOND_PAPER.at(s.at, what=print_program(s, most=40)))
        case _:
            assert_never(s)
    if isinstance(made, Stuck):
        return made
    if stuck := run.tick(s.at):
        return stuck
    text = f"{print_program(s, most=60)} ⇓ {show(made.value, 60)}" if run.derive else ""
    run.end(opened, rule, text)
    return made


def cons(run: Run, s: Cons, s1: Sexp, s2: Sexp, k: Config) -> Known | Stuck:
    """(s1 . s2) ⇓ (s1′ . s2′)"""
    left = sexp(run, s1, k)
    if isinstance(left, Stuck):
        return left
    right = sexp(run, s2, k)
    if isinstance(right, Stuck):
        return right
    value = run.heap.cons(left.value, right.value)
    if broken := run.heap.broken(value):
        code, bound = broken
        return Stuck(code.at(s.at, bound=bound))
    return Known(value, run.expressions.operation("cons", (left.node, right.node)))


def var(
    run: Run, place: Place, at: Span, stack: Stack, pi: frozenset[str], via: Node
) -> Known | Stuck:
    """n.v ⇓ Σ(n, v), where n ∈ π"""
    if place.node not in pi:
        return Stuck(PERMISSION_MISSING.at(at, node=show_name(place.node)))
    found, passed = stack.find(place, run.trace)
    if found is None:
        return Stuck(UNBOUND_VARIABLE.at(at, place=show_place(place)))
    return Known(found.value, run.trace.copy(found.node, run.trace.union(via, passed)))


def weight(run: Run, s: Weight, k: Config) -> Known | Stuck:
    """w.n.v ⇓ the value of n.v in (σ_hyp, Σ_orig): what MERGESTORE calls s_h"""
    if k.later:
        return Stuck(WORLD_IN_HANDLER.at(s.at))
    tried = world(run, s.world, k)
    if isinstance(tried, Stuck):
        return tried
    via = run.trace.union(run.trace.label(reference(s)), tried.causes)
    return var(run, s.place, s.at, Stack(tried.hyp, tried.orig), k.pi, via)
