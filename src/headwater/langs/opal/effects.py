"""What a command may write: the static half of dependency provenance.

A branch that is not taken changes nothing, but its test decides that it changes
nothing.  So the variables it *may* write depend on the test (provenance, rule D+).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias, assert_never

from headwater.langs.opal.syntax import (
    Assign,
    At,
    Com,
    Commit,
    Handle,
    Hyp,
    If,
    Op,
    Place,
    Seq,
    Skip,
    With,
    World,
    WorldVar,
)

Places: TypeAlias = frozenset[Place]


@dataclass(frozen=True, slots=True)
class Held:
    """What a world variable may hold: places written, and worlds of the surroundings moved in."""

    places: Places = frozenset()
    outer: frozenset[str] = frozenset()

    def __or__(self, other: Held) -> Held:
        return Held(self.places | other.places, self.outer | other.outer)


@dataclass(frozen=True, slots=True)
class Effect:
    """Places a command may write, outer worlds it may commit, worlds it may leave behind.

    `sure` are the world variables that it assigns in any case.
    """

    writes: Places = frozenset()
    commits: frozenset[str] = frozenset()
    worlds: Mapping[str, Held] = field(default_factory=dict)
    sure: frozenset[str] = frozenset()


NO_EFFECT = Effect()


class Sequence:
    """The effect of commands one after the other, as they are added."""

    __slots__ = ("_commits", "_sure", "_worlds", "_writes")

    def __init__(self) -> None:
        self._writes: set[Place] = set()
        self._commits: set[str] = set()
        self._worlds: dict[str, Held] = {}
        self._sure: set[str] = set()

    def add(self, effect: Effect) -> None:
        """The next command."""
        self._writes |= effect.writes
        if effect.commits:
            meant = self._meant(effect.commits)
            self._writes |= meant.places
            self._commits |= meant.outer
        new: dict[str, Held] = {}
        for name, held in effect.worlds.items():
            meant = self._meant(held.outer)
            new[name] = Held(held.places | meant.places, meant.outer)
            if name not in effect.sure and name in self._worlds:
                new[name] |= self._worlds[name]
        self._worlds |= new
        self._sure |= effect.sure

    def _meant(self, names: frozenset[str]) -> Held:
        """What world variables of a later command stand for: worlds made before, or outer ones."""
        meant = Held(outer=names - self._sure)
        for name in names & self._worlds.keys():
            meant |= self._worlds[name]
        return meant

    def whole(self) -> Effect:
        """The effect of all of them."""
        return Effect(
            frozenset(self._writes), frozenset(self._commits), self._worlds, frozenset(self._sure)
        )


def either(one: Effect, other: Effect) -> Effect:
    """One command or the other."""
    worlds = dict(one.worlds)
    for name, held in other.worlds.items():
        worlds[name] = worlds[name] | held if name in worlds else held
    return Effect(
        one.writes | other.writes, one.commits | other.commits, worlds, one.sure & other.sure
    )


def handled(place: Place, body: Effect) -> Effect:
    """A handle: worlds cross its border in neither direction."""
    return Effect(body.writes | {place})


def assigned(name: str, world: World, hyp: Effect) -> Effect:
    """``u := w``; `hyp` is the effect of the body if *w* is a hyp."""
    match world:
        case WorldVar(other):
            return Effect(worlds={name: Held(outer=frozenset((other,)))}, sure=frozenset((name,)))
        case Hyp():
            return Effect(worlds={name: Held(hyp.writes)}, sure=frozenset((name,)))
        case _:
            assert_never(world)


def committed(world: World, hyp: Effect) -> Effect:
    """``commit w``"""
    match world:
        case WorldVar(name):
            return Effect(commits=frozenset((name,)))
        case Hyp():
            return Effect(hyp.writes)
        case _:
            assert_never(world)


def effect_of(c: Com, handlers: Mapping[str, Place], known: dict[int, Effect]) -> Effect:
    """The effect of a command where operations write the given places.

    `known` remembers the answer for every part of the program: a command has one place in the
    text, so the handles around it are always the same.
    """
    found = known.get(id(c))
    if found is None:
        found = known[id(c)] = _effect_of(c, handlers, known)
    return found


def _effect_of(c: Com, handlers: Mapping[str, Place], known: dict[int, Effect]) -> Effect:
    match c:
        case Skip():
            return NO_EFFECT
        case Op(name):
            return Effect(frozenset((handlers[name],))) if name in handlers else NO_EFFECT
        case Seq(commands):
            sequence = Sequence()
            for command in commands:
                sequence.add(effect_of(command, handlers, known))
            return sequence.whole()
        case If(_, then, orelse):
            return either(effect_of(then, handlers, known), effect_of(orelse, handlers, known))
        case With(_, body) | At(_, body):
            return effect_of(body, handlers, known)
        case Handle(place, op):
            return handled(place, effect_of(c.body, {**handlers, op: place}, known))
        case Assign(name, world):
            return assigned(name, world, _of_hyp(world, handlers, known))
        case Commit(world):
            return committed(world, _of_hyp(world, handlers, known))
        case _:
            assert_never(c)


def _of_hyp(world: World, handlers: Mapping[str, Place], known: dict[int, Effect]) -> Effect:
    return effect_of(world.body, handlers, known) if isinstance(world, Hyp) else NO_EFFECT
