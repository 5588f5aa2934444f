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

MOST_STEPS = 4_000_000
"""What a derivation may take, unless the user says otherwise; see `Bound`."""
ENTRIES = 500
"""So many entries of the configuration that a step copies count as another step."""
FRAMES = 20_000
"""Rules nest as deep as the manifest and the declarations of defines do; both are bounded."""


@dataclass(frozen=True, slots=True)
class Finished:
    """The configuration at the end and the rules that were applied on the way."""

    state: State
    rules: frozenset[str]


class Bound:
    """The work that is left to a derivation.

    A step of the paper rests on those of its parts, and it makes a new configuration: steps grow
    dearer as the rules nest and the catalog grows.  So each rule that a step rests on counts as
    a step, and so do the entries that are copied.
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self.left = most

    def after(self, config: Configuration, taken: Taken) -> Stuck | None:
        """Counts a step of a configuration; refuses when nothing is left."""
        state = taken.after.state
        size = len(taken.after.rest) + len(state.pending)
        if state is not config.state:
            size += len(state.sigma) + len(state.kappa) + len(state.catalog) + len(state.instances)
        self.left -= 1 + len(taken.via) + size // ENTRIES
        if self.left >= 0:
            return None
        fields = {"bound": f"{self.most:,}"}
        return Stuck(codes.TOO_MANY_STEPS, place_of(taken.after), fields)


def steps(world: World, state: State) -> Iterator[Taken | Stuck]:
    """The steps of a manifest, in order; the last may be stuck."""
    config = start(state, world.manifest.elements)
    bound = Bound(world.most_steps or MOST_STEPS)
    while not config.done:
        with deep_recursion():
            taken = step(config, world)
        yield taken
        if isinstance(taken, Stuck):
            return
        refused = bound.after(config, taken)
        if refused is not None:
            yield refused
            return
        config = taken.after
    problem = loose_end(config.state, world)
    if problem is not None:
        yield problem


def run(world: World, state: State) -> tuple[Finished | Stuck, frozenset[str]]:
    """The end of a manifest, and the rules that were applied."""
    rules: set[tuple[str, ...]] = set()
    config = start(state, world.manifest.elements)
    bound = Bound(world.most_steps or MOST_STEPS)
    end: Finished | Stuck | None = None
    with deep_recursion():
        while end is None and not config.done:
            taken = step(config, world)
            if isinstance(taken, Stuck):
                end = taken
            else:
                rules.add((taken.rule, *taken.via))
                end = bound.after(config, taken)
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
