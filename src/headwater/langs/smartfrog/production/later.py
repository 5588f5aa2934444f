"""Prototypes that are taken over when somebody looks.

A chain of n prototypes with an attribute more each has n²/2 attributes, if every link is a copy
of the one before; but nobody looks at most of them.  So a component keeps its prototype as its
`base`, and takes over all that comes down the chain at once, when its attributes are asked for::

    p0 extends { a 1; }  p1 extends p0, { b 2; }  sfConfig extends p1, { c 3; }
    levels:                2 (settled)              1                   0

What an attribute depends on grows with every link it comes through, and where its place was
fixed is told link by link.  The way from a level to the heir is the same for all attributes of
that level, so it is put together once (`Way`).

A prototype waits only if nothing can tell the difference: no tag forbids anything, what is to be
placed in the prototype stays there (`contained`), and if it is a function, it is so in the usual
way.  Before something is placed into a prototype from outside, its heirs get a list of what is
there; before something changes inside of what it holds, they take it over.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from copy import copy
from dataclasses import dataclass, field

from headwater.langs.smartfrog.production.attributes import Attr, win
from headwater.langs.smartfrog.production.components import (
    HOLDERS,
    PLAIN,
    Application,
    Comp,
    Key,
    Value,
)
from headwater.langs.smartfrog.production.construct import is_function
from headwater.langs.smartfrog.production.copying import copied
from headwater.langs.smartfrog.production.inheriting import Inheritance, Known
from headwater.langs.smartfrog.production.raw import CLASS, CONSTRUCT, PHASE
from headwater.langs.smartfrog.production.text import shown
from headwater.report import Note
from headwater.text import Span
from headwater.text.named import NamedTuple
from headwater.why import NOTHING, Node, Trace


class Right(NamedTuple):
    """The prototypes to the right of one: why they are there, and where they could say more."""

    via: Node
    homes: Node


@dataclass(slots=True, eq=False)
class Later:
    """A prototype to be taken over: how the component came by it, those to the right of it."""

    trace: Trace
    spend: Callable[[int, Span], None]
    source: Comp
    how: Inheritance | Known
    right: Right
    at: Span
    functions: bool = field(init=False)

    def __post_init__(self) -> None:
        self.functions = has_functions(self.source)

    @property
    def by(self) -> Node:
        """The node of its name."""
        return self.how.by

    @property
    def via(self) -> Node:
        """Why it is there."""
        return self.how.via

    def take_over(self, comp: Comp) -> None:
        """Copies the attributes that come down the chain.

        The second heir of a prototype has that take them over first, so that what is
        overridden further up is not gone through for every heir.
        """
        source = self.source
        if source.base is not None:
            if source.asked:
                source.base.take_over(source)
            source.asked = True
        attrs = _Taking(self.trace, self.spend, comp).attrs()
        if comp.applied:
            comp.described = attrs.pop(PHASE)
            attrs = {CLASS: attrs.pop(CLASS), **attrs}
        comp.settled = attrs
        comp.base = comp.seen = None


def is_simple(comp: Comp) -> bool:
    """Whether nothing that comes later changes how the settled attributes are taken over.

    A function in a component which itself waits would be: nobody notes how that was written.
    """
    return PHASE not in comp.settled and not _holds_function_that_waits(comp)


def is_plain_function(comp: Comp) -> bool:
    """Whether it describes a function in the usual way, so that its heirs do so too."""
    if not comp.function:
        phase = comp.settled.get(PHASE)
        if phase is None or phase.value != CONSTRUCT or CLASS not in comp.settled:
            return False
    return not _holds_function_that_waits(comp)


def _holds_function_that_waits(comp: Comp) -> bool:
    for attr in comp.settled.values():
        held = attr.value
        waits = held.__class__ is Comp and held.base is not None
        if waits and (held.function or has_functions(held)):
            return True
    return False


def has_functions(comp: Comp) -> bool:
    """Whether an attribute describes a function, one of its prototypes too."""
    if comp.base is not None and comp.base.functions:
        return True
    for attr in comp.settled.values():
        held = attr.value
        if held.__class__ is Comp and is_function(held):
            return True
    return False


def as_set(comp: Comp, key: Key) -> Attr | None:
    """An attribute as a component or its next prototype that sets it does; none is copied."""
    while (attr := comp.settled.get(key)) is None and comp.base is not None:
        comp = comp.base.source
    return attr


def keep_for_heirs(comp: Comp) -> None:
    """Keeps what is in a component for its heirs, before it gets one attribute more.

    Nothing is copied for them but the attributes themselves, not what these hold.  Inside the
    components around it something changes, so their heirs take over what is there.
    """
    kept: Comp | None = None
    for heir in comp.heirs or ():
        if heir.base is not None and heir.base.source is comp:
            if kept is None:
                kept = _as_it_is(comp)
                kept.heirs = comp.heirs  # what both hold may still change
            heir.base.source = kept
    if comp.parent is not None:
        let_heirs_take_over(comp.parent)


def _as_it_is(comp: Comp) -> Comp:
    """A component for heirs to take over: it has the same attributes, but never one more."""
    made = Comp(comp.parent, comp.structure, comp.home, comp.path)
    # What an attribute has won over is noted in it, and would be for both.
    made.settled = {key: attr.clone() for key, attr in comp.settled.items()}
    made.lacking = comp.lacking and {*comp.lacking}
    if comp.base is not None:
        made.base = copy(comp.base)
        comp.base.source.heirs = comp.base.source.heirs or []
        comp.base.source.heirs.append(made)
    return made


def let_heirs_take_over(comp: Comp) -> None:
    """Has heirs take over what is in a component and in those around it, before it changes."""
    scope: Comp | None = comp
    while scope is not None:
        heirs, scope.heirs = scope.heirs, None
        for heir in heirs or ():
            if heir.base is not None:
                heir.base.take_over(heir)
        scope = scope.parent


class _Way:
    """The way down to a level from one that everything passes.

    At the last step an attribute either stays, since nothing to the right has its name, or loses.
    What the steps are is found when somebody asks.
    """

    __slots__ = ("_ends", "_links", "_stays", "_steps", "_to", "trace")

    def __init__(self, trace: Trace, links: list[Later], to: int, *, stays: bool) -> None:
        self.trace = trace
        self._links = links
        self._to = to
        self._stays = stays
        self._steps: list[tuple[Node, Node]] = []
        self._ends: dict[int, _Passage] = {}

    def step(self, level: int) -> _Passage:
        """Why the attributes of a level come as far."""
        found = self._ends.get(level)
        if found is None:
            found = self._ends[level] = _Passage(self, level)
        return found

    def told(self, level: int) -> tuple[Node, Node]:
        """Because of what they do, and where they are not set on the way."""
        trace, steps = self.trace, self._steps
        while len(steps) < level - self._to:
            link = self._links[self._to + len(steps)]
            if steps:
                via, homes = steps[-1]
                via = trace.union(via, link.via, link.right.via)
                steps.append((via, trace.union(homes, link.right.homes)))
            elif self._stays:
                steps.append((trace.union(link.via, link.right.via), link.right.homes))
            else:
                steps.append((link.via, NOTHING))
        return steps[level - self._to - 1]

    def notes(self, level: int) -> list[Note]:
        """Through which prototypes, the nearest first."""
        passed = self._links[self._to : level]
        return [Note("inherited through this prototype", link.at) for link in passed]


class _Passage:
    """The `Step` of the attributes of a level on a way."""

    __slots__ = ("_level", "_way")

    def __init__(self, way: _Way, level: int) -> None:
        self._way = way
        self._level = level

    @property
    def trace(self) -> Trace:
        """Where its nodes are."""
        return self._way.trace

    @property
    def via(self) -> Node:
        """Because of what the attributes come as far."""
        return self._way.told(self._level)[0]

    @property
    def homes(self) -> Node:
        """What lacks their names."""
        return self._way.told(self._level)[1]

    @property
    def notes(self) -> list[Note]:
        """Through which prototypes they came."""
        return self._way.notes(self._level)


def _as_described(comp: Comp) -> Iterable[tuple[Key, Attr]]:
    """The settled attributes, with the one that has made it a function since."""
    if comp.described is None:
        return comp.settled.items()
    return [(PHASE, comp.described), *comp.settled.items()]


class _Taking:
    """One component taking over what comes down its chain of prototypes."""

    def __init__(self, trace: Trace, spend: Callable[[int, Span], None], comp: Comp) -> None:
        self.trace = trace
        self.spend = spend
        self.comp = comp
        self.levels: list[Comp] = [comp]
        self.links: list[Later] = []
        while (base := self.levels[-1].base) is not None:
            assert isinstance(base, Later)
            self.links.append(base)
            self.levels.append(base.source)

    def attrs(self) -> dict[Key, Attr]:
        """The attributes in the order in which they were first set."""
        found: dict[Key, tuple[Attr, int]] = {}
        for level in range(len(self.levels) - 1, -1, -1):
            losing = None
            for key, attr in _as_described(self.levels[level]):
                if key not in found:
                    found[key] = (attr, level)
                    continue
                losing = losing or _Way(self.trace, self.links, level, stays=False)
                lost, from_level = found[key]
                lost = self.passed(lost, key, from_level, level, losing)
                winner = attr if level == 0 else attr.clone()
                written = shown(lost.value) if lost.written is None else lost.written.show()
                win(self.trace, winner, lost, written)
                winner.placed = lost.placed
                found[key] = (winner, level)
        if not self.links:
            return self.comp.settled
        way = _Way(self.trace, self.links, 0, stays=True)
        by, count = self.links[0].by, 0
        looked_through, stand_ins = self.comp.seen is not None, self.comp.stand_ins or {}
        attrs: dict[Key, Attr] = {}
        for key, (attr, level) in found.items():
            if level > 0:
                attr = attr.clone()
                name = key if isinstance(key, str) else ":".join(key)
                attr.inherit(by, way.step(level), name)
                count += 1
                value: Value = attr.value
                if looked_through:
                    if value.__class__ in PLAIN:
                        attr.is_plain()
                    elif key in stand_ins:
                        attr = stand_ins[key].become(attr)
                if value.__class__ in HOLDERS:
                    count += fill(attr, value, self.comp)
            attrs[key] = attr
        if not looked_through:
            self.spend(count, self.links[0].at)
        return attrs

    def passed(self, attr: Attr, key: Key, level: int, to: int, way: _Way) -> Attr:
        """An attribute of a level as it comes to another; what it holds is still the same."""
        made = attr.clone()
        name = key if isinstance(key, str) else ":".join(key)
        made.inherit(self.links[to].by, way.step(level), name)
        return made


def fill(attr: Attr, value: Value, comp: Comp) -> int:
    """Gives an attribute of a component its own copy of what it holds, and counts attributes."""
    count = 0
    if isinstance(value, Comp):
        if attr.value is value:  # or it holds what mirrors that
            attr.value, count = copied(value, comp, noted=False)
    elif isinstance(value, Application):
        below, count = copied(value.comp, comp, noted=False)
        attr.value = Application(value.word, below, value.at, value.lazy, value.data)
    return count
