"""Every phase of the production dialect under every question; what decides an attribute's place."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from headwater.ask import Compiled, Request, compile_request
from headwater.ask.blame import blame
from headwater.ask.check import check
from headwater.ask.document import why_document
from headwater.ask.explain import Explanation, explain
from headwater.ask.impact import Affected, impact
from headwater.langs.smartfrog.production.compiling import PHASES
from headwater.text import Source
from headwater.tree import Value
from headwater.tree.json import compact

PROGRAMS = [
    "P extends { a 1; } sfConfig extends P, { b 2; }",
    "P extends { r extends { } } Q extends P, { z 3; }, P sfConfig extends Q, { r:x 4; r:y z; }",
    'P extends { a 1; } sfConfig extends { y LAZY APPLY { sfFunctionClass "x.Y"; c extends P, '
    "{ n 1; } } f (1 + a); v [|1, [|2|]|]; w [1, (1 + 2)]; a 1; l LAZY a; d DATA a; }",
    '#include "org/smartfrog/predicates.sf"\nsfConfig extends { s extends Schema { port extends '
    "Integer; } port 80; -- extends { x 1; } [sfTemp] t 1; i IF true THEN 1 ELSE 2 FI; }",
]


def compiled(text: str, dialect: str, **inputs: object) -> Compiled:
    source = Source("main.sf", text)
    return compile_request(Request(sources=(source,), dialect=dialect, inputs=inputs))


@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize("text", PROGRAMS)
def test_every_phase_answers_every_question(text: str, phase: str) -> None:
    made = compiled(text, "production", phase=phase)
    result = made.outcome.result
    assert result is not None, made.outcome.errors
    lines = blame(made)
    assert isinstance(lines, list)
    assert lines
    assert why_document(made)["values"]
    for address, _ in result.walk():
        shown = made.language.show_address(address)
        answer = explain(made, shown)
        assert isinstance(answer, Explanation), shown
        assert answer.views.depends, shown
    for line in range(1, text.count("\n") + 2):
        affected = impact(made, "main.sf", line)
        assert isinstance(affected, Affected)
        assert affected.addresses


@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize("text", PROGRAMS)
def test_a_phase_written_in_smartfrog_says_all_that_the_tree_says(text: str, phase: str) -> None:
    made = compiled(text, "production", phase=phase).outcome.result
    assert made is not None
    written = "".join(made.export("sf"))
    if phase in ("sfConfig", "link"):
        written = f"sfConfig extends {{ {written} }}"
    again = compiled(written, "production", phase="raw").outcome
    assert again.result is not None, (written, again.errors)
    read = again.result.get(("sfConfig",) if phase in ("sfConfig", "link") else ())
    assert nameless(read) == nameless(made.plain())  # type: ignore[arg-type]


def nameless(value: Value) -> str:
    """A result without the names that were made up for operands."""
    return re.sub(r"unique\d+|operand\d+|--", "--", compact(value))


@pytest.mark.parametrize("name", ["Constraint", "Array", "Aggregator", "PrettyPrint"])
@pytest.mark.parametrize("where", ["sfConfig extends {}", "sfConfig extends {{ x extends {} }}"])
def test_functions_of_the_constraint_solver_are_named(name: str, where: str) -> None:
    include = '#include "org/smartfrog/functions.sf"\n'
    error = compiled(include + where.format(name + " { a 1; }"), "production").outcome.errors[0]
    assert error.code == "sf-unsupported-function"
    assert name in error.message
    assert error.help is not None
    assert "constraint" in error.help


ORDERED = "sfConfig extends { order z < a; a 1; b 2; z 3; last 4; }"


@pytest.mark.parametrize(
    ("address", "reason"),
    [("a", "constraint"), ("z", "constraint"), ("b", "constraint"), ("last", "first set")],
)
def test_a_place_that_a_constraint_changed_is_told_so(address: str, reason: str) -> None:
    answer = explain(compiled(ORDERED, "extended"), address)
    assert isinstance(answer, Explanation)
    assert answer.position is not None
    assert reason in answer.position.reason
    places = [note.at.text for note in answer.position.notes]
    assert ("order z < a;" in places) == (reason == "constraint")


def test_the_papers_figure_19_has_no_order_to_warn_about() -> None:
    figure = Path(__file__).parent / "peers" / "smartfrog" / "figures" / "fig19.sf"
    request = Request(files=(str(figure),), dialect="extended")
    assert list(check(request, [str(figure)])) == []
