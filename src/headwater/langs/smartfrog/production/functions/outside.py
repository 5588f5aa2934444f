"""Functions that ask the world: only when they are allowed to, and what they heard is an input."""

from __future__ import annotations

import time

from headwater.langs.smartfrog.production.components import Value
from headwater.langs.smartfrog.production.functions.call import Call, Failed, Function
from headwater.langs.smartfrog.production.functions.chance import JavaRandom
from headwater.langs.smartfrog.production.functions.logic import truth
from headwater.langs.smartfrog.production.syntax import Float
from headwater.text import Source
from headwater.why import Label, Node

NEEDS_FLAG = frozenset(["Random", "Date", "UserInput"])


def heard(call: Call, name: str, value: Value) -> tuple[Value, Node]:
    """A value from outside, labelled as the input it is; the arguments say what was asked."""
    source = Source(f"{name} at {call.at}", str(value))
    label = Label("query", source.span(0, len(source.text)), str(value))
    asked = call.trace.union(call.comp.structure, *(node for _, node in call.args.values()))
    return value, call.trace.guard(call.trace.label(label), asked)


def random_number(call: Call) -> tuple[Value, Node]:
    """A float below 1; with ``integer true``, an integer from ``min`` (0) to ``max`` (10).

    The first ``seed`` that is met decides about all numbers of a compilation.
    """
    low, high = call.whole("min", 0), call.whole("max", 10)
    integer = truth(call.args.get("integer", (False, 0))[0])
    if call.counters.random is None:
        seed = call.whole("seed", 0) if "seed" in call.args else None
        call.counters.random = JavaRandom(seed)
    number = call.counters.random.below_one()
    if not integer:
        return heard(call, "random", Float(number))
    return heard(call, "random", low + int(number * (high - low + 1)) if low <= high else low)


def date(call: Call) -> tuple[Value, Node]:
    """The time of the compilation."""
    return heard(call, "date", time.strftime("%a %b %d %H:%M:%S %Z %Y"))


def user_input(call: Call) -> tuple[Value, Node]:
    """What ``--property userinput=…`` says, or the attribute ``default``."""
    given = call.inputs.get("property", {}).get("userinput")
    if given is not None:
        return heard(call, "userinput", given)
    if "default" in call.args:
        value, why = call.args["default"]
        unasked = Label("miss", Source("--property userinput", "").span(0, 0), "userinput")
        return value, call.trace.guard(why, call.trace.miss(unasked))
    raise Failed("nothing answers it; give --property userinput=…")


OUTSIDE: dict[str, Function] = {
    "Random": random_number,
    "Date": date,
    "UserInput": user_input,
}
