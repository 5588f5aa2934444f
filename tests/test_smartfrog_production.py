"""The production dialect where a case file cannot reach: bounds, jobs, files and formats."""

from __future__ import annotations

import gc
import json
import weakref
from pathlib import Path

import pytest

from headwater.ask import Compiled, Request, compile_request
from headwater.ask.check import check
from headwater.ask.jobs import run_jobs
from headwater.ask.steps import steps
from headwater.report import Diagnostic
from headwater.text import Source


def compiled(text: str, **inputs: object) -> Compiled:
    source = Source("main.sf", text)
    return compile_request(Request(sources=(source,), dialect="production", inputs=inputs))


def code(text: str, **inputs: object) -> str:
    return compiled(text, **inputs).outcome.errors[0].code


def doubling(first: str, step: str, count: int = 60) -> str:
    lines = [f"a0 {first};"] + [f"a{i} {step.format(i - 1)};" for i in range(1, count)]
    return "sfConfig extends { " + " ".join(lines) + " }"


def test_what_doubles_ends_with_a_bound() -> None:
    assert code(doubling("[1]", "(a{0} <> a{0})")) == "sf-function-failed"
    assert code(doubling("[1]", "[a{0}, a{0}]")) == "sf-function-failed"
    assert code(doubling('"x"', "(a{0} ++ a{0})")) == "sf-function-failed"
    assert code(doubling("extends { x 1; }", "extends {{ l a{0}; r a{0}; }}")) == "output-too-large"
    doubled = doubling("extends { x 1; }", "extends {{ l extends a{0}; r extends a{0}; }}")
    assert code(doubled) == "sf-too-much-copying"


def test_sets_of_sets_end_with_a_bound() -> None:
    text = '#include "org/smartfrog/functions.sf"\nsfConfig extends { x extends { a 1; } '
    for i in range(4):
        inner = "x" if i == 0 else f"s{i - 1}"
        text += (
            f"s{i} extends Set {{ setSize 1000; setElem extends {{ i {inner}; e extends x; }} }} "
        )
    assert code(text + "}") in ("sf-function-failed", "output-too-large")


def test_long_chains_cost_no_stack() -> None:
    links = "".join(f"a{i} a{i + 1}; " for i in range(5000))
    outcome = compiled(f"sfConfig extends {{ {links} a5000 1; }}").outcome
    assert outcome.result is not None
    assert outcome.result.get(("a0",)) == 1
    chain = "".join(f"p{i} extends p{i + 1}; " for i in range(3000))
    outcome = compiled(f"{chain} p3000 extends {{ x 1; }} sfConfig extends p0;").outcome
    assert outcome.result is not None
    assert outcome.result.get(("x",)) == 1


def test_long_cycles_are_reported() -> None:
    links = "".join(f"a{i} a{(i + 1) % 3000}; " for i in range(3000))
    assert code(f"sfConfig extends {{ {links} }}") == "sf-link-cycle"
    chain = "".join(f"p{i} extends p{(i + 1) % 3000}; " for i in range(3000))
    assert code(f"{chain} sfConfig extends p0;") == "sf-type-cycle"


def test_an_environment_variable_is_read_only_when_it_is_allowed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PLACE", "here")
    text = "sfConfig extends { a ENVPROPERTY PLACE; }"
    assert code(text) == "sf-not-given"
    outcome = compiled(text, env_allow=["PLACE"]).outcome
    assert outcome.result is not None
    assert outcome.result.get(("a",)) == "here"


def test_date_and_random_are_inputs_when_they_are_allowed() -> None:
    text = '#include "org/smartfrog/functions.sf"\n'
    text += "sfConfig extends { a extends date; b extends random; }"
    assert code(text) == "sf-external-input"
    outcome = compiled(text, external=True).outcome
    assert outcome.result is not None
    assert isinstance(outcome.result.get(("b",)), float)


def test_class_path_names_are_found_in_roots_and_above_the_including_file(tmp_path: Path) -> None:
    deep = tmp_path / "src" / "org" / "example" / "app"
    deep.mkdir(parents=True)
    (tmp_path / "src" / "org" / "example" / "base.sf").write_text("Base extends { x 1; }")
    main = deep / "main.sf"
    main.write_text('#include "/org/example/base.sf"\nsfConfig extends Base, { y 2; }')
    outcome = compile_request(Request(files=(str(main),), dialect="production")).outcome
    assert outcome.result is not None
    assert outcome.result.plain() == {"x": 1, "y": 2}


