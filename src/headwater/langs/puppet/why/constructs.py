"""What each construct says for itself: how its value came about, and how it decides.

The module of a construct has the same name here and in `engine`, and registers there how it is
evaluated and here how it is explained.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from headwater.langs.puppet.record.frames import COMPUTED, Guard
from headwater.langs.puppet.syntax import ast
from headwater.langs.puppet.values import Opaque
from headwater.langs.puppet.why.here import Here
from headwater.langs.puppet.why.questions import FOREVER, Path, Replay
from headwater.text.named import NamedTuple
from headwater.why import Node

Explain = Callable[[Replay, Here, Any, Path], Node]
Decide = Callable[[Replay, Here, Guard, int], Node]

EXPLAINERS: dict[type[Any], Explain] = {}
DECIDERS: dict[type[Any], Decide] = {}
"""What a decision of a construct was made by, up to an option of a case."""

BRANCHES: dict[type[Any], Callable[[Guard], Iterator[Branch]]] = {}


class Branch(NamedTuple):
    """A piece of program that a decision took, or did not.

    Of a case, only the options up to `options` were looked at to decide about it.
    """

    body: list[Any]
    taken: bool
    options: int


def explains(*kinds: type[Any]) -> Callable[[Explain], Explain]:
    """Registers the function that says how the values of some kinds of nodes came about."""

    def register(function: Explain) -> Explain:
        for kind in kinds:
            EXPLAINERS[kind] = function
        return function

    return register


def decides(*kinds: type[Any]) -> Callable[[Decide], Decide]:
    """Registers the function that says what decisions of some kinds of nodes were made by."""

    def register(function: Decide) -> Decide:
        for kind in kinds:
            DECIDERS[kind] = function
        return function

    return register


def branches(
    *kinds: type[Any],
) -> Callable[[Callable[[Guard], Iterator[Branch]]], Callable[[Guard], Iterator[Branch]]]:
    """Registers the function that gives the branches of decisions of some kinds of nodes."""

    def register(
        function: Callable[[Guard], Iterator[Branch]],
    ) -> Callable[[Guard], Iterator[Branch]]:
        for kind in kinds:
            BRANCHES[kind] = function
        return function

    return register


def branches_of(guard: Guard) -> Iterator[Branch]:
    """The branches of a decision.

    Where what decides is unknown, any may be taken or not; what is computed may do more.
    """
    if guard.taken is COMPUTED:
        return iter([Branch(_alone(guard), False, FOREVER)])
    if isinstance(guard.taken, Opaque):
        return _any_branch(guard)
    found = BRANCHES.get(type(guard.node))
    return iter(()) if found is None else found(guard)


def _any_branch(guard: Guard) -> Iterator[Branch]:
    match guard.node:
        case ast.If(then=then, otherwise=otherwise) | ast.Unless(then=then, otherwise=otherwise):
            bodies = [then, otherwise]
        case ast.Case(options=options):
            bodies = [option.body for option in options]
        case ast.Selector(options=options):
            bodies = [[option.value] for option in options]
        case _:
            return iter([Branch(_alone(guard), False, FOREVER)])
    return iter([Branch(body, taken, FOREVER) for body in bodies for taken in (False, True)])


def _alone(guard: Guard) -> list[Any]:
    found: list[Any] = guard.unit.once("alone", guard.node, lambda: [guard.node])
    return found


def as_a_whole(replay: Replay, here: Here, node: object, path: Path) -> Node:
    """A construct whose value rests on all that is written in it."""
    name = type(node).__name__.lower()
    return replay.trace.operation(name, [replay.everything(here, node)])
