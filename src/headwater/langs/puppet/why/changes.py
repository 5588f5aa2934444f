"""What Ruby changed in place: a value that holds such an array or hash rests on the change too."""

from __future__ import annotations

from headwater.langs.puppet.engine.ruby_changes import containers
from headwater.langs.puppet.record.acts import Act, Read
from headwater.langs.puppet.types.value import Value
from headwater.langs.puppet.why.calls import arguments
from headwater.langs.puppet.why.erb import flow_of, value_of
from headwater.langs.puppet.why.here import Here
from headwater.langs.puppet.why.questions import Replay
from headwater.why import Node


def with_changes(replay: Replay, value: Value, found: Node) -> Node:
    """How a value came about that may hold what Ruby has changed."""
    if not changes_anything(replay):
        return found
    acts = changes_in(replay, value)
    could = _could_change(replay, value)
    if not acts and not could:
        return found
    causes = [replay.memo.once(("changed", id(act)), _cause, replay, act) for act in acts]
    causes += [replay.memo.once(("unchanged", id(one)), _kept, replay, one) for one in could]
    union = replay.trace.union(*causes)
    return (
        replay.trace.operation("changed", [found], union)
        if acts
        else replay.trace.guard(found, union)
    )


def _kept(replay: Replay, read: Read) -> Node:
    """Why a template that may change something did not: by all that it read."""
    here = Here(read.unit, read.frame, None, replay.left.record.clock)
    return arguments(replay, here, read.node)


def _could_change(replay: Replay, value: Value) -> list[Read]:
    """The templates that may change a value, or what lies in it, whether they did or not."""
    changers = _changers(replay)
    if not changers:
        return []
    return [read for one in containers(value) for read in changers.get(id(one), ())]


def changes_anything(replay: Replay) -> bool:
    """Whether Ruby changed anything in place, or a template may have."""
    indexes = replay.indexes
    return bool(
        indexes.changed or (_changers(replay) if indexes.changers is None else indexes.changers)
    )


def _changers(replay: Replay) -> dict[int, list[Read]]:
    """Templates that may change arrays and hashes, by the identity of these."""
    changers = replay.indexes.changers
    if changers is None:
        changers = replay.indexes.changers = {}
        for read in replay.left.record.reads:
            if read.kind == "rendering" and read.detail.tree is not None:
                for name in flow_of(read.detail.tree).changed():
                    here = Here(read.unit, read.frame, None, replay.left.record.clock)
                    for one in containers(value_of(replay, here, name)):
                        changers.setdefault(id(one), []).append(read)
    return changers


def _cause(replay: Replay, act: Act) -> Node:
    """Why something was changed, and by what."""
    here = Here.of(act)
    return replay.trace.union(replay.epc(here), arguments(replay, here, act.node))


def changes_in(replay: Replay, value: Value) -> list[Act]:
    """The changes of a value, or of what lies in it."""
    changed = replay.indexes.changed
    if not changed:
        return []
    return [act for one in containers(value) for act in changed.get(id(one), ())]
