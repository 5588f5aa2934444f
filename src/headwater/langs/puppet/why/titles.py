"""How a resource came by its title."""

from __future__ import annotations

from typing import Any

from headwater.langs.puppet.catalog.resource import Resource
from headwater.langs.puppet.engine.doing import name_called
from headwater.langs.puppet.record.declarations import declared
from headwater.langs.puppet.syntax import ast
from headwater.langs.puppet.why.here import Here
from headwater.langs.puppet.why.questions import Key, Replay
from headwater.why import NOTHING, Node


def title_node(replay: Replay, resource: Resource) -> Node:
    """How a resource came by its title."""
    return replay.memo.once(("title", resource), _title, replay, resource)


def _title(replay: Replay, resource: Resource) -> Node:
    found = declared(resource)
    if found.unit is None or found.frame is None:
        return NOTHING
    here = Here.of_declaration(resource)
    if not isinstance(found.body, ast.Body):
        every = replay.everything(here, found.node)
        node = found.node
        if isinstance(node, ast.Call) and name_called(node) == "create_resources":
            key = replay.of(here, node.args[1], (Key(resource.title),))
            return replay.trace.copy(key, every)
        return replay.trace.operation("title", [every])
    node = found.body.title
    if isinstance(node, ast.Interpolated | ast.String):  # no list of titles
        return replay.of(here, node)
    value = replay.value(here, node)
    if isinstance(value, list):
        indices = replay.indexes.once(
            ("titles", id(node), id(here.frame)), lambda: _places_of(value)
        )
        same = indices.get(resource.title, ())
        if len(same) == 1:
            return replay.of(here, node, (same[0],))
    return replay.of(here, node)


def _places_of(titles: list[Any]) -> dict[str, list[int]]:
    """Where each title stands in a list of them."""
    found: dict[str, list[int]] = {}
    for place, title in enumerate(titles):
        if isinstance(title, str):
            found.setdefault(title, []).append(place)
    return found
