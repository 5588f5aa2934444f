"""A `PuppetIterator` is what ``step``, ``reverse_each`` and ``tree_each`` give without a lambda.

As in Puppet it has a place where it stands, and functions that take one value after the other
(``each``, ``map``, ``filter``) go on from there: what has been gone through once is used up.
Other functions look at all values again, except that iterators over ranges and those with a step
have only the one way to be gone through (`spends`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from headwater.langs.puppet.types.model import Type


class PuppetIterator(msgspec.Struct, eq=False):
    """Values made on demand; `element` is their type, when it is known."""

    element: Type | None
    start: Callable[[], Iterator[Any]]
    pairs: bool = False
    """Whether its values are the entries of a hash."""
    bounds: tuple[int, int, int] | None = None
    """First, last and step of a range of integers."""

    spends: bool = False
    standing: Iterator[Any] | None = None

    def __iter__(self) -> Iterator[Any]:
        return self.rest() if self.spends else self.start()

    def rest(self) -> Iterator[Any]:
        """The values that are left; who takes one takes it from all."""
        if self.standing is None:
            self.standing = self.start()
        return self.standing
