"""One-sided dependency of the Puppet compiler, with changed literals.

D1  an output that depends on none of the changed inputs does not change: one literal
D2  the same with several literals at once
D3  the set of outputs changes only with what `output` depends on
H1  a value changes with a leaf of data, or with a key put where it was missed, that it names

Outputs are resources, parameters, tags and containment edges.  Literals are values; to
change the name of a type, a class or a function is to change the program's structure, and
that is not promised (the definitions a value came through are shown beside).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from headwater.langs.puppet.generate.programs import Program
from headwater.langs.puppet.hiera import data as data_files
from laws.profile import examples
from laws.puppet_counter_examples import EXAMPLES, taken_apart
from laws.puppet_edits import (
    First,
    Place,
    compiled,
    edited,
    first_run,
    literals,
    missed,
    other_text,
    outputs,
)
from laws.strategies.puppet_grammar import programs as grammar_programs
from laws.strategies.puppet_programs import programs
from laws.strategies.puppet_wide import LEVELS, data, leaf, program


@pytest.mark.parametrize(("marked", "new"), [pytest.param(*e[1:], id=e[0]) for e in EXAMPLES])
@pytest.mark.parametrize("strict", [False, True])
def test_d1_where_a_distant_literal_decides(marked: str, new: str, strict: bool) -> None:
    text, start, end = taken_apart(marked)
    settings = {"strict_variables": strict}
    first = first_run(text, settings=settings)
    after = compiled(edited(text, {(start, end): new}), settings=settings)
    if strict and (first is None or after.result is None):
        return  # it is about a variable that is not there
    assert first is not None, compiled(text).errors

    assert after.result is not None, after.errors
    assert outputs(after) != first.outputs
    assert list(missed(first, after, {("law.pp", start, end)})) == []


def change_literals(text: str, seed: int, at_once: int, most: int, **inputs: object) -> int:
    """Changes literals of one program; how many of the changed ones were accepted."""
    first = first_run(text, **inputs)
    if first is None:
        return 0
    random = Random(seed)
    known = literals(text)
    tried = 0
    for one in random.sample(known, min(most, len(known))):
        chosen = {one, *random.sample(known, min(at_once - 1, len(known)))}
        edits = {(s, e): other_text(random, text[s:e], inside) for s, e, inside in chosen}
        after = compiled(edited(text, edits), **inputs)
        tried += after.result is not None
        found = list(missed(first, after, {("law.pp", s, e) for s, e in edits}))
        assert found == [], (seed, edits, found, text)
    return tried


@settings(
    max_examples=examples(12, 2_000), derandomize=True, deadline=None, database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)  # fmt: skip
@given(programs(), st.integers(0, 10**6), st.integers(1, 3))
def test_d1_d2_d3_programs_of_the_whole_language(text: str, seed: int, at_once: int) -> None:
    change_literals(text, seed, at_once, 40)


@settings(
    max_examples=examples(40, 5_000), derandomize=True, deadline=None, database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)  # fmt: skip
@given(grammar_programs(), st.integers(0, 10**6))
def test_d1_d3_programs_of_the_whole_grammar(program: Program, seed: int) -> None:
    change_literals(program.code, seed, 1, 12)


MODES = [
    pytest.param({"settings": {"strict_variables": True}}, 1, id="strict"),
    pytest.param({}, 1, id="undefined variables"),
    pytest.param({}, 4, id="several changes"),
]


@pytest.mark.parametrize(("inputs", "at_once"), MODES)
def test_d1_d2_d3_nothing_changes_but_what_depends_on_the_changed_literals(
    inputs: dict[str, Any], at_once: int, record_property: Callable[[str, object], None]
) -> None:
    tried, seed = 0, 0
    while tried < examples(700, 40_000):
        tried += change_literals(program(seed), seed, at_once, 60, node="n1", **inputs)
        seed += 1
    record_property("examples", tried)


HEAD = "---\n"

# -- Hiera -------------------------------------------------------------------------------------


def write(folder: Path, files: dict[str, str]) -> None:
    """Data files; what was read before is forgotten."""
    for path in folder.glob("data/*.yaml"):
        path.unlink()
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    data_files._FILES.clear()


def covering(first: First, place: Place) -> set[Place]:
    """The labels of data that cover a place: a leaf may be part of a structure."""
    name, start, end = place
    every = {p for known in (*first.depends.values(), first.output) for p in known}
    return {p for p in every if p[0] == name and p[1] <= start and end <= p[2]} | {place}


def test_h1_changed_and_added_data(
    tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    tried, seed = 0, 0
    facts = {"family": "deb"}
    hiera = {"hiera": str(tmp_path / "hiera.yaml"), "facts": facts, "node": "n1"}
    while tried < examples(350, 20_000):
        random, files = Random(seed), data(seed)
        text = program(seed)
        seed += 1
        write(tmp_path, files)
        first = first_run(text, **hiera)
        if first is None:
            continue
        for level in LEVELS:
            name = f"data/{level}"
            path = str(tmp_path / name)
            old = files.get(name, "")
            for hit in re.finditer(r"^(\w+|\w+::\w+): (?!$)(.+)$", old, re.MULTILINE):
                start, end = hit.span(2)
                new = old[:start] + leaf(random) + old[end:]
                write(tmp_path, {**files, name: new})
                tried += check(first, text, covering(first, (path, start, end)), hiera)
            for key in ("a::p0", "b::p0", "c::p0", "k0", "k1", "k2"):
                if f"\n{key}:" not in old:
                    write(tmp_path, {**files, name: f"{old or HEAD}{key}: {leaf(random)}\n"})
                    tried += check(first, text, {(f"{path}#{key}", len(old), len(old))}, hiera)
    record_property("examples", tried)


def check(first: First, text: str, changed: set[Place], inputs: dict[str, Any]) -> bool:
    """Whether the changed data was accepted; nothing else may have changed."""
    after = compiled(text, **inputs)
    found = list(missed(first, after, changed))
    assert found == [], (changed, found, text)
    return after.result is not None