def test_an_error_in_an_included_file_names_that_file(tmp_path: Path) -> None:
    (tmp_path / "part.sf").write_text("a 1;\nb (1 +;\n")
    main = tmp_path / "main.sf"
    main.write_text('#include "part.sf"\nsfConfig extends { }')
    error = compile_request(Request(files=(str(main),), dialect="production")).outcome.errors[0]
    assert error.at.source.name.endswith("part.sf")
    assert error.at.first.line == 2


def test_jobs_have_phases_and_properties() -> None:
    code_ = "P extends { x PROPERTY p; } sfConfig extends P;"
    jobs = [
        {"lang": "smartfrog", "dialect": "production", "code": code_, "property": {"p": "v"}},
        {"lang": "smartfrog", "dialect": "production", "code": code_, "phase": "type"},
        {"lang": "smartfrog", "code": code_, "phase": "type"},
        {"lang": "smartfrog", "dialect": "production", "code": code_, "engine": "paper"},
    ]
    answers: list[bytes] = []
    run_jobs([json.dumps(job).encode() for job in jobs], answers.append)
    one, two, three, four = (json.loads(answer) for answer in answers)
    assert one["result"] == {"x": "v"}
    assert two["result"]["sfConfig"] == {"x": "$LINK PROPERTY p"}
    assert three["error"]["code"] == "sf-unknown-phase"
    assert four["error"]["code"] == "beyond-paper"


def test_check_and_steps_know_the_dialect(tmp_path: Path) -> None:
    main = tmp_path / "main.sf"
    main.write_text("sfConfig extends { a 1 b c }")
    request = Request(files=(str(main),), dialect="production")
    assert [d.code for d in check(request, [str(main)])] == ["sf-link-unresolved"]
    assert list(check(request, [str(main)], syntax_only=True)) == []
    assert [s.code for s in steps(request) if isinstance(s, Diagnostic)] == ["beyond-paper"]


@pytest.mark.parametrize("dialect", ["core", "extended", "production"])
def test_results_written_in_smartfrog_compile_to_themselves(dialect: str) -> None:
    text = (
        'sfConfig extends { a 1; b extends { c "x\\ny"; d [1, [2, NULL]]; e extends { } } f true; }'
    )
    source = Source("main.sf", text)
    first = compile_request(Request(sources=(source,), dialect=dialect)).outcome.result
    assert first is not None
    written = "sfConfig extends { " + "".join(first.export("sf")) + "}"
    again = Request(sources=(Source("again.sf", written),), dialect=dialect)
    second = compile_request(again).outcome.result
    assert second is not None
    assert second.plain() == first.plain()


def test_what_many_large_compilations_leave_is_found_by_the_collector() -> None:
    text = "sfConfig extends { " + " ".join(f"c{i} extends {{ a 1; }}" for i in range(6000)) + " }"
    left = []
    gc.enable()  # commands that ran in this process may have done without it
    for _ in range(12):
        outcome = compiled(text).outcome
        assert outcome.causes is not None
        left.append(weakref.ref(outcome.causes))
        del outcome
    gc.collect()
    assert [ref for ref in left if ref() is not None] == []
    assert gc.isenabled()
    assert gc.get_freeze_count() == 0


def test_a_result_is_written_and_asked_in_any_order() -> None:
    text = (
        "B extends { n TBD; u (n ++ 1); l extends { v 1; f (n ++ v); } w [1, [n, u]]; } "
        "sfConfig extends { s extends B, { n 1; l:v 2; } t extends B, { n s:l:f; l:x u; } }"
    )
    first, second = compiled(text).outcome, compiled(text).outcome
    assert first.result is not None
    assert second.result is not None
    assert second.causes is not None
    second.causes.of(("t", "l", "x"))
    for outcome in (first, second):
        assert outcome.result is not None
        assert outcome.result.plain() == {
            "s": {"n": 1, "u": "11", "l": {"v": 2, "f": "12"}, "w": [1, [1, "11"]]},
            "t": {"n": "12", "u": "121", "l": {"v": 1, "f": "121", "x": "121"},
                  "w": [1, ["12", "121"]]},
        }  # fmt: skip
    assert "".join(first.result.export("sf")) == "".join(second.result.export("sf"))
