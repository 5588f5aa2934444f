"""From an attribute down its prototypes to where it was written, in few steps.

A chain of n prototypes hands every attribute on n times.  The way through stores that have one
prototype only is the same for all of them, so it is worked out once for the uppermost store of
such a chain: for each store on it, all that leads there together.
"""

from __future__ import annotations

from collections.abc import Generator

from headwater.langs.smartfrog.engine.cells import Inheritance, Store
from headwater.langs.smartfrog.engine.replay import Asking, Replay
from headwater.text.named import NamedTuple
from headwater.why import NOTHING, Node


class Landing(NamedTuple):
    """A store below another, as its heir saw it, and why its attributes came to the heir."""

    store: Store
    events: list[Inheritance]
    upto: int
    via: Node


class Flight(NamedTuple):
    """A chain of stores with one prototype each: landings by the marks of the stores."""

    landings: dict[int, Landing]
    last: Landing


Descending = Generator[Asking, Node, Landing]


class Descent:
    """The ways down from stores, for one replay."""

    def __init__(self, replay: Replay) -> None:
        self._replay = replay
        self._flights: dict[int, Flight] = {}
        self.landings = 0
        """How many steps were made: what tests count."""

    def why(self, store: Store, name: str) -> Asking:
        """The node of an attribute's value."""
        at = yield from self._down(store, name)
        node = yield self._replay.why(at.store.cells[name], at.events, at.upto)
        return self._replay.trace.guard(node, at.via)

    def exists(self, store: Store, name: str) -> Asking:
        """Why there is such an attribute, whatever its value."""
        at = yield from self._down(store, name)
        node = yield self._replay.exists(at.store.cells[name], at.events, at.upto)
        return self._replay.trace.union(node, at.via)

    def hidden(self, store: Store, name: str) -> Asking:
        """What the attribute replaced where it was written."""
        at = yield from self._down(store, name)
        return (yield self._replay.hidden(at.store.cells[name], at.events))

    def _down(self, store: Store, name: str) -> Descending:
        """The store that an attribute was written in."""
        replay = self._replay
        at, via = Landing(store, store.events, len(store.events), NOTHING), NOTHING
        while at.store.cells[name].mark is not at.store.mark:
            number = at.store.brought(name)
            event = at.store.events[number]
            via = replay.trace.union(via, (yield replay.via(event)))
            later = yield replay.absent(at.events, number + 1, at.upto, (name,))
            via = replay.trace.union(via, later)
            flight = yield from self._flight(event)
            self.landings += 1
            at = flight.landings.get(id(event.store.cells[name].mark), flight.last)
            via = replay.trace.union(via, at.via)
        return at._replace(via=via)

    def _flight(self, event: Inheritance) -> Generator[Asking, Node, Flight]:
        """The stores below a prototype, as far as each has one prototype itself."""
        top = id(event.store)
        known = self._flights.get(top)
        if known is not None:
            return known
        landing = Landing(event.store, event.events, event.upto, NOTHING)
        landings = {id(landing.store.mark): landing}
        while landing.upto == 1:
            self.landings += 1
            event = landing.events[0]
            via = self._replay.trace.union(landing.via, (yield self._replay.via(event)))
            landing = Landing(event.store, event.events, event.upto, via)
            landings.setdefault(id(landing.store.mark), landing)
        made = self._flights[top] = Flight(landings, landing)
        return made
