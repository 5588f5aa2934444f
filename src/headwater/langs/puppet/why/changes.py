"""What Ruby changed in place: a value that holds such an array or hash rests on the change too."""

from __future__ import annotations

from typing import Any

from headwater.langs.puppet.engine.ruby_changes import containers
from headwater.langs.puppet.record.acts import Act
from headwater.langs.puppet.why.calls import arguments
from headwater.langs.puppet.why.here import Here
from headwater.langs.puppet.why.questions import Replay
from headwater.why import Node


def with_changes(replay: Replay, value: Any, found: Node) -> Node:
    """How a value came about that may hold what Ruby has changed."""
    acts = changes_in(replay, value)
    if not acts:
        return found
    causes = [replay.memo.once(("changed", id(act)), _cause, replay, act) for act in acts]
    return replay.trace.operation("changed", [found], replay.trace.union(*causes))


def _cause(replay: Replay, act: Act) -> Node:
    """Why something was changed, and by what."""
    here = Here.of(act)
    return replay.trace.union(replay.epc(here), arguments(replay, here, act.node))


def changes_in(replay: Replay, value: Any) -> list[Act]:
    """The changes of a value, or of what lies in it."""
    changed = replay.indexes.changed
    if not changed:
        return []
    return [act for one in containers(value) for act in changed.get(id(one), ())]
