"""`Timeline`: what happened in order, and the causes of all of it up to any time."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from typing import Generic, TypeVar

from headwater.langs.puppet.why.questions import Replay
from headwater.why import NOTHING, Node

Event = TypeVar("Event")


class Timeline(Generic[Event]):
    """Events in order, and the union of their causes up to any time.

    A union is made of the one before, so that what reads everything again and again costs no more
    than the events.
    """

    __slots__ = ("_causes", "_unions", "events", "whens")

    def __init__(self, causes: Callable[[Replay, Event], Node]) -> None:
        self.whens: list[int] = []
        self.events: list[Event] = []
        self._causes = causes
        self._unions: list[Node] = [NOTHING]
        """The unions that are whole, by how many events are in them."""

    def add(self, when: int, event: Event) -> None:
        """Something happens after all else."""
        self.whens.append(when)
        self.events.append(event)

    def until(self, replay: Replay, when: int) -> Node:
        """The causes of what happened up to a time."""
        count = bisect_right(self.whens, when)
        unions = self._unions
        if count < len(unions):
            return unions[count]
        at = len(unions) - 1
        union = unions[at]
        while at < count:
            node, whole = replay.memo.watched(self._causes, replay, self.events[at])
            union = replay.trace.union(union, node)
            at += 1
            if whole and len(unions) == at:  # else it was reached meanwhile, or is not whole
                unions.append(union)
        return union
