"""What the phases work on: components, whose `attributes` know their causes.

The phases change components in place, as production does; a prototype's attributes are copied.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, Protocol, TypeAlias

from headwater.langs.smartfrog.production.attributes import NEW, Attr, static_node
from headwater.langs.smartfrog.production.syntax import (
    Bytes,
    Float,
    Long,
    Reference,
    ToBeDefined,
    Variable,
)
from headwater.langs.smartfrog.production.words import DATA, LAZY
from headwater.report import Diagnostic
from headwater.text import Span
from headwater.why import NOTHING, Label, Node, Trace
from headwater.why.labels import Kind

Key: TypeAlias = "str | tuple[str, ...]"
"""A name, or the path of an attribute that is still to be placed."""


class Nameless(str):
    """The name of an operand, which is written ``--``."""


PROTOTYPES = "$extends"
"""The name under which a tree lists prototypes that have not been taken over."""

MOST_COPIES = 1_000_000
"""Attributes that prototypes may copy in one compilation."""


class Wrong(Exception):
    """The specification has an error.  Caught in `compiling`, and nowhere else."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(diagnostic.code)
        self.diagnostic = diagnostic


class Comp:
    """A component.

    `types` are the prototypes still to be merged, `shape` is why it lacks attributes it might
    have, `structure` the label of its ``extends``; `home` is where one more attribute of it
    could be written, if it could be, and `path` what to write before its name; `lineage` are
    the homes of its named prototypes, where it could be written as well.

    `base` is a prototype that is still to be taken over: nothing is copied before somebody
    looks, or a chain of prototypes would copy every attribute in every link.  `settled` are the
    attributes without it, and `attrs` with it.  `heirs` are the components whose base this one
    is or was; `asked` says whether one of them has taken over what comes down the chain.
    `function` says whether it takes over a function, `applied` whether it has become one since.
    `described` is the attribute that made it a function, once it is one.
    `places` says whether something in it is written to be placed, and `contained` whether all of
    that stays inside of it.  Then it may be `unplaced`: it has what places that, once somebody
    looks.
    """

    __slots__ = ("_absent", "_lineage", "_shape", "applied", "asked", "at_home", "base",
                 "brought", "contained", "deep", "described", "eager", "function", "heirs",
                 "home", "inherits", "label", "lacking", "made", "own", "parent", "path", "places",
                 "seen", "settled", "size", "stand_ins", "types", "unplaced", "walked")  # fmt: skip

    def __init__(
        self,
        parent: Comp | None,
        structure: Node | Written,
        home: Span | None,
        path: tuple[str, ...] = (),
    ) -> None:
        self.settled: dict[Key, Attr] = {}
        self.base: Base | None = None
        self.heirs: list[Comp] | None = None
        self.asked = False
        self.function = self.applied = False
        self.described: Attr | None = None
        self.places = self.contained = False
        self.unplaced: Placer | None = None
        self.lacking: set[str] | None = None
        self.seen: dict[Key, Attr] | None = None
        self.stand_ins: dict[Key, Attr] | None = None
        self.brought: dict[Key, Attr] | None = None
        self.parent = parent
        self.types: list[Reference | Comp] = []
        self.eager = True
        self.label = structure
        self.home = home
        self.path = path
        self.at_home = NOTHING
        self.inherits: Inherits | None = None
        self._lineage = self._shape = self._absent = NOTHING
        self.own = self.deep = self.walked = NEW
        self.made: Any = None
        self.size = 0

    @property
    def attrs(self) -> dict[Key, Attr]:
        """All attributes, those of the prototypes too."""
        if self.base is not None:
            self.base.take_over(self)
        if self.unplaced is not None:
            self.unplaced.settle(self)
        return self.settled

    @attrs.setter
    def attrs(self, attrs: dict[Key, Attr]) -> None:
        self.settled = attrs

    @property
    def shown(self) -> dict[Key, Attr]:
        """The same, for who needs names and values alone."""
        return self.attrs if self.seen is None else self.seen

    def attr(self, name: str) -> Attr | None:
        """The attribute of a name; only where there is one, a prototype is taken over."""
        if self.base is None and self.unplaced is None:
            return self.settled.get(name)
        if self.seen is not None:
            return self.attrs.get(name)
        at = self
        passed: list[Comp] = []
        while name not in at.settled:
            if at.base is None or (at.lacking is not None and name in at.lacking):
                for comp in passed:
                    comp.lacking = comp.lacking or set()
                    comp.lacking.add(name)
                return None
            passed.append(at)
            at = at.base.source
        return self.attrs[name]

    def will_place(self) -> None:
        """Notes that something in it is to be placed."""
        scope: Comp | None = self
        while scope is not None and not scope.places:
            scope.places = True
            scope = scope.parent

    @property
    def structure(self) -> Node:
        """The label of its ``extends``, or of what else it is written with."""
        label = self.label
        if isinstance(label, tuple):
            trace, kind, at, text = label
            label = self.label = trace.label(Label(kind, at, at.text if text is None else text))
        return label

    @property
    def shape(self) -> Node:
        """Why it lacks attributes it might have."""
        if self.inherits is not None:
            tell(self)
        return self._shape

    @shape.setter
    def shape(self, shape: Node) -> None:
        self._shape = shape

    @property
    def absent(self) -> Node:
        """Why its prototypes so far have not what they might have."""
        if self.inherits is not None:
            tell(self)
        return self._absent

    @absent.setter
    def absent(self, absent: Node) -> None:
        self._absent = absent

    @property
    def lineage(self) -> Node:
        """The homes of its named prototypes."""
        if self.inherits is not None:
            tell(self)
        return self._lineage

    @lineage.setter
    def lineage(self, lineage: Node) -> None:
        self._lineage = lineage

    def homes(self, trace: Trace) -> Node:
        """Where one more attribute could be written, here or in a prototype."""
        return trace.union(self.own_home(trace), self.lineage)

    def own_home(self, trace: Trace) -> Node:
        """Where one more attribute could be written here."""
        if self.home is not None and self.at_home == NOTHING:
            self.at_home = trace.home(self.home, ":".join(self.path))
        return self.at_home


