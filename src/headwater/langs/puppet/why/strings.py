"""Strings: the pieces they are put together from."""

from __future__ import annotations

from headwater.langs.puppet.syntax import ast
from headwater.langs.puppet.why.constructs import explains
from headwater.langs.puppet.why.here import Here
from headwater.langs.puppet.why.questions import Path, Replay
from headwater.why import Node


@explains(ast.Interpolated)
def _interpolated(replay: Replay, here: Here, node: ast.Interpolated, path: Path) -> Node:
    """Put together where it stands; a text alone in quotes is copied."""
    args = [replay.of(here, segment) for segment in node.segments]
    only = node.segments[0]
    alone = only.value if len(args) == 1 and isinstance(only, ast.Embedded) else None
    if alone is not None and isinstance(replay.value(here, alone), str):
        return args[0]
    at = replay.labels.put_together(here.unit, node)
    return replay.trace.composed(at, replay.trace.operation("concat", args))


@explains(ast.Embedded)
def _embedded(replay: Replay, here: Here, node: ast.Embedded, path: Path) -> Node:
    return replay.of(here, node.value, path)


@explains(ast.Heredoc)
def _heredoc(replay: Replay, here: Here, node: ast.Heredoc, path: Path) -> Node:
    return replay.of(here, node.text, path)
