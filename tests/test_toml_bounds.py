"""TOML is read within bounds."""

from __future__ import annotations

import contextlib
import time
import tomllib

import pytest

from headwater.text import Source
from headwater.tree.tomltext import BadToml, TooManyParts, check_keys, load_toml


@pytest.mark.parametrize(
    "text",
    [
        "a." * 50_000 + "b = 1",
        "[x]\n[" + "a . " * 50_000 + "b]",
        "x = {" + "'a'.\"b\"." * 25_000 + "c = 1}",
    ],
)
def test_a_key_of_very_many_parts_is_refused_at_once(text: str) -> None:
    """`tomllib` went on for minutes over a hundred kilobytes."""
    started = time.process_time()
    with pytest.raises(BadToml, match="a key has more than 100 parts"):
        load_toml(Source("headwater.toml", text))
    assert time.process_time() - started < 2


@pytest.mark.parametrize(
    "text", ["a" * 1_000_000 + " = 1", "." * 100_000, "a = '" + "." * 100_000 + "'"]
)
def test_other_long_texts_are_not_looked_at_for_long(text: str) -> None:
    started = time.process_time()
    with contextlib.suppress(TooManyParts, tomllib.TOMLDecodeError):
        check_keys(text)
        tomllib.loads(text)
    assert time.process_time() - started < 2


def test_a_key_of_some_parts_is_read() -> None:
    found = load_toml(Source("headwater.toml", "a." * 99 + "b = 1"))
    assert list(found.document) == ["a"]
