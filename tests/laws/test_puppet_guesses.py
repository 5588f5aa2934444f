"""What a catalog with guesses tells as known is so whatever the unknown values are.

A literal of a program is made unknown; then the program is compiled with several values in
its place.  Every value, resource, tag and edge that was told as known is the same in all of
these catalogs; what may be there or not is marked.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from laws.profile import examples
from laws.puppet_counter_examples import EXAMPLES, taken_apart
from laws.puppet_edits import literals
from laws.puppet_guess_examples import EXAMPLES as GUESSES
from laws.puppet_unknowns import UNKNOWN, others, run, with_values, wrong
from laws.strategies.puppet_wide import program


@pytest.mark.parametrize(("marked", "new"), [pytest.param(*e[1:], id=e[0]) for e in EXAMPLES])
def test_where_a_distant_literal_is_unknown(marked: str, new: str) -> None:
    text, start, end = taken_apart(marked)
    inside = (start, end, True) in literals(text)
    places = {(start, end): inside}
    guessed = run(with_values(text, places, [UNKNOWN]))
    old = text[start:end]
    for value in (old, new):
        value = f"'{value}'" if inside else value
        assert wrong(guessed, run(with_values(text, places, [value]))) == []


@pytest.mark.parametrize(("text", "values"), [pytest.param(*e[1:], id=e[0]) for e in GUESSES])
def test_constructs_that_hang_on_an_unknown_value(text: str, values: list[str]) -> None:
    guessed = run(f"$u = {UNKNOWN}\n{text}")
    assert guessed.result is not None, guessed.errors
    accepted = 0
    for value in values:
        real = run(f"$u = {value}\n{text}")
        accepted += real.result is not None
        assert wrong(guessed, real) == [], value
    assert accepted


def make_unknown(text: str, seed: int, at_once: int, most: int, **inputs: object) -> int:
    """Makes literals of a program unknown; how many of the programs with values were accepted."""
    random = Random(seed)
    known = literals(text)
    tried = 0
    for one in random.sample(known, min(most, len(known))):
        chosen = {one, *random.sample(known, min(at_once - 1, len(known)))}
        places = {(s, e): inside for s, e, inside in chosen}
        guessed = run(with_values(text, places, [UNKNOWN] * len(places)), **inputs)
        if guessed.result is None:
            continue
        values = [list(others(random, text[s:e], i, 3)) for (s, e), i in places.items()]
        for several in zip(*values, strict=True):
            real = run(with_values(text, places, list(several)), **inputs)
            tried += real.result is not None
            found = wrong(guessed, real)
            assert found == [], (found, several, with_values(text, places, [UNKNOWN] * len(places)))
    return tried


MODES = [
    pytest.param({"settings": {"strict_variables": True}}, 1, id="strict"),
    pytest.param({}, 1, id="undefined variables"),
    pytest.param({}, 3, id="several unknown"),
]


@pytest.mark.parametrize(("inputs", "at_once"), MODES)
def test_what_is_told_as_known_is_so_whatever_the_unknown_values_are(
    inputs: dict[str, Any], at_once: int, record_property: Callable[[str, object], None]
) -> None:
    tried, seed = 0, 0
    while tried < examples(700, 40_000):
        tried += make_unknown(program(seed), seed, at_once, 12, node="n1", **inputs)
        seed += 1
    record_property("examples", tried)
