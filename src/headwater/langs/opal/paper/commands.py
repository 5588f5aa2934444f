"""⟨c, Σ, ω, π, ρ, η, μ⟩ ⇓ ⟨σ′, ω′⟩: one arm per rule, in the paper's order.

SKIP, SEQ, IF-TRUE, IF-FALSE; AT, WITH; HANDLE, OP; ASSIGN-W (the paper's first HYP) and
COMMIT.
"""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from headwater.langs.opal.codes import (
    ENDORSEMENT_DENIED,
    PERMISSION_MISSING,
    UNKNOWN_OPERATION,
)
from headwater.langs.opal.distribution import Carried, Request, Visit
from headwater.langs.opal.effects import Effect, effect_of
from headwater.langs.opal.paper.bools import bool_
from headwater.langs.opal.paper.commit import commit
from headwater.langs.opal.paper.sexps import sexp
from headwater.langs.opal.paper.state import (
    After,
    Config,
    Run,
    Stack,
    Store,
    Stuck,
    Worlds,
    bound_in,
    override,
)
from headwater.langs.opal.paper.worlds import show_store, world
from headwater.langs.opal.printer import print_program, show_name, show_place
from headwater.langs.opal.syntax import (
    Assign,
    At,
    Com,
    Commit,
    Handle,
    If,
    Op,
    Place,
    Seq,
    Skip,
    With,
    WorldVar,
)
from headwater.langs.opal.values import NIL
from headwater.langs.opal.writes import Binding, Write, definition, operation
from headwater.why import Node


def com(run: Run, c: Com, k: Config) -> After | Stuck:
    """The judgement."""
    if isinstance(c, Seq):
        return seq(run, c, k)
    if stuck := run.tick(c.at):
        return stuck
    opened = run.begin(c.at)
    after: After | Stuck
    match c:
        case Skip():
            rule, after = "eval/SKIP", After(k.stack.top, k.omega)
        case If():
            rule, after = if_(run, c, k)
        case At():
            rule, after = "eval/AT", at(run, c, k)
        case With(n, body):
            rule = "eval/WITH"
            if run.inputs.endorser.endorses(Request(n, k.rho, body, k.inside)):
                run.endorsed.append(n)
                after = com(run, body, replace(k, pi=k.pi | {n}))
            else:
                after = Stuck(ENDORSEMENT_DENIED.at(c.at, node=show_name(n), location=k.rho))
        case Handle():
            rule, after = "eval/HANDLE", handle(run, c, k)
        case Op():
            rule, after = "eval/OP", op(run, c, k)
        case Assign():
            rule, after = "eval/ASSIGN-W", assign(run, c, k)
        case Commit():
            rule, after = "eval/COMMIT", commit(run, c, k)
        case _:
            assert_never(c)
    if isinstance(after, After):
        top = after.top
        text = f"{print_program(c, most=60)} ⇓ {show_store(top)}" if run.derive else ""
        run.end(opened, rule, text)
    return after


def seq(run: Run, c: Seq, k: Config) -> After | Stuck:
    """SEQ: each command starts with the store and the worlds that the one before leaves.

    The derivation of c1; (c2; (…)) is shown at one depth, so that it stays readable.
    """
    after: After | Stuck = After(k.stack.top, k.omega)
    for command in c.commands:
        assert isinstance(after, After)
        run.rules.add("eval/SEQ")
        if command is not c.commands[-1]:
            text = f"{print_program(command, most=60)}; …" if run.derive else ""
            run.end(run.begin(c.at), "eval/SEQ", text)
        below = k.stack.below
        after = com(run, command, replace(k, stack=Stack(after.top, below), omega=after.omega))
        if isinstance(after, Stuck):
            return after
    return after


def if_(run: Run, c: If, k: Config) -> tuple[str, After | Stuck]:
    """IF-TRUE and IF-FALSE; what the other branch might have written depends on the test."""
    test = bool_(run, c.test, k)
    if isinstance(test, Stuck):
        return "", test
    taken, other = (c.then, c.orelse) if test.value else (c.orelse, c.then)
    after = com(run, taken, replace(k, pc=run.trace.union(k.pc, test.causes)))
    if isinstance(after, After):
        handlers = {op: handle.place for op, handle in k.eta.items()}
        done = effect_of(taken, handlers, run.effects)
        left_out = effect_of(other, handlers, run.effects)
        after = untaken(run, after, done, left_out, k.omega, test.causes)
    return "eval/IF-TRUE" if test.value else "eval/IF-FALSE", after


