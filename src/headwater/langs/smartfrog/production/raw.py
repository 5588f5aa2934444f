"""The phase *raw*: from the syntax tree to components, nothing resolved yet.

Of two attributes of one name in a block, the last value stands, in the first one's place.
Operators become components that the phase *function* will turn into applications.
"""

from __future__ import annotations

from collections import deque
from functools import cache

from headwater.langs.smartfrog.production import syntax
from headwater.langs.smartfrog.production.attributes import Attr, Lost
from headwater.langs.smartfrog.production.components import (
    Application,
    Comp,
    Key,
    Nameless,
    Value,
    Vec,
    Written,
)
from headwater.langs.smartfrog.production.origins import Built, Origin
from headwater.langs.smartfrog.production.syntax import (
    Attribute,
    Block,
    Component,
    Literal,
    Operation,
    Primitives,
    Reference,
    Setting,
    ToBeDefined,
    Variable,
)
from headwater.langs.smartfrog.production.text import shown
from headwater.langs.smartfrog.production.unnamed import UNNAMED, Unnamed
from headwater.langs.smartfrog.production.words import FINAL, OVERRIDE
from headwater.text import Span
from headwater.why import NOTHING, Label, Node, Trace

FUNCTIONS = "org.smartfrog.sfcore.languages.sf.functions."
CONSTRUCT = "org.smartfrog.sfcore.languages.sf.ConstructFunction"
PHASE, CLASS = "phase.function", "sfFunctionClass"
PLAIN = (Literal, Reference)
"""Kinds of operands that need no component."""

Filling = tuple[Comp, Comp, Block, Node]
"""What to fill, the parent of the components inside, from which block, and how it got there."""


@cache
def class_of(function: str) -> str:
    """The name of the class of an operator's function: one text for all that it stands for."""
    return FUNCTIONS + function


