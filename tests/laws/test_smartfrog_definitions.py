"""Statements of the SmartFrog paper as laws.

Definition 8, Definition 9, Definition 10, Definition 15, Lemma 1, Lemma 2, Theorem 1, Theorem 2.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headwater.langs.firing import watching
from headwater.langs.smartfrog.paper.domains import Attribute, Basic, Ref, Store, Stuck, attributes
from headwater.langs.smartfrog.paper.references import (
    concat,
    equal,
    is_prefix,
    is_strict_prefix,
    prefix,
    remove_prefix,
)
from headwater.langs.smartfrog.paper.stores import (
    Found,
    bind,
    find,
    is_sub_store,
    put,
    sub_stores,
)
from headwater.langs.smartfrog.paper.valuation import Valuation
from headwater.why import NOTHING, Trace
from laws.profile import law
from laws.strategies.smartfrog import Program, programs

IDS = st.sampled_from("abc")
REFS = st.lists(IDS, max_size=4).map(tuple)
TRACE = Trace()


def stores(depth: int = 3) -> st.SearchStrategy[Store]:
    """Stores with unique identifiers."""
    values = st.builds(Basic, st.integers(0, 2))
    if depth:
        values = values | stores(depth - 1)  # type: ignore[operator]
    entries = st.dictionaries(IDS, values, max_size=3)
    return entries.map(lambda d: Store(attributes(Attribute(k, v) for k, v in d.items())))


def unique(store: Store) -> bool:
    """Whether identifiers are unique in the store and in every store below."""
    every = [store, *sub_stores(store)]
    return all(len({a.id for a in s.attributes}) == len(s.attributes) for s in every)


@law(300, 5_000)
@given(REFS, REFS)
def test_definition_8_removes_exactly_the_common_prefix(r1: Ref, r2: Ref) -> None:
    with watching() as fired:
        rest = remove_prefix(r1, r2)
    common = r1[: len(r1) - len(rest)]

    assert common + rest == r1
    assert r2[: len(common)] == common
    assert not rest or len(r2) == len(common) or rest[0] != r2[len(common)]
    assert "Definition 8" in fired


@law(300, 5_000)
@given(REFS, REFS)
def test_definition_9_is_equality_of_lists(r1: Ref, r2: Ref) -> None:
    with watching() as fired:
        assert equal(r1, r2) == (r1 == r2)
        assert equal(r1, r1)
    assert "Definition 9" in fired


@law(300, 5_000)
@given(REFS, REFS)
def test_definition_10_is_the_prefix_order(r1: Ref, r2: Ref) -> None:
    with watching() as fired:
        assert is_prefix(r1, r2) == (r2[: len(r1)] == r1)
        assert is_strict_prefix(r1, r2) == (is_prefix(r1, r2) and r1 != r2)
        assert is_prefix(r1, concat(r1, r2))
        assert remove_prefix(concat(r1, r2), r1) == r2
        assert is_prefix(prefix(r1), r1)
    assert "Definition 10" in fired


@law(200, 3_000)
@given(stores())
def test_definition_15_holds_for_what_find_finds_below_and_for_nothing_else(s: Store) -> None:
    with watching() as fired:
        for attribute in s.attributes:
            found = find(TRACE, s, (attribute.id,))
            assert isinstance(found, Found)
            if isinstance(found.value, Store):
                assert is_sub_store(found.value, s)
        assert not is_sub_store(s, s)
    assert "Definition 15" in fired


@pytest.mark.rule("smartfrog", "Lemma 1")
@law(300, 5_000)
@given(stores(), IDS, st.integers())
def test_lemma_1_put_keeps_identifiers_unique(s: Store, id: str, number: int) -> None:
    after = put(TRACE, s, Attribute(id, Basic(number)), because=NOTHING)
    found = find(TRACE, after, (id,))

    assert unique(after)
    assert isinstance(found, Found)
    assert found.value == Basic(number)
    old = [a.id for a in s.attributes]
    assert [a.id for a in after.attributes] == (old if id in old else [*old, id])


@pytest.mark.rule("smartfrog", "Lemma 2")
@law(300, 5_000)
@given(stores(), REFS, stores(1))
def test_lemma_2_bind_keeps_identifiers_unique(s: Store, r: Ref, value: Store) -> None:
    new = Attribute(r[-1] if r else "a", value)
    after = bind(TRACE, s, r, new, because=NOTHING)
    if isinstance(after, Stuck):
        parent = find(TRACE, s, prefix(r))
        missing = not isinstance(parent, Found) or not isinstance(parent.value, Store)
        assert after.code.paper == "err3" if r == () else missing
        return
    found = find(TRACE, after, r)

    assert unique(after)
    assert isinstance(found, Found)
    assert found.value == value


@pytest.mark.rule("smartfrog", "Theorem 1", "Theorem 2")
@law(200, 4_000)
@given(programs(mistakes=True, includes=False))
def test_theorems_1_and_2_evaluation_ends_with_unique_identifiers(program: Program) -> None:
    # Theorem 1 is that this call returns: cyclic links and prototypes are among the programs.
    answer = Valuation().SF(program.body)
    if not isinstance(answer, Stuck):
        assert unique(answer[0])
