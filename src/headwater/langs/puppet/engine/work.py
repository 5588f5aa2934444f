"""What is still to do in a compilation, and what it remembers only until it ends."""

from __future__ import annotations

from typing import Any

from headwater.langs.puppet.catalog.resource import Param, Resource
from headwater.langs.puppet.program.definitions import Parameter
from headwater.langs.puppet.record.acts import Collector, Override, Realize

Weights = dict[int, tuple[Any, int]]
"""Heavy values by identity, each with its weight."""


MOST_STEPS = 200_000_000
"""Evaluations that a program may take, unless the user says otherwise; see `steps`."""


class Work:
    """The work of one compilation."""

    def __init__(self, most_steps: int = MOST_STEPS) -> None:
        self.most_steps = most_steps
        self.left = most_steps
        """Evaluations that are left to the program."""
        self.unevaluated: list[Resource] = []
        """Classes and defines whose bodies have not run."""
        self.evaluated: set[Resource] = set()
        self.collectors: list[Collector | Realize] = []
        """Collectors that may still find something."""
        self.asked: dict[Collector | Realize, int] = {}
        """What was known when a collector that asks for tags alone looked last."""
        self.waiting: dict[tuple[str, str], list[Override]] = {}
        """Overrides whose resource is not there yet."""
        self.defaulted: set[str] = set()
        """The types that any scope has resource defaults for."""
        self.checked: dict[Resource, list[Param]] = {}
        """Parameters of defines and classes that were found good when they were evaluated."""
        self.param_types: dict[Parameter, Any] = {}
        self.held: dict[int, tuple[Any, Any]] = {}
        """Values as parameters hold them, by the identity of what was given."""
        self.weights: Weights = {}
        self.depth = 0
        """How many calls and declarations are inside each other."""
        self.changed = False
        """Whether Ruby has changed an array or hash of the program."""
        self.opaque = False
        """Whether there is any value that nobody here can compute."""
