"""What the two type checkers say alike: the words of E010 to E013."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from heapq import nsmallest

from headwater.langs.opal.codes import (
    NO_PERMISSION,
    UNDEFINED_VARIABLE,
    UNKNOWN_OPERATION,
    WORLD_UNAVAILABLE,
)
from headwater.langs.opal.printer import show_name, show_place
from headwater.langs.opal.syntax import Handle, Op, Place, WorldVar
from headwater.report import Diagnostic, Note, nearest
from headwater.text import Span


@dataclass(frozen=True, slots=True)
class Live:
    """A world that can be used; declared at a place."""

    at: Span


@dataclass(frozen=True, slots=True)
class Gone:
    """A world that cannot be used any more, or not here: why, and the place that decides it."""

    how: str
    at: Span

    @property
    def reason(self) -> str:
        """The reason with its line."""
        return f"{self.how} at line {self.at.first.line}"


def unavailable(world: WorldVar, status: Gone | None, live: list[str]) -> Diagnostic:
    """E013, with its reason."""
    if status is not None:
        note = Note(status.how, status.at)
        return WORLD_UNAVAILABLE.at(
            world.at, world=world.name, reason=status.reason, labels=(note,)
        )
    meant = _nearest(world.name, live)
    return WORLD_UNAVAILABLE.at(
        world.at,
        world=world.name,
        reason="it was never declared",
        help=f"did you mean {meant}?" if meant else None,
    )


def no_permission(node: str, at: Span) -> Diagnostic:
    """E011"""
    n = show_name(node)
    return NO_PERMISSION.at(at, node=n, help=f"wrap it in with {n} do {{ … }}")


def undefined(place: Place, at: Span, known: Iterable[Place], ended: Handle | None) -> Diagnostic:
    """E012, with the nearest variable of the same node."""
    meant = _nearest(place.var, [p.var for p in known if p.node == place.node])
    help = f"did you mean {show_place(Place(place.node, meant))}?" if meant else None
    return UNDEFINED_VARIABLE.at(at, place=show_place(place), labels=_ended(ended), help=help)


def unknown(op: Op, known: Iterable[str], ended: Handle | None) -> Diagnostic:
    """E010, with the nearest operation."""
    meant = _nearest(op.name, list(known))
    help = f"did you mean {meant}?" if meant else None
    return UNKNOWN_OPERATION.at(op.at, op=op.name, labels=_ended(ended), help=help)


def _nearest(name: str, known: list[str]) -> str | None:
    """The name that may have been meant; among very many, only a few alike ones are compared."""
    if len(known) > MOST_COMPARED:
        alike = (x for x in known if x[:1] == name[:1] and len(x) == len(name))
        known = nsmallest(MOST_COMPARED, alike)
    return nearest(name, known)


def _ended(handle: Handle | None) -> tuple[Note, ...]:
    if handle is None:
        return ()
    return (Note(f"this handle ended at line {handle.at.last.line}", handle.head),)


MOST_COMPARED = 200
MOST_FOUND = 100
"""Checking reports no more than this."""

COMMITTED = "already committed"
OUTSIDE_HANDLE = "it stands outside this handle"
OUTSIDE_HYP = "outer worlds are not visible inside the hyp"
INSIDE_HANDLE = "it was declared inside the handle that begins"
INSIDE_HYP = "it was declared inside the hyp"
MOVED = "moved to "
ONE_BRANCH = "in only one branch of the if"


def moved_to(name: str) -> str:
    """The reason of a world that another variable holds now."""
    return MOVED + name


def in_one_branch(lost: Live | Gone | None, before: Live | Gone | None, at: Span) -> Gone:
    """The reason of a world that only one branch of the if at a place leaves.

    `lost` is what the other branch made of it, `before` what it was before the if.  If that
    branch lost it in only one branch of an inner if, that stays the reason.
    """
    if isinstance(lost, Gone) and lost != before:
        if lost.how.endswith(ONE_BRANCH):
            return lost
        if lost.how == COMMITTED or lost.how.startswith(MOVED):
            return Gone(f"{lost.how.removeprefix('already ')} {ONE_BRANCH}", at)
    return Gone(f"declared {ONE_BRANCH}", at)
