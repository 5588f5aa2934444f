"""Downstream: which values depend on what is written at a place."""

from __future__ import annotations

import os
from dataclasses import dataclass

from headwater.ask.compile import Compiled, paused_collector
from headwater.langs import Address
from headwater.langs.codes import NO_SUCH_LINE, unread
from headwater.report import Diagnostic
from headwater.text import Source, Span, Unreadable, near, read_source
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
    parts: tuple[Address, ...] = ()
    """The addresses as parts."""


@paused_collector()
def impact(
    compiled: Compiled, file: str, line: int, column: int | None = None
) -> Affected | Diagnostic:
    """What depends on what is written on a line, or at a column of it."""
    result, causes = compiled.outcome.result, compiled.outcome.causes
    assert result is not None
    assert causes is not None
    nodes: dict[Address | None, Node] = {a: causes.of(a) for a, _ in result.walk()}
    nodes[None] = causes.output()
    wanted = os.path.abspath(file)
    read = (*compiled.outcome.sources, *(label.at.source for label in causes.trace.labels))
    source = next((one for one in read if os.path.abspath(one.name) == wanted), None)
    wrong = _no_such_place(source or read_source(file), line, column)
    if wrong is not None:
        return wrong
    inputs = [
        label
        for label in causes.trace.labels
        if os.path.abspath(label.at.source.name) == wanted and _covers(label.at, line, column)
    ]
    hit = Impact(causes.trace, nodes).of(inputs)
    touched, here = set(hit), set(inputs)
    overriding = [
        address
        for address, node in nodes.items()
        if address not in touched
        and any(where(causes.trace, loser.node) in here for loser in beaten(causes.trace, node))
    ]
    show = compiled.language.show_address
    return Affected(
        tuple(sorted(inputs, key=lambda label: label.order)),
        tuple(show(address) for address in hit if address is not None),
        tuple(show(address) for address in overriding if address is not None),
        None in touched,
        tuple(address for address in hit if address is not None),
    )


def _no_such_place(source: Source | Unreadable, line: int, column: int | None) -> Diagnostic | None:
    """What is wrong with a place: there is no such file, line or column."""
    if isinstance(source, Unreadable):
        return unread(source, source.name, source.at)
    name, lines = near(source.name), len(source.line_starts)
    if not 1 <= line <= lines:
        lines -= source.text.endswith("\n")
        what = f"{name} has {lines:,} line{'s' * (lines != 1)}: there is no line {line}"
    elif column is not None and not 1 <= column <= len(source.line(line)) + 1:
        columns = len(source.line(line))
        long = f"{columns:,} character{'s' * (columns != 1)}"
        what = f"line {line} of {name} has {long}: there is no column {column}"
    else:
        return None
    return NO_SUCH_LINE.at(Source(source.name, "").span(0, 0), what=what)


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
