"""From the paper's store to a result: the plain tree, and the causes of its values."""

from __future__ import annotations

from headwater.langs.protocol import Placement
from headwater.langs.smartfrog.order import FIRST_SET, MOVED
from headwater.langs.smartfrog.paper.domains import Attribute, Basic, Store, Val, Vector
from headwater.langs.smartfrog.paper.stores import Found
from headwater.langs.smartfrog.results import children_first, count_values
from headwater.text import Span
from headwater.tree import Address, Value
from headwater.why import NOTHING, Node, Trace


def stores_in(root: Store) -> list[Store]:
    """Every store below and including `root`, inner ones first."""
    return children_first(
        root, lambda store: [a.value for a in store.attributes if isinstance(a.value, Store)]
    )


def count(root: Store) -> int:
    """How many values the result has, or some number over the bound."""
    return count_values(
        stores_in(root),
        lambda store: [a.value if isinstance(a.value, Store) else None for a in store.attributes],
    )


def tree(root: Store) -> Value:
    """The plain tree."""
    made: dict[int, Value] = {}
    for store in stores_in(root):
        made[id(store)] = {
            a.id: made[id(a.value)] if isinstance(a.value, Store) else plain(a.value)
            for a in store.attributes
        }
    return made[id(root)]


def plain(value: Basic | Vector) -> Value:
    """A basic value without its causes."""
    if isinstance(value, Basic):
        return value.value
    return [plain(item) for item in value.items]


def attribute_of(store: Store, id: str) -> Attribute:
    """An attribute that a store has."""
    attribute = store.attributes.get(id)
    assert attribute is not None
    return attribute


class PaperCauses:
    """The causes that the evaluation noted."""

    def __init__(self, trace: Trace, top: Found) -> None:
        assert isinstance(top.value, Store)
        self._trace = trace
        self._top = Attribute("sfConfig", top.value, top.why, top.exists, top.hidden)
        self._store = top.value

    @property
    def trace(self) -> Trace:
        """The trace of the evaluation."""
        return self._trace

    def of(self, address: Address) -> Node:
        """The node of the value at an address."""
        attribute = self._top
        exists = lacking = NOTHING
        for index, part in enumerate(address):
            exists = self._trace.union(exists, attribute.exists)
            if not isinstance(attribute.value, Store):
                node, within = self._element(attribute.value, address[index:])
                return self._trace.guard(node, self._trace.union(exists, within))
            lacking = self._trace.union(lacking, attribute.value.absence.shape)
            attribute = attribute_of(attribute.value, str(part))
        if isinstance(attribute.value, Store):
            exists = self._trace.union(exists, lacking, self._inside(attribute.value))
        return self._trace.guard(attribute.why, exists)

    def _element(self, value: Val, indexes: Address) -> tuple[Node, Node]:
        """The node of an element of a vector, and the lists it is nested in."""
        within = NOTHING
        for index in indexes:
            assert isinstance(value, Vector)
            within = self._trace.union(within, value.structure)
            value = value.items[int(index)]
        assert not isinstance(value, Store)
        return value.why, within

    def _inside(self, root: Store) -> Node:
        """Everything a whole component depends on: its attributes, and those it might have."""
        stores = stores_in(root)
        shapes = [node for store in stores for node in (store.shape, store.absence.shape)]
        values = [n for store in stores for a in store.attributes for n in (a.why, a.hidden)]
        return self._trace.union(*shapes, *values)

    def output(self) -> Node:
        """What could change which attributes there are."""
        stores = stores_in(self._store)
        shapes = [node for store in stores for node in (store.shape, store.absence.shape)]
        exists = [n for store in stores for a in store.attributes for n in (a.exists, a.hidden)]
        return self._trace.union(self._top.exists, self._top.hidden, *shapes, *exists)

    def position(self, address: Address) -> Placement | None:
        """What fixed the attribute's place among its siblings."""
        attribute = self._top
        for part in address:
            if not isinstance(attribute.value, Store):
                return None
            attribute = attribute_of(attribute.value, str(part))
        if attribute.moved:
            return Placement(MOVED, (*attribute.placed, *attribute.moved))
        return Placement(FIRST_SET, attribute.placed) if address else None

    def path(self, address: Address) -> tuple[Span, ...]:
        """SmartFrog has no calls: a value's way is told by the references it depends on."""
        return ()
