"""A `Trace` is a hash-consed graph of how values came about.

Nodes are integers; a node is made after its children, so a pass in order of
numbers sees children first.  Three parallel arrays hold tag, left and right:

========= ============== ================ =========================================
tag       left           right            is
========= ============== ================ =========================================
NOTHING                                   no cause at all (node 0)
LABEL     label number                    a value given by an input
MISS      label number                    an input that was looked for and not there
UNION     node           node             both causes; no value of its own
ARGS      node           ARGS or NOTHING  the arguments of an operation
OPERATION name number    ARGS or NOTHING  a value computed from others
COPY      node           causes           a value copied from elsewhere, and why from there
GUARD     node           causes           a value that is there only because of the causes
CHOICE    winner         causes           a value that won over others (its `Contest`)
COMPOSED  LABEL          node             a value put together from others where it is written
HOME      home number                     a place where something more could be written
LACKS     HOMEs          name number      a name that is written at none of these places
========= ============== ================ =========================================

One COPY stands for a whole copied subtree: who owns the tree composes it with
the nodes of the leaves, so that chains of copies cost nothing per leaf.

One LACKS stands for a MISS at each of many places.  Many names that are looked for in the
same places share the union of those; a question spells the misses out.
"""

from __future__ import annotations

from _thread import allocate_lock
from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NewType, TypeAlias

from headwater.text import Span
from headwater.why.labels import Label

Node = NewType("Node", int)

NOTHING = Node(0)
LABEL, MISS, UNION, ARGS, OPERATION, COPY, GUARD, CHOICE, HOME, LACKS, COMPOSED = range(1, 12)

Reason: TypeAlias = Literal[
    "override",
    "prototype",
    "assignment",
    "placement",
    "shadow",
    "default",
    "final",
    "constraint",
    "tie",
    "level",
    "merge",
]


@dataclass(frozen=True, slots=True)
class Loser:
    """A value that was not chosen: what it was, how it came about, why and by what it lost."""

    value: Any
    node: Node
    reason: Reason
    by: Node


@dataclass(frozen=True, slots=True)
class Contest:
    """What a choice was made from, besides the winner: losers, and equals of the winner."""

    losers: tuple[Loser, ...]
    equals: tuple[Node, ...]


_NOTING = allocate_lock()
"""Several threads may ask a trace; what they note of it is in the order of its nodes."""


def _key(loser: Loser) -> tuple[object, ...]:
    """By which equal losers are told: texts and numbers by value, all else by identity.

    What is identical stays so, because the contest that it is a key of holds it.
    """
    value = loser.value
    kind = value.__class__
    plain = kind is str or kind is int or kind is bool
    return (kind, value if plain else id(value), loser.node, loser.reason, loser.by)


