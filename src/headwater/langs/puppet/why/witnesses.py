"""Why each class is declared, once that is known; found in order of declaration."""

from __future__ import annotations

from collections.abc import Iterable

from headwater.why import NOTHING, Node


class Later(Exception):
    """A witness rests on a class that was declared later."""


class Witnesses:
    """E_a of every class: one reason why it is declared.

    A reason may only rest on classes declared before, so that no class is its own reason.
    While the reasons of a class are looked for, asking for a later one raises `Later`.
    """

    def __init__(self, names: Iterable[str]) -> None:
        self._order = {name: index for index, name in enumerate(names)}
        self._found: dict[str, Node] = {}

    def names(self) -> list[str]:
        """The classes in order of their declaration."""
        return list(self._order)

    def add(self, name: str, node: Node) -> None:
        """Notes why a class is declared."""
        self._found[name] = node

    def of(self, name: str) -> Node:
        """Why a class is declared."""
        if name not in self._order:
            return NOTHING
        found = self._found.get(name)
        if found is None:
            raise Later
        return found
