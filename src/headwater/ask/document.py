"""The ``why`` document of the machine interface: inputs numbered, values with their views."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from headwater.ask.compile import Compiled, paused_collector
from headwater.langs import Address, Causes
from headwater.langs.catalogued import Catalogued
from headwater.langs.protocol import Composes
from headwater.report.diagnostic import place
from headwater.tree.json import plain
from headwater.why import (
    Applied,
    Expression,
    Given,
    Label,
    Node,
    depends,
    expression,
    masked,
    origins,
)

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
    shared: Shared = {}
    views = {address: Views(causes, address, shared) for address, _ in result.walk()}
    output = depends(causes.trace, causes.output())
    catalog = _Catalog(causes) if isinstance(causes, Catalogued) else None
    labels = [*output, *(x for view in views.values() for x in view.labels())]
    number = Numbering([*labels, *(catalog.labels() if catalog is not None else ())])
    show = compiled.language.show_address
    values = {show(address): view.as_json(number) for address, view in views.items()}
    document: dict[str, Any] = {
        "format_version": FORMAT_VERSION,
        "inputs": number.inputs(),
        "values": values,
        "output": {"depends": [number(label) for label in output]},
    }
    if catalog is not None:
        document["values"] = catalog.existence(number, show) | values
        document["edges"] = catalog.edges(number, show)
    return document


class _Catalog:
    """What a catalog has beside values: resources that are there, their tags, and edges."""

    def __init__(self, causes: Any) -> None:  # noqa: ANN401
        trace = causes.trace
        self._there = {one: depends(trace, causes.of(one)) for one in causes.resources()}
        self._tags = {
            one: {tag: depends(trace, node) for tag, node in causes.tags(one).items()}
            for one in self._there
        }
        self._edges = [
            (source, target, depends(trace, node)) for source, target, node in causes.edges()
        ]

    def labels(self) -> Iterator[Label]:
        """Every label that is mentioned."""
        for labels in self._there.values():
            yield from labels
        for tags in self._tags.values():
            for labels in tags.values():
                yield from labels
        for _, _, labels in self._edges:
            yield from labels

    def existence(self, number: Numbering, show: Callable[[Address], str]) -> dict[str, Any]:
        """The entries of resources: what their existence and each tag depend on."""
        return {
            show(one): {
                "depends": [*map(number, labels)],
                "tags": {t: {"depends": [*map(number, of)]} for t, of in self._tags[one].items()},
            }
            for one, labels in self._there.items()
        }

    def edges(self, number: Numbering, show: Callable[[Address], str]) -> list[dict[str, Any]]:
        """Which resource comes before which, and what that depends on."""
        return [
            {"source": show(one), "target": show(other), "depends": [*map(number, labels)]}
            for one, other, labels in self._edges
        ]


def compacted(document: dict[str, Any]) -> dict[str, Any]:
    """The same document with each list of dependencies once: `sets` has them, each ``depends`` is
    an index into it.  Values of one resource, and of many alike, share most of what they rest on.
    """
    numbers: dict[tuple[int, ...], int] = {}
    made = _with_sets(document, numbers)
    assert isinstance(made, dict)
    return {**made, "sets": [list(one) for one in numbers]}


def _with_sets(at: Any, numbers: dict[tuple[int, ...], int]) -> Any:  # noqa: ANN401
    if isinstance(at, list):
        return [_with_sets(item, numbers) for item in at]
    if not isinstance(at, dict):
        return at
    found: dict[str, Any] = {}
    for key, item in at.items():
        if key == "depends" and isinstance(item, list):
            found[key] = numbers.setdefault(tuple(item), len(numbers))
        elif key in ("expression", "value", "inputs"):
            found[key] = item
        else:
            found[key] = _with_sets(item, numbers)
    return found


Shared = dict[Node, Expression | None]
"""Expressions that the values of one result have in common."""


class Views:
    """The four views of one value."""

    def __init__(self, causes: Causes, address: Address, shared: Shared | None = None) -> None:
        node = causes.of(address)
        trace = causes.trace
        self.origins = origins(trace, node)
        self.expression = expression(trace, node, shared)
        self.depends = depends(trace, node)
        self.masked = masked(trace, node)
        self.segments = list(_segments(causes, address))
        self.path = [
            Label("definition", at, at.text.partition("\n")[0].rstrip("\r"))
            for at in causes.path(address)
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


_COMPOSING: dict[type, bool] = {}


def _segments(
    causes: Causes, address: Address
) -> Iterator[tuple[int, int, Label | None, list[Label]]]:
    """The pieces of a text that a template wrote: from where to where, and the views of each."""
    at = 0
    if type(causes) not in _COMPOSING:
        _COMPOSING[type(causes)] = isinstance(causes, Composes)  # asking a protocol takes long
    for piece in causes.segments(address) if _COMPOSING[type(causes)] else ():  # type: ignore[attr-defined]
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
