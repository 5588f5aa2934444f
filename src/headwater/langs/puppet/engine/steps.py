"""How much work a program may make: a bound on evaluations, so that every compilation ends.

Counting each expression would cost as much as evaluating it.  A program can only go on for long
through what runs a body again, so it is bodies that are counted: each run of a lambda, function,
class, define, node or template counts as many evaluations as its body has expressions, those of
lambdas in it left out (they count when they run).  Functions that go through large values, and
values and texts that are made large, count by their size; so do collectors, relationships, and
look-ups with what they interpolate.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

from headwater.langs.puppet import codes
from headwater.langs.puppet.fault import Problem, fail

if TYPE_CHECKING:
    from headwater.langs.puppet.engine.compiler import Compiler
    from headwater.langs.puppet.engine.definitions import Unit

MOST_STEPS = 200_000_000
"""Evaluations that a program may take, unless the user says otherwise."""

A_RUN = 5
"""What a run of a body counts beside its expressions."""

A_CALL = 10
"""What a call of a function counts beside its own expression and its arguments."""

_HELP = "--max-steps N (in a job: max_steps) allows more"

FREE = 64
"""Values of at most this size count nothing beside the expression that makes or takes them."""


def spend(compiler: Compiler, steps: int, unit: Unit, node: Any) -> None:
    """Counts evaluations that happen at a place; refuses when there are none left."""
    compiler.left = left = compiler.left - steps
    if left < 0:
        exhausted(compiler, unit, node)


def spend_unplaced(compiler: Compiler, steps: int) -> None:
    """The same where whoever asked knows the place."""
    compiler.left = left = compiler.left - steps
    if left < 0:
        raise Problem(codes.TOO_MANY_STEPS, bound=_bound(compiler), help=_HELP)


def exhausted(compiler: Compiler, unit: Unit, node: Any) -> NoReturn:
    """Refuses the program, where it was."""
    compiler.depth = 0
    at = unit.source.span(0, 0) if node is None else unit.span(node)
    fail(codes.TOO_MANY_STEPS, at, bound=_bound(compiler), help=_HELP)


def _bound(compiler: Compiler) -> str:
    return f"{compiler.inputs.max_steps:,}"
