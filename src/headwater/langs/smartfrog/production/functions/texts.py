"""Strings and vectors."""

from __future__ import annotations

import re

from headwater.langs.smartfrog.production.components import Comp, Value, Vec
from headwater.langs.smartfrog.production.functions.call import Call, Failed, Function, kind
from headwater.langs.smartfrog.production.syntax import Bytes
from headwater.langs.smartfrog.production.text import java_number, value_text
from headwater.langs.smartfrog.results import MOST_VALUES
from headwater.why import Node

MOST_CHARACTERS = 10_000_000
"""How long a text may become: one that is joined to itself doubles with every line."""


def as_text(value: Value) -> str:
    """A value as Java writes it."""
    match value:
        case None:
            return "NULL"
        case bool():
            return "true" if value else "false"
        case Bytes():
            return f"#HEX#{value}#"
        case str():
            return value
        case float():
            return java_number(value)
        case int():
            return str(int(value))
        case Vec(items=items):
            return "[" + ", ".join(as_text(item) for item in items) + "]"
        case Comp():
            raise Failed("a component has no text")
        case _:
            return value_text(value)


def concatenate(call: Call) -> tuple[Value, Node]:
    """``a ++ b``: everything as one string."""
    texts = [as_text(value) for value, _ in call.args.values()]
    if sum(map(len, texts)) > MOST_CHARACTERS:
        raise Failed(f"the text is longer than {MOST_CHARACTERS:,} characters")
    return call.computed("++", "".join(texts))


def joined_at_once(values: list[Value]) -> str | None:
    """What `concatenate` makes of texts and integers; None of anything else."""
    texts: list[str] = []
    for value in values:
        if value.__class__ is str:
            texts.append(value)
        elif value.__class__ is int:
            texts.append(str(value))
        else:
            return None
    whole = "".join(texts)
    return whole if len(whole) <= MOST_CHARACTERS else None


def vector(call: Call) -> tuple[Value, Node]:
    """``[a, b]``: the arguments in order."""
    return gathered(call, [value for value, _ in call.args.values()],
                    [node for _, node in call.args.values()])  # fmt: skip


def append(call: Call) -> tuple[Value, Node]:
    """``a <> b``: the elements of all vectors; what is no vector does not count."""
    items: list[Value] = []
    nodes: list[Node] = []
    causes: list[Node] = []
    for value, node in call.args.values():
        causes.append(node)
        if isinstance(value, Vec):
            items += value.items
            nodes += value.nodes
    vec, _ = gathered(call, items, nodes, call.trace.union(*causes))
    return call.computed("<>", vec)


def gathered(
    call: Call, items: list[Value], nodes: list[Node], causes: Node | None = None
) -> tuple[Value, Node]:
    """A vector whose elements keep their origins."""
    structure = call.trace.guard(call.comp.structure, causes or call.trace.union())
    if len(items) > MOST_VALUES:
        raise Failed(f"the vector has more than {MOST_VALUES:,} values")
    vec = Vec(items, nodes, structure)
    if vec.size > MOST_VALUES:
        raise Failed(f"the vector has more than {MOST_VALUES:,} values")
    return vec, call.trace.guard(structure, call.trace.union(*nodes))


_PLACE = re.compile(r"\$([0-9])")


def format_string(call: Call) -> tuple[Value, Node]:
    """``$3`` in the attribute ``format`` stands for the attribute ``s3``, whatever its kind."""
    form, _ = call.args.get("format", ("", None))
    if not isinstance(form, str):
        raise Failed(f"format must be a string, not {kind(form)}")

    def replaced(hit: re.Match[str]) -> str:
        name = f"s{hit[1]}"
        return as_text(call.args[name][0]) if name in call.args else ""

    return call.computed("formatString", _PLACE.sub(replaced, form))


TEXTS: dict[str, Function] = {
    "Concatenate": concatenate,
    "Vector": vector,
    "Append": append,
    "Format": format_string,
}
