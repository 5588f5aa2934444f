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
    """Places a command may write, outer worlds it may commit, worlds it may leave behind."""

    writes: Places = frozenset()
    commits: frozenset[str] = frozenset()
    worlds: Mapping[str, Held] = field(default_factory=dict)


NO_EFFECT = Effect()


def both(first: Effect, then: Effect) -> Effect:
    """One command after the other."""
    if not (then.commits or then.worlds) and not first.worlds:
        if then.writes <= first.writes and not then.commits:
            return first
        return Effect(first.writes | then.writes, first.commits | then.commits, first.worlds)
    writes, commits = first.writes | then.writes, first.commits | then.commits
    for name in then.commits & first.worlds.keys():
        held = first.worlds[name]
        writes, commits = writes | held.places, commits | held.outer
    worlds = dict(first.worlds)
    for name, held in then.worlds.items():
        for inner in held.outer & first.worlds.keys():
            held = held | first.worlds[inner]
        worlds[name] = held | worlds[name] if name in worlds else held
    return Effect(writes, commits, worlds)


def either(one: Effect, other: Effect) -> Effect:
    """One command or the other."""
    worlds = dict(one.worlds)
    for name, held in other.worlds.items():
        worlds[name] = worlds[name] | held if name in worlds else held
    return Effect(one.writes | other.writes, one.commits | other.commits, worlds)


def handled(place: Place, body: Effect) -> Effect:
    """A handle: worlds cross its border in neither direction."""
    return Effect(body.writes | {place})


def assigned(name: str, world: World, hyp: Effect) -> Effect:
    """``u := w``; `hyp` is the effect of the body if *w* is a hyp."""
    match world:
        case WorldVar(other):
            return Effect(worlds={name: Held(outer=frozenset((other,)))})
        case Hyp():
            return Effect(worlds={name: Held(hyp.writes)})
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
            whole = NO_EFFECT
            for command in commands:
                whole = both(whole, effect_of(command, handlers, known))
            return whole
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
