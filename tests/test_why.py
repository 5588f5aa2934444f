"""The provenance core by itself: sharing, views, impact, dump and load."""

from __future__ import annotations

import json
from typing import Any

import pytest

from headwater.text import Source, Span
from headwater.why import (
    NOTHING,
    Applied,
    Given,
    Impact,
    Label,
    Loser,
    Trace,
    depends,
    expression,
    masked,
    origins,
    where,
)
from headwater.why.dump import Unloadable, dump, load

SOURCE = Source("s", "0123456789")


def lit(offset: int) -> Label:
    return Label("literal", Span(SOURCE, offset, offset + 1), SOURCE.text[offset])


A, B, C, D = (lit(i) for i in range(4))


def test_equal_nodes_are_one() -> None:
    trace = Trace()
    a, b = trace.label(A), trace.label(B)

    assert trace.label(A) == a
    assert trace.union(a, b) == trace.union(b, a) == trace.union(a, a, NOTHING, b)
    assert trace.operation("+", [a, b]) == trace.operation("+", [a, b])
    assert trace.operation("+", [a, b]) != trace.operation("+", [b, a])
    assert trace.guard(a, NOTHING) == a


def test_a_copy_keeps_its_origin_and_depends_on_the_way() -> None:
    trace = Trace()
    node = trace.guard(trace.copy(trace.label(A), trace.label(B)), trace.miss(C))

    assert where(trace, node) == A
    assert expression(trace, node) == Given(A)
    assert depends(trace, node) == [A, B, C]


def test_an_operation_has_no_origin() -> None:
    trace = Trace()
    node = trace.operation("+", [trace.label(A), trace.copy(trace.label(B), trace.label(C))])

    assert where(trace, node) is None
    assert expression(trace, node) == Applied("+", (Given(A), Given(B)))
    assert depends(trace, node) == [A, B, C]


def test_a_choice_depends_on_the_winner_and_the_deciding_not_on_losers() -> None:
    trace = Trace()
    lost = Loser("b", trace.label(B), "override", trace.label(C))
    node = trace.choice(trace.label(A), losers=[lost], deciding=trace.label(C))

    assert depends(trace, node) == [A, C]
    (entry,) = masked(trace, node)
    assert (entry.value, entry.where, entry.reason, entry.by) == ("b", B, "override", (C,))


def test_equal_winners_are_all_origins_by_place() -> None:
    trace = Trace()
    node = trace.choice(trace.label(B), equals=[trace.label(A)])

    assert origins(trace, node) == [A, B]
    assert where(trace, node) == A
    assert depends(trace, node) == [A, B]


def test_contests_inside_come_before_contests_outside() -> None:
    trace = Trace()
    inner = trace.choice(trace.label(A), losers=[Loser("b", trace.label(B), "assignment", NOTHING)])
    older = trace.choice(trace.label(C), losers=[Loser("d", trace.label(D), "assignment", NOTHING)])
    outer = trace.choice(
        trace.copy(inner, NOTHING), losers=[Loser("c", older, "prototype", NOTHING)]
    )

    assert [entry.value for entry in masked(trace, outer)] == ["b", "c", "d"]


def test_impact_is_the_inverse_of_depends() -> None:
    trace = Trace()
    outputs = {
        "one": trace.copy(trace.label(A), trace.label(B)),
        "two": trace.operation("f", [trace.label(B)]),
        "three": trace.miss(C),
    }
    for label in (A, B, C, D):
        expected = [name for name, node in outputs.items() if label in depends(trace, node)]
        assert Impact(trace, outputs).of([label]) == expected


def test_views_do_not_recurse() -> None:
    trace = Trace()
    node = trace.label(A)
    for _ in range(50_000):
        node = trace.operation("id", [trace.copy(node, trace.label(B))])

    assert depends(trace, node) == [A, B]
    assert isinstance(expression(trace, node), Applied)


