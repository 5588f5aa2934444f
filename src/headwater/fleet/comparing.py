"""What a change does to nodes: who is proved unaffected, who compiles to the same, what differs.

A node whose compilation read nothing that is different on the other side is not compiled there:
it would give the same.  Equal changes of several nodes are one group.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

import msgspec

from headwater.ask.compile import Compiled, compile_request
from headwater.ask.request import Request
from headwater.fleet.causes import Cause, EditedLines
from headwater.fleet.identity import Identities, first_difference
from headwater.fleet.sides import Side
from headwater.report import Diagnostic
from headwater.text.reads import Reads, noting
from headwater.tree import differences
from headwater.tree.json import plain

AT_ONCE = 20
"""Nodes whose two compilations are kept at the same time."""


class ValueChange(msgspec.Struct, frozen=True):
    """A value that is another one on the second side, and the edited lines that made it so."""

    address: str
    kind: str
    old: Any
    new: Any
    shown: tuple[str | None, str | None]
    """Both values on one line, as people read them; None for a value that is not there."""
    causes: tuple[Cause, ...]


class Group(msgspec.Struct, frozen=True):
    """Changes that are the same on several nodes."""

    nodes: tuple[str, ...]
    changes: tuple[ValueChange, ...]


class Failed(msgspec.Struct, frozen=True):
    """A node that one of the sides does not compile: which side, and what it says."""

    node: str
    side: str
    diagnostics: tuple[Diagnostic, ...]


class Comparison(msgspec.Struct):
    """What is different on the second side."""

    groups: list[Group] = []
    unaffected: list[str] = []
    """Nodes that read nothing that is different."""
    equal: list[str] = []
    """Nodes that were compiled on both sides, to the same."""
    failed: list[Failed] = []
    came: list[str] = []
    """Nodes that only the second side has."""
    went: list[str] = []


class Pair(msgspec.Struct, frozen=True):
    """A node as each side wants it compiled."""

    node: str
    before: Request
    after: Request


def compare(
    before: Mapping[str, Request],
    after: Mapping[str, Request],
    sides: tuple[Side, Side],
    language: object,
    folder: str,
    done: Callable[[str], None] | None = None,
) -> Comparison:
    """What is different on the second side, over all nodes that both have.

    `done` is called with the name of each node.
    """
    one, other = sides
    found = Comparison()
    found.came = [node for node in after if node not in before]
    found.went = [node for node in before if node not in after]
    pairs = [Pair(node, before[node], after[node]) for node in before if node in after]
    known = Identities(one, language), Identities(other, language)
    lines = EditedLines(one, other, folder)
    changed: dict[str, tuple[ValueChange, ...]] = {}
    for batch in _batches(pairs):
        todo: list[tuple[Pair, Compiled]] = []
        with one.here():
            compiled = [(pair, *_compiled(pair.before)) for pair in batch]
        for pair, outcome, reads in compiled:
            if pair.before == pair.after and first_difference(reads, *known) is None:
                _sort_unaffected(found, pair.node, one, outcome)
            else:
                todo.append((pair, outcome))
        with other.here():
            results = [(pair, old, compile_request(pair.after)) for pair, old in todo]
        for pair, old, new in results:
            failures = [*_failures(pair.node, (one, old), (other, new))]
            found.failed += failures
            changes = () if failures else _changes(old, new, lines)
            if changes:
                changed[pair.node] = changes
            elif not failures:
                found.equal.append(pair.node)
        if done is not None:
            for pair in batch:
                done(pair.node)
    found.groups = _grouped(changed)
    return found


def _sort_unaffected(found: Comparison, node: str, side: Side, compiled: Compiled) -> None:
    """A node that fails on both sides in the same way is no node without differences."""
    failures = [*_failures(node, (side, compiled))]
    found.failed += failures
    if not failures:
        found.unaffected.append(node)


def _grouped(changed: Mapping[str, tuple[ValueChange, ...]]) -> list[Group]:
    """Equal changes once, with their nodes; changes of the same nodes together."""
    nodes: dict[bytes, list[str]] = {}
    equal: dict[bytes, list[ValueChange]] = {}
    for node, changes in changed.items():
        for change in changes:
            key = msgspec.msgpack.encode(msgspec.structs.replace(change, causes=()))
            equal.setdefault(key, []).append(change)
            nodes.setdefault(key, []).append(node)
    groups: dict[tuple[str, ...], list[ValueChange]] = {}
    for key, several in equal.items():
        groups.setdefault(tuple(nodes[key]), []).append(_shared(several))
    found = [Group(names, tuple(changes)) for names, changes in groups.items()]
    return sorted(found, key=lambda group: (-len(group.nodes), group.nodes))


def _shared(changes: Sequence[ValueChange]) -> ValueChange:
    """A change that several nodes have, with the causes that it has on all of them, if any."""
    everywhere = set.intersection(*(set(change.causes) for change in changes))
    causes = everywhere or {cause for change in changes for cause in change.causes}
    return msgspec.structs.replace(changes[0], causes=tuple(sorted(causes)))


def _batches(pairs: Sequence[Pair]) -> Iterator[list[Pair]]:
    rest = iter(pairs)
    while batch := [*islice(rest, AT_ONCE)]:
        yield batch


def _compiled(request: Request) -> tuple[Compiled, Reads]:
    reads = Reads()
    with noting(reads):
        return compile_request(request), reads


def _failures(node: str, *sides: tuple[Side, Compiled]) -> Iterator[Failed]:
    for side, compiled in sides:
        if compiled.outcome.result is None:
            yield Failed(node, side.name, compiled.outcome.errors)


def _changes(old: Compiled, new: Compiled, lines: EditedLines) -> tuple[ValueChange, ...]:
    assert old.outcome.result is not None
    assert new.outcome.result is not None
    language = new.language
    return tuple(
        ValueChange(
            language.show_address(change.address),
            change.kind,
            plain(change.before),
            plain(change.after),
            (
                None if change.kind == "added" else language.show_value(change.before),
                None if change.kind == "removed" else language.show_value(change.after),
            ),
            tuple(lines.causes(old, new, change.address)),
        )
        for change in differences(old.outcome.result.get(()), new.outcome.result.get(()))
    )
