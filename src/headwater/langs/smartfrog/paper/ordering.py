"""Ordering constraints (§10.4, Fig. 19): ``order a < b;``

A store keeps one constraint for each pair of names; a later one for the same pair, in either
direction, replaces it, so constraints are inherited and overridden like attributes.  The
attributes of the result stand in the order in which they were first set, except where a
constraint says otherwise: of those that may come next, the first one does.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from heapq import heappop, heappush
from itertools import count

from headwater.langs.firing import fire
from headwater.langs.smartfrog import codes
from headwater.langs.smartfrog.driving import Work, drive
from headwater.langs.smartfrog.paper.domains import Attribute, Constraint, Store, Stuck
from headwater.langs.smartfrog.paper.domains import attributes as listed
from headwater.report import Note

TURNS = count(1)
MOST_NOTES = 5
"""How many constraints are named as the reason for a place they do not speak of."""


def add_constraint(s: Store, new: Constraint) -> Store:
    """The store with a constraint, in place of the one for the same pair."""
    pair = frozenset((new.first, new.second))
    return replace(s, orders=s.orders.put(pair, replace(new, turn=next(TURNS))))


def in_turn(s: Store) -> list[Constraint]:
    """The constraints of a store, the last one last."""
    return sorted(s.orders, key=lambda constraint: constraint.turn)


def ordered(s: Store) -> Store | Stuck:
    """The store, and every store in it, with its attributes in order."""
    made: dict[int, Store] = {}
    stuck: Stuck | None = drive(ordering(s, made))
    return made[id(s)] if stuck is None else stuck


def ordering(s: Store, made: dict[int, Store]) -> Work:
    """Puts a store in order, once however often it is copied; answers if it is stuck."""
    attributes: list[Attribute] = []
    for attribute in s.attributes:
        value = attribute.value
        if isinstance(value, Store):
            if id(value) not in made:
                stuck = yield ordering(value, made)
                if stuck is not None:
                    return stuck
            if made[id(value)] is not value:
                attribute = replace(attribute, value=made[id(value)])
        attributes.append(attribute)
    sorted_ = topological(attributes, in_turn(s)) if s.orders else attributes
    if isinstance(sorted_, Stuck):
        return sorted_
    same = len(sorted_) == len(s.attributes) and all(
        one is other for one, other in zip(sorted_, s.attributes, strict=True)
    )
    made[id(s)] = s if same else replace(s, attributes=listed(sorted_))
    return None


def topological(
    attributes: Sequence[Attribute], orders: Sequence[Constraint]
) -> list[Attribute] | Stuck:
    """The attributes such that every constraint holds; otherwise as they stood."""
    fire("Ordering constraints")
    rank = {attribute.id: number for number, attribute in enumerate(attributes)}
    live = [c for c in orders if c.first in rank and c.second in rank]
    after: dict[str, list[Constraint]] = {}
    holding: Counter[str] = Counter()
    for constraint in live:
        after.setdefault(constraint.first, []).append(constraint)
        holding[constraint.second] += 1
    free = [number for id, number in rank.items() if not holding[id]]  # in order, so a heap
    done: list[Attribute] = []
    while free:
        attribute = attributes[heappop(free)]
        done.append(attribute)
        for constraint in after.get(attribute.id, ()):
            holding[constraint.second] -= 1
            if not holding[constraint.second]:
                heappush(free, rank[constraint.second])
    if len(done) < len(rank):
        placed = {attribute.id for attribute in done}
        held = {c.second: c for c in live if c.first not in placed}
        return cycle_stuck(cycle_of(next(id for id in rank if id not in placed), held))
    return moved(done, rank, live)


def moved(done: list[Attribute], rank: dict[str, int], live: list[Constraint]) -> list[Attribute]:
    """The attributes, those that stand elsewhere than before with the constraints at work."""
    if all(rank[attribute.id] == number for number, attribute in enumerate(done)):
        return done
    at_work = [c for c in live if rank[c.second] < rank[c.first]]
    notes: dict[str, list[Note]] = {}
    every = [Note("put in order by this constraint", c.at) for c in at_work]
    for constraint, note in zip(at_work, every, strict=True):
        notes.setdefault(constraint.first, []).append(note)
        notes.setdefault(constraint.second, []).append(note)
    return [
        attribute
        if rank[attribute.id] == number
        else replace(attribute, moved=tuple(notes.get(attribute.id, every[:MOST_NOTES])))
        for number, attribute in enumerate(done)
    ]


def asking(orders: Sequence[Constraint]) -> Callable[[str, str], bool]:
    """Whether constraints, one or a chain of them, want one name before another."""
    later: dict[str, list[str]] = {}
    for constraint in orders:
        later.setdefault(constraint.first, []).append(constraint.second)

    def asked_for(before: str, after: str) -> bool:
        met: set[str] = set()
        todo = [before]
        while todo and todo[-1] != after:
            at = todo.pop()
            if at not in met:
                met.add(at)
                todo += later.get(at, [])
        return bool(todo)

    return asked_for


def cycle_of(start: str, held: dict[str, Constraint]) -> list[Constraint]:
    """Constraints that lead from a name back to it."""
    passed: list[str] = []
    at = start
    while at not in passed:
        passed.append(at)
        at = held[at].first
    return [held[name] for name in reversed(passed[passed.index(at) :])]


def cycle_stuck(cycle: list[Constraint]) -> Stuck:
    """The error for constraints that contradict each other, with the place of each."""
    text = ", ".join(f"{c.first} < {c.second}" for c in cycle)
    last = max(cycle, key=lambda c: (c.at.source.name, c.at.start))
    labels = tuple(
        Note(f"{c.first} < {c.second} is asked for here", c.at) for c in cycle if c is not last
    )
    return Stuck(codes.ORDER_CONTRADICTION, last.at, (("cycle", text),), labels)
