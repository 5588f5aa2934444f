"""Resources that wait for each other: circles of relationships and containment.

Puppet finds them only when it applies a catalog.  What contains others stands for two points,
before its first and after its last content; a relationship goes from the last point of one
resource to the first point of the other, and contents lie between the points of their container.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

from headwater.langs.puppet import codes
from headwater.langs.puppet.catalog.metadata import RELATIONS
from headwater.langs.puppet.catalog.resource import Param, Resource, flattened
from headwater.langs.puppet.catalog.table import Catalog
from headwater.langs.puppet.values import Opaque
from headwater.report import Diagnostic, Note
from headwater.text import NOWHERE, Span
from headwater.text.named import NamedTuple

_FIRST = ("before", "notify")
_RELATED = frozenset(RELATIONS)
_MOST_TRIED = 50
"""In how many relationships of a knot a shorter circle is looked for."""

_MOST_NAMED = 40
"""How many resources and places of a circle are told."""


class Edge(NamedTuple):
    """One point comes before another; and the place that says so."""

    source: Resource
    target: Resource
    to: int
    name: str | None
    at: Span
    by: str = ""
    """The class or define that says so."""


class Order:
    """The order that a catalog asks for, as a graph over points of resources."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self.resources = [r for r in catalog.resources if not r.virtual]
        numbers = {resource: index for index, resource in enumerate(self.resources)}
        self.numbers = numbers
        self.edges: list[list[Edge]] = [[] for _ in range(2 * len(self.resources))]
        for resource in self.resources:
            for name in RELATIONS:
                param = resource.params.get(name)
                if param is not None:
                    self._relate(resource, name, param)
            for container in resource.containers:
                if container in numbers:
                    self._contain(container, resource)

    def first(self, resource: Resource) -> int:
        """The point before everything in a resource."""
        return 2 * self.numbers[resource]

    def last(self, resource: Resource) -> int:
        """The point after everything in it: the same one, if it contains nothing."""
        return self.first(resource) + (1 if resource.contents else 0)

    def _relate(self, resource: Resource, name: str, param: Param) -> None:
        origins = _origins(param)
        for value in flattened(param.value):
            if value is None or isinstance(value, Opaque):
                continue
            other = self._catalog.find_reference(str(value))
            if other is None or other not in self.numbers:
                continue
            a, b = (resource, other) if name in _FIRST else (other, resource)
            origin = origins[str(value)]
            at = origin.span or resource.declared.span
            edge = Edge(a, b, self.first(b), name, at, _writer(origin))
            self.edges[self.last(a)].append(edge)

    def _contain(self, container: Resource, resource: Resource) -> None:
        at = resource.declared.span
        begin = Edge(container, resource, self.first(resource), None, at)
        end = Edge(resource, container, self.last(container), None, at)
        self.edges[self.first(container)].append(begin)
        self.edges[self.last(resource)].append(end)

    def circles(self) -> list[list[Edge]]:
        """The shortest circle in each knot of the graph."""
        return [self._shortest(set(knot)) for knot in self._knots()]

    def _knots(self) -> Iterable[list[int]]:
        """Strongly connected components that hold a circle (Tarjan's algorithm, as a loop)."""
        size = len(self.edges)
        index, low = [-1] * size, [0] * size
        on, stack, count = [False] * size, [], 0
        for root in range(size):
            if index[root] >= 0:
                continue
            work = [(root, 0)]
            while work:
                at, step = work.pop()
                if step == 0:
                    index[at] = low[at] = count
                    count += 1
                    stack.append(at)
                    on[at] = True
                elif on[self.edges[at][step - 1].to]:
                    low[at] = min(low[at], low[self.edges[at][step - 1].to])
                for number in range(step, len(self.edges[at])):
                    to = self.edges[at][number].to
                    if index[to] < 0:
                        work += [(at, number + 1), (to, 0)]
                        break
                    if on[to]:
                        low[at] = min(low[at], index[to])
                else:
                    if low[at] == index[at]:
                        knot = []
                        while True:
                            knot.append(stack.pop())
                            on[knot[-1]] = False
                            if knot[-1] == at:
                                break
                        if len(knot) > 1 or any(edge.to == at for edge in self.edges[at]):
                            yield knot

    def _shortest(self, knot: set[int]) -> list[Edge]:
        """The shortest circle in a knot that holds a relationship, the first of its length."""
        best: list[Edge] | None = None
        inside = (
            (start, edge)
            for start in sorted(knot)
            for edge in self.edges[start]
            if edge.name is not None and edge.to in knot
        )
        for start, first in islice(inside, _MOST_TRIED):
            rest = self._way(first.to, start, knot)
            if best is None or len(rest) + 1 < len(best):
                best = [first, *rest]
        assert best is not None, "containment alone has no circle"
        return best

    def _way(self, start: int, goal: int, knot: set[int]) -> list[Edge]:
        """The shortest way between two points of a knot."""
        came: dict[int, Edge | None] = {start: None}
        before: dict[int, int] = {}
        queue = [start]
        for at in queue:
            if at == goal:
                break
            for edge in self.edges[at]:
                if edge.to in knot and edge.to not in came:
                    came[edge.to] = edge
                    before[edge.to] = at
                    queue.append(edge.to)
        way: list[Edge] = []
        at = goal
        while (last := came[at]) is not None:
            way.append(last)
            at = before[at]
        return way[::-1]


