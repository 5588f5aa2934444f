"""What can be found fault with beyond errors and ties: annotations that do nothing."""

from __future__ import annotations

from collections.abc import Generator, Iterator

from headwater.langs.l3 import codes
from headwater.langs.l3.engine.causes import EngineCauses
from headwater.langs.l3.findings import show_places
from headwater.langs.l3.labels import note_label
from headwater.langs.l3.syntax import (
    DEFAULT,
    FINAL,
    Order,
    Program,
    Tag,
    all_notes,
    all_references,
)
from headwater.langs.l3.values import BLOCK
from headwater.langs.l3.verdict import by_place
from headwater.report import Diagnostic, Note
from headwater.tree import Address
from headwater.why import Label


def findings(program: Program, causes: EngineCauses) -> Iterator[Diagnostic]:
    """Unused tags, constraints that never decide, their cycles, labels with defaults only."""
    notes = all_notes(program)
    tags = [note for note in notes if isinstance(note, Tag)]
    orders = [note for note in notes if isinstance(note, Order)]
    yield from _unused(tags, orders)
    cyclic = yield from _cycles(causes)
    yield from _idle(tags, [order for order in orders if order not in cyclic], causes)
    yield from _only_defaults(program, causes)


def _unused(tags: list[Tag], orders: list[Order]) -> Iterator[Diagnostic]:
    ranked = {name for order in orders for name in (order.hi, order.lo)}
    for tag in tags:
        if tag.name not in ranked and tag.name not in (DEFAULT, FINAL):
            yield codes.UNUSED_TAG.at(tag.at, tag=tag.name)


def _cycles(causes: EngineCauses) -> Generator[Diagnostic, None, set[Order]]:
    """The constraints that hold together somewhere and contradict each other.

    Returns the constraints that are in a cycle.
    """
    cyclic: set[Order] = set()
    reported: set[frozenset[Order]] = set()
    for constraints in dict.fromkeys(place.constraints for _, place in causes.places()):
        below: dict[str, set[str]] = {}
        for order in constraints:
            below.setdefault(order.hi, set()).add(order.lo)
        reach = {tag: _reach(tag, below) for tag in below}
        for tag in sorted(below):
            knot = {other for other in reach[tag] if tag in reach.get(other, ())}
            within = frozenset(o for o in constraints if o.hi in knot and o.lo in knot)
            if within and within not in reported:
                reported.add(within)
                cyclic |= within
                yield _cycle(within)
    return cyclic


def _reach(start: str, below: dict[str, set[str]]) -> set[str]:
    found: set[str] = set()
    todo = [start]
    while todo:
        for tag in below.get(todo.pop(), ()):
            if tag not in found:
                found.add(tag)
                todo.append(tag)
    return found


def _cycle(orders: frozenset[Order]) -> Diagnostic:
    """Constraints that lead back to where they began, as such: ``#a > #b > #a``."""
    places = sorted(orders, key=lambda o: (o.at.source.name, o.at.start))
    first = places[0]
    way = {first.lo: [first.hi, first.lo]}
    todo = [first.lo]
    for tag in todo:
        for order in places:
            if order.hi == tag and order.lo not in way:
                way[order.lo] = [*way[tag], order.lo]
                todo.append(order.lo)
    shown = " > ".join(f"#{tag}" for tag in way[first.hi])
    notes = [Note(f"#{order.hi} > #{order.lo}", order.at) for order in places]
    return codes.CONSTRAINT_CYCLE.at(first.at, cycle=shown, labels=notes)


def _idle(tags: list[Tag], orders: list[Order], causes: EngineCauses) -> Iterator[Diagnostic]:
    deciding: set[Label] = set()
    for _, place in causes.places():
        if place.verdict is not None:
            for lost in place.verdict.lost:
                if lost.reason == "constraint":
                    deciding |= lost.by
    carried = {tag.name for tag in tags}
    for order in orders:
        if note_label(order) not in deciding:
            missing = [f"#{t}" for t in (order.hi, order.lo) if t not in carried]
            why = f": nothing is tagged {' or '.join(missing)}" if missing else ""
            yield codes.IDLE_CONSTRAINT.at(order.at, hi=order.hi, lo=order.lo, why=why)


def _only_defaults(program: Program, causes: EngineCauses) -> Iterator[Diagnostic]:
    """Labels that only defaults define; labels that others refer to are templates, not outputs."""
    templates = {reference.path[0] for reference in all_references(program)}
    groups: dict[Label, list[Address]] = {}
    for address, place in causes.places():
        verdict = place.verdict
        if verdict is None or verdict.key == BLOCK or str(address[0]) in templates:
            continue
        if all(DEFAULT in candidate.tags for candidate in verdict.candidates):
            literal = by_place(verdict.winners[0].literals)[0]
            groups.setdefault(literal, []).append(address)
    for literal, addresses in groups.items():
        yield codes.ONLY_DEFAULTS.at(literal.at, address=show_places(addresses))
