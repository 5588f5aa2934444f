"""The four properties of <+> (§2 of the paper), and that order means nothing.

Commutative, Associative, Idempotent, Identity: on values before resolution and on results.
"""

from __future__ import annotations

import pytest
from hypothesis import given

from headwater.langs.l3.load import load
from headwater.langs.l3.paper.annotate import specialise
from headwater.langs.l3.paper.compose import compose
from headwater.langs.l3.paper.denote import Denotation
from headwater.langs.l3.paper.domains import UNDEF, Stuck, V
from headwater.langs.l3.paper.references import names
from headwater.text import NOWHERE, Source, Span
from laws.l3_runs import run, text, tree, warned
from laws.profile import law
from laws.strategies import l3

A, B, C = "$a", "$b", "$c"


def outputs(files: l3.Files, *expressions: str) -> list[str]:
    """What each expression gives as one more label of the program.

    Together first: labels do not disturb each other unless one of them has an error.
    """
    lines = [f"law{i}: {expression}" for i, expression in enumerate(expressions)]
    outcome = run((*l3.sources(files), Source("law.l3", "\n".join(lines))))
    whole = tree(outcome)
    if whole is not None:
        return [repr(whole.get(f"law{i}", "absent")) for i in range(len(expressions))]
    if len(expressions) == 1:
        return [text(outcome)]
    return [one for expression in expressions for one in outputs(files, expression)]


def erased(value: V) -> object:
    """A value without its provenance: (K, M, C)."""
    inner = {label: erased(child) for label, child in value.M.items()}
    return set(value.K), inner, set(value.C)


def denotations(files: l3.Files) -> list[V]:
    """The values of the labels a, b and c."""
    program = load(l3.sources(files)).program
    found = names(program)
    if isinstance(found, Stuck):
        return []
    denotation = Denotation(found)
    if isinstance(denotation.program(program), Stuck):
        return []
    values = {m.label: v for m, v in denotation.values.items() if m.label in "abc"}
    return [values[label] for label in "abc"] if len(values) == 3 else []


@pytest.mark.rule("l3", "Commutative", "Associative", "Idempotent", "Identity")
@law(2_000, 50_000)
@given(l3.programs)
def test_commutative_associative_idempotent_identity(files: l3.Files) -> None:
    if not any(item.label == "c" for item in l3.items(files)):
        return
    ab, ba, left, right, one, twice, before, after = outputs(
        files,
        f"{A} <+> {B}", f"{B} <+> {A}",
        f"({A} <+> {B}) <+> {C}", f"{A} <+> ({B} <+> {C})",
        A, f"{A} <+> {A}", f"undef <+> {A}", f"{A} <+> undef",
    )  # fmt: skip

    assert ab == ba
    assert left == right
    assert one == twice == before == after


@law(2_000, 50_000)
@given(l3.programs)
def test_the_properties_hold_before_resolution(files: l3.Files) -> None:
    values = denotations(files)
    if not values:
        return
    a, b, c = values
    assert erased(compose(a, b)) == erased(compose(b, a))
    assert erased(compose(compose(a, b), c)) == erased(compose(a, compose(b, c)))
    assert erased(compose(a, a)) == erased(a)
    assert erased(compose(a, UNDEF)) == erased(compose(UNDEF, a)) == erased(a)


@law(100, 2_500)
@given(l3.programs)
def test_idempotent_also_when_written_twice(files: l3.Files) -> None:
    names_ = ["a.l3", "b.l3", "c.l3", "d.l3"][: len(files) + 1]
    for item in l3.items(files)[:2]:
        once, twice = (
            run(l3.sources([*files, l3.Block([l3.Item("law", value)])], names_))
            for value in (item.value, l3.Join([item.value, item.value]))
        )
        assert text(once) == text(twice)


@law(100, 2_500)
@given(l3.programs)
def test_specialisation_is_associative(files: l3.Files) -> None:
    if not any(item.label == "c" for item in l3.items(files)):
        return
    left, right, chain = outputs(
        files, f"({A} +> {B}) +> {C}", f"{A} +> ({B} +> {C})", f"{A} +> {B} +> {C}"
    )
    assert left == right == chain


@law(60, 1_500)
@given(l3.programs)
def test_specialisation_is_its_definition(files: l3.Files) -> None:
    written = f"({A} #_La <+> {B} #_Lb) #_Lb > #_La"
    short, long = outputs(files, f"{A} +> {B}", written)
    assert short == long


@law(2_000, 50_000)
@given(l3.programs, l3.choices)
def test_order_of_operands_files_and_labels_means_nothing(
    files: l3.Files, choices: l3.Choices
) -> None:
    one = run(l3.sources(files))
    moved = l3.shuffled(files, choices)
    names_ = [f"{'zyx'[i]}.l3" for i in range(len(moved))]
    other = run(l3.sources(moved, names_))

    assert text(one) == text(other)
    if one.result is not None:
        assert warned(one) == warned(other)


def test_a_specialisation_has_its_own_tags() -> None:
    one, other = Span(NOWHERE.source, 0, 2), Span(NOWHERE.source, 3, 5)
    assert set(specialise(UNDEF, UNDEF, one).C) != set(specialise(UNDEF, UNDEF, other).C)
