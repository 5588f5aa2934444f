"""The elements of lists: a list is one value, but each element is written somewhere."""

from __future__ import annotations

from collections.abc import Mapping

from headwater.langs.l3.labels import literal_label
from headwater.langs.l3.syntax import Block, Literal, Program, literals_of
from headwater.langs.l3.syntax import inside as inside_of
from headwater.langs.l3.verdict import Verdict, by_place
from headwater.tree import Address
from headwater.why import Label, Node, Trace


def literals_by_label(program: Program) -> dict[Label, Literal]:
    """Every list literal of a program by its label."""
    found: dict[Label, Literal] = {}
    todo: list[Block] = [file.block for file in program.files]
    while todo:
        for member in todo.pop().members.values():
            todo.extend(inside_of(member.value)[1])
            for literal in literals_of(member.value):
                if literal.parts:
                    found[literal_label(literal)] = literal
    return found


def element_node(
    trace: Trace,
    verdict: Verdict,
    literals: Mapping[Label, Literal],
    indexes: Address,
    whole: Node,
) -> Node:
    """The node of an element of a list: written in the list, there because of all the list is."""
    places: list[Label] = []
    for label in by_place({x for c in verdict.winners for x in c.literals}):
        literal = literals[label]
        for index in indexes:
            parts = literal.parts
            if isinstance(parts, Mapping):
                literal = parts[str(index)]
            else:
                literal = parts[int(index)]
        places.append(literal_label(literal))
    first, *others = [trace.label(place) for place in dict.fromkeys(places)]
    return trace.choice(first, equals=others, deciding=trace.operation("element", [whole]))
