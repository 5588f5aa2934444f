"""The question the other way round: which outputs depend on a label?"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping
from typing import Generic, TypeVar

from headwater.text import Span
from headwater.why.labels import Label
from headwater.why.trace import HOME, LABEL, LACKS, MISS, NOTHING, OPERATION, Node, Trace

Output = TypeVar("Output", bound=Hashable)


class Impact(Generic[Output]):
    """Answers, for outputs with known nodes, which of them depend on given labels."""

    def __init__(self, trace: Trace, outputs: Mapping[Output, Node]) -> None:
        self._trace = trace
        self._outputs = outputs

    def of(self, labels: Iterable[Label]) -> list[Output]:
        """The outputs that depend on any of the labels, in the order they were given."""
        wanted = set(labels)
        numbers = {n for n, label in enumerate(self._trace.labels) if label in wanted}
        lacking = (Node(n) for n, tag in enumerate(self._trace.tags) if tag == LACKS)
        wanting = {node for node in lacking if not wanted.isdisjoint(self._trace.misses(node))}
        return self._touched(self._hits(numbers, (), wanting))

    def at(self, covers: Callable[[Span], bool]) -> tuple[list[Label], list[Output]]:
        """The labels at a place, and the outputs that depend on any of them."""
        trace = self._trace
        numbers = {n for n, label in enumerate(trace.labels) if covers(label.at)}
        homes = [n for n, home in enumerate(trace.homes) if covers(home.at)]
        labels = {trace.labels[n] for n in numbers}
        for home in homes:
            before = trace.homes[home]
            hit = self._hits((), {home})
            for node, tag in enumerate(trace.tags):
                if tag == LACKS and hit[node]:
                    name = trace.names[trace.right[node]]
                    text = f"{before.text}:{name}" if before.text else name
                    labels.add(before._replace(text=text))
        ordered = sorted(labels, key=lambda label: label.order)
        return ordered, self._touched(self._hits(numbers, set(homes)))

    def _touched(self, hit: bytearray) -> list[Output]:
        return [output for output, node in self._outputs.items() if hit[node]]

    def _hits(
        self,
        labels: Collection[int],
        homes: Collection[int],
        lacking: Collection[int] = (),
    ) -> bytearray:
        """Which nodes depend on one of these labels, homes or LACKS.

        One pass over the nodes suffices, because children have lower numbers.
        """
        trace = self._trace
        hit = bytearray(len(trace))
        nodes = zip(trace.tags, trace.left, trace.right, strict=True)
        for node, (tag, left, right) in enumerate(nodes):
            if tag in (LABEL, MISS):
                if left in labels:
                    hit[node] = 1
            elif tag == OPERATION:
                hit[node] = hit[right]
            elif tag == HOME:
                hit[node] = left in homes
            elif tag == LACKS:
                hit[node] = hit[left] or node in lacking
            elif tag != NOTHING and (hit[left] or hit[right]):
                hit[node] = 1
        return hit