class Trace:
    """The graph of one evaluation."""

    __slots__ = ("_choices", "_cons", "_givers", "_home_numbers", "_label_numbers", "_name_numbers",
                 "_orders", "below", "contests", "homes", "labels", "left", "names", "right",
                 "tags")  # fmt: skip

    def __init__(self) -> None:
        self.tags = array("B", [0])
        self.left = array("I", [0])
        self.right = array("I", [0])
        self.labels: list[Label] = []
        self.homes: list[Label] = []
        """Where something could be written; the text is what comes before its name."""
        self.names: list[str] = []
        self.contests: dict[Node, Contest] = {}
        self._givers = array("I")
        self._orders: list[tuple[str, int, int, str, str]] = []
        self.below: dict[int, tuple[frozenset[int], frozenset[Label]]] = {}
        """The labels below causes that many values share, by number, and those that places lack
        (`views.depends`)."""
        self._choices: dict[tuple[object, ...], Node] = {}
        self._cons: dict[int, Node] = {}
        self._home_numbers: dict[Label, int] = {}
        self._label_numbers: dict[Label, int] = {}
        self._name_numbers: dict[str, int] = {}

    def __len__(self) -> int:
        return len(self.tags)

    def _node(self, tag: int, left: int, right: int) -> Node:
        # One integer is a cheaper key than a tuple: bench/why.py builds 250,000 nodes.
        key = left << 36 | right << 4 | tag
        found = self._cons.get(key)
        if found is None:
            found = self._cons[key] = Node(len(self.tags))
            self.tags.append(tag)
            self.left.append(left)
            self.right.append(right)
        return found

    def _append(self, tag: int, left: int, right: int) -> Node:
        node = Node(len(self.tags))
        self.tags.append(tag)
        self.left.append(left)
        self.right.append(right)
        return node

    def label(self, label: Label) -> Node:
        """A value given by an input."""
        return self._node(LABEL, self.number_of(label), 0)

    def miss(self, label: Label) -> Node:
        """An input that was looked for and is not there."""
        return self._node(MISS, self.number_of(label), 0)

    def home(self, at: Span, before: str) -> Node:
        """A place where something more could be written, and what comes before its name."""
        home = Label("miss", at, before)
        number = self._home_numbers.get(home)
        if number is None:
            number = self._home_numbers[home] = len(self.homes)
            self.homes.append(home)
        return self._node(HOME, number, 0)

    def lacks(self, homes: Node, name: str) -> Node:
        """The node for a name that none of the places has; `homes` is a union of them."""
        return NOTHING if homes == NOTHING else self._node(LACKS, homes, self.number_of_name(name))

    def misses(self, node: Node) -> Iterator[Label]:
        """The labels that a LACKS stands for."""
        name = self.names[self.right[node]]
        seen: set[int] = set()
        todo = [self.left[node]]
        while todo:
            at = todo.pop()
            if at in seen:
                continue
            seen.add(at)
            if self.tags[at] == HOME:
                home = self.homes[self.left[at]]
                yield home._replace(text=f"{home.text}:{name}" if home.text else name)
            elif self.tags[at] == UNION:
                todo += (self.left[at], self.right[at])

    def number_of_name(self, name: str) -> int:
        """The number of a name in this trace."""
        number = self._name_numbers.get(name)
        if number is None:
            number = self._name_numbers[name] = len(self.names)
            self.names.append(name)
        return number

    def number_of(self, label: Label) -> int:
        """The number of a label in this trace."""
        number = self._label_numbers.get(label)
        if number is None:
            number = self._label_numbers[label] = len(self.labels)
            self.labels.append(label)
        return number

    def by_place(self, numbers: Iterable[int]) -> list[Label]:
        """The labels of some numbers, by place."""
        orders, labels = self._orders, self.labels
        if len(orders) < len(labels):
            with _NOTING:
                for at in range(len(orders), len(labels)):
                    orders.append(labels[at].order)
        return [labels[number] for number in sorted(numbers, key=orders.__getitem__)]

    def union(self, *nodes: Node) -> Node:
        """All these causes together."""
        whole = NOTHING
        for node in nodes:
            if node in (whole, NOTHING):
                continue
            if whole == NOTHING:
                whole = node
            elif node < whole:
                whole = self._node(UNION, node, whole)
            else:
                whole = self._node(UNION, whole, node)
        return whole

    def operation(self, name: str, args: Sequence[Node], causes: Node = NOTHING) -> Node:
        """A value computed by the operation `name`; `causes` matter beyond the arguments."""
        number = self.number_of_name(name)
        tail = NOTHING
        for arg in reversed(args):
            tail = self._node(ARGS, arg, tail)
        return self.guard(self._node(OPERATION, number, tail), causes)

    def copy(self, of: Node, via: Node) -> Node:
        """The value of another node, found there because of `via`."""
        return self._node(COPY, of, via)

    def guard(self, of: Node, causes: Node) -> Node:
        """A value that is there only because of `causes`."""
        return of if causes == NOTHING else self._node(GUARD, of, causes)

    def composed(self, at: Node, of: Node) -> Node:
        """The value of an operation that only puts together what stands at a label."""
        return self._node(COMPOSED, at, of)

    def is_place(self, composed: int) -> bool:
        """Whether the label of such a value only says where, and the value has all that matters."""
        return self.labels[self.left[self.left[composed]]].kind == "operation"

    def choice(
        self,
        winner: Node,
        *,
        losers: Iterable[Loser] = (),
        equals: Iterable[Node] = (),
        deciding: Node = NOTHING,
    ) -> Node:
        """The value that won; `deciding` are the causes that made it win."""
        lost, equal = tuple(losers), tuple(equals)
        if not lost and not equal:
            return self.guard(winner, deciding)
        causes = self.union(deciding, *equal)
        key = (winner, causes, equal, *map(_key, lost))
        node = self._choices.get(key)
        if node is None:
            node = self._choices[key] = self._append(CHOICE, winner, causes)
            self.contests[node] = Contest(lost, equal)
        return node

    def giver(self, node: Node) -> Node:
        """What gave a value: past all copies and guards, a choice or no such node.

        Values may have come a long way, many of them the same one.  Children have lower numbers,
        so each node is looked at once, however many ask.
        """
        givers = self._givers
        if len(givers) <= node:
            tags, left = self.tags, self.left
            with _NOTING:
                for at in range(len(givers), node + 1):
                    givers.append(givers[left[at]] if tags[at] in (COPY, GUARD) else at)
        return Node(givers[node])

    def children(self, node: Node) -> tuple[Node, ...]:
        """The nodes a node depends on; losers of a choice are not among them."""
        match self.tags[node]:
            case 1 | 2 | 9 | 0:
                return ()
            case 5:
                return (Node(self.right[node]),)
            case 10:
                return (Node(self.left[node]),)
            case _:
                return (Node(self.left[node]), Node(self.right[node]))
