"""Generated programs: the same catalog as real Puppet, or a refusal at the same line."""

from __future__ import annotations

import functools

import pytest
from hypothesis import HealthCheck, given, seed, settings

from headwater.langs.puppet.generate.programs import Program
from laws.profile import examples, is_long
from laws.strategies import puppet_grammar, puppet_programs
from peers import puppet8
from peers.catalogs import Oracle, difference, ours
from peers.programs import REPORT, REPORT_8, Programs, report, report_8
from peers.puppet import ABSENT, installed


@functools.cache
def oracle() -> Oracle:
    """One Ruby process for the run."""
    if not installed():
        pytest.skip(ABSENT)
    return Oracle()


@functools.cache
def programs() -> Programs:
    """The comparison of this process."""
    if not installed():
        pytest.skip(ABSENT)
    return Programs()


CHECKED = settings(
    max_examples=examples(1_000, 5_000),
    deadline=None,
    derandomize=False,
    database=None,
    suppress_health_check=list(HealthCheck),
)


@pytest.mark.peer
@settings(CHECKED, max_examples=examples(60, 2_000))
@seed(7)
@given(puppet_programs.programs())
def test_long_programs_agree_with_puppet(program: str) -> None:
    real = oracle().ask(code=program, filename="code.pp")

    assert difference(real, ours(program, "code.pp")) is None


@pytest.mark.peer
@CHECKED
@seed(1)
@given(puppet_grammar.programs())
def test_programs_of_the_whole_grammar_agree_with_puppet(program: Program) -> None:
    assert programs().difference(program) is None


@pytest.mark.peer
@CHECKED
@seed(2)
@given(puppet_grammar.programs())
def test_more_programs_of_the_whole_grammar_agree_with_puppet(program: Program) -> None:
    assert programs().difference(program) is None


@pytest.mark.peer
@pytest.mark.skipif(not puppet8.there(), reason=puppet8.ABSENT)
def test_programs_of_the_whole_grammar_agree_with_puppet_8() -> None:
    run = Programs(8)
    run.run(seed=800, count=examples(200, 2_000))
    run.close()

    if is_long():
        REPORT_8.write_text(report_8(dict(run.count), run.found), encoding="utf-8")
    assert run.found == []
    assert run.count["accepted"] > run.count["programs"] // 4


@pytest.mark.peer
@pytest.mark.skipif(not is_long(), reason="a hundred thousand programs: make laws")
def test_a_hundred_thousand_programs_agree_with_puppet() -> None:
    long_run = programs()
    long_run.run(seed=100, count=examples(0, 100_000))

    REPORT.write_text(report(dict(long_run.count), long_run.found), encoding="utf-8")
    assert long_run.found == []
