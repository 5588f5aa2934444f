"""Downstream: which values depend on what is written at a place."""

from __future__ import annotations

import os
from dataclasses import dataclass

from headwater.ask.compile import Compiled, paused_collector
from headwater.langs import Address
from headwater.text import Span
from headwater.why import Impact, Label, Node, beaten, where


@dataclass(frozen=True, slots=True)
class Affected:
    """The inputs at a place, and what depends on them.

    `masked` are values that overrode one of the inputs: it has no effect on them now, and
    would have if they did not.  `output` says whether the set of values may change.
    """

    inputs: tuple[Label, ...]
    addresses: tuple[str, ...]
    masked: tuple[str, ...]
    output: bool


@paused_collector()
def impact(compiled: Compiled, file: str, line: int, column: int | None = None) -> Affected:
    """What depends on what is written on a line, or at a column of it."""
    result, causes = compiled.outcome.result, compiled.outcome.causes
    assert result is not None
    assert causes is not None
    nodes: dict[Address | None, Node] = {a: causes.of(a) for a, _ in result.walk()}
    nodes[None] = causes.output()
    wanted = os.path.abspath(file)
    known: dict[str, bool] = {}

    def covers(at: Span) -> bool:
        name = at.source.name
        if name not in known:
            known[name] = os.path.abspath(name) == wanted
        return known[name] and _covers(at, line, column)

    inputs, hit = Impact(causes.trace, nodes).at(covers)
    touched, here = set(hit), set(inputs)
    overriding = [
        address
        for address, node in nodes.items()
        if address not in touched
        and any(where(causes.trace, loser.node) in here for loser in beaten(causes.trace, node))
    ]
    show = compiled.language.show_address
    return Affected(
        tuple(inputs),
        tuple(show(address) for address in hit if address is not None),
        tuple(show(address) for address in overriding if address is not None),
        None in touched,
    )


def _covers(at: Span, line: int, column: int | None) -> bool:
    (first_line, first_column), (last_line, last_column) = at.first, at.last
    if not first_line <= line <= last_line:
        return False
    if column is None:
        return True
    if at.start == at.end:
        return column == first_column
    after_start = line > first_line or column >= first_column
    before_end = line < last_line or column < last_column
    return after_start and before_end
