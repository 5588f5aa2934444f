"""All that the tags of a resource come from; for one tag see `tags`."""

from __future__ import annotations

from headwater.langs.puppet.catalog.resource import Resource
from headwater.langs.puppet.why.attributes import history_node
from headwater.langs.puppet.why.calls import arguments
from headwater.langs.puppet.why.here import Here
from headwater.langs.puppet.why.questions import Replay
from headwater.langs.puppet.why.titles import title_node
from headwater.why import Node


def tagging(replay: Replay, resource: Resource) -> Node:
    """All that a resource's tags come from."""
    return replay.memo.once(("tagging", resource), _tag, replay, resource)


def _tag(replay: Replay, resource: Resource) -> Node:
    found = [replay.absences.any("tag")]
    at: Resource | None = resource
    seen: set[Resource] = set()
    while at is not None and at not in seen:
        seen.add(at)
        found.append(title_node(replay, at))
        param = at.params.get("tag")
        if param is not None:
            found.append(history_node(replay, at, param))
        found.append(replay.memo.once(("meddling", at, "tag"), replay.meddle, at, "tag"))
        for act in replay.indexes.acts_on("tag", at):
            here = Here.of(act)
            found.append(arguments(replay, here, act.node))
            found.append(replay.epc(here))
        at = at.declared.around
    return replay.trace.union(*found)
