"""The machine's stack of stores: layers that share what lies below them.

A layer on which another was put, or that a world remembers, is frozen; the first
write after that goes to a new version, which shares the bindings of the old one.  What
was found in lower layers is remembered, since they cannot change any more: a read costs
the same at any depth of worlds.
"""

from __future__ import annotations

from headwater.langs.opal.effects import Places
from headwater.langs.opal.inputs import Below
from headwater.langs.opal.syntax import Place
from headwater.langs.opal.values import Heap, from_plain
from headwater.langs.opal.writes import Binding, Write
from headwater.text import Span
from headwater.why import NOTHING, Label, Node, Trace

Found = tuple[Binding | None, Node]
Bindings = dict[Place, Binding]

MOST_COPIED = 16
"""A new version of a layer copies so many bindings rather than share them."""


class Layer:
    """A store over other stores; `absent` are the causes of a place not being bound in it."""

    __slots__ = ("_older", "absent", "below", "frozen", "new", "seen")

    def __init__(self, below: Layer | None) -> None:
        self.below = below
        self.new: Bindings = {}
        self._older: tuple[Bindings, ...] = ()
        """Bindings shared with versions before, the latest first; `new` overrides them."""
        self.absent: dict[Place, Node] = {}
        self.seen: dict[Place, Found] = {}
        self.frozen = False

    def above(self) -> Layer:
        """A new, empty layer on this one."""
        self.frozen = True
        return Layer(self)

    def writable(self) -> Layer:
        """This layer, or a new version of it if others rely on it."""
        if not self.frozen:
            return self
        version = Layer(self.below)
        if len(self.new) <= MOST_COPIED:
            version.new = dict(self.new)
            version._older = self._older
        else:
            version._older = _shared(self.new, self._older)
        version.absent = dict(self.absent)
        version.seen = self.seen
        return version

    def own(self, place: Place) -> Binding | None:
        """The binding in this very layer."""
        binding = self.new.get(place)
        if binding is None:
            for bindings in self._older:
                binding = bindings.get(place)
                if binding is not None:
                    break
        return binding

    def bound(self) -> Bindings:
        """All bindings of this very layer."""
        if not self._older:
            return self.new
        whole: Bindings = {}
        for bindings in reversed(self._older):
            whole |= bindings
        return whole | self.new

    def bind(self, place: Place, binding: Binding) -> None:
        """Writes; why there is a binding at all is known from the first write."""
        before = self.own(place)
        if before is not None and before.written != binding.written:
            binding = binding._replace(written=before.written)
        self.new[place] = binding
        if self.absent:
            self.absent.pop(place, None)

    def might_bind(self, place: Place, trace: Trace, causes: Node) -> None:
        """Notes that other causes would have written this place."""
        if causes == NOTHING:
            return
        old = self.own(place)
        if old is None:
            self.absent[place] = trace.union(self.absent.get(place, NOTHING), causes)
        else:
            self.new[place] = old._replace(node=trace.guard(old.node, causes))

    def find(self, place: Place, trace: Trace) -> Found:
        """The nearest binding from here down, and the causes of it not being nearer."""
        binding = self.new.get(place)
        if binding is None and self._older:
            binding = self.own(place)
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
            binding = below.own(place)
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


def _shared(new: Bindings, older: tuple[Bindings, ...]) -> tuple[Bindings, ...]:
    """Both; each part is more than twice as large as the one before, so there are few."""
    while older and 2 * len(new) >= len(older[0]):
        new = older[0] | new
        older = older[1:]
    return new, *older


class Tried:
    """A world: the stack it began on and the layer it wrote, which lies on that stack.

    `permitted` are the nodes whose permission it had: around it, or somewhere in it.
    """

    __slots__ = ("at", "causes", "hyp", "may", "orig", "permitted")

    def __init__(
        self,
        orig: Layer,
        hyp: Layer,
        may: Places,
        causes: Node,
        at: Span,
        permitted: frozenset[str] = frozenset(),
    ) -> None:
        self.orig = orig
        self.hyp = hyp
        self.may = may
        self.causes = causes
        self.at = at
        self.permitted = permitted


class Bottom(Layer):
    """Stores from before the program, of which a binding is made when it is first looked for."""

    __slots__ = ("_heap", "_stores", "_trace")

    def __init__(self, stores: Below, heap: Heap, trace: Trace) -> None:
        super().__init__(None)
        self._stores = stores
        self._heap = heap
        self._trace = trace

    def own(self, place: Place) -> Binding | None:
        """The binding of the stores."""
        binding = self.new.get(place)
        if binding is None:
            given = self._stores.given(place)
            if given is None:
                return None
            value = from_plain(self._heap, given.data, atoms=True)
            node = self._trace.label(Label("argument", given.at, given.at.text))
            write = Write("initial", "", given.at, None, None, None)
            binding = self.new[place] = Binding(value, node, node, write)
        return binding


def above_bottom(layer: Layer | None) -> Bindings:
    """All that a stack binds, but for the stores from before the program."""
    found: list[Bindings] = []
    while layer is not None and not isinstance(layer, Bottom):
        found.append(layer.bound())
        layer = layer.below
    whole: Bindings = {}
    for bindings in reversed(found):
        whole |= bindings
    return whole