Written: TypeAlias = "tuple[Trace, Kind, Span, str | None]"
"""What makes a label once somebody asks: its kind, its place, its text if that is another."""


class Inherits(Protocol):
    """How a component came by its last prototype, which is told when somebody asks."""

    trace: Trace
    source: Comp

    @property
    def via(self) -> Node:
        """Why it has the prototype."""

    def rests_on(self) -> tuple[Comp, ...]:
        """The components by which that is told."""


def tell(comp: Comp) -> None:
    """Tells how a component came by its last prototype, others that this rests on first."""
    todo = [comp]
    while todo:
        at = todo[-1]
        how = at.inherits
        before = () if how is None else how.rests_on()
        if waiting := [each for each in before if each.inherits is not None]:
            todo += waiting
            continue
        todo.pop()
        if how is not None:
            at.inherits = None
            trace = how.trace
            absent = trace.union(how.via, how.source.shape)
            at.absent = trace.union(at.absent, absent)
            at.shape = trace.union(at.shape, absent)
            at.lineage = trace.union(at.lineage, how.source.homes(trace))


class Base(Protocol):
    """A prototype that a component is still to take over."""

    source: Comp
    at: Span

    @property
    def spend(self) -> Callable[[int, Span], None]:
        """Counts copied attributes against the bound."""

    @property
    def functions(self) -> bool:
        """Whether an attribute of the prototype describes a function."""

    def take_over(self, comp: Comp) -> None:
        """Copies the attributes of the prototype; the component has no base from then on."""


class Placer(Protocol):
    """What has put off to place something in a component."""

    def settle(self, comp: Comp) -> None:
        """Places it; nothing waits in the component from then on."""


