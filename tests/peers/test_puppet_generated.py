"""Generated programs over the whole grammar: Puppet's verdict and Puppet's tree."""

from __future__ import annotations

import pytest
from hypothesis import given

from headwater.langs.puppet.syntax import Program, show
from headwater.langs.puppet.syntax.ast import Expr
from headwater.text import Source
from laws.profile import law
from laws.strategies.puppet import programs, templates
from peers.puppet import puppet
from peers.puppet_report import verdict

pytestmark = [
    pytest.mark.peer,
    pytest.mark.filterwarnings("ignore:Generating overly large repr"),
]


def check(name: str, body: list[Expr]) -> None:
    text = show(Program(body, Source(name, "")))
    theirs = puppet().parse(text, name, dump=True)
    ours = verdict(Source(name, text))

    assert ours.ok == theirs["ok"], (text, ours.codes, theirs["issues"])
    if theirs["dump"] is not None:
        assert ours.dump == theirs["dump"], text


@given(programs())
@law(short=150, long=3000)
def test_a_generated_manifest_is_read_as_puppet_reads_it(body: list[Expr]) -> None:
    check("x.pp", body)


@given(templates())
@law(short=80, long=1500)
def test_a_generated_template_is_read_as_puppet_reads_it(body: list[Expr]) -> None:
    check("x.epp", body)
