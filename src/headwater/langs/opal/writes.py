"""What a store holds: a value, how it came about, and the write that put it there.

Both engines make these records, so that the same questions can be asked of either.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from headwater.langs.opal.printer import print_program, show_place
from headwater.langs.opal.syntax import Commit, Empty, Handle, Op, Place, Sexp, Truth, Var, Weight
from headwater.langs.opal.values import SexpValue
from headwater.report import Diagnostic
from headwater.text import Span
from headwater.text.named import NamedTuple
from headwater.why import Label, Node, Trace
from headwater.why.trace import COPY, GUARD

Action: TypeAlias = Literal["initial", "handle", "operation", "commit"]


class Inside(NamedTuple):
    """The hyp that a command runs in, and the one around that."""

    hyp: Span
    outer: Inside | None


@dataclass(frozen=True, slots=True)
class Merged:
    """What a commit merged: the three values, and the expression unless there was none."""

    orig: Binding | None
    hyp: Binding
    curr: Binding | None
    expression: Sexp | None


@dataclass(frozen=True, slots=True)
class Write:
    """Who wrote a value: the operation, the world it ran in, the handle that defines it."""

    action: Action
    name: str
    at: Span
    handle: Handle | None
    inside: Inside | None
    before: Binding | None
    merged: Merged | None = None

    def path(self) -> tuple[Span, ...]:
        """The places the value came through: handle, worlds from outside in, and the write.

        For a merge: the write in the world, then the commit and the merge expression.
        """
        found: list[Span] = []
        write: Write | None = self
        while write is not None:
            steps = [write.at]
            if write.merged is not None and write.merged.expression is not None:
                steps.insert(0, write.merged.expression.at)
            inside = write.inside
            while inside is not None and write.merged is None:
                steps.append(inside.hyp)
                inside = inside.outer
            if write.handle is not None and write.merged is None:
                steps.append(write.handle.head)
            found += steps
            write = write.merged.hyp.write if write.merged is not None else None
        return tuple(reversed(found))

    @property
    def label(self) -> Label:
        """The piece of input that made the write."""
        match self.action:
            case "initial":
                return Label("argument", self.at, self.at.text)
            case "handle":
                assert self.handle is not None
                return definition(self.handle)
            case "operation" | "commit":
                return Label("operation", self.at, self.name)

    def describe(self) -> str:
        """The write in words, as ``headwater explain`` shows it."""
        match self.action:
            case "initial":
                return "given as an initial value"
            case "handle":
                return f"set to () by the handle of {self.name}"
            case "operation":
                world = f" in the world of line {self.inside.hyp.first.line}" if self.inside else ""
                return f"written by {self.name}{world}"
            case "commit":
                return f"merged by {self.name}"


class Binding(NamedTuple):
    """A value in a store; `written` are the causes of there being one in this very store."""

    value: SexpValue
    node: Node
    written: Node
    write: Write | None


LARGEST_EXPRESSION, DEEPEST_EXPRESSION = 5_000, 150
"""A larger or deeper expression is not kept; `depends` still has all its inputs."""

TOO_LARGE = "large"
"""The operation that stands for an expression that is not kept."""


class Expressions:
    """Makes the operations of a trace, so that written out they stay within bounds.

    The trace shares what is equal, but whoever writes an expression as text does not: a
    value that is paired with itself, or merged again and again, would double each time.
    """

    __slots__ = ("_sizes", "_trace")

    def __init__(self, trace: Trace) -> None:
        self._trace = trace
        self._sizes: dict[Node, tuple[int, int]] = {}

    def operation(self, name: str, args: tuple[Node, ...]) -> Node:
        """The operation, or one that only depends on the same inputs."""
        size, depth = 1, 0
        for arg in args:
            inner, below = self._size(arg)
            size += inner
            depth = max(depth, below)
        if size > LARGEST_EXPRESSION or depth >= DEEPEST_EXPRESSION:
            return self._trace.operation(TOO_LARGE, (), self._trace.union(*args))
        node = self._trace.operation(name, args)
        self._sizes[node] = (size, depth + 1)
        return node

    def _size(self, node: Node) -> tuple[int, int]:
        """Size and depth of a node's expression: that of the operation it is a copy of."""
        found = self._sizes.get(node)
        at = node
        while found is None:
            if self._trace.tags[at] not in (COPY, GUARD):
                found = (1, 1)
                break
            at = Node(self._trace.left[at])
            found = self._sizes.get(at)
        self._sizes[node] = found
        return found


@dataclass(frozen=True, slots=True)
class Left:
    """A world that is live when the program ends: what lay above the stores it began on,
    what it wrote, and the causes of it writing no more."""

    at: Span
    orig: Mapping[Place, Binding]
    hyp: Mapping[Place, Binding]
    absent: Mapping[Place, Node]
    causes: Node


@dataclass(frozen=True, slots=True)
class Finished:
    """What a run leaves: the final store or a diagnostic, the trace, the paper's rules.

    `worlds` are those that nobody committed; `committed` are the hyps that somebody did.
    """

    store: dict[Place, Binding] | None
    absent: dict[Place, Node]
    stuck: Diagnostic | None
    trace: Trace
    rules: frozenset[str] = frozenset()
    worlds: Mapping[str, Left] = field(default_factory=dict)
    committed: frozenset[Span] = frozenset()


def history(binding: Binding, most: int) -> Iterator[tuple[Binding, Write, bool]]:
    """What the binding overrode, latest first: the old binding, the write over it, if merged."""
    count = 0
    write = binding.write
    while write is not None:
        if write.merged is not None:
            for side in (write.merged.curr, write.merged.hyp, write.merged.orig):
                if side is not None and count < most:
                    count += 1
                    yield side, write, True
        elif write.before is not None and count < most:
            count += 1
            yield write.before, write, False
        if count >= most or write.before is None:
            return
        write = write.before.write


def literal(node: Empty | Truth) -> Label:
    """The label of a literal, spelled as in the program."""
    return Label("literal", node.at, node.at.text or print_program(node))


def reference(node: Var | Weight) -> Label:
    """The label of a read."""
    return Label("reference", node.at, node.at.text or print_program(node))


def definition(handle: Handle) -> Label:
    """The label of a handle, which gives its variable the value ∅."""
    return Label("definition", handle.place_at, show_place(handle.place))


def operation(node: Op) -> Label:
    """The label of a call."""
    return Label("operation", node.at, node.name)


def commit_label(node: Commit) -> Label:
    """The label of a commit."""
    return Label("operation", node.at, print_program(node, most=60))
