"""What does not end, and what is too large, ends with a located diagnostic that names it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from headwater.ask.views import Views, expression_json
from headwater.langs.protocol import Causes, Job, Outcome, Step
from headwater.langs.puppet.fields import Fields
from headwater.langs.puppet.paper import machine
from headwater.langs.puppet.paper.adapter import compile_job, steps_of
from headwater.text import Source


def outcome(text: str, dialect: str = "paper", **inputs: Any) -> Outcome:  # noqa: ANN401
    return compile_job(Job((Source("site.pp", text),), Fields(**inputs), dialect, "paper"))


CYCLES = [
    ("class a inherits b { }\nclass b inherits a { }\ninclude a", "a inherits b inherits a", 3),
    ("class a inherits a { }\nclass { 'a': }", "a inherits a", 2),
    ('define d { d { "${title}x": } }\nd { "a": }', "d declares d", 1),
    (
        'define d { d { "${title}x": } d { "${title}y": } }\nd { "a": }',
        "d declares d",
        1,
    ),
    (
        'define e { o { "${title}x": } }\ndefine o { e { "${title}y": } }\ne { "a": }',
        "declares",
        1,
    ),
]


@pytest.mark.parametrize("dialect", ["paper", "like-puppet"])
@pytest.mark.parametrize(("text", "way", "line"), CYCLES)
def test_a_cycle_is_named(text: str, way: str, line: int, dialect: str) -> None:
    (problem,) = outcome(text, dialect).diagnostics

    assert problem.code == "mupuppet-cycle"
    assert way in problem.message
    assert problem.at.first.line in (line, line + 1)


def test_a_class_that_declares_itself_is_refused() -> None:
    (problem,) = outcome("class a { class { 'a': } }\ninclude a").diagnostics

    assert problem.code == "mupuppet-class-again"
    assert problem.labels[0].at.first.line == 2


def test_a_recursive_define_that_ends_is_no_cycle() -> None:
    text = """define count($n) {
      notify { "at ${n}": }
      if $n > 0 { count { "${title}.": n => $n - 1 } }
    }
    count { 'c': n => 40 }"""
    for dialect in ("paper", "like-puppet"):
        result = outcome(text, dialect).result
        assert result is not None
        assert len(list(result.walk())) == 41


@pytest.mark.parametrize(
    "text",
    [
        "$x = " + "!" * 3000 + "true",
        "$x = " + "1 + " * 3000 + "1",
        "$x = " + "[" * 300 + "]" * 300,
        "if true { " * 300 + "}" * 300,
    ],
)
def test_deep_nesting_names_its_bound(text: str) -> None:
    (problem,) = outcome(text).diagnostics

    assert problem.code == "puppet-too-deep"


def test_many_statements_are_no_depth() -> None:
    text = "class c {\n" + "\n".join(f"notify {{ 'n{i}': }}" for i in range(600)) + "\n}\ninclude c"
    result = outcome(text).result

    assert result is not None
    assert len(list(result.walk())) == 600


def test_too_many_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "MOST_STEPS", 10)
    text = "\n".join(f"$v{i} = {i}" for i in range(20))
    job = Job((Source("site.pp", text),), Fields(), "paper", "paper")

    assert compile_job(job).diagnostics[0].code == "mupuppet-too-many-steps"
    *taken, last = steps_of(job)
    assert 5 <= len(taken) <= 11
    assert not isinstance(last, Step)


def test_a_user_may_allow_more_steps_or_fewer() -> None:
    text = "\n".join(f"$v{i} = {i}" for i in range(20))
    few = Job((Source("site.pp", text),), Fields(max_steps=10), "paper", "paper")
    enough = Job((Source("site.pp", text),), Fields(max_steps=1000), "paper", "paper")

    assert compile_job(few).diagnostics[0].code == "mupuppet-too-many-steps"
    assert compile_job(enough).result is not None


def test_a_step_counts_what_it_copies_and_rests_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """Twelve thousand steps of a growing configuration are not twelve thousand equal ones."""
    many = "\n".join(f"class c{i} {{ }}\ninclude c{i}" for i in range(600))
    nested = "class c { if true { if true { if true { $a = 1 $b = 2 } } } } include c"
    for text, steps in ((many, 4000), (nested, 25)):
        job = Job((Source("site.pp", text),), Fields(max_steps=steps), "paper", "paper")
        free = Job((Source("site.pp", text),), Fields(), "paper", "paper")
        assert len(list(steps_of(free))) < steps
        assert compile_job(job).diagnostics[0].code == "mupuppet-too-many-steps"


def test_facts_are_variables_of_the_top_scope() -> None:
    found = outcome("notify { 'n': message => $os['name'] }", facts={"os": {"name": "debian"}})

    assert found.result is not None
    assert found.result.plain()["resources"][0]["parameters"] == {"message": "debian"}  # type: ignore[index]
    assert found.causes is not None


def test_text_before_and_after_the_manifest() -> None:
    found = outcome("class main { notify { 'n': } }", post="node default { include main }")

    assert found.result is not None
    assert len(list(found.result.walk())) == 1


def rows(first: str, step: str, count: int) -> str:
    """``$a0``, then each variable made from the one before, and a resource with the last."""
    lines = [f"$a{i} = {step.replace('BEFORE', f'a{i - 1}')}" for i in range(1, count)]
    return "\n".join([f"$a0 = {first}", *lines, f"notify {{ 'n': message => $a{count - 1} }}"])


@pytest.mark.parametrize(
    ("first", "step"),
    [("'x'", '"${BEFORE}${BEFORE}"'), ("[1]", "[$BEFORE, $BEFORE]"), ("[1]", "{ k => [$BEFORE] }"),
     ("9", "$BEFORE * $BEFORE")],
    ids=["text", "array", "nesting", "number"],
)  # fmt: skip
def test_a_value_that_grows_and_grows_is_refused(first: str, step: str) -> None:
    (problem,) = outcome(rows(first, step, 150)).diagnostics

    assert problem.code == "mupuppet-too-large"
    assert problem.at.first.line > 10


def test_an_expression_that_doubles_is_written_in_short() -> None:
    found = Views(causes_of(rows("1", "$BEFORE + $BEFORE", 50)), ("Notify[n]", "message"))
    written = json.dumps(expression_json(found.expression, lambda label: label.text))

    assert len(written) < 500_000
    assert '"large"' in written
    assert [label.text for label in found.depends] == ["1", "'n'"]


def test_a_long_row_of_additions_is_explained() -> None:
    found = Views(causes_of(rows("1", "$BEFORE + 1", 600)), ("Notify[n]", "message"))

    assert len(found.depends) == 601


def causes_of(text: str) -> Causes:
    found = outcome(text)
    assert found.causes is not None
    return found.causes
