"""parse ∘ print is the identity on trees."""

from __future__ import annotations

import pytest
from hypothesis import given

from headwater.langs.puppet.syntax import Program, parse, show, validate
from headwater.langs.puppet.syntax.ast import Expr
from headwater.text import Source
from laws.profile import law
from laws.strategies.puppet import programs, templates

pytestmark = pytest.mark.filterwarnings("ignore:Generating overly large repr")


def check(name: str, body: list[Expr]) -> None:
    program = Program(body, Source(name, ""))
    text = show(program)
    again = parse(Source(name, text))

    assert again.ok, (text, [d.message for d in again.diagnostics])
    assert again.program == program, text
    assert show(again.program) == text
    validate(again.program)


@given(programs())
@law(short=250, long=5000)
def test_a_printed_manifest_parses_to_the_same_tree(body: list[Expr]) -> None:
    check("x.pp", body)


@given(templates())
@law(short=100, long=2000)
def test_a_printed_template_parses_to_the_same_tree(body: list[Expr]) -> None:
    check("x.epp", body)
