"""Choices made from a string of bytes: what the generators of programs are driven by.

Each choice takes the next byte, and zero when there are none left.  Shorter strings and smaller
bytes so mean simpler programs, which suits whoever wants to make a program smaller.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

T = TypeVar("T")


class Choices:
    """The bytes, and how far they are used up."""

    __slots__ = ("at", "data", "names")

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0
        self.names = 0

    def below(self, count: int) -> int:
        """A number from 0 to one less than `count`."""
        return self.upto(count - 1)

    def upto(self, most: int) -> int:
        """A number from 0 to `most`; 0 is the simplest."""
        if self.at >= len(self.data):
            return 0
        found = self.data[self.at] % (most + 1)
        self.at += 1
        return found

    def chance(self, one_in: int) -> bool:
        """Yes, once in so many times; no is simpler."""
        return self.upto(one_in - 1) == one_in - 1

    def pick(self, options: Sequence[T]) -> T:
        """One of them; the first is the simplest."""
        return options[self.upto(len(options) - 1)]

    def make(self, makers: Sequence[Callable[[], T]]) -> T:
        """What one of the makers makes."""
        return makers[self.upto(len(makers) - 1)]()

    def several(self, least: int, most: int, make: Callable[[], T]) -> list[T]:
        """So many of something."""
        return [make() for _ in range(least + self.upto(most - least))]

    def fresh(self) -> int:
        """A number that was not given yet."""
        self.names += 1
        return self.names

    @property
    def spent(self) -> bool:
        """Whether only the simplest choices are left."""
        return self.at >= len(self.data)
