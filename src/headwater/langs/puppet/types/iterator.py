"""A `PuppetIterator` is what ``step``, ``reverse_each`` and ``tree_each`` give without a lambda."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from headwater.langs.puppet.types.model import Type


@dataclass(frozen=True, slots=True, eq=False)
class PuppetIterator:
    """Values made on demand; `element` is their type, when it is known."""

    element: Type | None
    start: Callable[[], Iterator[Any]] = field(repr=False)
    pairs: bool = False
    """Whether its values are the entries of a hash."""
    bounds: tuple[int, int, int] | None = None
    """First, last and step of a range of integers."""

    def __iter__(self) -> Iterator[Any]:
        return self.start()
