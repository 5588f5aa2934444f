"""Where values stand in JSON: what is found there is the value, whatever the text looks like."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from headwater.tree.jsonplaces import JsonPlaces

VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=12,
)


def paths(value: object, at: tuple[str | int, ...] = ()) -> list[tuple[tuple[str | int, ...], Any]]:
    """Every value in a value with the way to it."""
    inner: list[tuple[str | int, Any]] = []
    if isinstance(value, dict):
        inner = [*value.items()]
    elif isinstance(value, list):
        inner = [*enumerate(value)]
    return [(at, value), *(each for key, one in inner for each in paths(one, (*at, key)))]


@given(VALUES, st.sampled_from([None, 1, "\t"]), st.booleans())
def test_every_value_is_found_where_it_stands(
    value: object, indent: int | str | None, plain: bool
) -> None:
    text = " " + json.dumps(value, indent=indent, ensure_ascii=plain) + "\n"
    places = JsonPlaces(text)
    for path, one in paths(value):
        found = places.place(path)
        assert found is not None
        assert json.loads(text[slice(*found)]) == one
        named = places.place(path, key=True)
        if path and isinstance(path[-1], str):
            assert named is not None
            assert json.loads(text[slice(*named)]) == path[-1]
    assert places.place(("no such key",)) is None
    assert places.place((99,)) is None


def test_of_equal_keys_the_last_counts_and_what_is_no_json_has_no_places() -> None:
    text = '{"a": 1, "a": [2, 3]}'
    assert JsonPlaces(text).place(("a", 1)) == (18, 19)
    for broken in ("", "{", '{"a" 1}', '{"a": }', "[1 2", "[" * 10_000, "[1" + "0" * 5_000 + "]x"):
        assert JsonPlaces(broken).place(("a",)) is None
        assert JsonPlaces(broken).place((1,)) is None
