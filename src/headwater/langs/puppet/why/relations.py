"""Arrows: any of them may add to a relationship."""

from __future__ import annotations

from headwater.langs.puppet.record.acts import Collector
from headwater.langs.puppet.syntax import ast
from headwater.langs.puppet.why.collectors import population
from headwater.langs.puppet.why.constructs import as_a_whole, explains
from headwater.langs.puppet.why.here import Here
from headwater.langs.puppet.why.questions import Path, Replay
from headwater.why import Node


@explains(ast.Relation)
def _relation(replay: Replay, here: Here, node: ast.Relation, path: Path) -> Node:
    return as_a_whole(replay, here, node, path)


def related(replay: Replay) -> Node:
    """All arrows, and those of branches not taken."""
    return replay.memo.once("related", _relate, replay)


def _relate(replay: Replay) -> Node:
    found = [replay.absences.any("relation")]
    arrows = replay.left.record.arrows
    # In a -> b -> c the first arrow stands inside the second, which has everything in it.
    inside = {(id(part), id(a.frame)) for a in arrows for part in ast.children(a.node)}
    for arrow in arrows:
        here = Here.of(arrow)
        if (id(arrow.node), id(arrow.frame)) not in inside:
            found.append(replay.everything(here, arrow.node))
        found.append(replay.epc(here))
        ends = (arrow.source, arrow.target)
        found += [population(replay, end) for end in ends if isinstance(end, Collector)]
    return replay.trace.union(*found)
