"""Where the prototypes of a prototype set a name.

A chain of prototypes is one ladder as long as every link has one heir: a link is a rung, and the
ladder knows on which rungs a name is set.  So a name that is set far up is found at once.  The
second heir of a link begins a ladder of its own, which stands on that link's rung.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from typing import TypeAlias

from headwater.langs.smartfrog.production.attributes import Attr
from headwater.langs.smartfrog.production.components import Comp, Key


class Ladder:
    """A chain of prototypes, the furthest first; `below` is the rung on which it stands.

    `stems` are the beginnings of paths at which something is to be placed, and their first rungs.
    """

    __slots__ = ("below", "rungs", "set_at", "start", "stems")

    def __init__(self, below: Rung | None) -> None:
        self.below = below
        self.start: int = 0 if below is None else below[0].start + below[1] + 1
        self.rungs: list[Comp] = []
        self.set_at: dict[Key, list[int]] = {}
        self.stems: dict[Key, int] = {}

    def add(self, comp: Comp) -> Rung:
        """One rung more: it is the only heir of the last, or the first of all."""
        at = len(self.rungs)
        self.rungs.append(comp)
        for key in comp.settled:
            found = self.set_at.get(key)
            if found is None:
                self.set_at[key] = [at]
            else:
                found.append(at)
            if key.__class__ is tuple:
                for size in range(1, len(key)):
                    self.stems.setdefault(key[:size] if size > 1 else key[0], at)
        return self, at


Rung: TypeAlias = tuple[Ladder, int]


NEAR = 6
"""So many prototypes are looked at one by one, before that of the next is climbed a ladder."""


def begins(path: Key, key: Key) -> bool:
    """Whether a key is the beginning of a path, and not all of it."""
    if path.__class__ is not tuple:
        return False
    size = len(key) if key.__class__ is tuple else 1
    return size < len(path) and (path[:size] if size > 1 else path[0]) == key


class Ladders:
    """The ladders of all prototypes, which are typed; only attributes written by then count."""

    def __init__(self) -> None:
        self._rungs: dict[Comp, Rung] = {}

    def rung(self, comp: Comp) -> Rung:
        """The rung of a prototype."""
        above: list[Comp] = []
        found = self._rungs.get(comp)
        while found is None:
            above.append(comp)
            if comp.base is None:
                break
            comp = comp.base.source
            found = self._rungs.get(comp)
        for each in reversed(above):
            ladder = None if found is None else found[0]
            if ladder is None or found is None or found[1] + 1 < len(ladder.rungs):
                ladder = Ladder(found)
            found = self._rungs[each] = ladder.add(each)
        assert found is not None
        return found

    def settings(self, comp: Comp, key: Key) -> Iterator[tuple[Comp, Attr]]:
        """The prototypes that set a name, from this one on, and their attributes."""
        near = comp
        for _ in range(NEAR):
            attr = near.settled.get(key)
            if attr is not None:
                yield near, attr
            if near.base is None:
                return
            near = near.base.source
        below: Rung | None = self.rung(near)
        while below is not None:
            ladder, at = below
            found = ladder.set_at.get(key)
            if found is not None:
                for rung in reversed(found[: bisect_right(found, at)]):
                    setter = ladder.rungs[rung]
                    yield setter, setter.settled[key]
            below = ladder.below

    def as_set(self, comp: Comp, key: Key) -> Attr | None:
        """An attribute as a prototype, or the next of its own that sets it, does.

        What that one won over is not noted in it yet.
        """
        for _ in range(NEAR):
            attr = comp.settled.get(key)
            if attr is not None or comp.base is None:
                return attr
            comp = comp.base.source
        below: Rung | None = self._rungs.get(comp) or self.rung(comp)
        while below is not None:
            ladder, at = below
            found = ladder.set_at.get(key)
            if found is not None:
                for rung in reversed(found):
                    if rung <= at:
                        return ladder.rungs[rung].settled[key]
            below = ladder.below
        return None

    def place(self, comp: Comp, key: Key) -> tuple[int, int]:
        """Where an attribute comes among all, those of the furthest prototype first."""
        ladder, at = self.rung(comp)
        first = 0, 0
        below: Rung | None = (ladder, at)
        while below is not None:
            ladder, at = below
            found = ladder.set_at.get(key)
            if found is not None and found[0] <= at:
                setter = ladder.rungs[found[0]]
                first = ladder.start + found[0], list(setter.settled).index(key)
            below = ladder.below
        return first

    def is_stem(self, comp: Comp, key: Key) -> bool:
        """Whether something is to be placed under a name, in a prototype or those of its own."""
        for _ in range(NEAR):
            if comp.places and any(begins(path, key) for path in comp.settled):
                return True
            if comp.base is None:
                return False
            comp = comp.base.source
        below: Rung | None = self.rung(comp)
        while below is not None:
            ladder, at = below
            if ladder.stems.get(key, at + 1) <= at:
                return True
            below = ladder.below
        return False
