"""Numbers as bytes, and long lists in portions: how a database is given many values."""

from __future__ import annotations

import sys
from array import array
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    Numbers = array[int]

Item = TypeVar("Item")

MOST_VALUES = 500
"""Values in one statement."""


def portions(items: Sequence[Item]) -> Iterator[Sequence[Item]]:
    """A long list as several that are not too long for a statement."""
    for start in range(0, len(items), MOST_VALUES):
        yield items[start : start + MOST_VALUES]


def packed(numbers: Sequence[int]) -> bytes:
    """Numbers as bytes, the same on every machine."""
    found = array("I", numbers)
    if sys.byteorder == "big":
        found.byteswap()
    return found.tobytes()


def unpacked(data: bytes) -> Numbers:
    """The numbers again."""
    numbers = array("I")
    numbers.frombytes(data)
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers
