"""Downstream: which values depend on what is written at a place."""

from __future__ import annotations

import os
from dataclasses import dataclass

from headwater.ask.compile import Compiled
from headwater.langs import Address
from headwater.text import Span
from headwater.why import Impact, Label, Node


@dataclass(frozen=True, slots=True)
class Affected:
    """The inputs at a place, the values that depend on them, and whether the set may change."""

    inputs: tuple[Label, ...]
    addresses: tuple[str, ...]
    output: bool


def impact(compiled: Compiled, file: str, line: int, column: int | None = None) -> Affected:
    """What depends on what is written on a line, or at a column of it."""
    result, causes = compiled.outcome.result, compiled.outcome.causes
    assert result is not None
    assert causes is not None
    nodes: dict[Address | None, Node] = {a: causes.of(a) for a, _ in result.walk()}
    nodes[None] = causes.output()
    wanted = os.path.abspath(file)
    inputs = [
        label
        for label in causes.trace.labels
        if os.path.abspath(label.at.source.name) == wanted and _covers(label.at, line, column)
    ]
    hit = Impact(causes.trace, nodes).of(inputs)
    shown = tuple(compiled.language.show_address(a) for a in hit if a is not None)
    ordered = tuple(sorted(inputs, key=lambda label: label.order))
    return Affected(ordered, shown, None in hit)


def _covers(at: Span, line: int, column: int | None) -> bool:
    (first_line, first_column), (last_line, last_column) = at.first, at.last
    if not first_line <= line <= last_line:
        return False
    if column is None:
        return True
    after_start = line > first_line or column >= first_column
    before_end = line < last_line or column < last_column or at.start == at.end == column
    return after_start and before_end
