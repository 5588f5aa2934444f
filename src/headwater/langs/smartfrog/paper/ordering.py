"""Ordering constraints (§10.4, Fig. 19): ``order a < b;``

A store keeps one constraint for each pair of names; a later one for the same pair, in either
direction, replaces it, so constraints are inherited and overridden like attributes.  The
attributes of the result stand in the order in which they were first set, except where a
constraint says otherwise: of those that may come next, the first one does.
"""

from __future__ import annotations

from dataclasses import replace

from headwater.langs.firing import fire
from headwater.langs.smartfrog import codes
from headwater.langs.smartfrog.driving import Work, drive
from headwater.langs.smartfrog.paper.domains import Attribute, Constraint, Store, Stuck
from headwater.report import Note


def add_constraint(s: Store, new: Constraint) -> Store:
    """The store with a constraint, in place of the one for the same pair."""
    pair = {new.first, new.second}
    kept = tuple(c for c in s.orders if {c.first, c.second} != pair)
    return replace(s, orders=(*kept, new))


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
    sorted_ = topological(attributes, s.orders) if s.orders else attributes
    if isinstance(sorted_, Stuck):
        return sorted_
    same = len(sorted_) == len(s.attributes) and all(
        one is other for one, other in zip(sorted_, s.attributes, strict=True)
    )
    made[id(s)] = s if same else replace(s, attributes=tuple(sorted_))
    return None


def topological(
    attributes: list[Attribute], orders: tuple[Constraint, ...]
) -> list[Attribute] | Stuck:
    """The attributes such that every constraint holds; otherwise as they stood."""
    fire("Ordering constraints")
    names = {attribute.id for attribute in attributes}
    live = [c for c in orders if c.first in names and c.second in names]
    left, done = list(attributes), []
    while left:
        waiting = {attribute.id for attribute in left}
        held = {c.second: c for c in live if c.first in waiting}
        free = next((a for a in left if a.id not in held), None)
        if free is None:
            return cycle_stuck(cycle_of(left[0].id, held))
        left.remove(free)
        moved = [c for c in live if free.id in (c.first, c.second)]
        notes = tuple(Note("put in order by this constraint", c.at) for c in moved)
        done.append(replace(free, placed=(*free.placed, *notes)))
    return done


def cycle_of(start: str, held: dict[str, Constraint]) -> list[Constraint]:
    """Constraints that lead from a name back to it."""
    passed: list[str] = []
    at = start
    while at not in passed:
        passed.append(at)
        at = held[at].first
    return [held[name] for name in reversed(passed[passed.index(at) :])]


def cycle_stuck(cycle: list[Constraint]) -> Stuck:
    """That constraints contradict each other, and where each of them is written."""
    text = ", ".join(f"{c.first} < {c.second}" for c in cycle)
    last = max(cycle, key=lambda c: (c.at.source.name, c.at.start))
    labels = tuple(
        Note(f"{c.first} < {c.second} is asked for here", c.at) for c in cycle if c is not last
    )
    return Stuck(codes.ORDER_CONTRADICTION, last.at, (("cycle", text),), labels)
