"""A `PuppetIterator` is what ``step``, ``reverse_each`` and ``tree_each`` give without a lambda."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from headwater.langs.puppet.types.model import Type


class PuppetIterator(msgspec.Struct, frozen=True, eq=False):
    """Values made on demand; `element` is their type, when it is known."""

    element: Type | None
    start: Callable[[], Iterator[Any]]
    pairs: bool = False
    """Whether its values are the entries of a hash."""
    bounds: tuple[int, int, int] | None = None
    """First, last and step of a range of integers."""

    def __iter__(self) -> Iterator[Any]:
        return self.start()
