"""A trace as plain data and back, so that a store can keep it beside the values.

Sources are named by content hash: a trace is loaded against the very texts it was made
from, or not at all.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, get_args

from headwater.text import Source, Span
from headwater.why.labels import Kind, Label
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
    UNION,
    Contest,
    Loser,
    Node,
    Reason,
    Trace,
)

FORMAT_VERSION = 1


class Unloadable(ValueError):
    """The data is not a trace of this format, or a source it needs is not at hand."""


def dump(trace: Trace, roots: Mapping[str, Node]) -> dict[str, Any]:
    """The whole trace with the nodes of its outputs, as JSON-able data."""
    sources: dict[Source, int] = {}

    def shown(label: Label) -> list[Any]:
        number = sources.setdefault(label.at.source, len(sources))
        return [label.kind, number, label.at.start, label.at.end, label.text]

    labels = [shown(label) for label in trace.labels]
    homes = {"homes": [shown(home) for home in trace.homes]} if trace.homes else {}
    contests = [
        [node, [[x.value, x.node, x.reason, x.by] for x in c.losers], list(c.equals)]
        for node, c in trace.contests.items()
    ]
    return {
        "format_version": FORMAT_VERSION,
        "sources": [{"name": s.name, "sha256": s.digest()} for s in sources],
        "labels": labels,
        **homes,
        "names": list(trace.names),
        "tags": list(trace.tags),
        "left": list(trace.left),
        "right": list(trace.right),
        "contests": contests,
        "roots": dict(roots),
    }


def load(data: Any, sources: Mapping[str, Source]) -> tuple[Trace, dict[str, Node]]:  # noqa: ANN401
    """A dumped trace and its roots; `sources` maps content hashes to sources."""
    try:
        if data["format_version"] != FORMAT_VERSION:
            raise Unloadable(f"format version {data['format_version']} is not {FORMAT_VERSION}")
        texts = []
        for entry in data["sources"]:
            if entry["sha256"] not in sources:
                raise Unloadable(f"the text of {entry['name']} is not at hand or has changed")
            texts.append(sources[entry["sha256"]])
        return _rebuild(data, texts)
    except Unloadable:
        raise
    except (KeyError, TypeError, ValueError, AttributeError, IndexError, OverflowError) as error:
        raise Unloadable(f"not a trace: {error!r}") from error


def _rebuild(data: dict[str, Any], texts: list[Source]) -> tuple[Trace, dict[str, Node]]:
    trace = Trace()
    # Two sources of the same text are one when loaded; their labels keep their numbers.
    for row in data["labels"]:
        label = _label(row, texts)
        trace._label_numbers.setdefault(label, len(trace.labels))
        trace.labels.append(label)
    for row in data.get("homes", ()):
        home = _label(row, texts)
        trace._home_numbers.setdefault(home, len(trace.homes))
        trace.homes.append(home)
    contests = {node: _contest(node, losers, equals) for node, losers, equals in data["contests"]}
    for name in data["names"]:
        if not isinstance(name, str):
            raise Unloadable(f"{name!r} is not the name of an operation")
        trace.operation(name, ())
    trace.tags, trace.left, trace.right = trace.tags[:1], trace.left[:1], trace.right[:1]
    trace._cons.clear()
    rows = list(zip(data["tags"], data["left"], data["right"], strict=True))
    for node, (tag, left, right) in enumerate(rows[1:], start=1):
        _check(trace, node, _number(tag, 256), _number(left), _number(right))
        made = trace._append(tag, left, right) if tag == CHOICE else trace._node(tag, left, right)
        if made != node:
            raise Unloadable(f"node {node} repeats node {made}")
        if tag == CHOICE:
            trace.contests[made] = contests[node]
    size = len(trace)
    roots = {str(name): Node(_number(node, size)) for name, node in data["roots"].items()}
    return trace, roots


def _label(row: tuple[Any, ...], texts: list[Source]) -> Label:
    kind, source, start, end, text = row
    if kind not in get_args(Kind) or not isinstance(text, str):
        raise Unloadable("a label has no kind or no text")
    at = texts[_number(source, len(texts))]
    end = _number(end, len(at.text) + 1)
    return Label(kind, Span(at, _number(start, end + 1), end), text)


def _contest(node: int, losers: Iterable[Any], equals: Iterable[object]) -> Contest:
    """What a choice was made from: nodes that were there before it."""
    made = tuple(
        Loser(value, Node(_number(n, node)), _reason(reason), Node(_number(by, node)))
        for value, n, reason, by in losers
    )
    return Contest(made, tuple(Node(_number(n, node)) for n in equals))


def _reason(text: object) -> Reason:
    reasons: tuple[Reason, ...] = get_args(Reason)
    if text not in reasons:
        raise Unloadable(f"{text!r} is no reason why a value loses")
    return reasons[reasons.index(text)]


def _number(value: object, below: int | None = None) -> int:
    """A number from 0 up to, not including, a bound."""
    if type(value) is not int or value < 0 or (below is not None and value >= below):
        raise Unloadable(f"{value!r} points outside the trace")
    return value


def _check(trace: Trace, node: int, tag: int, left: int, right: int) -> None:
    """A row may only point at labels, names and nodes that are there already."""
    if tag in (LABEL, MISS):
        fine = left < len(trace.labels)
    elif tag == HOME:
        fine = left < len(trace.homes)
    elif tag == LACKS:
        fine = left < node and right < len(trace.names)
    elif tag == OPERATION:
        fine = left < len(trace.names) and right < node
    else:
        fine = tag in (UNION, ARGS, COPY, GUARD, CHOICE) and left < node and right < node
    if not fine or tag == NOTHING:
        raise Unloadable(f"node {node} is not well formed")