def test_dump_and_load_keep_every_view() -> None:
    trace = Trace()
    lost = Loser(["b"], trace.label(B), "override", trace.label(C))
    chosen = trace.choice(trace.label(A), losers=[lost], equals=[trace.label(D)])
    roots = {"x": trace.operation("+", [chosen, trace.miss(C)]), "y": chosen}
    data = json.loads(json.dumps(dump(trace, roots)))
    again, nodes = load(data, {SOURCE.digest(): SOURCE})

    for name, node in roots.items():
        assert depends(again, nodes[name]) == depends(trace, node)
        assert expression(again, nodes[name]) == expression(trace, node)
        assert masked(again, nodes[name]) == masked(trace, node)
        assert origins(again, nodes[name]) == origins(trace, node)


@pytest.mark.parametrize(
    "change",
    [
        {"format_version": 99},
        {"tags": [0, 77]},
        {"left": [0, 9999]},
        {"roots": {"x": 10_000}},
        {"labels": 5},
        {"sources": [{"name": "s", "sha256": "0"}]},
    ],
)
def test_data_that_is_no_trace_is_refused(change: dict[str, object]) -> None:
    trace = Trace()
    data = dump(trace, {"x": trace.label(A)}) | change

    with pytest.raises(Unloadable):
        load(data, {SOURCE.digest(): SOURCE})


def _damaged() -> list[tuple[str, Any]]:
    """Places in a dumped trace, and what they may be after an accident."""
    wrong: list[Any] = [None, -1, 10**6, 10**25, "x", 1.5, [], {}, True]
    fields = ["format_version", "sources", "labels", "names", "tags", "left", "right", "contests"]
    found = [(field, value) for field in [*fields, "roots"] for value in wrong]
    inner = ["contests.0.0", "contests.0.1", "contests.0.2", "contests.0.2.0"]
    inner += [f"contests.0.1.0.{n}" for n in (1, 2, 3)]
    inner += ["labels.0", *(f"labels.0.{n}" for n in range(4)), "sources.0", "sources.0.sha256"]
    inner += ["tags.1", "left.2", "right.3", "names.0", "roots.x"]
    return [*found, *((place, value) for place in inner for value in wrong)]


def test_a_damaged_trace_is_refused_or_whole() -> None:
    trace = Trace()
    lost = Loser(["b"], trace.label(B), "override", trace.label(C))
    chosen = trace.choice(trace.label(A), losers=[lost], equals=[trace.label(D)])
    roots = {"x": trace.operation("+", [chosen, trace.miss(C)])}
    text = json.dumps(dump(trace, roots))
    for place, value in _damaged():
        data = json.loads(text)
        *way, last = [int(part) if part.isdigit() else part for part in place.split(".")]
        holder = data
        for part in way:
            holder = holder[part]
        holder[last] = value
        try:
            again, nodes = load(data, {SOURCE.digest(): SOURCE})
        except Unloadable:
            continue
        for node in nodes.values():
            depends(again, node)
            masked(again, node)
            origins(again, node)
            expression(again, node)


@pytest.mark.parametrize(
    ("place", "value"),
    [("contests.0.2.0", 99), ("contests.0.1.0.3", 99), ("contests.0.1.0.1", 99),
     ("contests.0.2.0", "x"), ("contests.0.1.0.3", -1), ("contests.0.1.0.2", "fate")],
)  # fmt: skip
def test_equals_and_losers_lie_in_the_trace(place: str, value: object) -> None:
    trace = Trace()
    lost = Loser("b", trace.label(B), "override", trace.label(C))
    chosen = trace.choice(trace.label(A), losers=[lost], equals=[trace.label(D)])
    data = json.loads(json.dumps(dump(trace, {"x": chosen})))
    a, b, c, *rest = [int(part) if part.isdigit() else part for part in place.split(".")]
    holder = data[a][b][c]
    for part in rest[:-1]:
        holder = holder[part]
    holder[rest[-1]] = value

    with pytest.raises(Unloadable):
        load(data, {SOURCE.digest(): SOURCE})


def test_sources_of_the_same_text_keep_their_labels_apart() -> None:
    trace = Trace()
    sources = [Source(name, "same") for name in ("one", "two")]
    nodes = [trace.label(Label("literal", s.span(0, 4), "same")) for s in sources]
    third = trace.label(Label("literal", sources[0].span(0, 1), "s"))
    data = json.loads(json.dumps(dump(trace, {"all": trace.union(*nodes, third)})))
    loaded, roots = load(data, {sources[0].digest(): sources[0]})

    assert {label.text for label in depends(loaded, roots["all"])} == {"s", "same"}
