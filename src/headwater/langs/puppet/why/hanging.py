"""`Hanging`: a trace of one bit, with which a replay finds what hangs on unknown values."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from headwater.langs.puppet.program.units import Unit
from headwater.langs.puppet.why.labels import Labels
from headwater.why import NOTHING, Kind, Label, Loser, Node, Trace


class Hanging(Trace):
    """A trace that knows of a value only an unknown input that it depends on, or that none is."""

    __slots__ = ("_numbers", "whys")

    def __init__(self) -> None:
        super().__init__()
        self.whys = [""]
        self._numbers: dict[str, Node] = {}

    def unknown(self, why: str) -> Node:
        """The node of what depends on an unknown value."""
        found = self._numbers.get(why)
        if found is None:
            found = self._numbers[why] = Node(len(self.whys))
            self.whys.append(why)
        return found

    def label(self, label: Label) -> Node:
        """An input: only those that are unknown count."""
        return self.unknown(label.text) if label.kind == "unknown" else NOTHING

    def miss(self, label: Label) -> Node:
        """What is not there is known not to be."""
        return NOTHING

    def union(self, *nodes: Node) -> Node:
        """The first that is unknown."""
        for node in nodes:
            if node:
                return node
        return NOTHING

    def operation(self, name: str, args: Sequence[Node], causes: Node = NOTHING) -> Node:
        """Unknown if an argument is."""
        return self.union(*args, causes)

    def copy(self, of: Node, via: Node) -> Node:
        """As what is copied, and as why from there."""
        return of or via

    def composed(self, at: Node, of: Node) -> Node:
        """As what is put together."""
        return of

    def guard(self, of: Node, causes: Node) -> Node:
        """As the value, and as its causes."""
        return of or causes

    def choice(
        self,
        winner: Node,
        *,
        losers: Iterable[Loser] = (),
        equals: Iterable[Node] = (),
        deciding: Node = NOTHING,
    ) -> Node:
        """As the winner, and as what made it win."""
        return self.union(winner, deciding, *equals)


class UnknownLabels(Labels):
    """Labels of inputs, of which only the unknown ones count."""

    def of(self, unit: Unit, node: object, kind: Kind = "literal") -> Node:
        """What is written is known."""
        return NOTHING

    def structure(self, unit: Unit, node: object) -> Node:
        """What is written is known."""
        return NOTHING

    def put_together(self, unit: Unit, node: object) -> Node:
        """What is written is known."""
        return NOTHING

    def shown(self, value: object) -> object:
        """Nobody looks."""
        return None
