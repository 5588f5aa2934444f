"""Downstream: which values depend on what is written at a place."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass

from headwater.ask.collector import paused_collector
from headwater.ask.compile import Compiled
from headwater.langs import Address, Causes
from headwater.langs.codes import NO_SUCH_LINE, unread
from headwater.langs.questioned import in_a_row
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
    with in_a_row(causes):
        nodes: dict[Address | None, Node] = {a: causes.of(a) for a, _ in result.walk()}
    nodes[None] = causes.output()
    wanted = os.path.abspath(file)
    read = (*compiled.outcome.sources, *(label.at.source for label in causes.trace.labels))
    source = next((one for one in read if os.path.abspath(one.name) == wanted and one.text), None)
    wrong = no_such_place(source or read_source(file), line, column)
    if wrong is not None:
        return wrong
    known: dict[str, bool] = {}

    def covers(at: Span) -> bool:
        name = at.source.name
        if name not in known:
            known[name] = os.path.abspath(name) == wanted
        return known[name] and (_is_file(at) or _covers(at, line, column))

    inputs, hit = Impact(causes.trace, nodes).at(covers)
    touched, here = set(hit), set(inputs)
    overriding = [
        address
        for address, node in nodes.items()
        if address not in touched
        and any(where(causes.trace, loser.node) in here for loser in beaten(causes.trace, node))
    ]
    if not hit and not overriding:
        # What is no input stands in a declaration that is one: ``owner => $title``.
        hit, around = _declared(causes, nodes, wanted, line, column)
        inputs = around or inputs
    show = compiled.language.show_address
    return Affected(
        tuple(inputs),
        tuple(show(address) for address in hit if address is not None),
        tuple(show(address) for address in overriding if address is not None),
        None in touched,
        tuple(address for address in hit if address is not None),
    )


def _is_file(at: Span) -> bool:
    """Whether a place is that of a file as a whole, which is of every line in it."""
    return at.start == at.end == 0 and not at.source.text


def _declared(
    causes: Causes, nodes: Iterable[Address | None], file: str, line: int, column: int | None
) -> tuple[list[Address | None], list[Label]]:
    """The values of what is declared around a place, and the declarations."""
    found: dict[Address | None, None] = {}
    labels: dict[Label, None] = {}
    for address in nodes:
        for at in causes.path(address)[-1:] if address is not None else ():
            if os.path.abspath(at.source.name) == file and _covers(at, line, column):
                found[address] = None
                labels[Label("definition", at, at.text.partition("\n")[0])] = None
    return list(found), list(labels)


def no_such_place(source: Source | Unreadable, line: int, column: int | None) -> Diagnostic | None:
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