def untaken(
    run: Run, after: After, taken: Effect, other: Effect, omega: Worlds, causes: Node
) -> After:
    """The outcome of an if, with its test among the causes of all that could be different."""
    top = after.top
    places = set(other.writes)
    for u in other.commits:
        if u in omega:
            places |= omega[u].may
    for place in sorted(places):
        top = top.might_bind(place, run.trace, causes)
    worlds = dict(after.omega)
    for u in worlds:
        if u in taken.worlds or u in other.worlds:
            may = worlds[u].may
            if u in other.worlds:
                held = other.worlds[u]
                may = may.union(held.places, *(omega[x].may for x in held.outer if x in omega))
            node = run.trace.union(worlds[u].causes, causes)
            worlds[u] = replace(worlds[u], may=may, causes=node)
    return After(top, worlds)


def at(run: Run, c: At, k: Config) -> After | Stuck:
    """AT: an empty store on top, which overrides the caller's when it comes back."""

    def carried() -> Carried:
        stores = {place: bound.value for place, bound in bound_in(k.stack).items()}
        return Carried(k.eta, k.mu, k.pi, stores, frozenset(k.omega))

    visit = Visit(k.rho, c.node, c.body, carried)
    arrived = run.inputs.transport.arrive(visit)
    inner = replace(k, stack=Stack(Store(), k.stack), rho=c.node)
    if arrived is not visit:
        took = arrived.carried()
        inner = replace(inner, pi=took.permitted, eta=took.operations, mu=took.merges)
    after = com(run, arrived.command, inner)
    if isinstance(after, Stuck):
        return after
    bound = after.top.bound
    back = run.inputs.transport.leave(visit, {place: b.value for place, b in bound.items()})
    top = Store({p: b._replace(value=back[p]) for p, b in bound.items()}, after.top.absent)
    return After(override(top, k.stack.top, run.trace), after.omega)


def handle(run: Run, c: Handle, k: Config) -> After | Stuck:
    """HANDLE: n.v starts as ∅; worlds cross the border in neither direction (G9)."""
    n = c.place.node
    if n not in k.pi:
        return Stuck(PERMISSION_MISSING.at(c.place_at, node=show_name(n)))
    node = run.trace.label(definition(c))
    before, _ = k.stack.find(c.place, run.trace)
    write = Write("handle", show_place(c.place), c.head, c, k.inside, before)
    causes = run.trace.union(node, k.pc)
    bound = Binding(NIL, run.trace.guard(node, k.pc), causes, write)
    inner = replace(
        k,
        stack=Stack(k.stack.top.bind(c.place, bound), k.stack.below),
        omega={},
        eta={**k.eta, c.op: c},
        mu={**k.mu, c.place: c},
    )
    after = com(run, c.body, inner)
    return after if isinstance(after, Stuck) else After(after.top, k.omega)


def op(run: Run, c: Op, k: Config) -> After | Stuck:
    """OP: η(op) = (n, v, s_h); s_h is evaluated now and bound in the top store."""
    if c.name not in k.eta:
        return Stuck(UNKNOWN_OPERATION.at(c.at, op=c.name))
    handle = k.eta[c.name]
    place: Place = handle.place
    if place.node not in k.pi:
        return Stuck(PERMISSION_MISSING.at(c.at, node=show_name(place.node)))
    known = sexp(run, handle.handler, replace(k, later=True))
    if isinstance(known, Stuck):
        return known
    causes = run.trace.union(run.trace.label(operation(c)), k.pc)
    before, _ = k.stack.find(place, run.trace)
    write = Write("operation", c.name, c.at, handle, k.inside, before)
    bound = Binding(known.value, run.trace.guard(known.node, causes), causes, write)
    return After(k.stack.top.bind(place, bound), k.omega)


def assign(run: Run, c: Assign, k: Config) -> After | Stuck:
    """ASSIGN-W: ω[u ↦ world]; a variable that was moved is gone (G10)."""
    tried = world(run, c.world, k)
    if isinstance(tried, Stuck):
        return tried
    moved = c.world.name if isinstance(c.world, WorldVar) else None
    omega = {u: w for u, w in k.omega.items() if u != moved}
    return After(k.stack.top, {**omega, c.name: tried})
