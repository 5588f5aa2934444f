"""Which names are variables: Ruby decides it while it reads."""

from __future__ import annotations


class Scope:
    """The variables that are known at a point of a text; a block sees those around it."""

    def __init__(self, outer: Scope | None) -> None:
        self.outer = outer
        self.names: list[str] = []
        self.may_number = False
        self.highest = 0

    def knows(self, name: str) -> bool:
        """Whether a name was assigned before, here or around."""
        scope: Scope | None = self
        while scope is not None:
            if name in scope.names:
                return True
            scope = scope.outer
        return False

    def declare(self, name: str) -> None:
        """A name is assigned: it is this scope's own unless it is known around."""
        if not self.knows(name):
            self.names.append(name)

    def own(self, name: str) -> None:
        """A parameter: this scope's own, whatever is known around."""
        if name not in self.names:
            self.names.append(name)

    def numbered(self, name: str) -> bool:
        """Whether ``_1`` is a parameter of the block around; then it is one from now on."""
        if not self.may_number:
            return False
        self.highest = max(self.highest, int(name[1]))
        for number in range(self.highest):
            self.own(f"_{number + 1}")
        return True
