"""Which tag sets win: decided once for each set of tag sets under each set of constraints.

Whether a candidate is beaten depends on tags only, and the labels of one block mostly
bring the same tag sets together, so a program has few different contests.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from itertools import pairwise
from typing import TypeAlias

from headwater.langs.l3.engine.heads import Position, TagSet
from headwater.langs.l3.labels import note_label, operator_label
from headwater.langs.l3.syntax import Order, Specialise
from headwater.why import Label

Constraints: TypeAlias = frozenset[Order]


class Referee:
    """Remembers contests."""

    def __init__(self) -> None:
        self._graphs: dict[Constraints, dict[str, list[str]]] = {}
        self._decided: dict[tuple[frozenset[TagSet], Constraints], frozenset[TagSet]] = {}

    def below(self, constraints: Constraints) -> dict[str, list[str]]:
        """The tags that each tag stands directly above."""
        graph = self._graphs.get(constraints)
        if graph is None:
            unsorted: dict[str, set[str]] = {}
            for order in constraints:
                unsorted.setdefault(order.hi, set()).add(order.lo)
            graph = self._graphs[constraints] = {t: sorted(s) for t, s in unsorted.items()}
        return graph

    def survivors(self, sets: frozenset[TagSet], constraints: Constraints) -> frozenset[TagSet]:
        """The tag sets in source components of "beats".

        Candidates with the same tags share their fate: they beat each other or neither does.
        """
        if len(sets) < 2:
            return sets
        key = (sets, constraints)
        found = self._decided.get(key)
        if found is None:
            found = self._decided[key] = self._decide(list(sets), constraints)
        return found

    def _decide(self, sets: list[TagSet], constraints: Constraints) -> frozenset[TagSet]:
        edges = _graph(sets, self.below(constraints))
        component = _components(edges)
        beaten = {
            component[to]
            for node, targets in enumerate(edges)
            for to in targets
            if component[node] != component[to]
        }
        return frozenset(s for i, s in enumerate(sets) if component[i] not in beaten)


def _graph(sets: list[TagSet], below: dict[str, list[str]]) -> list[list[int]]:
    """A graph in which one tag set reaches another just if it does so by "beats".

    Its first nodes are the tag sets.  A written tag has a node for standing at the start of
    a chain of constraints and one for being reached by a chain; a place in a chain of +> has
    a node for all places before it.  The graph is no larger than tags and constraints.
    """
    edges: list[list[int]] = [[] for _ in sets]
    numbers: dict[object, int] = {}
    carriers: dict[str, list[int]] = {}
    chains: dict[Specialise, dict[int, list[int]]] = {}
    todo: list[tuple[str, bool]] = []

    def number(key: object) -> int:
        if key not in numbers:
            numbers[key] = len(edges)
            edges.append([])
        return numbers[key]

    for i, tags in enumerate(sets):
        for tag in tags:
            if isinstance(tag, Position):
                chains.setdefault(tag.chain, {}).setdefault(tag.place, []).append(i)
                continue
            carriers.setdefault(tag, []).append(i)
            if tag in below:
                key = (tag, False)
                if key not in numbers:
                    todo.append(key)
                edges[i].append(number(key))
    while todo:
        tag, reached = key = todo.pop()
        node = numbers[key]
        if reached:
            edges[node].extend(carriers.get(tag, ()))
        for under in below.get(tag, ()):
            if (under, True) not in numbers:
                todo.append((under, True))
            edges[node].append(number((under, True)))
    for chain, places in chains.items():
        earlier: int | None = None
        lower: int | None = None
        for place in sorted(places):
            if lower is not None:
                # Only what some later place reaches becomes a node: a node nobody
                # reaches would look like somebody who beats.
                node = number((chain, lower))
                edges[node].extend(places[lower])
                if earlier is not None:
                    edges[node].append(earlier)
                earlier = node
                for i in places[place]:
                    edges[i].append(node)
            lower = place
    return edges


def _components(edges: list[list[int]]) -> list[int]:
    """The strongly connected component of every node (Tarjan, with a stack of its own)."""
    size = len(edges)
    index, low, component = [-1] * size, [0] * size, [-1] * size
    open_: list[int] = []
    count = made = 0
    for root in range(size):
        if index[root] >= 0:
            continue
        index[root] = low[root] = count
        count += 1
        open_.append(root)
        work = [(root, iter(edges[root]))]
        while work:
            node, rest = work[-1]
            for to in rest:
                if index[to] < 0:
                    index[to] = low[to] = count
                    count += 1
                    open_.append(to)
                    work.append((to, iter(edges[to])))
                    break
                if component[to] < 0:
                    low[node] = min(low[node], index[to])
            else:
                work.pop()
                if work:
                    parent = work[-1][0]
                    low[parent] = min(low[parent], low[node])
                if low[node] == index[node]:
                    while True:
                        one = open_.pop()
                        component[one] = made
                        if one == node:
                            break
                    made += 1
    return component


Chain: TypeAlias = tuple[str | None, str | None, frozenset[Label]]
"""The tag a chain begins with, the tag it ends with (none for +>), and what states it."""


def chain(loser: TagSet, others: Collection[TagSet], constraints: Constraints) -> Chain | None:
    """The shortest chain of constraints down to a tag of the loser, the first by name."""
    stated: dict[tuple[str, str], set[Label]] = {}
    below: dict[str, list[str]] = {}
    for order in constraints:
        stated.setdefault((order.hi, order.lo), set()).add(note_label(order))
    for hi, lo in sorted(stated):
        below.setdefault(hi, []).append(lo)
    written = _written_way(loser, others, below)
    if written is not None and len(written) == 2:
        return _stated(written, stated)
    operators = [
        theirs.chain.operators[theirs.place - 1]
        for mine in loser
        if isinstance(mine, Position)
        for tags in others
        for theirs in tags
        if isinstance(theirs, Position) and theirs.chain is mine.chain and theirs.place > mine.place
    ]
    if operators:
        first = min(operators, key=lambda at: (at.source.name, at.start))
        return None, None, frozenset({operator_label(first)})
    return _stated(written, stated) if written is not None else None


def _written_way(
    loser: TagSet, others: Iterable[TagSet], below: dict[str, list[str]]
) -> tuple[str, ...] | None:
    starts = sorted({t for tags in others for t in tags if isinstance(t, str)})
    ways: list[tuple[str, ...]] = [(t,) for t in starts]
    reached: set[str] = set()
    while ways:
        longer: dict[str, tuple[str, ...]] = {}
        for way in ways:
            for lower in below.get(way[-1], ()):
                if lower not in reached:
                    longer.setdefault(lower, (*way, lower))
        found = [way for end, way in longer.items() if end in loser]
        if found:
            return min(found)
        reached.update(longer)
        ways = sorted(longer.values())
    return None


def _stated(way: tuple[str, ...], stated: dict[tuple[str, str], set[Label]]) -> Chain:
    labels: set[Label] = set()
    for pair in pairwise(way):
        labels |= stated[pair]
    return way[0], way[-1], frozenset(labels)


def relevant(sets: list[TagSet], constraints: Constraints) -> frozenset[Label]:
    """The constraints that could decide between candidates with these tags.

    A written one: if two candidates carry written tags.  One of a +>: if both sides meet.
    """
    found: set[Label] = set()
    if sum(any(isinstance(t, str) for t in tags) for tags in sets) > 1:
        found.update(note_label(order) for order in constraints)
    found.update(_meeting(sets))
    return frozenset(found)


def _meeting(sets: Iterable[TagSet]) -> set[Label]:
    """The operators +> both sides of which are there."""
    lowest: dict[Specialise, int] = {}
    places = {t for tags in sets for t in tags if isinstance(t, Position)}
    for chain, place in places:
        lowest[chain] = min(place, lowest.get(chain, place))
    return {
        operator_label(chain.operators[place - 1])
        for chain, place in places
        if place > lowest[chain]
    }


def cycle_among(sets: list[TagSet], constraints: Constraints) -> frozenset[Label]:
    """The constraints by which survivors beat each other; there are some only in a cycle."""
    found: set[Label] = set(_meeting(sets))
    down: dict[str, set[str]] = {}
    up: dict[str, set[str]] = {}
    for order in constraints:
        down.setdefault(order.hi, set()).add(order.lo)
        up.setdefault(order.lo, set()).add(order.hi)
    above = [_reach(tags, down) for tags in sets]
    under = [_reach(tags, up) for tags in sets]
    for order in constraints:
        from_ = {i for i, tags in enumerate(above) if order.hi in tags}
        to = {i for i, tags in enumerate(under) if order.lo in tags}
        if from_ and to and (len(from_ | to) > 1):
            found.add(note_label(order))
    return frozenset(found)


def _reach(tags: TagSet, edges: dict[str, set[str]]) -> set[str]:
    found = {t for t in tags if isinstance(t, str)}
    todo = list(found)
    while todo:
        for tag in edges.get(todo.pop(), ()):
            if tag not in found:
                found.add(tag)
                todo.append(tag)
    return found
