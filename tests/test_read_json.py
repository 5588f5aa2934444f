"""JSON is read by msgspec where it is plain, and always means what Python's reader finds."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headwater.tree.json import BadJson, read_json

NUMBERS = st.one_of(
    st.integers(), st.floats(allow_nan=False, allow_infinity=False),
    st.integers(10**18, 10**30), st.integers(-(10**30), -(10**18)),
)  # fmt: skip
VALUES = st.recursive(
    st.none() | st.booleans() | NUMBERS | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=12,
)
WRITTEN = st.from_regex(r"\A-?(0|[1-9][0-9]{0,24})(\.[0-9]{1,24})?([eE][+-]?[0-9]{1,2})?\Z")


@given(VALUES, st.booleans(), st.sampled_from([None, 1]))
def test_values_come_back(value: object, ascii_only: bool, indent: int | None) -> None:
    text = json.dumps(value, ensure_ascii=ascii_only, indent=indent)
    assert repr(read_json(text)) == repr(json.loads(text))


@given(WRITTEN)
def test_numbers_are_what_python_reads(text: str) -> None:
    assert repr(read_json(text)) == repr(json.loads(text))


@pytest.mark.parametrize(
    "text", ['{"a": 1, "b": 2, "a": 3}', " [1 ,\t2]\r\n", '"\\ud83d\\ude00"', "-0"]
)
def test_what_is_unusual_means_the_same(text: str) -> None:
    assert repr(read_json(text)) == repr(json.loads(text))


@pytest.mark.parametrize(
    "text",
    ["", "[1,]", "01", "1 2", '"\t"', '"\\ud800"', "1e400", "9" * 5000, "\ufeff1", "[" * 100_000],
    ids=lambda text: text[:8],
)
def test_what_is_no_json_is_refused(text: str) -> None:
    with pytest.raises(BadJson):
        read_json(text)


def test_a_constant_is_what_the_caller_makes_of_it() -> None:
    assert read_json("[NaN, 1]", constant=lambda name: f"<{name}>") == ["<NaN>", 1]


@pytest.mark.parametrize("depth", [6_000, 35_000, 200_000])
@pytest.mark.parametrize("core", ["1", "x"])
def test_what_is_nested_deep_is_read_or_refused_whatever_limit_is_raised(
    depth: int, core: str
) -> None:
    # In a process of its own: the stack would end, and the interpreter with it.
    code = (
        "import sys; from headwater.tree.json import BadJson, read_json\n"
        "sys.setrecursionlimit(40_000)\n"
        f"text = '{{\"a\":' * {depth} + '{core}' + '}}' * {depth}\n"
        "try: read_json(text); print('read')\n"
        "except BadJson as bad: print(bad.message)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    plain = core == "1" and depth == 6_000
    assert done.stdout in (["read\n"] if plain else ["read\n", "it is nested too deep\n"])
