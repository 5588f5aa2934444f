"""Values of Hiera: which leaf of which file, past which misses, over which others."""

from __future__ import annotations

from typing import Any

from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.hiera.evidence import LookupRecord, Tried
from headwater.langs.puppet.hiera.keys import split_key
from headwater.langs.puppet.hiera.search import every_file
from headwater.langs.puppet.why.here import Here
from headwater.langs.puppet.why.hierarchy import consulted
from headwater.langs.puppet.why.questions import Path, Replay
from headwater.why import Loser, Node

_ABSENT = object()


def hiera(
    replay: Replay, here: Here, record: LookupRecord, path: Path = ()
) -> tuple[Node, list[Tried]]:
    """The value of a look-up (or what lies in it), and where it was found.

    It is a leaf of a data file, or a merge of leaves; it depends on the misses before it,
    on what was interpolated into paths and values, and on the options of the look-up.
    """
    trace = replay.trace
    found = [tried for tried in record.tried if tried.found]
    causes = [_miss(replay, tried) for tried in record.tried if not tried.found]
    causes += [variable(replay, here, name) for name in record.read]
    causes += [hiera(replay, here, inner)[0] for inner in record.inner]
    causes += [hiera(replay, here, other)[0] for other in record.before]
    causes += consulted(replay, here, record)
    for options in record.options:
        causes.append(hiera(replay, here, options)[0])
    if record.unknown is not None:
        at = replay.left.program.units[0].source.span(0, 0)
        causes.append(replay.labels.input("unknown", at, record.unknown))
    union = trace.union(*causes)
    if not found:
        return union, []
    whole = (*split_key(record.key)[1:], *path)
    if record.strategy == "first":
        return _leaf(replay, found[0], whole, union), found
    holding = [tried for tried in found if _inside(tried, whole) is not _ABSENT]
    every = trace.union(union, *(_label(replay, tried, ()) for tried in found))
    scalar = holding and not isinstance(_inside(holding[0], whole), Hash | list)
    if whole and scalar and record.strategy in ("hash", "deep"):
        return _leaf(replay, holding[0], whole, every), found
    args = [_label(replay, tried, whole) for tried in holding or found]
    return trace.operation(f"merge {record.strategy}", args, every), found


def lower_levels(replay: Replay, here: Here, record: LookupRecord, path: Path) -> list[Loser]:
    """Values for the same key that lost: at lower levels, or in a merge."""
    by, found = hiera(replay, here, record, path)
    whole = (*split_key(record.key)[1:], *path)
    if record.strategy == "first":
        every = every_file(replay.left.layers, record.key)
        first = found[0].path if found else None
        others = [t for t in every if t.found and t.path != first]
    else:
        others = [t for t in found if _inside(t, whole) is not _ABSENT][1:]
        scalar = others and not isinstance(_inside(others[0], whole), Hash | list)
        if not whole or not scalar or record.strategy not in ("hash", "deep"):
            return []
    reason = "level" if record.strategy == "first" else "merge"
    losers: list[Loser] = []
    for tried in others:
        value = _inside(tried, whole)
        if value is not _ABSENT:
            node = _label(replay, tried, whole)
            losers.append(Loser(replay.labels.shown(value), node, reason, by))  # type: ignore[arg-type]
    return losers


def _leaf(replay: Replay, tried: Tried, path: Path, causes: Node) -> Node:
    """A value as it stands in a data file; one with interpolations is computed."""
    label = _label(replay, tried, path)
    value = _inside(tried, path)
    if isinstance(value, str) and "%{" in value:
        return replay.trace.operation("interpolate", [label], causes)
    if value is _ABSENT:
        return replay.undef(replay.trace.union(label, causes))
    return replay.trace.guard(label, causes)


def variable(replay: Replay, here: Here, name: str) -> Node:
    """A variable read by an interpolation of Hiera: most often a fact."""
    parts = name.removeprefix("::").split(".")
    if parts[0] in ("facts", "trusted"):
        return replay.inputs.fact(tuple(parts[1:] if parts[0] == "facts" else parts))
    if "::" not in parts[0] and replay.inputs.has_fact(parts[0]):
        return replay.inputs.fact(tuple(parts))
    root = name.split(".")[0]
    return replay.variable(here, root, tuple(parts[1:]), None)


def _label(replay: Replay, tried: Tried, path: Path) -> Node:
    """The most exact place in the file that the value at a path has."""
    assert tried.file is not None
    at: Path = (tried.key, *path)
    span = tried.file.span(at)
    while span.start == span.end and len(at) > 1:
        at = at[:-1]
        span = tried.file.span(at)
    return replay.labels.input("hiera", span, span.text.strip() or tried.key)


def _miss(replay: Replay, tried: Tried) -> Node:
    if tried.file is None:
        return replay.labels.miss(replay.inputs.file(tried.path).span(0, 0), tried.key)
    end = len(tried.file.source.text)
    return replay.labels.miss(tried.file.source.span(end, end), tried.key)


def _inside(tried: Tried, path: Path) -> object:
    """The value at a path of what a data file has for a key."""
    assert tried.file is not None
    value: Any = tried.file.data[tried.key]
    for part in path:
        match value:
            case Hash() if part in value:
                value = value[part]
            case list() if isinstance(part, int) and -len(value) <= part < len(value):
                value = value[part]
            case _:
                return _ABSENT
    return value
