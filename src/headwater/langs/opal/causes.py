"""Why the final values are what they are: the bridge from a run's records to `why`."""

from __future__ import annotations

from collections.abc import Callable

from headwater.langs.opal.result import place_of
from headwater.langs.opal.syntax import Place
from headwater.langs.opal.values import SexpValue, plain, show
from headwater.langs.opal.writes import Binding, Finished, Write, history
from headwater.text import Span
from headwater.tree import Address, NotThere
from headwater.why import Loser, Node, Trace

MOST_HISTORY = 16
"""So many earlier values of a variable are shown as masked."""
LARGEST_SHOWN = 1_000
"""A masked value larger than this is shown as a text that is cut."""


class StoreCauses:
    """The causes of the values in the final store.

    `replay` makes the traced run; it is called when the first question comes.
    """

    def __init__(self, replay: Callable[[], Finished]) -> None:
        self._replay = replay
        self._finished: Finished | None = None
        self._nodes: dict[Place, Node] = {}

    @property
    def finished(self) -> Finished:
        """The traced run."""
        if self._finished is None:
            self._finished = self._replay()
        return self._finished

    @property
    def trace(self) -> Trace:
        """The trace of that run."""
        return self.finished.trace

    def binding(self, address: Address) -> Binding:
        """What the final store holds at an address; raises `NotThere`."""
        store = self.finished.store
        assert store is not None
        place = place_of(address)
        if place is None or place not in store:
            raise NotThere((), [])
        return store[place]

    def write(self, address: Address) -> Write:
        """Operation, world and line that wrote a value; for a merge also what was merged."""
        write = self.binding(address).write
        assert write is not None
        return write

    def of(self, address: Address) -> Node:
        """The value's node: with what it overrode, the latest first."""
        place = place_of(address)
        if place is None:
            return self._several(address)
        binding = self.binding(address)
        node = self._nodes.get(place)
        if node is None:
            trace = self.trace
            losers = [
                Loser(_shown(old.value), old.node, "merge" if merged else "assignment",
                      trace.label(write.label))
                for old, write, merged in history(binding, MOST_HISTORY)
            ]  # fmt: skip
            node = self._nodes[place] = trace.choice(binding.node, losers=losers)
        return node

    def _several(self, address: Address) -> Node:
        """The causes of all variables of a node, or of all there are."""
        store = self.finished.store
        assert store is not None
        below = (p for p in store if not address or p.node == address[0])
        return self.trace.union(*(self.of(tuple(p)) for p in below))

    def output(self) -> Node:
        """What decides which variables there are."""
        finished = self.finished
        assert finished.store is not None
        written = (binding.written for binding in finished.store.values())
        return finished.trace.union(*written, *finished.absent.values())

    def position(self, address: Address) -> None:
        """Variables are in alphabetical order, for no reason of the program."""

    def path(self, address: Address) -> tuple[Span, ...]:
        """Handle, worlds and operation that the value came through; for a merge, the commit."""
        return self.write(address).path() if place_of(address) is not None else ()


def _shown(value: SexpValue) -> object:
    return plain(value) if value.size <= LARGEST_SHOWN else show(value)