def _has_circle(catalog: Catalog) -> bool:
    """Whether there is any circle (Kahn's algorithm): most catalogs have none, and then nobody
    needs to know who asks for which order."""
    resources = [r for r in catalog.resources if not r.virtual]
    first = {resource: 2 * index for index, resource in enumerate(resources)}
    after: list[list[int]] = [[] for _ in range(2 * len(resources))]
    for resource, begin in first.items():
        end = begin + bool(resource.contents)
        params = resource.params
        for name in () if _RELATED.isdisjoint(params) else RELATIONS:
            param = params.get(name)
            for value in () if param is None else flattened(param.value):
                other = None
                if value is not None and not isinstance(value, Opaque):
                    other = catalog.find_reference(str(value))
                if other is None or other not in first:
                    continue
                if name in _FIRST:
                    after[end].append(first[other])
                else:
                    after[first[other] + bool(other.contents)].append(begin)
        for container in resource.containers:
            if container in first:
                after[first[container]].append(begin)
                after[end].append(first[container] + bool(container.contents))
    waits = [0] * len(after)
    for targets in after:
        for target in targets:
            waits[target] += 1
    free = [point for point, count in enumerate(waits) if count == 0]
    for point in free:
        for target in after[point]:
            waits[target] -= 1
            if waits[target] == 0:
                free.append(target)
    return len(free) < len(after)


def dependency_cycles(catalog: Catalog) -> list[Diagnostic]:
    """A finding for each circle in the catalog."""
    if not _has_circle(catalog):
        return []
    found: list[Diagnostic] = []
    for circle in Order(catalog).circles():
        steps = [edge.source.ref for edge in circle]
        names = [*dict.fromkeys(steps), steps[0]]
        if len(names) > _MOST_NAMED:
            names[_MOST_NAMED - 2 : -2] = [f"… {len(names) - _MOST_NAMED} more …"]
        path = " → ".join(names)
        told = ((_told(edge), edge.at) for edge in circle if edge.at is not NOWHERE)
        notes = [Note(text, at) for text, at in dict.fromkeys(told)][:_MOST_NAMED]
        at = next(edge.at for edge in circle if edge.name is not None)
        found.append(codes.DEPENDENCY_CYCLE.at(at, path=path, labels=notes))
    return found


def _told(edge: Edge) -> str:
    if edge.name is None:
        inner, outer = edge.source, edge.target
        if edge.target in edge.source.contents:
            inner, outer = outer, inner
        return f"{inner.ref} is in {outer.ref}"
    by = f" by {edge.by}" if edge.by else ""
    return f"{edge.source.ref} comes before {edge.target.ref} ({edge.name}{by})"


def _writer(param: Param) -> str:
    """The class or define in whose text a parameter was written."""
    source = param.source
    if source is None or not source.name or source.kind not in ("class", "define"):
        return ""
    return f"{source.kind} {source.name}"


def _origins(param: Param) -> dict[str, Param]:
    """Where each relationship was written: arrows add to one parameter, one after the other."""
    history: list[Param] = []
    at: Param | None = param
    while at is not None:
        history.append(at)
        at = at.old
    found: dict[str, Param] = {}
    for one in reversed(history):
        if one.how == "arrow":  # which keeps all there was, and adds one
            found.setdefault(str(one.value[one.detail]), one)
        else:
            values = map(str, flattened(one.value))
            found = {value: found.get(value, one) for value in values}
    return found


__all__ = ["Edge", "Order", "dependency_cycles"]
