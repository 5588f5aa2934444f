"""Components as linking sees them, before anybody asks why.

An heir of a prototype has attributes of its own, which know the steps that they came by and what
they won over.  Linking needs none of that, only names and values.  So a component that still has a
base is first looked *through*: `seen` is what its attributes will be, of which the plain ones are
the prototypes' own.  What differs from heir to heir has a stand-in: a link or function, whose value
is found for this heir, and a component, which is a `Mirror` of the prototype's.  When somebody asks
for the attributes themselves, they are made as ever, and the stand-ins become what was made, with
the values that they have by then.

Where more matters than names and values, nothing is looked through: tags of what is overridden,
functions that wait, placements into anything but a mirror.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from headwater.langs.smartfrog.production.attributes import Attr
from headwater.langs.smartfrog.production.components import (
    HOLDERS,
    PLAIN,
    Base,
    Comp,
    Key,
    inner,
)
from headwater.langs.smartfrog.production.copying import shell
from headwater.langs.smartfrog.production.later import fill
from headwater.text import Span

Attrs: TypeAlias = "dict[Key, Attr]"


@dataclass(slots=True, eq=False)
class Mirror:
    """What a component copies that came with a prototype: the component that it is there."""

    source: Comp
    spend: Callable[[int, Span], None]
    at: Span
    functions: bool = False

    def take_over(self, comp: Comp) -> None:
        """Copies the attributes, and has placed in them what is seen there."""
        attrs = self.source.attrs
        if not isinstance(comp.base, Mirror):
            return  # to get at them, it was done already
        stand_ins, made = comp.stand_ins or {}, {}
        for key, attr in attrs.items():
            if attr.value.__class__ in PLAIN:
                attr.is_plain()
                made[key] = attr
            else:
                made[key] = copy = attr.clone()
                if key in stand_ins:
                    made[key] = stand_ins[key].become(copy)
                fill(made[key], attr.value, comp)
        made.update(comp.settled)
        comp.settled, comp.base, comp.seen = made, None, None
        comp.described = self.source.described
        assert comp.parent is not None
        _ = comp.parent.attrs


def looked_through(comp: Comp) -> Attrs:
    """What is seen of a component that has a base, or its attributes if it must have them."""
    base, own = comp.base, comp.settled
    assert base is not None
    brought, kept = brought_by(base.source)
    if (
        brought is None
        or comp.function
        or (comp.places and comp.unplaced is None)
        or leaves_more(brought, own)
    ):
        return comp.attrs
    seen = {**brought} if kept else brought
    seen.update(own)
    stand_ins: Attrs = {}
    paths: list[tuple[str, ...]] = []
    for key, attr in seen.items():
        if key.__class__ is tuple:
            paths.append(key)
        value = attr.value
        kind = value.__class__
        if kind in PLAIN:
            continue
        if kind in HOLDERS:
            held = inner(value)
            if held is not None and held.places:
                return comp.attrs
        if key in own:
            continue
        made = stand_ins[key] = attr.stand_in()
        if kind is Comp:
            if value.function:
                return comp.attrs
            made.value = mirrored(value, comp, base)
    seen.update(stand_ins)
    base.spend(len(seen) - len(own), base.at)
    comp.stand_ins, comp.seen = stand_ins, seen
    for path in paths:
        if not placed(seen, path):
            return comp.attrs
    return seen


def mirrored(comp: Comp, parent: Comp, base: Base) -> Comp:
    """A component that will be a copy of another."""
    made = shell(comp, parent)
    made.base = Mirror(comp, base.spend, base.at)
    comp.heirs = comp.heirs or []
    comp.heirs.append(made)
    return made


def brought_by(source: Comp) -> tuple[Attrs | None, bool]:
    """What comes down a chain of prototypes, nearer ones over those further up; None with tags.

    It is kept for the third heir that asks, so that what is overridden far up is not gone
    through for all of them, nor kept in every link of a long chain.  Also says whether it is.
    """
    levels: list[Comp] = []
    at = source
    while at.base is not None and not at.brought:
        levels.append(at)
        at = at.base.source
    merged = at.brought if at.base is not None else at.settled
    assert merged is not None
    if not levels:
        return merged, True
    merged = {**merged}
    for level in reversed(levels):
        if leaves_more(merged, level.settled):
            return None, False
        merged.update(level.settled)
    if source.brought is None:
        source.brought = {}
        return merged, False
    source.brought = merged
    return merged, True


def leaves_more(attrs: Attrs, over: Attrs) -> bool:
    """Whether attributes leave more to others that are put over them than their place.

    Tags go over to those; and a component that is still to take something over does so then.
    """
    for key in over:
        old = attrs.get(key)
        if old is not None:
            if old.tags:
                return True
            held = inner(old.value) if old.value.__class__ in HOLDERS else None
            if held is not None and held.base is not None:
                return True
    return False


def placed(seen: Attrs, path: tuple[str, ...]) -> bool:
    """Puts where it belongs what is to be placed in a component; whether that could be done."""
    attr, attrs = seen[path], seen
    if attr.value.__class__ is Comp:
        return False
    for name in path[:-1]:
        found = attrs.get(name)
        into = found.value if found is not None else None
        if into.__class__ is not Comp or not isinstance(into.base, Mirror):
            return False
        if into.seen is None:
            looked_through(into)
        if into.seen is None:
            return False
        attrs = into.seen
    old = attrs.get(path[-1])
    if old is not None and old.tags:
        return False
    del seen[path]
    attrs[path[-1]] = attr
    return True