class Raw:
    """Builds components; says whether any attribute is `tagged` to forbid something."""

    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        self.unnamed = Unnamed(trace)
        self.arguments = 0
        self.tagged = False
        self.todo: deque[Filling] = deque()
        self.origin = Origin(trace, NOTHING)

    def run(self, block: Block) -> Comp:
        """The root of a specification."""
        at = block.inside
        root = Comp(None, (self.trace, "structure", at, ""), at)
        self.todo.append((root, root, block, NOTHING))
        while self.todo:
            self.fill(*self.todo.popleft())
        self.unnamed.are_in(block)
        return root

    def fill(self, into: Comp, parent: Comp, block: Block, included: Node) -> None:
        """Puts the attributes of a block into a component, or into a body to be merged."""
        origin = self.origin
        if origin.included != included:
            origin = self.origin = Origin(self.trace, included)
        settled = into.settled
        for item in block.items:
            if isinstance(item, Setting):
                key = item.name
                attr = Attr(item.value, None, None, None, item, origin)
                attr.placed = item
                if key.__class__ is tuple:
                    attr.how = "placement"
                elif key not in settled:
                    settled[key] = attr
                    continue
                self.put(into, key, attr)
            elif isinstance(item, Attribute):
                self.put(into, self.key(item), self.attribute(item, parent, origin))
            else:
                file = self.trace.label(Label("file", item.at, item.at.text))
                self.fill(into, parent, item.block, self.trace.union(included, file))

    def key(self, item: Attribute) -> Key:
        """The name of an attribute, or its path; ``--`` is a new name."""
        if not item.parts:
            return self.unnamed.name()
        if len(item.parts) == 1:
            return item.parts[0]
        if item.parts[-1] != UNNAMED:
            return item.parts
        return (*item.parts[:-1], self.unnamed.name())

    def argument(self) -> str:
        """A name for an operand; such names do not show."""
        self.arguments += 1
        return Nameless(f"operand{self.arguments - 1}")

    def put(self, comp: Comp, key: Key, attr: Attr) -> None:
        """Sets an attribute."""
        if isinstance(key, tuple):
            comp.will_place()
        old = comp.settled.get(key)
        if old is not None:
            # A second writing starts anew, tags and all.
            lost = Lost(self.trace, attr, old, shown(old.value), anew=bool(old.tags))
            attr.contests = (lost,)
            attr.placed = old.placed
        comp.settled[key] = attr

    def attribute(self, item: Attribute, parent: Comp, origin: Origin) -> Attr:
        """An attribute as written."""
        at = item.name_at
        value, given, more = self.value(item.value, parent, origin.included, item)
        built = Built(more) if isinstance(more, Comp) else None
        attr = Attr(value, given, built, None, at, origin)
        attr.how = "assignment" if len(item.parts) < 2 else "placement"
        attr.placed = at
        if item.tags:
            attr.tags = dict(item.tags)
            self.tagged = self.tagged or FINAL in attr.tags or OVERRIDE in attr.tags
        return attr

    def value(
        self, value: syntax.Value, parent: Comp, included: Node, item: Attribute | None
    ) -> tuple[Value, Node | Comp, Node | Comp]:
        """A value, its node, and what there being such a value depends on besides.

        A component stands for its own node.
        """
        label = self.trace.label
        match value:
            case Component():
                comp = self.component(value, parent, included, item)
                return comp, comp, comp
            case Operation():
                comp = self.operation(value, parent, included)
                return comp, comp, comp
            case Literal(value=plain, at=at):
                return plain, label(Label("literal", at, at.text)), NOTHING
            case Reference(at=at) | ToBeDefined(at=at) | Variable(at=at):
                return value, label(Label("reference", at, at.text)), NOTHING
            case Primitives(at=at):
                vec = self.primitives(value, parent)
                return vec, self.trace.guard(vec.structure, self.trace.union(*vec.nodes)), NOTHING
            case syntax.Apply(word=word, at=at):
                comp = Comp(parent, (self.trace, "structure", at, word), value.block.inside)
                self.todo.append((comp, comp, value.block, included))
                made = Application(word, comp, at, value.lazy, value.data)
                return made, comp, comp

    def primitives(self, vector: Primitives, parent: Comp) -> Vec:
        """``[| … |]``"""
        items: list[Value] = []
        nodes: list[Node] = []
        for item in vector.items:
            made, node, _ = self.value(item, parent, NOTHING, None)
            items.append(made)
            nodes.append(node.structure if isinstance(node, Comp) else node)
        return Vec(items, nodes, self.trace.label(Label("structure", vector.at, "[…]")))

    def component(
        self, value: Component, parent: Comp, included: Node, item: Attribute | None
    ) -> Comp:
        """``extends …``"""
        structure: Written = (self.trace, "structure", value.at, None)
        blocks = [p for p in value.prototypes if isinstance(p, Block)]
        if blocks:
            home = blocks[-1].inside
            comp = Comp(parent, structure, home)
        else:
            last = value.prototypes[-1].at if value.prototypes else value.at
            end = item.at if item is not None else last
            path = item.parts if item is not None else ()
            comp = Comp(parent, structure, Span(end.source, end.end, end.end), path)
        comp.eager = value.eager
        if len(value.prototypes) == len(blocks) == 1:
            self.todo.append((comp, comp, blocks[0], included))
            return comp
        for prototype in value.prototypes:
            if isinstance(prototype, Block):
                body = Comp(comp, structure, home if prototype is blocks[-1] else prototype.inside)
                comp.types.append(body)
                self.todo.append((body, comp, prototype, included))
            else:
                comp.types.append(prototype)
        return comp

    def operation(self, value: Operation, parent: Comp, included: Node) -> Comp:
        """An operator, as the component that stands for it."""
        at = value.at
        vector = value.function == "Vector"
        written: Written = (self.trace, "structure", at, "[…]")
        comp = Comp(parent, written if vector else (self.trace, "operation", at, None), None)
        comp.eager = False
        if value.block is not None:
            self.todo.append((comp, comp, value.block, included))
        attrs = comp.settled
        for name, arg in value.args:
            key = name or self.argument()
            if isinstance(arg, PLAIN):
                plain = arg.value if isinstance(arg, Literal) else arg
                attrs[key] = Attr(plain, None, NOTHING, comp, arg.at, self.origin)
            else:
                made, given, more = self.value(arg, comp, included, None)
                attrs[key] = Attr(made, given, more, comp, arg.at)
        attrs[PHASE] = Attr(CONSTRUCT, comp, comp, comp, at)
        attrs[CLASS] = Attr(class_of(value.function), comp, comp, comp, at)
        return comp
