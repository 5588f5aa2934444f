"""Running Opal programs in laws: both engines, checked or not, with comparable outcomes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from headwater.langs.opal.causes import StoreCauses
from headwater.langs.opal.engine import layers
from headwater.langs.opal.engine.check import check as engine_check
from headwater.langs.opal.engine.run import evaluate as engine_run
from headwater.langs.opal.fields import Fields
from headwater.langs.opal.inputs import Inputs, read_inputs
from headwater.langs.opal.paper.run import evaluate as paper_run
from headwater.langs.opal.paper.typing import check as paper_check
from headwater.langs.opal.parser import parse
from headwater.langs.opal.syntax import Com, Place
from headwater.langs.opal.values import plain
from headwater.langs.opal.writes import Finished
from headwater.report import Diagnostic
from headwater.text import NOWHERE, Source
from headwater.why import Expression, Given, Label, depends, expression, masked, where

PAPER, FAST, TRACED = "paper", "engine", "traced engine"

layers.MOST_COPIED = 1  # so that the stores of small programs have shared versions too


def parsed(text: str, *, ext: bool = False) -> Com:
    """The program that a text spells, with places."""
    found = parse(Source("law.opal", text), ext=ext)
    assert found.program is not None, found.diagnostics
    return found.program


def over(stores: dict[str, Any]) -> Inputs:
    """Inputs with an initial store."""
    made = read_inputs(Fields(initial=stores), NOWHERE)
    assert isinstance(made, Inputs)
    return made


def typed(program: Com, known: Iterable[Place] = ()) -> tuple[list[tuple[Any, ...]], ...]:
    """What the two checkers say: code, place, message, labels and help."""
    known = list(known)
    return tuple(
        [(d.code, d.at.start, d.at.end, d.message, d.labels, d.help) for d in found]
        for found in (paper_check(program, known).diagnostics, engine_check(program, known))
    )


def well_typed(program: Com) -> bool:
    return not any(d.is_error for d in engine_check(program))


def run(program: Com, how: str, inputs: Inputs | None = None) -> Finished:
    """A run; types are not checked."""
    inputs = inputs or Inputs()
    if how == PAPER:
        return paper_run(program, inputs)
    return engine_run(program, inputs, tracing=how == TRACED)


def stores(finished: Finished) -> dict[Place, Any] | tuple[str, int]:
    """The plain final store, or code and place of what stopped the run."""
    if finished.store is None:
        assert finished.stuck is not None
        return failure(finished.stuck)
    return {place: plain(bound.value) for place, bound in finished.store.items()}


def failure(diagnostic: Diagnostic) -> tuple[str, int]:
    return diagnostic.code, diagnostic.at.start


def key(label: Label) -> tuple[str, int, int, str]:
    """What identifies a label across runs."""
    return label.kind, label.at.start, label.at.end, label.text


def why(finished: Finished) -> dict[Place, Any]:
    """All views of all final values, comparable across engines."""
    assert finished.store is not None
    causes = StoreCauses(lambda: finished)
    found: dict[Place, Any] = {}
    for place in finished.store:
        node = causes.of(tuple(place))
        origin = where(causes.trace, node)
        found[place] = (
            origin and key(origin),
            [key(label) for label in depends(causes.trace, node)],
            flat(expression(causes.trace, node)),
            [
                (m.value, m.where and key(m.where), m.reason, [key(x) for x in m.by])
                for m in masked(causes.trace, node)
            ],
            [(at.start, at.end) for at in causes.path(tuple(place))],
        )
    output = [key(label) for label in depends(causes.trace, causes.output())]
    found[Place("", "")] = output
    return found


def flat(root: Expression | None) -> object:
    """An expression as nested tuples."""
    if root is None:
        return None
    if isinstance(root, Given):
        return key(root.label)
    return (root.name, *(flat(arg) for arg in root.args))
