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
from headwater.langs.smartfrog.paper.domains import Attribute, Constraint, Store, Stuck
from headwater.report import Note


def add_constraint(s: Store, new: Constraint) -> Store:
    """The store with a constraint, in place of the one for the same pair."""
    pair = {new.first, new.second}
    kept = tuple(c for c in s.orders if {c.first, c.second} != pair)
    return replace(s, orders=(*kept, new))


def ordered(s: Store) -> Store | Stuck:
    """The store, and every store in it, with its attributes in order."""
    attributes: list[Attribute] = []
    for attribute in s.attributes:
        if isinstance(attribute.value, Store):
            inner = ordered(attribute.value)
            if isinstance(inner, Stuck):
                return inner
            attribute = replace(attribute, value=inner)
        attributes.append(attribute)
    sorted_ = topological(attributes, s.orders) if s.orders else attributes
    return sorted_ if isinstance(sorted_, Stuck) else replace(s, attributes=tuple(sorted_))


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