class Vec:
    """A vector with the node of each element and its own; `size` counts all values in it.

    Linking may leave the nodes to `maker`, the attribute of which it is the value.
    """

    __slots__ = ("_nodes", "_structure", "items", "maker", "size")

    def __init__(self, items: list[Value], nodes: list[Node], structure: Node) -> None:
        self.items = items
        self._nodes = nodes
        self._structure = structure
        self.maker: Attr | None = None
        self.size: int = len(items) + sum(item.size for item in items if isinstance(item, Vec))

    @property
    def nodes(self) -> list[Node]:
        """The node of each element."""
        if self.maker is not None:
            self.retrace(self.maker)
        return self._nodes

    @property
    def structure(self) -> Node:
        """The node of the vector itself."""
        if self.maker is not None:
            self.retrace(self.maker)
        return self._structure

    def depends_on(self, structure: Node) -> None:
        """Notes what there being such a vector depends on."""
        self._structure = structure

    def made_for(self, attr: Attr) -> None:
        """Notes which attribute the nodes of a vector without any can be had from."""
        if self._structure == NOTHING and self.maker is None:
            self.maker = attr

    def retrace(self, maker: Attr) -> None:
        """Has the nodes found."""
        _ = maker.exists  # who is asked that gives the nodes too (`Linking.retraced`)
        assert self.maker is None

    def fill(self, nodes: list[Node], structure: Node) -> None:
        """Gives a vector its nodes."""
        self._nodes, self._structure, self.maker = nodes, structure, None


@dataclass(slots=True, eq=False)
class Application:
    """``APPLY``, or ``ASSERT`` with `word`: a function and its arguments.

    `at` is what stands for it in the text.  `checks` says which assertions: a schema's or not.
    """

    word: str
    comp: Comp
    at: Span
    lazy: bool = False
    data: bool = False


HOLDERS: Final = frozenset({Comp, Application})
"""Kinds of values that hold a component."""

PLAIN: Final = frozenset([type(None), bool, int, float, str, Long, Float, Bytes])
"""Kinds of values that are the same wherever they stand."""

Value: TypeAlias = (
    "None | bool | int | float | str | Vec | Reference | Application | ToBeDefined | Variable "
    "| Comp"
)


def inner(value: object) -> Comp | None:
    """The component a value holds, if it holds one."""
    if isinstance(value, Comp):
        return value
    if isinstance(value, Application):
        return value.comp
    return None


def held_in(comp: Comp, attrs: Mapping[Key, Attr]) -> list[Comp]:
    """The components right inside of one, blocks still to be merged included; the last first."""
    found = [each for each in comp.types if isinstance(each, Comp)] if comp.types else []
    for attr in attrs.values():
        value = attr.value
        if value.__class__ is Comp:
            found.append(value)
        elif value.__class__ is Application:
            found.append(value.comp)
    found.reverse()
    return found


def components(root: Comp, *, settled: bool = False) -> Iterator[Comp]:
    """Every component below and including one, outer ones first; or the `settled` ones alone."""
    todo = [root]
    while todo:
        comp = todo.pop()
        yield comp
        todo += held_in(comp, comp.settled if settled else comp.attrs)


def prototypes(trace: Trace, comp: Comp) -> Vec:
    """The prototypes of a component that it has not taken over yet, as a vector."""
    nodes = []
    for each in comp.types:
        if isinstance(each, Reference):
            nodes.append(trace.label(Label("reference", each.at, each.at.text)))
        else:
            nodes.append(each.structure)
    return Vec([*comp.types], nodes, comp.structure)


def description(trace: Trace, comp: Comp, *, settled: bool = False) -> Node:
    """Why a component is such a function: what makes it one, and that it has no more operands."""
    attrs = comp.settled if settled else comp.attrs
    nodes = [comp.structure, comp.shape, trace.lacks(comp.homes(trace), "--")]
    for attr in (comp.described, attrs.get(LAZY), attrs.get(DATA)):
        if attr is not None:
            nodes += [static_node(trace, attr), attr.hidden]
    return trace.union(*nodes)


def written(trace: Trace, root: Comp, *, settled: bool = False) -> Node:
    """Everything that the text of a component depends on, or of what is `settled` in it alone."""
    nodes = []
    for comp in components(root, settled=settled):
        nodes += [description(trace, comp, settled=settled), *prototypes(trace, comp).nodes]
        for attr in (comp.settled if settled else comp.attrs).values():
            # What was replaced gave its place: the order is part of the text.
            nodes += [static_node(trace, attr), attr.hidden]
            nodes += [trace.label(Label("tag", at, tag)) for tag, at in (attr.tags or {}).items()]
    return trace.union(*nodes)
