"""Ruby's notions of sameness and order of values."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeGuard, TypeVar

from headwater.langs.puppet import values as v
from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.types.signatures import Failed
from headwater.langs.puppet.types.value import Value
from headwater.text.late import when_called

if TYPE_CHECKING:
    from headwater.langs.puppet.types.quoting import ruby_class
    from headwater.langs.puppet.types.rubytext import inspect
else:
    when_called(globals(), "headwater.langs.puppet.types.quoting", "ruby_class")
    when_called(globals(), "headwater.langs.puppet.types.rubytext", "inspect")

_NUMBERS = (int, float)


def is_number(value: Value) -> TypeGuard[int | float]:
    """Whether a value is an integer or a float."""
    return value.__class__ in _NUMBERS


def ruby_equal(a: Value, b: Value) -> bool:
    """Ruby's ``==``: numbers by value, everything else by kind and content."""
    if is_number(a) and is_number(b):
        return bool(a == b)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(ruby_equal(x, y) for x, y in zip(a, b, strict=True))
    if isinstance(a, Hash) and isinstance(b, Hash):
        return len(a) == len(b) and all(
            key in b and ruby_equal(item, b[key]) for key, item in a.pairs()
        )
    return a.__class__ is b.__class__ and bool(a == b)


def compare(a: Value, b: Value) -> int | None:
    """Ruby's ``<=>``; None where the two have no order."""
    if is_number(a) and is_number(b):
        return None if a != a or b != b else (a > b) - (a < b)
    if isinstance(a, list) and isinstance(b, list):
        for x, y in zip(a, b, strict=False):
            order = compare(x, y)
            if order != 0:
                return order
        return (len(a) > len(b)) - (len(a) < len(b))
    if isinstance(a, v.SemVer) and isinstance(b, v.SemVer):
        from headwater.langs.puppet.types.versions import compare as compare_versions

        return compare_versions(a, b)
    time = v.Timespan | v.Timestamp
    if isinstance(a, time) and is_number(b):
        return _order(_seconds(a, b), b)
    if isinstance(a, str):
        return _order(a, b) if isinstance(b, str) else None
    if isinstance(a, time) and isinstance(b, time) and a.__class__ is b.__class__:
        return _order(a.nanoseconds, b.nanoseconds)
    if isinstance(a, time):
        return None
    return 0 if ruby_equal(a, b) else None


def _seconds(time: v.Timespan | v.Timestamp, like: float) -> float:
    nanoseconds = time.nanoseconds
    return nanoseconds // 1_000_000_000 if like.__class__ is int else nanoseconds / 1_000_000_000


Ordered = TypeVar("Ordered", float, str, bytes)


def _order(a: Ordered, b: Ordered) -> int:
    return (a > b) - (a < b)


def ordered(a: Value, b: Value) -> int:
    """Ruby's ``<=>``; fails in Ruby's words where there is no order."""
    order = compare(a, b)
    if order is None:
        raise Failed(f"comparison of {ruby_class(a)} with {_operand(b)} failed")
    return order


def _operand(value: Value) -> str:
    if value is None or isinstance(value, bool | int | float | v.Default):
        return inspect(value)
    return ruby_class(value)


def casecmp(a: str, b: str) -> int:
    """Ruby's ``casecmp``: the letters of ASCII are alike in both cases."""
    return _order(_fold(a), _fold(b))


def _fold(text: str) -> bytes:
    return text.encode().lower()
