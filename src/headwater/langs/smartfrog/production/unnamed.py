"""Attributes without a name, which are written ``--``: they are numbered as they are read.

So the name of each depends on every other one: on all that are written, on what they stand in, and
on there being no more of them.  Of an operand nobody sees the name; it shows where such an
attribute stands in a component that is put out, or in a function that is kept, which is a text.
"""

from __future__ import annotations

from collections.abc import Iterator

from headwater.langs.smartfrog.production.components import Comp, Key, components
from headwater.langs.smartfrog.production.origins import key_label
from headwater.langs.smartfrog.production.syntax import (
    Apply,
    Attribute,
    Block,
    Component,
    Included,
    Operation,
    Primitives,
    Value,
)
from headwater.why import NOTHING, Label, Node, Trace

UNNAMED = "--"


class Unnamed:
    """The names that were made for such attributes, and what each of these names depends on."""

    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        self.count = 0
        self.numbers = NOTHING

    def name(self) -> str:
        """One more name."""
        self.count += 1
        return f"unique{self.count - 1}"

    def are_in(self, block: Block) -> None:
        """Notes what the names depend on, if there are any; the specification is this block."""
        if self.count:
            self.numbers = self.trace.union(*self._written(block))

    def of(self, key: Key) -> Node:
        """What a name depends on, if it is one; it may end a path that is to be placed."""
        last = key.rpartition(":")[2] if isinstance(key, str) else key[-1]
        number = last.removeprefix("unique")
        known = number != last and number.isdecimal() and int(number) < self.count
        return self.numbers if known else NOTHING

    def shown(self, root: Comp) -> Node:
        """What the names in the text of a component depend on."""
        if not self.count:
            return NOTHING
        keys = (key for comp in components(root) for key in comp.attrs)
        return self.trace.union(*{self.of(key) for key in keys})

    def _written(self, root: Block) -> Iterator[Node]:
        """Every such attribute, what it stands in, and where there could be one more."""
        trace = self.trace
        todo = [root]
        while todo:
            block = todo.pop()
            yield trace.lacks(trace.home(block.inside, ""), UNNAMED)
            for item in block.items:
                inside: list[Block] = []
                if isinstance(item, Attribute):
                    inside += blocks_in(item.value)
                    if inside or not item.parts or item.parts[-1] == UNNAMED:
                        yield key_label(trace, item.name_at)
                elif isinstance(item, Included):
                    yield trace.label(Label("file", item.at, item.at.text))
                    inside.append(item.block)
                todo += inside


def blocks_in(value: Value) -> Iterator[Block]:
    """The blocks right inside of a value."""
    todo = [value]
    while todo:
        match todo.pop():
            case Component(prototypes=prototypes):
                yield from (each for each in prototypes if isinstance(each, Block))
            case Operation(args=args, block=block):
                todo += [arg for _, arg in args]
                if block is not None:
                    yield block
            case Primitives(items=items):
                todo += items
            case Apply(block=block):
                yield block
            case _:
                pass
