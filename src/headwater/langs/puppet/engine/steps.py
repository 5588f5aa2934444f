"""How much work a program may make: a bound on evaluations, so that every compilation ends.

Counting each expression would cost as much as evaluating it.  A program can only go on for long
through what runs a body again, so it is bodies that are counted: each run of a lambda, function,
class, define, node or template counts as many evaluations as its body has expressions, those of
lambdas in it left out (they count when they run).  Functions that go through large values, and
values and texts that are made large, count by their size; so do collectors, relationships, and
look-ups with what they interpolate.
"""

from __future__ import annotations

from typing import NoReturn

from headwater.langs.puppet import codes
from headwater.langs.puppet.engine.work import Work
from headwater.langs.puppet.fault import Problem, fail
from headwater.langs.puppet.program.units import Unit

A_RUN = 50
"""What a run of a body counts beside its expressions: what the record keeps of it takes room."""

A_RESOURCE = 800
"""What a resource counts beside the expression that declares it: it takes kilobytes."""

A_CALL = 10
"""What a call of a function counts beside its own expression and its arguments."""

FREE = 64
"""Values of at most this size count nothing beside the expression that makes or takes them."""

_HELP = "--max-steps N (in a job: max_steps) allows more"


def spend(work: Work, steps: int, unit: Unit, node: object) -> None:
    """Counts evaluations that happen at a place; refuses when there are none left."""
    work.left = left = work.left - steps
    if left < 0:
        exhausted(work, unit, node)


def spend_unplaced(work: Work, steps: int) -> None:
    """The same where whoever asked knows the place."""
    work.left = left = work.left - steps
    if left < 0:
        raise Problem(codes.TOO_MANY_STEPS, bound=f"{work.most_steps:,}", help=_HELP)


def exhausted(work: Work, unit: Unit, node: object) -> NoReturn:
    """Refuses the program, where it was."""
    work.depth = 0
    at = unit.source.span(0, 0) if node is None else unit.span(node)
    fail(codes.TOO_MANY_STEPS, at, bound=f"{work.most_steps:,}", help=_HELP)
