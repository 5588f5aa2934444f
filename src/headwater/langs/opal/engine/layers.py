"""The machine's stack of stores: layers that share what lies below them.

A layer on which another was put, or that a world remembers, is frozen; the first
write after that goes to a copy.  What was found in lower layers is remembered, since
they cannot change any more: a read costs the same at any depth of worlds.
"""

from __future__ import annotations

from headwater.langs.opal.effects import Places
from headwater.langs.opal.syntax import Place
from headwater.langs.opal.writes import Binding
from headwater.why import NOTHING, Node, Trace

Found = tuple[Binding | None, Node]


class Layer:
    """A store over other stores; `absent` are the causes of a place not being bound in it."""

    __slots__ = ("absent", "below", "bound", "frozen", "seen")

    def __init__(self, below: Layer | None) -> None:
        self.below = below
        self.bound: dict[Place, Binding] = {}
        self.absent: dict[Place, Node] = {}
        self.seen: dict[Place, Found] = {}
        self.frozen = False

    def above(self) -> Layer:
        """A new, empty layer on this one."""
        self.frozen = True
        return Layer(self)

    def writable(self) -> Layer:
        """This layer, or a copy of it if others rely on it."""
        if not self.frozen:
            return self
        copy = Layer(self.below)
        copy.bound = dict(self.bound)
        copy.absent = dict(self.absent)
        copy.seen = self.seen
        return copy

    def bind(self, place: Place, binding: Binding) -> None:
        """Writes; why there is a binding at all is known from the first write."""
        before = self.bound.get(place)
        if before is not None and before.written != binding.written:
            binding = binding._replace(written=before.written)
        self.bound[place] = binding
        if self.absent:
            self.absent.pop(place, None)

    def might_bind(self, place: Place, trace: Trace, causes: Node) -> None:
        """Notes that other causes would have written this place."""
        if causes == NOTHING:
            return
        old = self.bound.get(place)
        if old is None:
            self.absent[place] = trace.union(self.absent.get(place, NOTHING), causes)
        else:
            self.bound[place] = old._replace(node=trace.guard(old.node, causes))

    def find(self, place: Place, trace: Trace) -> Found:
        """The nearest binding from here down, and the causes of it not being nearer."""
        binding = self.bound.get(place)
        if binding is not None:
            return binding, NOTHING
        found = self.seen.get(place)
        if found is None:
            found = self._search(place, trace)
        if self.absent and place in self.absent:
            return found[0], trace.union(self.absent[place], found[1])
        return found

    def _search(self, place: Place, trace: Trace) -> Found:
        """Looks below, and remembers the answer in every layer on the way."""
        passed: list[Layer] = []
        layer = self
        found: Found
        while True:
            passed.append(layer)
            below = layer.below
            if below is None:
                found = (None, NOTHING)
                break
            binding = below.bound.get(place)
            if binding is not None:
                found = (binding, NOTHING)
                break
            known = below.seen.get(place)
            if known is not None:
                found = (known[0], trace.union(below.absent.get(place, NOTHING), known[1]))
                break
            layer = below
        for layer in reversed(passed):
            layer.seen[place] = found
            if layer is not self:
                found = (found[0], trace.union(layer.absent.get(place, NOTHING), found[1]))
        return found


class Tried:
    """A world: the stack it began on and the layer it wrote, which lies on that stack."""

    __slots__ = ("causes", "hyp", "may", "orig")

    def __init__(self, orig: Layer, hyp: Layer, may: Places, causes: Node) -> None:
        self.orig = orig
        self.hyp = hyp
        self.may = may
        self.causes = causes
