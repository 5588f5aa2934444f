"""The result of a program: the final stores, ``{"stores": {"n.x": sexp}}``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from headwater.langs.opal.printer import show_place
from headwater.langs.opal.syntax import Place
from headwater.langs.opal.values import SexpValue, plain
from headwater.tree import Address, BadAddress, NotThere, Tree, Value, parse_address


class Stores:
    """The value of every variable, by place; satisfies `tree.Result`."""

    __slots__ = ("values",)

    def __init__(self, values: Mapping[Place, SexpValue]) -> None:
        self.values = {place: values[place] for place in sorted(values)}

    def walk(self) -> Iterator[tuple[Address, Value]]:
        """Every variable with its value; parts of a value have no address of their own."""
        for place, value in self.values.items():
            yield tuple(place), plain(value)

    def get(self, address: Address) -> Value:
        """A variable's value, or the variables of a node, or all nodes; raises `NotThere`."""
        nodes: dict[str, Value] = {}
        if not address:
            for place in self.values:
                nodes.setdefault(place.node, self.get((place.node,)))
            return nodes
        of_node = {p.var: v for p, v in self.values.items() if p.node == address[0]}
        if not of_node:
            raise NotThere((), list(dict.fromkeys(p.node for p in self.values)))
        if len(address) == 1:
            return {var: plain(value) for var, value in of_node.items()}
        if address[1] not in of_node or len(address) > 2:
            raise NotThere(address[:1], list(of_node))
        found: Value = plain(of_node[str(address[1])])
        return found

    def export(self, format: str) -> Iterator[str]:
        """As ``json``, ``compact`` or ``yaml``."""
        whole: Any = self.plain()
        yield from Tree(whole).export(format)

    def plain(self) -> object:
        """The document of the machine interface."""
        return {"stores": {show_place(p): plain(v) for p, v in self.values.items()}}


def place_of(address: Address) -> Place | None:
    """The variable that an address names; none if it names a node, or everything."""
    match address:
        case (str(node), str(var)):
            return Place(node, var)
        case _:
            return None


def read_place(text: str) -> Place | None:
    """The variable that ``n.x`` or ``"n".x`` spells."""
    try:
        parts = parse_address(text)
    except BadAddress:
        return None
    if len(parts) > 2 and '"' not in text and "[" not in text:
        # A host name that was not quoted: everything before the last dot is the node.
        node, _, var = text.rpartition(".")
        parts = (node, var)
    match parts:
        case (str(node), str(var)) if re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", var):
            return Place(node, var)
        case _:
            return None
