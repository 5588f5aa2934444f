"""Functions whose value is one of their arguments, or made of copies of one."""

from __future__ import annotations

from headwater.langs.smartfrog.production.attributes import Attr
from headwater.langs.smartfrog.production.components import MOST_COPIES, Comp, Value
from headwater.langs.smartfrog.production.copying import copied
from headwater.langs.smartfrog.production.functions.call import Call, Failed, Function
from headwater.langs.smartfrog.production.functions.logic import truth
from headwater.langs.smartfrog.production.functions.numbers import divide
from headwater.why import Node

MOST_ELEMENTS = 100_000
"""How many elements a Set may have."""


def if_then_else(call: Call) -> tuple[Value, Node]:
    """``IF a THEN b ELSE c FI``"""
    (value, why), then, otherwise = call.need("if"), call.need("then"), call.need("else")
    chosen, node = then if truth(value) else otherwise
    return chosen, call.trace.copy(node, why)


def switch(call: Call) -> tuple[Value, Node]:
    """``SWITCH IF a THEN b … ENDSWITCH``: the first that holds, or NULL."""
    tested: list[Node] = []
    number = 0
    while f"if{number}" in call.args:
        value, why = call.args[f"if{number}"]
        tested.append(why)
        if truth(value):
            chosen, node = call.args[f"then{number}"]
            return chosen, call.trace.copy(node, call.trace.union(*tested))
        number += 1
    return None, call.trace.operation("SWITCH", tested)


def system(call: Call) -> tuple[Value, Node]:
    """The attribute ``system``, which the others may have helped to compute, or NULL."""
    value, why = call.args.get("system", (None, call.comp.structure))
    return value, call.trace.copy(why, call.comp.structure)


def next_number(call: Call) -> tuple[Value, Node]:
    """A number that has not been given out yet, at least ``base``."""
    base = call.whole("base", 0)
    counters = call.counters
    counters.last = base if base > counters.last else counters.last + 1
    return call.computed("next", counters.last)


def set_of(call: Call) -> tuple[Value, Node]:
    """``setSize`` copies of the component ``setElem``, named after ``setPrefix``."""
    element, node = call.need("setElem")
    prefix = call.args.get("setPrefix", ("elem", 0))[0]
    if not isinstance(element, Comp) or not isinstance(prefix, str):
        raise Failed("setElem must be a component, and setPrefix a string")
    low, step = call.whole("setMin", 0), call.whole("setInc", 1)
    if ("setMax" in call.args) == ("setSize" in call.args):
        raise Failed("either setMax or setSize must be given")
    if step == 0:
        raise Failed("setInc must not be 0")
    size = call.whole("setSize", 0)
    if "setMax" in call.args:
        size = 1 + int(divide(call.whole("setMax", 0) - low, step))
    if not 0 <= size <= MOST_ELEMENTS:
        raise Failed(f"a set has 0 to {MOST_ELEMENTS:,} elements, not {size}")
    trace = call.trace
    causes = trace.union(*(why for name, (_, why) in call.args.items() if name in OF_SET))
    made = Comp(call.comp.parent, call.comp.structure, call.comp.home, call.comp.path)
    made.shape = trace.union(call.comp.shape, causes)
    for name, attr in call.comp.attrs.items():
        if name not in OF_SET and name != "sfFunctionClass":
            made.attrs[name] = attr
    for index in range(size):
        copy, count = copied(element, made, noted=True)
        call.counters.copies += count + 5
        if call.counters.copies > MOST_COPIES:
            raise Failed(f"sets copy more than {MOST_COPIES:,} attributes")
        made.attrs[f"{prefix}{low + index * step}"] = Attr(
            copy, node, causes, call.comp.structure, call.at
        )
    return made, trace.operation("Set", [why for _, why in call.args.values()])


OF_SET = frozenset(["setMin", "setMax", "setInc", "setSize", "setElem", "setPrefix"])

CHOOSING: dict[str, Function] = {
    "IfThenElse": if_then_else,
    "Switch": switch,
    "SystemComponent": system,
    "Next": next_number,
    "Set": set_of,
}
