"""One of many instances that are alike speaks for all: each says the same when asked alone.

I1  where, expression, depends, masked, path, pieces, tags and edges are the same for every value
    whether resources that came about alike share an answer or none does
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

from headwater.langs.protocol import Outcome
from headwater.langs.puppet.adapter import LateCauses
from headwater.langs.puppet.catalog.resource import Param, Resource
from headwater.langs.puppet.catalog.result import CatalogResult
from headwater.langs.puppet.why.causes import CatalogCauses
from headwater.langs.puppet.why.instances import Instances
from headwater.tree import Address
from headwater.why import (
    Applied,
    Expression,
    Given,
    Label,
    Node,
    Trace,
    depends,
    expression,
    masked,
    origins,
)
from laws.profile import examples
from laws.puppet_edits import compiled
from laws.puppet_instances import program

FACTS = {"f": 1, "g": {"h": "i"}}


def _views(trace: Trace, node: Node) -> tuple[Any, ...]:
    lost = [(m.value, _told([m.where]), m.reason, _told(m.by)) for m in masked(trace, node)]
    return (
        _told(origins(trace, node)), _spelt(expression(trace, node)), _told(depends(trace, node)),
        lost,
    )  # fmt: skip


def _told(labels: Iterable[Label | None]) -> list[Any]:
    """Labels by name and place: each replay has sources of its own for facts."""
    return [
        None if one is None else (one.kind, one.at.source.name, one.at.start, one.at.end, one.text)
        for one in labels
    ]


def _spelt(at: Expression | None) -> object:
    match at:
        case Given(label=label):
            return _told([label])
        case Applied(name=name, args=args):
            return (name, [_spelt(arg) for arg in args])
    return None


def _answers(causes: CatalogCauses, result: CatalogResult) -> dict[Any, Any]:
    """All that can be asked about a catalog."""
    found: dict[Any, Any] = {}
    for address, _ in result.walk():
        found[address] = _views(causes.trace, causes.of(address)), _placed(causes, address)
        found[address, "pieces"] = [
            (piece.size, piece.place.start, piece.inserted, _views(causes.trace, piece.node))
            for piece in causes.segments(address)
        ]
    for address in causes.resources():
        found[address] = _views(causes.trace, causes.of(address)), _placed(causes, address)
        found[address, "tags"] = {
            tag: _views(causes.trace, node) for tag, node in causes.tags(address).items()
        }
    found["edges"] = {(a, b): _views(causes.trace, node) for a, b, node in causes.edges()}
    found["output"] = _told(depends(causes.trace, causes.output()))
    return found


def _placed(causes: CatalogCauses, address: Address) -> list[Any]:
    return [(at.source.name, at.start, at.end) for at in causes.path(address)]


def _both(outcome: Outcome) -> tuple[dict[Any, Any], dict[Any, Any], int]:
    result, late = outcome.result, outcome.causes
    assert isinstance(result, CatalogResult)
    assert isinstance(late, LateCauses)
    together = CatalogCauses(late.compilation, result)
    alone = CatalogCauses(late.compilation, result)
    shared = _answers(together, result)
    alone.trace  # noqa: B018  # so that there is a replay
    alone._instances = _Alone(alone._replayed())
    resources = late.compilation.catalog.resources
    assert together._instances is not None
    spoken = sum(together._instances.like(one) is not one for one in resources)
    return shared, _answers(alone, result), spoken


class _Alone(Instances):
    """Everybody speaks for itself."""

    def like(self, resource: Resource) -> Resource:
        return resource

    def same(self, resource: Resource, name: str, param: Param) -> Resource:
        return resource


def _compiled(source: str) -> Outcome | None:
    """A program in the way that real nodes have it; some are refused."""
    outcome = compiled(source, facts=FACTS)
    return outcome if outcome.result is not None else None


@pytest.mark.parametrize("seed", range(examples(60, 6_000)))
def test_i1_generated_programs(seed: int) -> None:
    outcome = _compiled(program(seed))
    if outcome is None:
        return
    together, alone, _ = _both(outcome)
    for address, answer in alone.items():
        assert together[address] == answer, (address, program(seed))


def test_the_generated_programs_share_answers() -> None:
    """The law would hold if nobody ever spoke for another."""
    spoken = 0
    for seed in range(60):
        outcome = _compiled(program(seed))
        spoken += bool(outcome is not None and _both(outcome)[2])
    assert spoken >= 10
