"""A whole program: from the initial configuration to the final store."""

from __future__ import annotations

from headwater.langs.opal.inputs import Inputs
from headwater.langs.opal.nesting import room_for_nesting
from headwater.langs.opal.paper.commands import com
from headwater.langs.opal.paper.state import (
    Applied,
    Config,
    Run,
    Stack,
    Store,
    Stuck,
    bound_in,
)
from headwater.langs.opal.syntax import Com, Place
from headwater.langs.opal.writes import Binding, Finished, Left, Write
from headwater.why import Label


def evaluate(program: Com, inputs: Inputs) -> Finished:
    """Evaluates from one store; π and μ are empty unless the inputs say otherwise.

    The types have been checked or deliberately not.
    """
    return _evaluate(program, inputs, derive=False)[0]


def derive(program: Com, inputs: Inputs) -> tuple[Finished, list[Applied]]:
    """The same, with the derivation; where it got stuck, applications lack their conclusion."""
    finished, run = _evaluate(program, inputs, derive=True)
    return finished, run.derivation


def _evaluate(program: Com, inputs: Inputs, *, derive: bool) -> tuple[Finished, Run]:
    run = Run(inputs, com, derive=derive)
    bound: dict[Place, Binding] = {}
    for place, value in inputs.values(run.heap).items():
        at = inputs.initial[place].at
        node = run.trace.label(Label("argument", at, at.text))
        bound[place] = Binding(value, node, node, Write("initial", "", at, None, None, None))
    start = Config(
        Stack(Store(bound)), {}, inputs.permitted, inputs.location, {}, dict(inputs.merges)
    )
    with room_for_nesting():
        after = com(run, program, start)
    rules = frozenset(run.rules)
    if isinstance(after, Stuck):
        return Finished(None, {}, after.diagnostic, run.trace, rules), run
    bound, absent = dict(after.top.bound), dict(after.top.absent)
    worlds = {
        u: Left(w.at, bound_in(w.orig), w.hyp.bound, w.hyp.absent, w.causes)
        for u, w in after.omega.items()
    }
    committed = frozenset(run.committed)
    return Finished(bound, absent, None, run.trace, rules, worlds, committed), run
