"""What causes of a catalog can be asked beside values."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from headwater.tree import Address
from headwater.why import Node


@runtime_checkable
class Catalogued(Protocol):
    """Causes of a catalog: why each resource is there, has its tags, and comes before others."""

    def resources(self) -> list[Address]:
        """The resources that are there, in order."""
        ...

    def tags(self, address: Address) -> dict[str, Node]:
        """The tags of a resource, each with how it came by it."""
        ...

    def edges(self) -> list[tuple[Address, Address, Node]]:
        """Which resource comes before which, and why; that one contains another is no edge."""
        ...
