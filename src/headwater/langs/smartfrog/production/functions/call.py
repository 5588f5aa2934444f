"""What a function is given, and what it may answer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from headwater.langs.smartfrog.production.components import Comp, Value, Vec
from headwater.langs.smartfrog.production.functions.chance import JavaRandom
from headwater.langs.smartfrog.production.syntax import Bytes, Float, Long, Reference
from headwater.text import Span
from headwater.why import NOTHING, Node, Trace


class Failed(Exception):
    """The function has no value for these arguments; says why."""


@dataclass(slots=True)
class Counters:
    """What functions remember within one compilation; `order` is why they came in that order."""

    last: int = -1
    order: Node = NOTHING
    copies: int = 0
    random: JavaRandom | None = None


@dataclass(slots=True, eq=False)
class Call:
    """One application: its arguments in order, evaluated, and where it is written."""

    trace: Trace
    args: dict[str, tuple[Value, Node]]
    comp: Comp
    at: Span
    counters: Counters
    inputs: dict[str, Any] = field(default_factory=dict)

    def need(self, name: str) -> tuple[Value, Node]:
        """An argument that must be there."""
        if name not in self.args:
            raise Failed(f"it has no attribute {name}")
        return self.args[name]

    def only(self) -> tuple[Value, Node]:
        """The one argument there is."""
        [(value, why)] = self.args.values()
        return value, self.trace.copy(why, self.comp.structure)

    def whole(self, name: str, default: int) -> int:
        """An integer argument."""
        value = self.args.get(name, (default, 0))[0]
        if type(value) not in (int, Long):
            raise Failed(f"{name} must be an integer, not {kind(value)}")
        assert isinstance(value, int)
        return value

    def computed(self, name: str, value: Value) -> tuple[Value, Node]:
        """A value computed from all arguments by an operation."""
        return value, self.trace.operation(name, [node for _, node in self.args.values()])


Function: TypeAlias = Callable[[Call], tuple[Value, Node]]


def kind(value: Value) -> str:
    """What sort of value this is, in words."""
    match value:
        case None:
            return "NULL"
        case bool():
            return "a boolean"
        case Bytes():
            return "a byte array"
        case str():
            return "a string"
        case Long():
            return "a long"
        case int():
            return "an integer"
        case Float():
            return "a float"
        case float():
            return "a double"
        case Vec():
            return "a vector"
        case Comp():
            return "a component"
        case Reference():
            return "a reference"
        case _:
            return "a function"
