"""Why the values of a production result are what they are."""

from __future__ import annotations

from collections.abc import Iterator

from headwater.langs.protocol import Placement
from headwater.langs.smartfrog.order import FIRST_SET
from headwater.langs.smartfrog.production.attributes import (
    DONE,
    Attr,
    node_of,
    static_node,
)
from headwater.langs.smartfrog.production.components import (
    PROTOTYPES,
    Application,
    Comp,
    Value,
    Vec,
    inner,
    prototypes,
    written,
)
from headwater.langs.smartfrog.production.origins import placed_by
from headwater.langs.smartfrog.production.text import is_temporary, name_before_linking
from headwater.langs.smartfrog.production.unnamed import Unnamed
from headwater.text import Span
from headwater.tree import Address
from headwater.why import NOTHING, Label, Node, Trace


class ProductionCauses:
    """The causes that the phases have noted."""

    def __init__(self, trace: Trace, top: Attr, unnamed: Unnamed, loose: Node = NOTHING) -> None:
        self._trace = trace
        self._top = top
        self._unnamed = unnamed
        self._loose = loose

    @property
    def trace(self) -> Trace:
        """The trace of the compilation."""
        return self._trace

    def of(self, address: Address) -> Node:
        """The node of the value at an address."""
        trace = self._trace
        value, node, exists = self._value(self._top), self._node(self._top), NOTHING
        there = self._exists(self._top)
        for part in address:
            exists = trace.union(exists, there)
            if isinstance(value, Vec):
                exists = trace.union(exists, value.structure, node)
                node, value = value.nodes[int(part)], value.items[int(part)]
                there = NOTHING
                if (comp := inner(value)) is not None:
                    # As in `_exists`: a prototype may make an element a function.
                    there = trace.union(comp.structure, comp.shape)
                node = self._with_text(value, node)
            elif isinstance(value, Comp) and value.types and part == PROTOTYPES:
                value = prototypes(trace, value)
                node = there = value.structure
            else:
                assert isinstance(value, Comp)
                attr = attribute(value, str(part))
                value, node, there = self._value(attr), self._node(attr), self._exists(attr)
                exists = trace.union(exists, self._unnamed.of(str(part)))
        if isinstance(value, Comp | Vec):
            exists = trace.union(exists, self._inside(value))
        return trace.guard(node, trace.union(exists, self._loose))

    def _value(self, attr: Attr) -> Value:
        value: Value = attr.result if attr.state == DONE else attr.value
        return value

    def _node(self, attr: Attr) -> Node:
        trace = self._trace
        node = node_of(trace, attr) if attr.state == DONE else static_node(trace, attr)
        return self._with_text(self._value(attr), node)

    def _with_text(self, value: Value, node: Node) -> Node:
        """A function that is kept is put out as text: all that is written in it matters."""
        if not isinstance(value, Application):
            return node
        return self._trace.guard(node, self._text(value))

    def _text(self, value: Application) -> Node:
        """All that is written in a function, and the names in it that count others."""
        return self._trace.union(written(self._trace, value.comp), self._unnamed.shown(value.comp))

    def _exists(self, attr: Attr) -> Node:
        exists = attr.exists if attr.state == DONE else attr.causes
        value = self._value(attr)
        if (comp := inner(value)) is not None:
            # A prototype may make a component a function: then nothing in it is an output.
            exists = self._trace.union(exists, comp.shape)
        return exists

    def _inside(self, root: Comp | Vec) -> Node:
        """Everything a whole component depends on: its attributes, and those it might have."""
        nodes = []
        for comp in self._components(root):
            nodes += [comp.shape, *prototypes(self._trace, comp).nodes]
            nodes += [self._node(attr) for attr in comp.attrs.values()]
            nodes += map(self._dropped, comp.attrs.values())
            nodes += [attr.hidden for attr in comp.attrs.values()]
            nodes += map(self._unnamed.of, comp.attrs)
        kept = self._kept(root) if isinstance(root, Vec) else ()
        return self._trace.union(*nodes, *kept)

    def _dropped(self, attr: Attr) -> Node:
        """The tags of an attribute that the result is without."""
        if not is_temporary(attr):
            return NOTHING
        tags = (attr.tags or {}).items()
        return self._trace.union(*(self._trace.label(Label("tag", at, tag)) for tag, at in tags))

    def _kept(self, vec: Vec) -> Iterator[Node]:
        """What the texts of functions that are kept in a vector depend on."""
        for item in vec.items:
            if isinstance(item, Application):
                yield self._text(item)
            elif isinstance(item, Vec):
                yield from self._kept(item)

    def _components(self, root: Comp | Vec) -> list[Comp]:
        """Every component of the result in a value, each once."""
        found: list[Comp] = []
        seen: set[int] = set()
        todo: list[Value] = [root]
        while todo:
            value = todo.pop()
            if isinstance(value, Vec):
                todo.extend(value.items)
            elif isinstance(value, Comp) and id(value) not in seen:
                seen.add(id(value))
                found.append(value)
                todo.extend(t for t in value.types if isinstance(t, Comp))
                todo.extend(self._value(attr) for attr in value.attrs.values())
        return found

    def output(self) -> Node:
        """What could change which attributes there are."""
        top = self._value(self._top)
        nodes = [self._exists(self._top), self._top.hidden, self._loose]
        assert isinstance(top, Comp)
        for comp in self._components(top):
            nodes += [comp.shape, *prototypes(self._trace, comp).nodes]
            for attr in comp.attrs.values():
                nodes += [self._exists(attr), attr.hidden, self._dropped(attr)]
            nodes += map(self._unnamed.of, comp.attrs)
        return self._trace.union(*nodes)

    def position(self, address: Address) -> Placement | None:
        """What fixed the attribute's place among its siblings."""
        value, placed = self._value(self._top), self._top.placed
        for part in address:
            if not isinstance(value, Comp) or value.types:
                return None
            attr = attribute(value, str(part))
            value, placed = self._value(attr), attr.placed
        return Placement(FIRST_SET, placed_by(placed)) if address and placed else None

    def path(self, address: Address) -> tuple[Span, ...]:
        """SmartFrog has no calls: a value's way is told by the references it depends on."""
        return ()


def attribute(comp: Comp, name: str) -> Attr:
    """The attribute of a name, or of a path that has not been placed."""
    for key, attr in comp.attrs.items() if ":" in name else ():
        if name_before_linking(key) == name:
            return attr
    return comp.attrs[name]
