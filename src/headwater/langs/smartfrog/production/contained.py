"""Placements that stay in their component, and so can wait until somebody looks at it.

What a component holds is *contained* if each attribute that is to be placed in it goes into
something inside of it, at the first try, through no link, and over nothing but plain values.
Then nothing outside can tell when that happens; a component may be taken over as it was before,
and heirs place for themselves what comes down the chain to them.

The rules are narrow.  What leads to a place is set only once in the chain, and was put over
nothing; whoever breaks a rule is copied and placed at once, as every component once was.
"""

from __future__ import annotations

from headwater.langs.smartfrog.production.attributes import Attr, Lost
from headwater.langs.smartfrog.production.components import (
    HOLDERS,
    PLAIN,
    Comp,
    Key,
    components,
    inner,
)
from headwater.langs.smartfrog.production.construct import describes, is_function
from headwater.langs.smartfrog.production.ladders import Ladders
from headwater.langs.smartfrog.production.later import as_set, is_plain_function
from headwater.langs.smartfrog.production.raw import CLASS, PHASE
from headwater.langs.smartfrog.production.syntax import Reference, ToBeDefined
from headwater.langs.smartfrog.production.words import DATA, FINAL, LAZY, LOCAL

MAKES_FUNCTION = frozenset([PHASE, CLASS, LAZY, DATA])
"""Attributes that change what the phase *function* makes of a component."""

SAME = PLAIN | {Reference, ToBeDefined}
"""Kinds of values that are shown the same before the phase *function* and after."""


class Containing:
    """Says of typed components whether what they hold is contained.

    `bare` are the attributes that will be placed where nothing is, by the component that says so;
    paths may lead through them.  None may lead through a function, which soon is no component.
    """

    def __init__(self, ladders: Ladders) -> None:
        self.ladders = ladders
        self.bare: set[tuple[Comp, Key]] = set()

    def contains(self, comp: Comp) -> bool:
        """Whether what is to be placed in a component, and in what it holds, stays there."""
        source = source_of(comp)
        if is_function(comp):
            return False
        if source is not None and source.places and not source.contained:
            return False
        seen: set[Key] = set()
        for key, attr in comp.settled.items():
            if attr.contests and any(map(keeps_out_placements, attr.contests)):
                return False
            if attr.value.__class__ in HOLDERS and not self.fits(key, attr):
                return False
            if source is not None and self.breaks(source, key):
                return False
            if isinstance(key, tuple):
                if not self.stays(comp, source, key, seen):
                    return False
                seen.add(key)
        return True

    def fits(self, key: Key, attr: Attr) -> bool:
        """Whether a component that an attribute holds is itself contained, if it must be."""
        value = attr.value
        held = inner(value)
        assert held is not None
        if key.__class__ is tuple and describes(value) and not is_plain_function(held):
            return False
        return not held.places or (key.__class__ is str and value is held and held.contained)

    def breaks(self, source: Comp, key: Key) -> bool:
        """Whether an attribute of a prototype may not be overridden: something is placed in it."""
        old = self.ladders.as_set(source, key)
        if old is None:
            return False
        held = inner(old.value)
        return (held is not None and held.places) or self.ladders.is_stem(source, key)

    def stays(self, comp: Comp, source: Comp | None, path: tuple[str, ...], seen: set[Key]) -> bool:
        """Whether an attribute will be placed in a component, after those `seen` before it."""
        name = path[-1]
        target = self.target(comp, source, path, seen)
        if target is None or name in MAKES_FUNCTION or (target.places and not target.contained):
            return False
        function = describes(target)
        if function and not is_plain_function(target):
            return False
        over = self.setters(target, source_of(target), name)
        if not over:
            if not function:
                self.bare.add((comp, path))
            return True
        old = over[0][1]
        return old.value.__class__ in SAME and not (old.tags and FINAL in old.tags)

    def target(
        self, comp: Comp, source: Comp | None, path: tuple[str, ...], seen: set[Key]
    ) -> Comp | None:
        """The component that an attribute will be placed in, if nothing can change that."""
        for size in range(len(path) - 1, 0, -1):
            prefix: Key = path[:size] if size > 1 else path[0]
            setters = self.setters(comp, source, prefix)
            if not setters:
                continue
            setter, attr = setters[0]
            if len(setters) > 1:
                return None
            if size > 1 and not (
                (setter, prefix) in self.bare and (setter is not comp or prefix in seen)
            ):
                return None
            return self.inside(attr, path[size:-1])
        return None

    def setters(self, comp: Comp, source: Comp | None, key: Key) -> list[tuple[Comp, Attr]]:
        """Up to two components of a chain that set a name, the nearest first."""
        found: list[tuple[Comp, Attr]] = []
        if key in comp.settled:
            found.append((comp, comp.settled[key]))
        if source is not None:
            for each in self.ladders.settings(source, key):
                found.append(each)
                if len(found) > 1:
                    break
        return found

    def inside(self, attr: Attr, parts: tuple[str, ...]) -> Comp | None:
        """The component to which a path leads from an attribute, if nothing can change that."""
        for part in parts:
            comp = attr.value
            if comp.__class__ is not Comp or not leads_on(attr) or comp.places or describes(comp):
                return None
            setters = self.setters(comp, source_of(comp), part)
            if len(setters) != 1:
                return None
            attr = setters[0][1]
        return attr.value if attr.value.__class__ is Comp and leads_on(attr) else None


def source_of(comp: Comp) -> Comp | None:
    """The prototype that a component is still to take over."""
    return comp.base.source if comp.base is not None else None


def leads_on(attr: Attr) -> bool:
    """Whether a path may lead through an attribute, which has won over nothing."""
    return not attr.contests and not (attr.tags and LOCAL in attr.tags)


def keeps_out_placements(lost: Lost) -> bool:
    """Whether something in a component that was kept out could have been placed outside of it."""
    kept_out = inner(lost.value)
    if kept_out is None or not kept_out.places:
        return False
    for comp in components(kept_out, settled=True):
        for key in comp.settled:
            if isinstance(key, tuple):
                first = as_set(comp, key[0])
                if first is None or len(key) > 2 or not isinstance(first.value, Comp):
                    return True
    return False
