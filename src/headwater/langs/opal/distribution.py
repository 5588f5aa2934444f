"""The two questions that leave the program: who endorses a ``with``, and where an ``at`` runs.

The paper leaves both to the implementation (section 4.3).  Here they are interfaces;
the implementations in this module stay in the process.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Protocol

from headwater.langs.opal.syntax import Com

HOME = "home"
"""The location a program starts at unless a job says otherwise."""


@dataclass(frozen=True, slots=True)
class Request:
    """⟨n, ρ, c⟩: may *c* run with the permission of the principal *n* at the location ρ?"""

    principal: str
    location: str
    command: Com


class Endorser(Protocol):
    """Answers ⟨n, ρ, c⟩✓."""

    def endorses(self, request: Request) -> bool:
        """Whether the principal says yes."""
        ...


@dataclass(frozen=True, slots=True)
class Visit:
    """``at n do { c }`` on its way from one location to another."""

    origin: str
    node: str
    command: Com


class Transport(Protocol):
    """Takes a command to a node and its new store back."""

    def arrive(self, visit: Visit) -> None:
        """The command is about to run at the node, on top of the caller's stores."""
        ...

    def leave(self, visit: Visit, written: int) -> None:
        """The command has run; that many variables are in the store that goes back."""
        ...


class EveryoneAgrees:
    """An endorser who always says yes."""

    def endorses(self, request: Request) -> bool:
        """Yes."""
        return True


class OnlyThese:
    """An endorser who says yes for some principals."""

    def __init__(self, principals: Collection[str]) -> None:
        self._principals = frozenset(principals)

    def endorses(self, request: Request) -> bool:
        """Whether the principal is one of them."""
        return request.principal in self._principals


class Recorded:
    """An endorser who asks another and remembers, so that a second run gets the same answers."""

    def __init__(self, asked: Endorser) -> None:
        self._asked = asked
        self._answers: list[bool] = []
        self._next = 0

    def endorses(self, request: Request) -> bool:
        """The remembered answer, or a new one."""
        if self._next == len(self._answers):
            self._answers.append(self._asked.endorses(request))
        self._next += 1
        return self._answers[self._next - 1]

    def rewind(self) -> None:
        """Begin again with the first answer."""
        self._next = 0


class InProcess:
    """A transport that goes nowhere: every node is this process."""

    def arrive(self, visit: Visit) -> None:
        """Nothing to send."""

    def leave(self, visit: Visit, written: int) -> None:
        """Nothing to fetch."""
