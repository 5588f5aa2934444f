"""The question who else could have written a parameter, asked once."""

from __future__ import annotations

from headwater.langs.puppet.catalog.resource import Resource
from headwater.langs.puppet.why.questions import Replay
from headwater.why import Node


def meddlers(replay: Replay, resource: Resource, name: str) -> Node:
    """Who else could have written a parameter; often that is the same for all of a type."""
    of = resource if replay.indexes.contested(resource.type, name) else resource.type
    return replay.memo.once(("meddling", of, name), replay.meddle, resource, name)
