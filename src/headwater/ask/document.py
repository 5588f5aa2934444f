"""The ``why`` document of the machine interface: inputs numbered, values with their views."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from headwater.ask.collector import paused_collector
from headwater.ask.compile import Compiled
from headwater.ask.views import NodeViews, Number, Seen, Views
from headwater.langs import Address, Causes, Result
from headwater.langs.catalogued import Catalogued
from headwater.langs.questioned import in_a_row
from headwater.report.diagnostic import place
from headwater.why import Label

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
    with in_a_row(causes):
        return _document(compiled, result, causes)


def _document(compiled: Compiled, result: Result, causes: Causes) -> dict[str, Any]:
    seen = Seen(causes)
    views = {address: Views(causes, address, seen) for address, _ in result.walk()}
    output = seen.of(causes.output())
    catalog = _Catalog(causes, causes, seen) if isinstance(causes, Catalogued) else None
    number = Numbering(_mentioned(seen, views.values(), output, catalog))
    show = compiled.language.show_address
    values = {show(address): view.as_json(number) for address, view in views.items()}
    document: dict[str, Any] = {
        "format_version": FORMAT_VERSION,
        "inputs": number.inputs(),
        "values": values,
        "output": {"depends": output.numbers(number)},
    }
    if catalog is not None:
        document["values"] = catalog.existence(number, show) | values
        document["edges"] = catalog.edges(number, show)
    return document


def _mentioned(
    seen: Seen, views: Iterable[Views], output: NodeViews, catalog: _Catalog | None
) -> Iterator[Label]:
    """Every label in a document; of values that have the same node, those of one."""
    yield from output.depends
    nodes = {id(view.node): view.node for view in views}
    for node in nodes.values():
        yield from node.labels()
        node.expression  # noqa: B018  # so that its leaves are known
    yield from seen.leaves()
    pieces = {id(piece): piece for view in views for _, _, piece in view.segments}
    if catalog is not None:
        pieces |= {id(node): node for node in catalog.nodes()}
    for piece in pieces.values():
        yield from piece.depends
        yield from piece.origins
    for view in views:
        yield from view.path


class _Catalog:
    """What a catalog has beside values: resources that are there, their tags, and edges."""

    def __init__(self, causes: Causes, catalog: Catalogued, seen: Seen) -> None:
        of = seen.of
        self._there = {one: of(causes.of(one)) for one in catalog.resources()}
        self._tags = {
            one: {tag: of(node) for tag, node in catalog.tags(one).items()} for one in self._there
        }
        self._edges = [(source, target, of(node)) for source, target, node in catalog.edges()]

    def nodes(self) -> Iterator[NodeViews]:
        """All whose dependencies are listed."""
        yield from self._there.values()
        for tags in self._tags.values():
            yield from tags.values()
        for _, _, node in self._edges:
            yield node

    def existence(self, number: Number, show: Callable[[Address], str]) -> dict[str, Any]:
        """The entries of resources: what their existence and each tag depend on."""
        return {
            show(one): {
                "depends": node.numbers(number),
                "tags": {t: {"depends": n.numbers(number)} for t, n in self._tags[one].items()},
            }
            for one, node in self._there.items()
        }

    def edges(self, number: Number, show: Callable[[Address], str]) -> list[dict[str, Any]]:
        """Which resource comes before which, and what that depends on."""
        return [
            {"source": show(one), "target": show(other), "depends": node.numbers(number)}
            for one, other, node in self._edges
        ]


def compacted(document: dict[str, Any]) -> dict[str, Any]:
    """The same document with each list of dependencies once: `sets` has them, each ``depends`` is
    an index into it.  Values of one resource, and of many alike, share most of what they rest on.
    """
    numbers: dict[tuple[int, ...], int] = {}
    made = _with_sets(document, numbers)
    assert isinstance(made, dict)
    return {**made, "sets": [list(one) for one in numbers]}


def _with_sets(at: object, numbers: dict[tuple[int, ...], int]) -> object:
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
