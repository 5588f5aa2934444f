"""Runs a manifest step by step, and resolves in the end which witness a class exists by."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from headwater.langs.puppet.codes import calculus as codes
from headwater.langs.puppet.paper import terms as t
from headwater.langs.puppet.paper.manifests import Configuration, Taken, start, step
from headwater.langs.puppet.paper.provenance import Beta
from headwater.langs.puppet.paper.relationships import loose_end
from headwater.langs.puppet.paper.state import Notes, State, Stuck, World
from headwater.text import NOWHERE, Span
from headwater.text.recursion import room

MOST_STEPS = 1_000_000
FRAMES = 20_000
"""Rules nest as deep as the manifest and the declarations of defines do; both are bounded."""


@dataclass(frozen=True, slots=True)
class Finished:
    """The configuration at the end and the rules that were applied on the way."""

    state: State
    rules: frozenset[str]


def steps(world: World, state: State) -> Iterator[Taken | Stuck]:
    """The steps of a manifest, in order; the last may be stuck."""
    config = start(state, world.manifest.elements)
    count = 0
    while not config.done:
        count += 1
        if count > MOST_STEPS:
            yield Stuck(codes.TOO_MANY_STEPS, place_of(config), {"bound": f"{MOST_STEPS:,}"})
            return
        with deep_recursion():
            taken = step(config, world)
        yield taken
        if isinstance(taken, Stuck):
            return
        config = taken.after
    problem = loose_end(config.state, world)
    if problem is not None:
        yield problem


def run(world: World, state: State) -> tuple[Finished | Stuck, frozenset[str]]:
    """The end of a manifest, and the rules that were applied."""
    rules: set[tuple[str, ...]] = set()
    config = start(state, world.manifest.elements)
    count = 0
    end: Finished | Stuck | None = None
    with deep_recursion():
        while end is None and not config.done:
            taken = step(config, world)
            count += 1
            if isinstance(taken, Stuck):
                end = taken
            elif count > MOST_STEPS:
                fields = {"bound": f"{MOST_STEPS:,}"}
                end = Stuck(codes.TOO_MANY_STEPS, place_of(config), fields)
            else:
                rules.add((taken.rule, *taken.via))
                config = taken.after
    applied = frozenset(rule for derivation in rules for rule in derivation)
    if end is None:
        end = loose_end(config.state, world) or Finished(config.state, applied)
    return end, applied


def deep_recursion() -> room:
    """Room for rules that nest; both kinds of nesting are bounded."""
    return room(FRAMES)


def place_of(config: Configuration) -> Span:
    """Some place in what is left to do."""
    at = config.element
    while isinstance(at, t.Seq | t.Scoped | t.Under):
        at = at.first if isinstance(at, t.Seq) else at.body
    place = getattr(at, "at", NOWHERE)
    assert isinstance(place, Span)
    return place


def witnesses(notes: Notes) -> Mapping[str, frozenset[int]]:
    """E_a for every class: the smallest witness that rests on classes declared earlier.

    One witness is enough: while its labels keep their values the declaration it stands for
    is executed.  Intersecting witnesses would be wrong as soon as two inputs change.
    """
    found: dict[str, frozenset[int]] = {}
    for a in notes.links:
        usable = [
            resolve(beta, found)
            for beta in notes.witnesses[a]
            if all(isinstance(atom, int) or atom in found for atom in beta)
        ]
        found[a] = min(usable, key=lambda labels: (len(labels), sorted(labels)))
    return found


def resolve(beta: Beta, known: Mapping[str, frozenset[int]]) -> frozenset[int]:
    """A set of labels with every symbol E_a replaced."""
    labels = {atom for atom in beta if isinstance(atom, int)}
    for atom in beta:
        if isinstance(atom, str):
            labels |= known[atom]
    return frozenset(labels)
