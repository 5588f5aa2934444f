"""A `Hash` is a row of pairs whose keys differ by Ruby's ``eql?``, whatever is done to it."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headwater.langs.puppet.hashes import Hash, from_data, identity
from headwater.langs.puppet.values import DEFAULT, Deferred, Regexp, Sensitive
from laws.profile import law

Pairs = list[tuple[Any, Any]]

SCALARS = st.sampled_from(
    [None, True, False, 0, 1, -1, 0.0, 1.0, -0.0, "", "1", "a", "A", DEFAULT, Regexp("1")]
)
KEYS = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=2),
        st.lists(st.tuples(inner, inner), max_size=2).map(Hash.of),
        inner.map(Sensitive),
        st.lists(inner, max_size=1).map(lambda args: Deferred("f", args)),
    ),
    max_leaves=4,
)
PAIRS = st.lists(st.tuples(KEYS, st.integers(0, 9)), max_size=8)


def eql(a: Any, b: Any) -> bool:  # noqa: ANN401
    """Ruby's ``eql?``, written out."""
    if a.__class__ is not b.__class__:
        return False
    match a:
        case list():
            return len(a) == len(b) and all(map(eql, a, b))
        case Hash():
            return len(a) == len(b) and all(
                any(eql(key, other) and eql(item, b[other]) for other in b)
                for key, item in a.pairs()
            )
        case Sensitive():
            return eql(a.value, b.value)
        case Deferred():
            return a.name == b.name and eql(a.arguments, b.arguments)
    return bool(a == b)


def row(pairs: Pairs) -> Pairs:
    """The pairs of a hash, found slowly: a later value stands where the first stood."""
    found: Pairs = []
    for key, value in pairs:
        at = next((i for i, (other, _) in enumerate(found) if eql(key, other)), None)
        if at is None:
            found.append((key, value))
        else:
            found[at] = (found[at][0], value)
    return found


def same(a: Pairs, b: Pairs) -> bool:
    """Whether two rows have the same pairs in the same order."""
    return len(a) == len(b) and all(
        eql(k, m) and v == w for (k, v), (m, w) in zip(a, b, strict=True)
    )


@law(150, 3_000)
@given(KEYS, KEYS)
def test_identities_are_the_same_just_when_eql_holds(a: object, b: object) -> None:
    assert (identity(a) == identity(b)) == eql(a, b)
    assert (identity(a).__class__ is tuple) == (
        not isinstance(a, str | None) and type(a) is not int
    )


@law(150, 3_000)
@given(PAIRS, KEYS)
def test_a_hash_has_its_pairs(pairs: Pairs, key: object) -> None:
    made, wanted = Hash.of(pairs), row(pairs)
    put = Hash()
    for one, value in pairs:
        put.put(one, value)

    assert same(list(made.pairs()), wanted)
    assert same(list(put.pairs()), wanted)
    assert len(made) == len(list(made)) == len(made.values()) == len(wanted)
    assert same(list(zip(made, made.values(), strict=True)), wanted)
    assert (key in made) == any(eql(key, other) for other, _ in wanted)
    assert made.get(key, "none") == next((v for k, v in wanted if eql(k, key)), "none")


@law(150, 3_000)
@given(PAIRS, PAIRS)
def test_what_is_made_of_hashes_loses_no_key(left: Pairs, right: Pairs) -> None:
    a, b = Hash.of(left), Hash.of(right)
    before = list(a.pairs())

    assert same(list(a.merged(b).pairs()), row([*left, *right]))
    assert same(list(a.map_values(str).pairs()), [(k, str(v)) for k, v in row(left)])
    assert same(list(a.map_pairs(lambda k, v: ([k], v)).pairs()), [([k], v) for k, v in row(left)])
    assert same(list(a.where(lambda k, v: v > 4).pairs()), [p for p in row(left) if p[1] > 4])
    gone = [k for k, _ in right]
    kept = [p for p in row(left) if not any(eql(p[0], key) for key in gone)]
    assert same(list(a.without(gone).pairs()), kept)
    other = a.copy()
    other.put("new", 1)
    assert same(list(a.pairs()), before)


@law(150, 3_000)
@given(PAIRS, PAIRS)
def test_equality_does_not_ask_for_the_order(left: Pairs, right: Pairs) -> None:
    a, b = Hash.of(left), Hash.of(right)
    equal = eql(a, b)

    assert (a == b) == equal
    assert (a != b) == (not equal)
    assert a == Hash.of(reversed(list(a.pairs())))
    assert a != dict.fromkeys("a")


def test_data_become_hashes_at_every_depth() -> None:
    made = from_data({"a": [{"b": {"c": 1}}], "d": {}})

    assert made == Hash({"a": [Hash({"b": Hash({"c": 1})})], "d": Hash()})
    assert from_data({1: {2.0: 3}}) == Hash.of([(1, Hash.of([(2.0, 3)]))])


def test_a_hash_has_no_hash_and_no_items() -> None:
    with pytest.raises(TypeError):
        hash(Hash())
    assert not hasattr(Hash(), "items")
