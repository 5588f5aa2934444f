"""Functions that ask the world: only when they are allowed to, and what they heard is an input."""

from __future__ import annotations

import random
import time

from headwater.langs.smartfrog.production.components import Value
from headwater.langs.smartfrog.production.functions.call import Call, Failed, Function
from headwater.text import Source
from headwater.why import Label, Node

NEEDS_FLAG = frozenset(["Random", "Date", "UserInput"])


def heard(call: Call, name: str, value: Value) -> tuple[Value, Node]:
    """A value from outside, labelled as the input it is."""
    source = Source(f"{name} at {call.at}", str(value))
    label = Label("query", source.span(0, len(source.text)), str(value))
    return value, call.trace.guard(call.trace.label(label), call.comp.structure)


def random_number(call: Call) -> tuple[Value, Node]:
    """An integer from ``min`` to ``max``, or a double below 1."""
    if "min" in call.args or "max" in call.args:
        low, high = call.whole("min", 0), call.whole("max", 2**31 - 1)
        if low > high:
            raise Failed("min is above max")
        return heard(call, "random", random.randint(low, high))
    return heard(call, "random", random.random())


def date(call: Call) -> tuple[Value, Node]:
    """The time of the compilation."""
    return heard(call, "date", time.strftime("%a %b %d %H:%M:%S %Z %Y"))


def user_input(call: Call) -> tuple[Value, Node]:
    """What ``--property userinput=…`` says, or the attribute ``default``."""
    given = call.inputs.get("property", {}).get("userinput")
    if given is not None:
        return heard(call, "userinput", given)
    if "default" in call.args:
        return call.args["default"]
    raise Failed("nothing answers it; give --property userinput=…")


OUTSIDE: dict[str, Function] = {
    "Random": random_number,
    "Date": date,
    "UserInput": user_input,
}
