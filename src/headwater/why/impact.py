"""The question the other way round: which outputs depend on a label?"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from typing import Generic, TypeVar

from headwater.why.labels import Label
from headwater.why.trace import COMPOSED, LABEL, MISS, NOTHING, OPERATION, Node, Trace
from headwater.why.views import origins

Output = TypeVar("Output", bound=Hashable)


class Impact(Generic[Output]):
    """Answers, for outputs with known nodes, which of them depend on given labels."""

    def __init__(self, trace: Trace, outputs: Mapping[Output, Node]) -> None:
        self._trace = trace
        self._outputs = outputs

    def of(self, labels: Iterable[Label]) -> list[Output]:
        """The outputs that depend on any of the labels, in the order they were given.

        One pass over the nodes suffices, because children have lower numbers.
        """
        trace = self._trace
        labels = list(labels)
        wanted = {trace.number_of(label) for label in labels}
        hit = bytearray(len(trace))
        nodes = zip(trace.tags, trace.left, trace.right, strict=True)
        for node, (tag, left, right) in enumerate(nodes):
            if tag in (LABEL, MISS):
                if left in wanted:
                    hit[node] = 1
            elif tag == OPERATION or (tag == COMPOSED and trace.is_place(node)):
                hit[node] = hit[right]
            elif tag != NOTHING and (hit[left] or hit[right]):
                hit[node] = 1
        places = {label for label in labels if label.kind == "operation"}
        return [
            output
            for output, node in self._outputs.items()
            if hit[node] or (places and places.intersection(origins(trace, node)))
        ]
