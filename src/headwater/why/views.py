"""The views of a trace: *where*, *expression*, *depends*, *masked*.

``where``       the label a value was copied from or put together at, or none if it was computed
``expression``  the operations that computed it, over labels
``depends``     every label that could change it (what is not listed cannot)
``masked``      the values it won over, innermost contest first

None of them recurses: traces are as deep as the programs they came from.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

from headwater.why.labels import Label
from headwater.why.trace import (
    ARGS,
    CHOICE,
    COMPOSED,
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
    """The label the value was copied from, or put together at; of several the first by place."""
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
        if trace.tags[at] == COMPOSED:
            at = Node(trace.left[at])
        if trace.tags[at] == LABEL:
            found.add(trace.labels[trace.left[at]])
    return sorted(found, key=lambda label: label.order) if len(found) > 1 else list(found)


def depends(trace: Trace, *nodes: Node) -> list[Label]:
    """Every label that could change the value, by place; misses are labels too.

    Where something was put together that only a part is made of is no input of the whole.
    """
    tags, left, right = trace.tags, trace.left, trace.right
    found: set[int] = set()
    lacking: set[Label] = set()
    rest: list[int] = []
    for node in nodes:
        # What guards a value guards others too: all of one resource, or of one class.
        at: int = node
        while tags[at] in (GUARD, CHOICE):
            causes = right[at]
            known = trace.below.get(causes)
            if known is None:
                known = trace.below[causes] = _below(trace, [causes])
            found |= known[0]
            lacking |= known[1]
            at = left[at]
        rest.append(at)
    more, missing = _below(trace, rest)
    own = {label for node in nodes for label in origins(trace, node)}
    every = trace.by_place(found | more)
    apart = (own | lacking | missing).difference(every)
    if apart:
        every = sorted([*every, *apart], key=lambda label: label.order)
    within = _within(every) - own
    if within:
        within -= _in_expression(trace, nodes)
    return [label for label in every if label not in within] if within else every


def _below(trace: Trace, nodes: list[int]) -> tuple[frozenset[int], frozenset[Label]]:
    """The numbers of the labels that nodes rest on, and the labels that places lack."""
    tags, left, right = trace.tags, trace.left, trace.right
    seen = set(nodes)
    todo = list(seen)
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
        child = right[node]
        if child not in seen:
            seen.add(child)
            todo.append(child)
        if tag != OPERATION and not (tag == COMPOSED and trace.is_place(node)):
            child = left[node]
            if child not in seen:
                seen.add(child)
                todo.append(child)
    return frozenset(found), frozenset(lacking)


def _in_expression(trace: Trace, nodes: Iterable[Node]) -> set[Label]:
    """The labels that the expressions of nodes name."""
    seen = set(nodes)
    todo = list(seen)
    found: set[Label] = set()
    while todo:
        node = todo.pop()
        if trace.tags[node] == LABEL:
            found.add(trace.labels[trace.left[node]])
        more = set(_needed(trace, node)) - seen
        seen |= more
        todo += more
    return found


def _within(labels: list[Label]) -> set[Label]:
    """The data that lie inside of other data that are listed."""
    data = [label for label in labels if label.kind == "hiera"]
    if len(data) < 2:
        return set()
    data.sort(key=lambda label: (label.at.source.name, label.at.start, -label.at.end))
    found: set[Label] = set()
    around: Label | None = None
    for label in data:
        same = around is not None and around.at.source is label.at.source
        if around is not None and same and label.at.end <= around.at.end:
            found.add(label)
        else:
            around = label
    return found


def expression(
    trace: Trace, node: Node, done: dict[Node, Expression | None] | None = None
) -> Expression | None:
    """How the value was computed; equal parts are one object, so it stays small in memory.

    `done`: the expressions of other values of the trace, which may have parts in common.
    """
    done = {} if done is None else done
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


def leaves(root: Expression | None) -> set[Label]:
    """The inputs whose values an expression puts together."""
    found: set[Label] = set()
    todo = [root]
    seen: set[int] = set()
    while todo:
        at = todo.pop()
        if at is None or id(at) in seen:
            continue
        seen.add(id(at))
        if isinstance(at, Given):
            found.add(at.label)
        else:
            todo.extend(at.args)
    return found


def _needed(trace: Trace, node: Node) -> list[Node]:
    """The nodes whose expressions make up this node's."""
    tag = trace.tags[node]
    if tag in (COPY, GUARD, CHOICE):
        return [Node(trace.left[node])]
    if tag == COMPOSED:
        return [Node(trace.right[node])]
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
