"""A `Plan` is what a commit would do: every write with its causes, and whom to ask.

Making one changes nothing.  It is made over a revision; whoever carries it out looks whether
that still matters.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from headwater.langs.opal.runtime.canonical import known_sources
from headwater.langs.opal.runtime.details import detail_of, merge_kept
from headwater.langs.opal.runtime.kept_merges import Merge, changed
from headwater.langs.opal.runtime.needs import Block, BlocksFor, Need, needs_of, nodes_of
from headwater.langs.opal.runtime.stored import Stored, key_of, place_at
from headwater.langs.opal.syntax import Place
from headwater.langs.opal.values import plain
from headwater.langs.opal.writes import Binding, Finished, Left
from headwater.store.records import Source as Kept
from headwater.store.records import canonical
from headwater.text import Source
from headwater.why import Label, Node, Trace, depends
from headwater.why.dump import dump


@dataclass(frozen=True, slots=True)
class WorldPlan:
    """A world that would be kept open."""

    name: str
    body: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Plan:
    """What a commit would do."""

    revision: int
    writes: Mapping[str, str]
    merges: Mapping[str, str | None]
    details: Mapping[str, str]
    reads: Mapping[str, str | None]
    """Keys that what is written depends on, with the values they had."""
    needs: tuple[Need, ...]
    blocks: tuple[Block, ...]
    looked: Mapping[Place, int]
    trace: bytes
    sources: tuple[Kept, ...]
    worlds: tuple[WorldPlan, ...] = ()
    roots: Mapping[str, Node] = field(default_factory=dict)


def write_plan(
    finished: Finished,
    stored: Stored,
    blocks_for: BlocksFor,
    worlds: Iterable[tuple[str, Left, BlocksFor]] = (),
    more_reads: Mapping[str, str | None] | None = None,
) -> Plan:
    """The plan of a run that has a final store, which is what it wrote.

    `more_reads` are reads from before the run, of a world that it commits.
    """
    store = finished.store
    assert store is not None
    trace = finished.trace
    writes = {key_of(p): canonical(plain(b.value)) for p, b in sorted(store.items())}
    merges = {
        key_of(p): merge_kept(p, b, _merge_before(stored, p)) for p, b in sorted(store.items())
    }
    details = {key_of(p): canonical(detail_of(b.write)) for p, b in sorted(store.items())}
    nodes = [node for b in store.values() for node in (b.node, b.written)]
    labels = depends(trace, trace.union(*nodes, *finished.absent.values()))
    reads = {**(more_reads or {}), **_reads(labels, stored, {})}
    blocks = tuple(blocks_for(nodes_of(reads)))
    roots = {f"value {key_of(p)}": b.node for p, b in store.items()}
    roots |= {f"written {key_of(p)}": b.written for p, b in store.items()}
    roots |= {f"absent {key_of(p)}": node for p, node in finished.absent.items()}
    plans = []
    for name, left, inner in worlds:
        plans.append(WorldPlan(name, world_body(trace, left, stored, inner)))
        roots |= world_roots(name, left)
    plan = Plan(
        revision=stored.revision,
        writes=writes,
        merges=merges,
        details=details,
        reads=reads,
        needs=(),
        blocks=blocks,
        looked=stored.looked,
        trace=pack(trace, roots),
        sources=sources_of(trace, store.values(), stored),
        worlds=tuple(plans),
        roots=roots,
    )
    return with_needs(plan, stored)


def with_needs(plan: Plan, stored: Stored) -> Plan:
    """The plan with what each node must be asked, from all that it would do."""
    before: dict[str, str | None] = {}
    merges: dict[str, Merge] = {}
    for key in plan.writes:
        version = stored.version(place_at(key))
        before[key] = None if version is None else version.value
        merge = changed(None if version is None else version.merge, plan.merges[key])
        if merge is not None:
            merges[key] = merge
    needs = needs_of(plan.blocks, plan.reads, plan.writes, before, merges)
    return replace(plan, needs=tuple(needs))


def _merge_before(stored: Stored, place: Place) -> str | None:
    version = stored.version(place)
    return None if version is None else version.merge


def _reads(
    labels: Iterable[Label], stored: Stored, overlay: Mapping[Place, Binding]
) -> dict[str, str | None]:
    """The variables among labels, with the values they had.

    Where the program itself had written a variable before the world began, the label of that
    write stands for it: every command runs at most once.
    """
    found: dict[str, str | None] = {}
    seen = set(labels)
    for label in seen:
        place = stored.place_of(label)
        if place is not None:
            version = stored.version(place)
            found[key_of(place)] = None if version is None else version.value
    for place, binding in overlay.items():
        if binding.write is not None and binding.write.label in seen:
            found[key_of(place)] = canonical(plain(binding.value))
    return dict(sorted(found.items()))


def world_body(trace: Trace, left: Left, stored: Stored, blocks_for: BlocksFor) -> dict[str, Any]:
    """A world as the store keeps it."""
    nodes = [node for b in left.hyp.values() for node in (b.node, b.written)]
    labels = depends(trace, trace.union(*nodes, *left.absent.values(), left.causes))
    reads = _reads(labels, stored, left.orig)
    return {
        "line": left.at.first.line,
        "orig": {key_of(p): plain(b.value) for p, b in left.orig.items()},
        "hyp": {key_of(p): plain(b.value) for p, b in left.hyp.items()},
        "details": {key_of(p): detail_of(b.write) for p, b in left.hyp.items()},
        "merges": {key_of(p): merge_kept(p, b, None) for p, b in left.hyp.items()},
        "absent": sorted(key_of(p) for p in left.absent),
        "reads": reads,
        "blocks": [block.as_json() for block in blocks_for(nodes_of(reads))],
    }


def world_roots(name: str, left: Left) -> dict[str, Node]:
    """The nodes of a world that its commit will need."""
    roots = {f"causes of {name}": left.causes}
    for place, binding in left.orig.items():
        roots[f"orig {key_of(place)} in {name}"] = binding.node
    for place, binding in left.hyp.items():
        roots[f"hyp {key_of(place)} in {name}"] = binding.node
        roots[f"written {key_of(place)} in {name}"] = binding.written
    for place, node in left.absent.items():
        roots[f"absent {key_of(place)} in {name}"] = node
    return roots


def pack(trace: Trace, roots: Mapping[str, Node]) -> bytes:
    """A trace as the store keeps it."""
    import msgspec

    return zlib.compress(msgspec.json.encode(dump(trace, roots)), 1)


def sources_of(trace: Trace, bindings: Iterable[Binding], stored: Stored) -> tuple[Kept, ...]:
    """Every text that labels, merges and their handles point into."""
    found: dict[Source, None] = dict.fromkeys(label.at.source for label in trace.labels)
    for binding in bindings:
        write = binding.write
        while write is not None:
            found[write.at.source] = None
            if write.handle is not None:
                found[write.handle.at.source] = None
            write = write.merged.hyp.write if write.merged is not None else None
    by_digest = known_sources(*found, *stored.sources.values())
    return tuple(Kept(source.name, source.text) for source in by_digest.values())
