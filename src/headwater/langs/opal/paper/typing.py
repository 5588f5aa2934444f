"""The typing judgement Ω, Π, Σ, H ⊢ c : Ω′ of section 3, as the design page completes it.

Commands T-SKIP, T-SEQ, T-IF, T-WITH, T-AT, T-ASSIGN-W, T-COMMIT, T-HANDLE, T-OP;
S-expressions T-NIL, T-CONS, T-VAR, T-WEIGHT; Booleans T-TRUE, T-FALSE, T-CONJ, T-DISJ,
T-EQ, T-MEM; worlds W-HYP and W-VAR.  One arm per rule.  A premise that fails leaves a
diagnostic, and checking goes on as if it held.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeAlias, assert_never

from headwater.langs.opal.codes import (
    MERGE_NAMES,
    NO_MERGE_OUTSIDE,
    WORLD_DROPPED,
    WORLD_IN_HANDLER,
)
from headwater.langs.opal.nesting import room_for_nesting
from headwater.langs.opal.printer import show_place
from headwater.langs.opal.scope import (
    COMMITTED,
    INSIDE_HANDLE,
    INSIDE_HYP,
    MOST_FOUND,
    OUTSIDE_HANDLE,
    OUTSIDE_HYP,
    Gone,
    Live,
    in_one_branch,
    moved_to,
    no_permission,
    unavailable,
    undefined,
    unknown,
)
from headwater.langs.opal.syntax import (
    And,
    Assign,
    At,
    Atom,
    Bool,
    Com,
    Commit,
    Conflict,
    Cons,
    Empty,
    Eq,
    Handle,
    Hyp,
    If,
    Mem,
    Op,
    Or,
    Place,
    Preset,
    Seq,
    Sexp,
    Skip,
    Truth,
    Var,
    Weight,
    With,
    World,
    WorldVar,
)
from headwater.report import Diagnostic, Note, in_order
from headwater.text import Span

Omega: TypeAlias = Mapping[str, Live | Gone]


@dataclass(frozen=True, slots=True)
class Context:
    """Π, Σ and H; `merged` are the places with a merge around the nearest hyp, if it matters."""

    pi: frozenset[str] = frozenset()
    sigma: frozenset[Place] = frozenset()
    ops: Mapping[str, Handle] = field(default_factory=dict)
    handled: frozenset[Place] = frozenset()
    merged: frozenset[Place] | None = None


@dataclass(frozen=True, slots=True)
class Typed:
    """What checking found: diagnostics in order of place, and the rules that were applied."""

    diagnostics: tuple[Diagnostic, ...]
    rules: frozenset[str]


def check(program: Com, known: Iterable[Place] = (), permitted: Iterable[str] = ()) -> Typed:
    """Checks a program over a store that binds the `known` places."""
    judgement = _Judgement()
    with room_for_nesting():
        judgement.com(program, {}, Context(pi=frozenset(permitted), sigma=frozenset(known)))
    return Typed(tuple(in_order(judgement.found)), frozenset(judgement.rules))


class _Judgement:
    def __init__(self) -> None:
        self.found: list[Diagnostic] = []
        self.rules: set[str] = set()
        self.ended: dict[str | Place, Handle] = {}

    def report(self, diagnostic: Diagnostic) -> None:
        """Keeps a diagnostic, up to a bound."""
        if len(self.found) < MOST_FOUND:
            self.found.append(diagnostic)

    def com(self, c: Com, omega: Omega, g: Context) -> Omega:
        """Ω, Π, Σ, H ⊢ c : Ω′"""
        match c:
            case Skip():
                self.rules.add("type/T-SKIP")
                return omega
            case Seq(commands):
                self.rules.add("type/T-SEQ")
                for command in commands:
                    omega = self.com(command, omega, g)
                return omega
            case If(b, then, orelse):
                self.rules.add("type/T-IF")
                self.truth(b, omega, g)
                one, other = self.com(then, omega, g), self.com(orelse, omega, g)
                return _intersection(one, other, omega, c.at.at_start())
            case With(n, body):
                self.rules.add("type/T-WITH")
                return self.com(body, omega, replace(g, pi=g.pi | {n}))
            case At(_, body):
                self.rules.add("type/T-AT")
                return self.com(body, omega, g)
            case Assign():
                self.rules.add("type/T-ASSIGN-W")
                return self.assign(c, omega, g)
            case Commit(w):
                self.rules.add("type/T-COMMIT")
                omega = self.world(w, omega, g)
                return _without(omega, w, Gone(COMMITTED, c.at))
            case Handle():
                self.rules.add("type/T-HANDLE")
                return self.handle(c, omega, g)
            case Op(op):
                self.rules.add("type/T-OP")
                if op not in g.ops:
                    self.report(unknown(c, g.ops, self.ended.get(op)))
                return omega
            case _:
                assert_never(c)

    def assign(self, c: Assign, omega: Omega, g: Context) -> Omega:
        """``u := w``: a hyp adds *u*; a variable moves."""
        u = c.name
        omega = self.world(c.world, omega, g)
        omega = _without(omega, c.world, Gone(moved_to(u), c.at))
        before = omega.get(u)
        if isinstance(before, Live):
            line = before.at.first.line
            note = Note("the world that is dropped", before.at)
            self.report(WORLD_DROPPED.at(c.at, world=u, line=line, labels=(note,)))
        return {**omega, u: Live(c.at)}

    def handle(self, c: Handle, omega: Omega, g: Context) -> Omega:
        """``handle …``: a barrier for worlds in both directions."""
        n = c.place.node
        if n not in g.pi:
            self.report(no_permission(n, c.place_at))
            g = replace(g, pi=g.pi | {n})
        names = (c.orig, c.hyp, c.curr)
        for index in (1, 2):
            if names[index] in names[:index]:
                self.report(MERGE_NAMES.at(c.names_at[index], name=names[index]))
                break
        if g.merged is not None and c.place not in g.merged:
            self.report(NO_MERGE_OUTSIDE.at(c.head, place=show_place(c.place)))
        self.later(c.handler, replace(g, sigma=g.sigma | {c.place}))
        self.later(c.merge, replace(g, sigma=g.sigma | {Place(n, v) for v in names}))
        inside: dict[str, Live | Gone] = {
            u: Gone(OUTSIDE_HANDLE, c.head) for u, x in omega.items() if isinstance(x, Live)
        }
        body = replace(
            g,
            sigma=g.sigma | {c.place},
            ops={**g.ops, c.op: c},
            handled=g.handled | {c.place},
        )
        after = self.com(c.body, inside, body)
        self.ended[c.op] = self.ended[c.place] = c
        return _with_lost(omega, after, Gone(INSIDE_HANDLE, c.head))

    def later(self, s: Sexp, g: Context) -> None:
        """An expression that runs later: it may not read a world (E016)."""
        match s:
            case Weight():
                self.report(WORLD_IN_HANDLER.at(s.at))
            case Cons(left, right):
                self.rules.add("type/T-CONS")
                self.later(left, g)
                self.later(right, g)
            case _:
                self.sexp(s, {}, g)

    def sexp(self, s: Sexp, omega: Omega, g: Context) -> None:
        """Ω, Π, Σ, H ⊢ s : SEXP"""
        match s:
            case Empty():
                self.rules.add("type/T-NIL")
            case Cons(left, right):
                self.rules.add("type/T-CONS")
                self.sexp(left, omega, g)
                self.sexp(right, omega, g)
            case Var(place):
                self.rules.add("type/T-VAR")
                self.readable(place, s.at, g)
            case Weight(w, place):
                self.rules.add("type/T-WEIGHT")
                self.world(w, omega, g, committable=False)
                self.readable(place, s.at, g)
            case Atom() | Conflict() | Preset():
                pass
            case _:
                assert_never(s)

    def truth(self, b: Bool, omega: Omega, g: Context) -> None:
        """Ω, Π, Σ, H ⊢ b : BOOL"""
        match b:
            case Truth(True):
                self.rules.add("type/T-TRUE")
            case Truth():
                self.rules.add("type/T-FALSE")
            case And(left, right):
                self.rules.add("type/T-CONJ")
                self.truth(left, omega, g)
                self.truth(right, omega, g)
            case Or(left, right):
                self.rules.add("type/T-DISJ")
                self.truth(left, omega, g)
                self.truth(right, omega, g)
            case Eq(s1, s2):
                self.rules.add("type/T-EQ")
                self.sexp(s1, omega, g)
                self.sexp(s2, omega, g)
            case Mem(s1, s2):
                self.rules.add("type/T-MEM")
                self.sexp(s1, omega, g)
                self.sexp(s2, omega, g)
            case _:
                assert_never(b)

    def world(self, w: World, omega: Omega, g: Context, *, committable: bool = True) -> Omega:
        """Ω, Π, Σ, H ⊢ w : WORLD; returns Ω, remembering the worlds lost with a hyp"""
        match w:
            case Hyp(c):
                self.rules.add("type/W-HYP")
                inside: dict[str, Live | Gone] = {
                    u: Gone(OUTSIDE_HYP, w.at.at_start())
                    for u, x in omega.items()
                    if isinstance(x, Live)
                }
                g = replace(g, merged=g.handled if committable else None)
                after = self.com(c, inside, g)
                return _with_lost(omega, after, Gone(INSIDE_HYP, w.at.at_start()))
            case WorldVar(u):
                self.rules.add("type/W-VAR")
                status = omega.get(u)
                if not isinstance(status, Live):
                    live = [x for x, y in omega.items() if isinstance(y, Live)]
                    self.report(unavailable(w, status, live))
                return omega
            case _:
                assert_never(w)

    def readable(self, place: Place, at: Span, g: Context) -> None:
        """n ∈ Π and (n, v) ∈ Σ"""
        if place.node not in g.pi:
            self.report(no_permission(place.node, at))
        elif place not in g.sigma:
            self.report(undefined(place, at, g.sigma, self.ended.get(place)))


def _without(omega: Omega, w: World, how: Gone) -> Omega:
    """Ω \\ {u} if *w* is a variable that is there."""
    match w:
        case WorldVar(u) if isinstance(omega.get(u), Live):
            return {**omega, u: how}
        case _:
            return omega


def _with_lost(omega: Omega, inner: Omega, how: Gone) -> Omega:
    """The outer Ω; names that only the inner one has are remembered as lost."""
    lost = {u: how for u, x in inner.items() if isinstance(x, Live) and u not in omega}
    return {**omega, **lost}


def _intersection(one: Omega, other: Omega, before: Omega, at: Span) -> Omega:
    """Ω′ ∩ Ω″, remembering why a world of only one of them is gone."""
    joined: dict[str, Live | Gone] = {}
    for u in (*one, *(x for x in other if x not in one)):
        match one.get(u), other.get(u):
            case ((Live() as kept), Live()):
                joined[u] = kept
            case Live(), (Gone() | None) as gone:
                joined[u] = in_one_branch(gone, before.get(u), at)
            case (Gone() | None) as gone, Live():
                joined[u] = in_one_branch(gone, before.get(u), at)
            case ((Gone() as gone), _):
                joined[u] = gone
            case _, (Gone() as gone):
                joined[u] = gone
    return joined
