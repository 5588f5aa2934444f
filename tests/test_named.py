"""Tuples with named fields are what `typing.NamedTuple` makes of the same class."""

from __future__ import annotations

import typing
from pathlib import Path
from typing import Any

import msgspec
import pytest

from headwater.text.named import NamedTuple

SOURCES = Path(__file__).parents[1] / "src"


class Ours(NamedTuple):
    """A place."""

    file: str
    line: int
    notes: tuple[str, ...] = ()

    @property
    def after(self) -> int:
        return self.line + 1


class Theirs(typing.NamedTuple):
    """A place."""

    file: str
    line: int
    notes: tuple[str, ...] = ()

    @property
    def after(self) -> int:
        return self.line + 1


BOTH = pytest.mark.parametrize("kind", [Ours, Theirs])


@BOTH
def test_they_are_made_and_read_alike(kind: type[Any]) -> None:
    one = kind("a", 1)
    assert one == ("a", 1, ()) == kind(line=1, file="a")
    assert (one.file, one.line, one.notes, one.after) == ("a", 1, (), 2)
    assert kind("a", 1, notes=("b",))[2] == ("b",)
    assert repr(one) == f"{kind.__name__}(file='a', line=1, notes=())"
    assert hash(one) == hash(("a", 1, ()))
    assert one._asdict() == {"file": "a", "line": 1, "notes": ()}
    assert one._replace(line=2) == kind("a", 2) == kind._make(("a", 2, ()))
    assert type(one._replace(line=2)) is kind
    assert kind.__doc__ == "A place."
    assert (kind._fields, kind.__match_args__) == (("file", "line", "notes"),) * 2
    assert kind._field_defaults == {"notes": ()}
    match one:
        case kind(file, 1):
            assert file == "a"
        case _:
            pytest.fail("it does not match")


@BOTH
@pytest.mark.parametrize("wrong", [(), ("a",), ("a", 1, (), 2)])
def test_they_refuse_alike(kind: type[Any], wrong: tuple[object, ...]) -> None:
    with pytest.raises(TypeError, match="argument"):
        kind(*wrong)
    with pytest.raises(TypeError, match="unexpected keyword"):
        kind("a", 1, column=2)
    with pytest.raises((TypeError, ValueError), match="column"):
        kind("a", 1)._replace(column=2)
    with pytest.raises(AttributeError):
        kind("a", 1).line = 2
    assert not hasattr(kind("a", 1), "__dict__")


@BOTH
def test_they_travel_alike(kind: type[Any]) -> None:
    data = msgspec.msgpack.encode(kind("a", 1))
    assert msgspec.msgpack.decode(data, type=kind) == kind("a", 1)


def test_no_module_makes_them_the_slow_way() -> None:
    for path in SOURCES.rglob("*.py"):
        if path != SOURCES / "headwater/text/named.py":
            for line in path.read_text().splitlines():
                assert not ("typing" in line and "NamedTuple" in line), path
