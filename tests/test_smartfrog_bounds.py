"""Inputs that are too deep, too large or too many end in an answer or a coded bound."""

from __future__ import annotations

from pathlib import Path

import pytest

from headwater.ask import Compiled, Request, compile_request
from headwater.langs.protocol import EngineName
from headwater.text import Source

DEEP = 5_000
DOUBLING = "a0 1; " + " ".join(f"a{i + 1} extends {{ l a{i}; r a{i}; }}" for i in range(40))
ENGINES: list[EngineName] = ["engine", "paper"]


def compiled(text: str, engine: EngineName = "engine") -> Compiled:
    return compile_request(Request(sources=(Source("big.sf", text),), engine=engine))


def codes(outcome: Compiled) -> list[str]:
    return [d.code for d in outcome.diagnostics]


def written(outcome: Compiled) -> str:
    assert outcome.outcome.result is not None
    return "".join(outcome.outcome.result.export("compact"))


def test_components_nested_deep_compile_and_explain() -> None:
    answer = compiled("sfConfig extends {" + "a extends {" * DEEP + "x 1;" + "}" * (DEEP + 1))

    assert written(answer).count("{") == DEEP + 1
    assert answer.outcome.causes is not None
    assert answer.outcome.causes.of(("a",) * DEEP + ("x",))


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("prototype", ["{}", "p"])
def test_many_prototypes_of_one_component_compile(prototype: str, engine: EngineName) -> None:
    text = "p extends { x 1; } sfConfig extends " + ", ".join([prototype] * 3_000)
    answer = compiled(text, engine)

    assert written(answer).strip() == ("{}" if prototype == "{}" else '{"x":1}')


def test_vectors_nested_deep_compile() -> None:
    answer = compiled("sfConfig extends { v " + "[" * DEEP + "]" * DEEP + "; }")

    assert written(answer).count("[") == DEEP


@pytest.mark.parametrize(
    "text",
    [
        "sfConfig extends {" + "a extends {" * 200 + "}" * 201,
        "sfConfig extends { v " + "[" * 200 + "]" * 200 + "; }",
        "sfConfig extends { v " + ":".join("a" * 200) + "; }",
        "sfConfig extends { " + ":".join("a" * 200) + " 1; }",
        "sfConfig extends { v extends " + ":".join("a" * 200) + " }",
    ],
)
def test_the_reference_semantics_bounds_nesting(text: str) -> None:
    assert codes(compiled(text, "paper")) == ["sf-too-deep"]


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    "text",
    [
        DOUBLING + " sfConfig extends { x a40; }",
        "sfConfig extends { " + " ".join(f"a{i} sfConfig;" for i in range(40)) + " }",
        "sfConfig extends { " + " ".join(f"a{i} extends sfConfig" for i in range(40)) + " }",
    ],
    ids=["links", "itself", "prototypes"],
)
def test_a_result_that_doubles_is_refused(text: str, engine: EngineName) -> None:
    assert codes(compiled(text, engine)) == ["output-too-large"]


def test_doubling_outside_of_the_result_is_no_error() -> None:
    assert written(compiled(DOUBLING + " sfConfig extends { x a1; }")) == '{"x":{"l":1,"r":1}}\n'


def test_long_chains_of_growing_prototypes_are_bounded() -> None:
    chain = " ".join(f"a{i + 1} extends a{i}, {{ x{i} 1; }}" for i in range(4_000))

    assert codes(compiled(f"a0 extends {{ }} {chain} sfConfig extends {{ }}")) == [
        "sf-too-much-copying"
    ]


def test_files_that_include_each_other_twice_over_are_bounded(tmp_path: Path) -> None:
    for level in range(20):
        text = f'#include "f{level + 1}.sf"\n' * 2
        (tmp_path / f"f{level}.sf").write_text(text)
    (tmp_path / "f20.sf").write_text("a 1;")
    answer = compile_request(Request(files=(str(tmp_path / "f0.sf"),)))

    assert "sf-too-many-includes" in codes(answer)


def test_includes_nested_deep_are_bounded(tmp_path: Path) -> None:
    for level in range(60):
        (tmp_path / f"f{level}.sf").write_text(f'#include "f{level + 1}.sf"\n')
    answer = compile_request(Request(files=(str(tmp_path / "f0.sf"),)))

    assert codes(answer) == ["sf-too-many-includes"]


def test_a_number_of_a_million_digits_is_refused() -> None:
    assert codes(compiled(f"sfConfig extends {{ a {'9' * 1_000_000}; }}")) == ["sf-bad-number"]


def test_a_megabyte_on_one_line_is_answered_with_a_short_message() -> None:
    from headwater.report.terminal import render

    answer = compiled("sfConfig extends { " + "a 1; " * 200_000 + "b oops; }")

    assert codes(answer) == ["sf-unresolved-link"]
    assert len(render(answer.diagnostics)) < 1_000


@pytest.mark.parametrize("junk", ["\0" * 1000, '"' * 1001, "{" * 1000, "}" * 1000, "/*" * 1000])
def test_junk_is_answered_with_few_messages(junk: str) -> None:
    answer = compiled(junk)

    assert answer.outcome.result is None
    assert all(d.code.startswith("sf-") for d in answer.diagnostics)


def test_bytes_that_are_not_text_are_located(tmp_path: Path) -> None:
    path = tmp_path / "binary.sf"
    path.write_bytes(b"a 1;\n\xff\xfe")
    answer = compile_request(Request(files=(str(path),)))

    assert codes(answer) == ["file-unreadable"]
    assert answer.diagnostics[0].at.first == (2, 1)


def extended(text: str) -> Compiled:
    return compile_request(Request(sources=(Source("big.sf", text),), dialect="extended"))


def test_a_long_chain_of_forward_links_costs_no_stack() -> None:
    links = " ".join(f"a{i} a{i + 1};" for i in range(1100))
    assert codes(extended(f"sfConfig extends {{ {links} a1100 1; }}")) == []


@pytest.mark.parametrize(
    ("first", "code"),
    [
        ("a0 1;", "output-too-large"),
        ("a0 extends { x 1; y 2; order y < x; }", "output-too-large"),
        ("a0 extends { x later; }", "sf-too-many-forward-links"),
    ],
)
def test_what_doubles_in_the_extended_dialect_ends_with_a_bound(first: str, code: str) -> None:
    doubled = DOUBLING.replace("a0 1;", first)
    assert codes(extended(f"{doubled} sfConfig extends {{ z a40; }} later 1;")) == [code]


def test_forward_links_far_from_the_root_end_with_a_bound() -> None:
    deep = " ".join(f"p{i + 1} extends {{ a p{i}; }}" for i in range(120))
    text = f"p0 extends {{ x later; }} {deep} sfConfig extends p120 later 1;"
    assert codes(extended(text)) == ["sf-too-deep"]
