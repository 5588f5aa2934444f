"""⟨commit w, …⟩ ⇓ ⟨σ′; σ, ω∖w⟩: the rules COMMIT, MERGESTO and MERGESTORE.

Every place that σ_hyp binds is merged against the current stack as it was before the
commit, so the order of places does not matter; they are taken in alphabetical order.
Paper: the result binds only what was merged; here it overrides the current store (G3).
"""

from __future__ import annotations

from dataclasses import replace

from headwater.langs.opal.codes import MERGE_CONFLICT, PERMISSION_MISSING
from headwater.langs.opal.paper.sexps import sexp, var
from headwater.langs.opal.paper.state import (
    After,
    Config,
    Known,
    Run,
    Stack,
    Store,
    Stuck,
    Tried,
)
from headwater.langs.opal.paper.worlds import world
from headwater.langs.opal.printer import print_program, show_name, show_place
from headwater.langs.opal.syntax import Commit, Handle, Place, WorldVar
from headwater.langs.opal.values import show
from headwater.langs.opal.writes import Binding, Merged, Write, commit_label
from headwater.why import NOTHING


def commit(run: Run, c: Commit, k: Config) -> After | Stuck:
    """COMMIT: a merge for every place the world wrote, then the world is gone."""
    tried = world(run, c.world, k)
    if isinstance(tried, Stuck):
        return tried
    run.committed.add(tried.at)
    trace = run.trace
    merged: dict[Place, Binding] = {}
    for place in sorted(tried.hyp.bound):
        binding = merge(run, c, place, tried, k)
        if isinstance(binding, Stuck):
            return binding
        merged[place] = binding
    top = k.stack.top
    for place, binding in merged.items():
        top = top.bind(place, binding)
    for place in tried.may - merged.keys():
        absent = tried.hyp.absent.get(place, NOTHING)
        if absent != NOTHING or tried.causes != NOTHING:
            top = top.might_bind(place, trace, trace.union(absent, tried.causes))
    omega = k.omega
    if isinstance(c.world, WorldVar):
        omega = {u: w for u, w in omega.items() if u != c.world.name}
    return After(top, omega)


def merge(run: Run, c: Commit, place: Place, tried: Tried, k: Config) -> Binding | Stuck:
    """MERGESTO: the new value of one place, by its merge if it has one."""
    opened = run.begin(c.at)
    trace = run.trace
    hyp = tried.hyp.bound[place]
    orig, _ = tried.orig.find(place, trace)
    curr, _ = k.stack.find(place, trace)
    causes = trace.union(trace.label(commit_label(c)), hyp.written, tried.causes, k.pc)
    handle = k.mu.get(place)
    if handle is not None and handle is run.inputs.merges.get(place):
        # A merge from before the program is in none of its blocks: it has the world's permissions.
        k = replace(k, pi=k.pi | tried.permitted)
    if handle is None:
        # Paper: no rule; here: adopt the world's value unless there is a conflict (G4).
        if (orig and orig.value) is not (curr and curr.value):
            return Stuck(MERGE_CONFLICT.at(c.at, place=show_place(place)))
        made: Known | Stuck = Known(hyp.value, hyp.node)
    else:
        store = mergestore(run, c, place, handle, tried, k)
        if isinstance(store, Stuck):
            return store
        made = sexp(run, handle.merge, replace(k, stack=Stack(store, k.stack), later=True))
    if isinstance(made, Stuck):
        return made
    expression = handle.merge if handle is not None else None
    write = Write(
        "commit",
        print_program(c, most=60),
        c.at,
        handle,
        k.inside,
        curr,
        Merged(orig, hyp, curr, expression),
    )
    run.end(opened, "eval/MERGESTO", f"{show_place(place)} ↦ {show(made.value, 60)}")
    return Binding(made.value, trace.guard(made.node, causes), causes, write)


def mergestore(
    run: Run, c: Commit, place: Place, handle: Handle, tried: Tried, k: Config
) -> Store | Stuck:
    """MERGESTORE: [(n, v_o) ↦ s_o, (n, v_h) ↦ s_h, (n, v_c) ↦ s_c]"""
    opened = run.begin(handle.merge.at)
    if place.node not in k.pi:
        return Stuck(PERMISSION_MISSING.at(c.at, node=show_name(place.node)))
    store = Store()
    sides = (
        (handle.orig, tried.orig),
        (handle.hyp, Stack(tried.hyp, tried.orig)),
        (handle.curr, k.stack),
    )
    for name, stack in sides:
        known = var(run, place, c.at, stack, k.pi, NOTHING)
        if isinstance(known, Stuck):
            return known
        store = store.bind(Place(place.node, name), Binding(known.value, known.node, NOTHING, None))
    text = ", ".join(f"{p.var} = {show(b.value, 40)}" for p, b in store.bound.items())
    run.end(opened, "eval/MERGESTORE", text)
    return store
