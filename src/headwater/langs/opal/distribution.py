"""The two questions that leave the program: who endorses a ``with``, and where an ``at`` runs.

The paper leaves both to the implementation (section 4.3).  Here they are interfaces;
the implementations in this module stay in the process.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Protocol, TypeAlias

from headwater.langs.opal.syntax import Com, Handle, Place
from headwater.langs.opal.values import SexpValue
from headwater.langs.opal.writes import Inside

Stores: TypeAlias = Mapping[Place, SexpValue]

HOME = "home"
"""The location a program starts at unless a job says otherwise."""


@dataclass(frozen=True, slots=True)
class Request:
    """⟨n, ρ, c⟩: may *c* run with the permission of the principal *n* at the location ρ?"""

    principal: str
    location: str
    command: Com
    inside: Inside | None = field(default=None, compare=False)
    """The hyp it is asked in, if any."""


class Endorser(Protocol):
    """Answers ⟨n, ρ, c⟩✓."""

    def endorses(self, request: Request) -> bool:
        """Whether the principal says yes."""
        ...


@dataclass(frozen=True, slots=True)
class Carried:
    """What a command takes along: η, μ, π, the caller's stores, and ω by name, never by value.

    `stores` are the values that the stack binds above the stores that were there before the
    program; those are named by their revision, not sent.
    """

    operations: Mapping[str, Handle]
    merges: Mapping[Place, Handle]
    permitted: frozenset[str]
    stores: Stores
    worlds: frozenset[str]


@dataclass(frozen=True, slots=True)
class Visit:
    """``at n do { c }`` on its way from one location to another."""

    origin: str
    node: str
    command: Com
    carried: Callable[[], Carried]


class Transport(Protocol):
    """Takes a command to a node and its new store back."""

    def arrive(self, visit: Visit) -> Visit:
        """The command is about to run at the node: the visit as it arrives there."""
        ...

    def leave(self, visit: Visit, written: Stores) -> Stores:
        """The command has run: its new store as it comes back."""
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

    def arrive(self, visit: Visit) -> Visit:
        """Nothing to send."""
        return visit

    def leave(self, visit: Visit, written: Stores) -> Stores:
        """Nothing to fetch."""
        return written
