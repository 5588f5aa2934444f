"""Values of Hiera: which leaf of which file, past which misses, over which others."""

from __future__ import annotations

from typing import Any

from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.hiera.evidence import LookupRecord, Tried
from headwater.langs.puppet.hiera.keys import split_key
from headwater.langs.puppet.hiera.search import every_file
from headwater.langs.puppet.why.here import Here
from headwater.langs.puppet.why.hierarchy import consulted
from headwater.langs.puppet.why.paths import ABSENT, Key, Path, inside
from headwater.langs.puppet.why.questions import Replay
from headwater.why import Loser, Node


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
    causes += _context(replay, here, record)
    for options in record.options:
        causes.append(options_node(replay, here, options, str(split_key(record.key)[0])))
    if record.unknown is not None:
        at = replay.left.program.units[0].source.span(0, 0)
        causes.append(replay.labels.input("unknown", at, record.unknown))
    union = trace.union(*causes)
    if not found:
        return union, []
    whole = (*split_key(record.key)[1:], *path)
    if record.strategy == "first":
        return _leaf(replay, found[0], whole, union), found
    holding = [tried for tried in found if _inside(tried, whole) is not ABSENT]
    every = trace.union(union, *(_label(replay, tried, ()) for tried in found))
    value = inside(record.value, path)
    if whole and isinstance(whole[-1], int):
        for tried in found:
            way = _listed(tried, whole[:-1], value)
            if way is not None:
                return _leaf(replay, tried, way, every), found
    # A collection that several levels give to is their merge, even where it equals one of them.
    merged = len(holding) > 1 and isinstance(value, Hash | list)
    for tried in () if merged else holding:
        held = _inside(tried, whole)
        if _same(held, value) or (isinstance(held, str) and "%{" in held):
            return _leaf(replay, tried, whole, every), found
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
        others = [t for t in found if _inside(t, whole) is not ABSENT][1:]
        scalar = others and not isinstance(_inside(others[0], whole), Hash | list)
        if not whole or not scalar or record.strategy not in ("hash", "deep"):
            return []
    reason = "level" if record.strategy == "first" else "merge"
    losers: list[Loser] = []
    for tried in others:
        value = _inside(tried, whole)
        if value is not ABSENT:
            node = _label(replay, tried, whole)
            losers.append(Loser(replay.labels.shown(value), node, reason, by))  # type: ignore[arg-type]
    return losers


def _leaf(replay: Replay, tried: Tried, path: Path, causes: Node) -> Node:
    """A value as it stands in a data file; one with interpolations is computed."""
    label = _label(replay, tried, path)
    value = _inside(tried, path)
    if isinstance(value, str) and "%{" in value:
        return replay.trace.operation("interpolate", [label], causes)
    if value is ABSENT:
        return replay.undef(replay.trace.union(label, causes))
    return replay.trace.guard(label, causes)


def _context(replay: Replay, here: Here, record: LookupRecord) -> list[Node]:
    """What was interpolated into paths and values, what was looked up before, and by what."""
    found = [variable(replay, here, name) for name in record.read]
    found += [hiera(replay, here, one)[0] for one in (*record.inner, *record.before)]
    for beside in record.beside:
        found += [variable(replay, here, name) for name in beside.variables]
        found += [hiera(replay, here, one)[0] for one in beside.lookups]
        found += [replay.inputs.read(*one) for one in beside.files]
        found += [
            replay.labels.input("file", span, span.text.partition("\n")[0].strip())
            for span in beside.texts
        ]
    return found + consulted(replay, here, record)


def options_node(replay: Replay, here: Here, record: LookupRecord, key: str) -> Node:
    """The options of a look-up: the entry for its key, or the patterns that might be for it.

    That other files have none is said by the hierarchy that names them (`consulted`): one entry.
    """
    found = _context(replay, here, record)
    holding = [tried for tried in record.tried if tried.found]
    own = [tried for tried in holding if _inside(tried, (key,)) is not ABSENT]
    if own:
        found.append(_entry(replay, own[0], key))
    else:
        for tried in holding:
            held = _inside(tried, ())
            names = held if isinstance(held, Hash) else ()
            found += [_entry(replay, tried, str(n)) for n in names if str(n).startswith("^")]
    return replay.trace.union(*found)


def _entry(replay: Replay, tried: Tried, key: str) -> Node:
    """An entry of lookup_options: its key with what stands under it."""
    assert tried.file is not None
    name = tried.file.span((tried.key, key), key=True)
    held = tried.file.span((tried.key, key))
    span = name.source.span(name.start, max(name.end, held.end))
    text = span.text.partition("\n")[0].strip() or key
    return replay.labels.input("hiera", span, f"lookup_options: {text}")


def variable(replay: Replay, here: Here, name: str) -> Node:
    """A variable read by an interpolation of Hiera: most often a fact."""
    root, *rest = name.removeprefix("::").split(".")
    parts = [root, *(int(part) if part.isdigit() else part for part in rest)]
    if root in ("facts", "trusted"):
        return replay.inputs.fact(tuple(parts[1:] if root == "facts" else parts))
    if "::" not in root and replay.inputs.has_fact(root):
        return replay.inputs.fact(tuple(parts))
    return replay.variable(here, name.split(".")[0], tuple(parts[1:]), None)


def _label(replay: Replay, tried: Tried, path: Path) -> Node:
    """The most exact place in the file that the value at a path has."""
    assert tried.file is not None
    at = [tried.key, *(part.of if isinstance(part, Key) else part for part in path)]
    key = bool(path) and isinstance(path[-1], Key)
    span = tried.file.span(tuple(at), key=key)
    while span.start == span.end and len(at) > 1:
        at.pop()
        span = tried.file.span(tuple(at))
    return replay.labels.input("hiera", span, span.text.strip() or tried.key)


def _miss(replay: Replay, tried: Tried) -> Node:
    if tried.file is None:
        return replay.labels.miss(replay.inputs.file(tried.path).span(0, 0), tried.key)
    end = len(tried.file.source.text)
    return replay.labels.miss(tried.file.source.span(end, end), tried.key)


def _inside(tried: Tried, path: Path) -> object:
    """The value at a path of what a data file has for a key."""
    assert tried.file is not None
    return inside(tried.file.data[tried.key], path)


def _same(one: Any, other: Any) -> bool:  # noqa: ANN401
    """Whether two values are equal and of one kind."""
    return one.__class__ is other.__class__ and bool(one == other)


def _listed(tried: Tried, path: Path, value: object) -> Path | None:
    """Where a value stands in a list, or in the lists in it, of a data file."""
    todo = [path]
    while todo:
        at = todo.pop(0)
        held = _inside(tried, at)
        if _same(held, value) and at != path:
            return at
        if isinstance(held, list):
            todo += [(*at, index) for index in range(len(held))]
    return None
