"""⟨w, Σ, ω, π, ρ, η, μ⟩ ⇓ (Σ_orig, σ_hyp): W-HYP and W-VAR; the paper's HYP, split in two."""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from headwater.langs.opal.codes import WORLD_GONE
from headwater.langs.opal.effects import effect_of
from headwater.langs.opal.paper.state import Config, Run, Stack, Store, Stuck, Tried
from headwater.langs.opal.printer import print_program, show_place
from headwater.langs.opal.syntax import Hyp, World, WorldVar
from headwater.langs.opal.values import show
from headwater.langs.opal.writes import Inside


def world(run: Run, w: World, k: Config) -> Tried | Stuck:
    """The world that an expression stands for."""
    opened = run.begin(w.at)
    match w:
        case Hyp():
            rule = "eval/W-HYP"
            tried = hyp(run, w, k)
        case WorldVar(u):
            rule = "eval/W-VAR"
            if u not in k.omega:
                return Stuck(WORLD_GONE.at(w.at, world=u))
            tried = k.omega[u]
        case _:
            assert_never(w)
    if isinstance(tried, Tried):
        text = f"{print_program(w, most=60)} ⇓ {show_store(tried.hyp)}" if run.derive else ""
        run.end(opened, rule, text)
    return tried


def hyp(run: Run, w: Hyp, k: Config) -> Tried | Stuck:
    """Runs the body on an empty store over a snapshot of the stack, with no worlds."""
    inner = replace(k, stack=Stack(Store(), k.stack), omega={}, inside=Inside(w.at, k.inside))
    before = len(run.endorsed)
    after = run.com(run, w.body, inner)
    if isinstance(after, Stuck):
        return after
    handlers = {op: handle.place for op, handle in k.eta.items()}
    may = effect_of(w.body, handlers, run.effects).writes
    permitted = k.pi.union(run.endorsed[before:])
    return Tried(k.stack, after.top, may, w.at, permitted=permitted)


def show_store(store: Store) -> str:
    """A store on one line."""
    parts = (f"{show_place(p)} ↦ {show(b.value, 30)}" for p, b in sorted(store.bound.items()))
    text = ", ".join(parts)
    return f"[{text}]" if len(text) < 200 else f"[{text[:199]}…]"
