"""The ``why`` document of the machine interface: inputs numbered, values with their views."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from headwater.ask.compile import Compiled, paused_collector
from headwater.langs import Address, Causes
from headwater.langs.protocol import Composes
from headwater.report.diagnostic import place
from headwater.tree.json import plain
from headwater.why import Applied, Expression, Given, Label, depends, expression, masked, origins

FORMAT_VERSION = 1


class Numbering:
    """Numbers labels by place, so that the same program always gives the same document."""

    def __init__(self, labels: Iterable[Label]) -> None:
        self.labels = sorted(set(labels), key=lambda label: label.order)
        self._numbers = {label: number for number, label in enumerate(self.labels)}

    def __call__(self, label: Label) -> int:
        return self._numbers[label]

    def inputs(self) -> list[dict[str, Any]]:
        """The table of inputs."""
        return [
            {"id": number, "kind": label.kind, **place(label.at), "text": label.text}
            for number, label in enumerate(self.labels)
        ]


@paused_collector()
def why_document(compiled: Compiled) -> dict[str, Any]:
    """All values of a result with their provenance."""
    result, causes = compiled.outcome.result, compiled.outcome.causes
    assert result is not None
    assert causes is not None
    views = {address: Views(causes, address) for address, _ in result.walk()}
    output = depends(causes.trace, causes.output())
    number = Numbering([*output, *(x for view in views.values() for x in view.labels())])
    return {
        "format_version": FORMAT_VERSION,
        "inputs": number.inputs(),
        "values": {
            compiled.language.show_address(address): view.as_json(number)
            for address, view in views.items()
        },
        "output": {"depends": [number(label) for label in output]},
    }


class Views:
    """The four views of one value."""

    def __init__(self, causes: Causes, address: Address) -> None:
        node = causes.of(address)
        trace = causes.trace
        self.origins = origins(trace, node)
        self.expression = expression(trace, node)
        self.depends = depends(trace, node)
        self.masked = masked(trace, node)
        self.segments = list(_segments(causes, address))
        self.path = [
            Label("definition", at, at.text.partition("\n")[0]) for at in causes.path(address)
        ]

    def labels(self) -> Iterable[Label]:
        """Every label that the views mention."""
        yield from self.depends
        yield from self.origins
        yield from self.path
        for _, _, segment_where, segment_depends in self.segments:
            yield from segment_depends
            if segment_where is not None:
                yield segment_where
        for entry in self.masked:
            yield from entry.by
            if entry.where is not None:
                yield entry.where

    def as_json(self, number: Callable[[Label], Any]) -> dict[str, Any]:
        """An entry of the document's ``values``; `number` is what stands for an input."""
        found = [number(label) for label in self.origins]
        entry: dict[str, Any] = {
            "where": found[0] if found else None,
            "also": found[1:],
            "expression": expression_json(self.expression, number),
            "depends": [number(label) for label in self.depends],
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
        if self.segments:
            entry["segments"] = [
                {
                    "start": start,
                    "end": end,
                    "where": None if origin is None else number(origin),
                    "depends": [number(label) for label in labels],
                }
                for start, end, origin, labels in self.segments
            ]
        if self.path:
            entry["path"] = [number(label) for label in self.path]
        return entry


def _segments(
    causes: Causes, address: Address
) -> Iterator[tuple[int, int, Label | None, list[Label]]]:
    """The pieces of a text that a template wrote: from where to where, and the views of each."""
    at = 0
    for piece in causes.segments(address) if isinstance(causes, Composes) else ():
        found = origins(causes.trace, piece.node)
        yield at, at + piece.size, found[0] if found else None, depends(causes.trace, piece.node)
        at += piece.size


LARGEST_EXPRESSION, DEEPEST_EXPRESSION = 5_000, 150
"""A part of an expression that is larger or deeper when written out is the operation `large`:
equal parts are shared in memory, and whoever writes them as text does not share them."""


def expression_json(root: Expression | None, number: Callable[[Label], Any]) -> object:
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
