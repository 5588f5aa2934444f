"""A lambda, as far as types go: how many arguments it takes."""

from __future__ import annotations

from typing import Protocol


class Lambda(Protocol):
    """What stands after a call; it is no value."""

    @property
    def arity(self) -> tuple[int, int | None]:
        """How many arguments it must and may have (None: any number)."""
        ...
