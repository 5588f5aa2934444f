"""Overrides by reference: what they are for, and why they ran."""

from __future__ import annotations

from headwater.langs.puppet.record.acts import Override
from headwater.langs.puppet.syntax import ast
from headwater.langs.puppet.why.constructs import as_a_whole, explains
from headwater.langs.puppet.why.here import Here
from headwater.langs.puppet.why.questions import Path, Replay
from headwater.why import Node


@explains(ast.Override)
def _override(replay: Replay, here: Here, node: ast.Override, path: Path) -> Node:
    return as_a_whole(replay, here, node, path)


def overriding(replay: Replay, kind: str, name: str) -> Node:
    """What the overrides are for that set a parameter of a type."""
    return replay.memo.once(("overriding", kind, name), _overriding, replay, kind, name)


def _overriding(replay: Replay, kind: str, name: str) -> Node:
    found: list[Node] = []
    for one in replay.left.record.overrides.get(kind, ()):
        keys = left_out(replay, Here.of(one), one.node, name)
        if name in one.params or keys:
            found += [targeted(replay, one), *keys]
    return replay.trace.union(*found)


def left_out(replay: Replay, here: Here, node: ast.Override | ast.Collect, name: str) -> list[Node]:
    """The hashes with attributes (``* => $hash``), which have or could have one of this name."""
    return [
        replay.of(here, operation.value, (name,))
        for operation in node.operations or ()
        if isinstance(operation, ast.Attributes)
    ]


def targeted(replay: Replay, override: Override) -> Node:
    """What an override is for, and why it ran."""
    here = Here.of(override)
    return replay.trace.union(replay.everything(here, override.node.target), replay.epc(here))
