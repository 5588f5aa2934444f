"""The views of values: of each node once, since many values have the same."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from typing import Any

from headwater.langs import Address, Causes
from headwater.langs.protocol import Composes
from headwater.text import Span
from headwater.tree.json import plain
from headwater.why import (
    Applied,
    Expression,
    Given,
    Label,
    Masked,
    Node,
    Trace,
    depends,
    expression,
    masked,
    origins,
)

Number = Callable[[Label], Any]
"""What stands for an input in a document."""


class NodeViews:
    """The four views of a node of a trace."""

    def __init__(
        self, trace: Trace, node: Node, expressions: dict[Node, Expression | None]
    ) -> None:
        self._trace = trace
        self._node = node
        self._expressions = expressions
        self._numbers: tuple[Number, list[Any]] | None = None
        self._entry: tuple[Number, dict[str, Any]] | None = None

    @cached_property
    def origins(self) -> list[Label]:
        """Where the value was written."""
        return origins(self._trace, self._node)

    @cached_property
    def expression(self) -> Expression | None:
        """How it was computed."""
        return expression(self._trace, self._node, self._expressions)

    @cached_property
    def depends(self) -> list[Label]:
        """Every input that could change it."""
        return depends(self._trace, self._node)

    @cached_property
    def masked(self) -> list[Masked]:
        """What it won over."""
        return masked(self._trace, self._node)

    def numbers(self, number: Number) -> list[Any]:
        """What it depends on, by number; the same list whoever asks."""
        if self._numbers is None or self._numbers[0] is not number:
            self._numbers = (number, [number(label) for label in self.depends])
        return self._numbers[1]

    def as_json(self, number: Number) -> dict[str, Any]:
        """An entry of a document; the same whoever asks."""
        if self._entry is None or self._entry[0] is not number:
            self._entry = (number, self._as_json(number))
        return self._entry[1]

    def _as_json(self, number: Number) -> dict[str, Any]:
        found = [number(label) for label in self.origins]
        return {
            "where": found[0] if found else None,
            "also": found[1:],
            "expression": expression_json(self.expression, number),
            "depends": self.numbers(number),
            "masked": [
                {
                    "value": plain(lost.value),
                    "where": None if lost.where is None else number(lost.where),
                    "reason": lost.reason,
                    "by": [number(label) for label in lost.by],
                }
                for lost in self.masked
            ],
        }

    def labels(self) -> Iterable[Label]:
        """Every label that the views mention."""
        yield from self.depends
        yield from self.origins
        for entry in self.masked:
            yield from entry.by
            if entry.where is not None:
                yield entry.where


class Seen:
    """The views of the causes of one result, each found once."""

    def __init__(self, causes: Causes) -> None:
        self.causes = causes
        self.trace = causes.trace
        self.composes = causes if isinstance(causes, Composes) else None
        self._nodes: dict[Node, NodeViews] = {}
        self._expressions: dict[Node, Expression | None] = {}
        self._paths: dict[Span, Label] = {}

    def of(self, node: Node) -> NodeViews:
        """The views of a node."""
        found = self._nodes.get(node)
        if found is None:
            found = self._nodes[node] = NodeViews(self.trace, node, self._expressions)
        return found

    def path(self, at: Span) -> Label:
        """A declaration that a value came through."""
        found = self._paths.get(at)
        if found is None:
            text = at.text.partition("\n")[0].rstrip("\r")
            found = self._paths[at] = Label("definition", at, text)
        return found

    def leaves(self) -> Iterator[Label]:
        """The labels in the expressions that were asked for.

        A value inside of one that is listed as a whole stands in no list of dependencies.
        """
        for one in self._expressions.values():
            if isinstance(one, Given):
                yield one.label


class Views:
    """The views of one value: those of its node, its pieces, and the declarations around it."""

    def __init__(self, causes: Causes, address: Address, seen: Seen | None = None) -> None:
        seen = Seen(causes) if seen is None else seen
        self.node = seen.of(causes.of(address))
        self.segments = list(_segments(seen, address))
        self.path = [seen.path(at) for at in causes.path(address)]

    @property
    def origins(self) -> list[Label]:
        """Where the value was written."""
        return self.node.origins

    @property
    def expression(self) -> Expression | None:
        """How it was computed."""
        return self.node.expression

    @property
    def depends(self) -> list[Label]:
        """Every input that could change it."""
        return self.node.depends

    @property
    def masked(self) -> list[Masked]:
        """What it won over."""
        return self.node.masked

    def labels(self) -> Iterable[Label]:
        """Every label that the views mention."""
        yield from self.node.labels()
        yield from self.path
        for _, _, piece in self.segments:
            yield from piece.depends
            yield from piece.origins

    def as_json(self, number: Number) -> dict[str, Any]:
        """An entry of the document's ``values``; `number` is what stands for an input."""
        entry = self.node.as_json(number)
        if not self.segments and not self.path:
            return entry
        entry = entry.copy()
        if self.segments:
            entry["segments"] = [
                {
                    "start": start,
                    "end": end,
                    "where": number(piece.origins[0]) if piece.origins else None,
                    "depends": piece.numbers(number),
                }
                for start, end, piece in self.segments
            ]
        if self.path:
            entry["path"] = [number(label) for label in self.path]
        return entry


def _segments(seen: Seen, address: Address) -> Iterator[tuple[int, int, NodeViews]]:
    """The pieces of a text that a template wrote: from where to where, and the views of each."""
    at = 0
    for piece in seen.composes.segments(address) if seen.composes is not None else ():
        yield at, at + piece.size, seen.of(piece.node)
        at += piece.size


LARGEST_EXPRESSION, DEEPEST_EXPRESSION = 5_000, 150
"""A part of an expression that is larger or deeper when written out is the operation `large`:
equal parts are shared in memory, and whoever writes them as text does not share them."""


def expression_json(root: Expression | None, number: Number) -> object:
    """An expression as nested objects; equal parts are the same object."""
    done: dict[int, Any] = {}
    sizes: dict[int, tuple[int, int]] = {}
    todo = [root]
    while todo:
        at = todo[-1]
        missing: list[Expression | None] = []
        if isinstance(at, Applied):
            missing = [arg for arg in at.args if id(arg) not in done]
        if missing:
            todo.extend(missing)
            continue
        todo.pop()
        sizes[id(at)] = (1, 1)
        match at:
            case Given(label=label):
                done[id(at)] = {"input": number(label)}
            case Applied(name=name, args=args):
                size = 1 + sum(sizes[id(arg)][0] for arg in args)
                depth = 1 + max((sizes[id(arg)][1] for arg in args), default=0)
                if size > LARGEST_EXPRESSION or depth > DEEPEST_EXPRESSION:
                    done[id(at)] = {"op": "large", "args": []}
                else:
                    done[id(at)] = {"op": name, "args": [done[id(arg)] for arg in args]}
                    sizes[id(at)] = (size, depth)
            case None:
                done[id(at)] = None
    return done[id(root)]
