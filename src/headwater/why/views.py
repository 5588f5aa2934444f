"""The views of a trace: *where*, *expression*, *depends*, *masked*.

``where``       the label a value was copied from, or none if it was computed
``expression``  the operations that computed it, over labels
``depends``     every label that could change it (what is not listed cannot)
``masked``      the values it won over, innermost contest first

None of them recurses: traces are as deep as the programs they came from.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

from headwater.why.labels import Label
from headwater.why.trace import (
    ARGS,
    CHOICE,
    COPY,
    GUARD,
    HOME,
    LABEL,
    LACKS,
    MISS,
    NOTHING,
    OPERATION,
    Loser,
    Node,
    Reason,
    Trace,
)


@dataclass(frozen=True, slots=True)
class Given:
    """An expression that is an input as it stands."""

    label: Label


@dataclass(frozen=True, slots=True)
class Applied:
    """An operation over expressions."""

    name: str
    args: tuple[Expression, ...]


Expression: TypeAlias = Given | Applied


@dataclass(frozen=True, slots=True)
class Masked:
    """A value that lost: where it was written, why it lost, and the labels that decided."""

    value: Any
    where: Label | None
    reason: Reason
    by: tuple[Label, ...]


def where(trace: Trace, node: Node) -> Label | None:
    """The label the value was copied from; the first by place if there are several."""
    found = origins(trace, node)
    return found[0] if found else None


def origins(trace: Trace, node: Node) -> list[Label]:
    """All labels that gave this very value, by place; none if it was computed."""
    found: set[Label] = set()
    todo = [node]
    while todo:
        at = trace.giver(todo.pop())
        while trace.tags[at] == CHOICE:
            todo.extend(trace.contests[at].equals)
            at = trace.giver(Node(trace.left[at]))
        if trace.tags[at] == LABEL:
            found.add(trace.labels[trace.left[at]])
    return sorted(found, key=lambda label: label.order)


def depends(trace: Trace, *nodes: Node) -> list[Label]:
    """Every label that could change the value, by place; misses are labels too."""
    tags, left, right = trace.tags, trace.left, trace.right
    seen = set(nodes)
    todo: list[int] = list(seen)
    found: set[int] = set()
    lacking: set[Label] = set()
    while todo:
        node = todo.pop()
        tag = tags[node]
        if tag in (LABEL, MISS):
            found.add(left[node])
            continue
        if tag == LACKS:
            lacking.update(trace.misses(Node(node)))
            continue
        if tag in (NOTHING, HOME):
            continue
        for child in (right[node],) if tag == OPERATION else (left[node], right[node]):
            if child not in seen:
                seen.add(Node(child))
                todo.append(child)
    lacking.update(trace.labels[i] for i in found)
    return sorted(lacking, key=lambda label: label.order)


def expression(trace: Trace, node: Node) -> Expression | None:
    """How the value was computed; equal parts are one object, so it stays small in memory."""
    done: dict[Node, Expression | None] = {}
    todo = [node]
    while todo:
        at = todo[-1]
        if at in done:
            todo.pop()
            continue
        needs = _needed(trace, at)
        missing = [n for n in needs if n not in done]
        if missing:
            todo.extend(reversed(missing))
            continue
        todo.pop()
        tag = trace.tags[at]
        if tag == LABEL:
            done[at] = Given(trace.labels[trace.left[at]])
        elif tag == OPERATION:
            args = tuple(e for e in (done[n] for n in needs) if e is not None)
            done[at] = Applied(trace.names[trace.left[at]], args)
        else:
            done[at] = done[needs[0]] if needs else None
    return done[node]


def _needed(trace: Trace, node: Node) -> list[Node]:
    """The nodes whose expressions make up this node's."""
    tag = trace.tags[node]
    if tag in (COPY, GUARD, CHOICE):
        return [Node(trace.left[node])]
    args: list[Node] = []
    if tag == OPERATION:
        at = trace.right[node]
        while trace.tags[at] == ARGS:
            args.append(Node(trace.left[at]))
            at = trace.right[at]
    return args


def masked(trace: Trace, node: Node) -> list[Masked]:
    """What the value won over.

    The innermost contest comes first: undoing what decided an entry (its `by`)
    brings back the first entry of its contest.
    """
    return [
        Masked(loser.value, where(trace, loser.node), loser.reason, tuple(depends(trace, loser.by)))
        for loser in beaten(trace, node)
    ]


def beaten(trace: Trace, node: Node) -> Iterator[Loser]:
    """The losers behind `masked`, in the same order, for those who need no more of them."""
    # A work list of nodes still to look into and losers ready to be put out.
    todo: list[Node | Loser] = [node]
    while todo:
        item = todo.pop()
        if isinstance(item, Loser):
            yield item
            continue
        contests: list[Node] = []
        item = trace.giver(item)
        while trace.tags[item] == CHOICE:
            contests.append(item)
            item = trace.giver(Node(trace.left[item]))
        for at in contests:
            for loser in reversed(trace.contests[at].losers):
                todo.append(loser.node)
                todo.append(loser)
