"""Truth and equality."""

from __future__ import annotations

from collections.abc import Callable

from headwater.langs.smartfrog.production.components import Comp, Value, Vec
from headwater.langs.smartfrog.production.functions.call import Call, Failed, Function, kind
from headwater.why import Node


def truth(value: Value) -> bool:
    """A boolean, and nothing else."""
    if not isinstance(value, bool):
        raise Failed(f"{kind(value)} is not a boolean")
    return value


def folded(sign: str, work: Callable[[bool, bool], bool]) -> Function:
    """An operator over all arguments, from the first to the last; one alone stays what it is."""

    def function(call: Call) -> tuple[Value, Node]:
        if len(call.args) == 1:
            return call.only()
        values = [truth(value) for value, _ in call.args.values()]
        if not values:
            raise Failed("it has nothing to work on")
        made = values[0]
        for value in values[1:]:
            made = work(made, value)
        return call.computed(sign, made)

    return function


def negation(call: Call) -> tuple[Value, Node]:
    """``(! data)``"""
    value, why = call.need("data")
    return not truth(value), call.trace.operation("!", [why])


def equal(one: Value, other: Value) -> bool:
    """Equality as Java's ``equals``: an integer is no long, a component only equal to itself."""
    if type(one) is not type(other):
        return False
    if isinstance(one, Vec) and isinstance(other, Vec):
        pairs = zip(one.items, other.items, strict=False)
        return len(one.items) == len(other.items) and all(equal(a, b) for a, b in pairs)
    if isinstance(one, Comp):
        return one is other
    return one == other


def equality(sign: str, wanted: bool) -> Function:
    """``left == right`` and its opposite."""

    def function(call: Call) -> tuple[Value, Node]:
        (left, why_left), (right, why_right) = call.need("left"), call.need("right")
        made = equal(left, right) == wanted
        return made, call.trace.operation(sign, [why_left, why_right])

    return function


LOGIC: dict[str, Function] = {
    "And": folded("&&", lambda a, b: a and b),
    "Or": folded("||", lambda a, b: a or b),
    "Xor": folded("x|", lambda a, b: a != b),
    "Implies": folded("->", lambda a, b: not a or b),
    "Not": negation,
    "EQ": equality("==", True),
    "NE": equality("!=", False),
}
