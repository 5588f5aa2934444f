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
        """The value of a variable; raises `NotThere`."""
        place = place_of(address)
        if place is None or place not in self.values:
            reached = address[:1] if any(address[:1] == (p.node,) for p in self.values) else ()
            raise NotThere(reached, [show_place(p) for p in self.values])
        found: Value = plain(self.values[place])
        return found

    def export(self, format: str) -> Iterator[str]:
        """As ``json``, ``compact`` or ``yaml``."""
        whole: Any = self.plain()
        yield from Tree(whole).export(format)

    def plain(self) -> object:
        """The document of the machine interface."""
        return {"stores": {show_place(p): plain(v) for p, v in self.values.items()}}


def place_of(address: Address) -> Place | None:
    """The variable that an address names."""
    match address:
        case (str(node), str(var)) | ("stores", str(node), str(var)):
            return Place(node, var)
        case ("stores", str(key)):
            return read_place(key)
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
