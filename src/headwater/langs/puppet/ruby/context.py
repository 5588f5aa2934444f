"""What is known while closures are made: the machine, the file and the variables in reach."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from headwater.langs.puppet.ruby.frames import Frame
from headwater.langs.puppet.ruby.machine import Machine
from headwater.langs.puppet.ruby.syntax import Block, Expr
from headwater.langs.puppet.ruby.values import RubyValue

Run = Callable[[Frame], "RubyValue"]


class Context:
    """One scope of a text while its closures are made."""

    def __init__(
        self,
        machine: Machine,
        file: str,
        names: list[str],
        outer: Context | None,
        makers: Mapping[type, Callable[[Context, Any], Run]],
    ) -> None:
        self.machine = machine
        self.file = file
        self.names = names
        self.outer = outer
        self.makers = makers
        self.slots = {name: slot for slot, name in enumerate(names)}
        self.in_loop = False
        self.jumps: set[str] = set()
        """The jumps whose closures were made, in this scope and in the blocks in it."""
        self.left: set[int] = set() if outer is None else outer.left
        """The blocks, by their numbers, that a ``break`` leaves."""
        self.break_tag: Block | None = None
        """The block that ``break`` leaves."""

    def make(self, node: Expr) -> Run:
        """The closure of a node."""
        return self.makers[node.__class__](self, node)

    def jump(self, kind: str) -> None:
        """Notes a jump: whoever makes a body around it must be ready for it."""
        scope: Context | None = self
        while scope is not None:
            scope.jumps.add(kind)
            scope = scope.outer

    def place(self, name: str) -> tuple[int, int]:
        """How many scopes out a variable lies, and its slot there."""
        depth = 0
        scope: Context | None = self
        while scope is not None:
            if name in scope.slots:
                return depth, scope.slots[name]
            scope = scope.outer
            depth += 1
        raise KeyError(name)

    def block(self, block: Block) -> Context:
        """The context of a block: it sees this one's variables, its ``break`` ends its call."""
        made = Context(self.machine, self.file, block.names, self, self.makers)
        made.break_tag = block
        return made

    def closed(self, names: list[str]) -> Context:
        """The context of a method or class: it sees no variables around."""
        return Context(self.machine, self.file, names, None, self.makers)

    def inside_loop(self) -> Context:
        """The same scope inside ``while``: ``break`` and ``next`` are the loop's."""
        made = Context(self.machine, self.file, self.names, self.outer, self.makers)
        made.jumps = self.jumps
        made.break_tag = self.break_tag
        made.in_loop = True
        return made


def truthy(value: RubyValue) -> bool:
    """Whether a value counts as true."""
    return value is not None and value is not False
