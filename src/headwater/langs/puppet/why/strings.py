"""Strings: the pieces they are put together from."""

from __future__ import annotations

from headwater.langs.puppet.program.units import Unit
from headwater.langs.puppet.syntax import ast
from headwater.langs.puppet.why.constructs import explains
from headwater.langs.puppet.why.here import Here
from headwater.langs.puppet.why.questions import Path, Replay
from headwater.why import Node


@explains(ast.Interpolated)
def _interpolated(replay: Replay, here: Here, node: ast.Interpolated, path: Path) -> Node:
    """Put together where it stands; a text alone in quotes is copied."""
    if len(node.segments) == 1:
        only = node.segments[0]
        found = replay.of(here, only)
        if isinstance(only, ast.Embedded) and isinstance(replay.value(here, only.value), str):
            return found
        return _composed(replay, here.unit, node, (found,))
    of = replay.of
    inserted = tuple([of(here, s) for s in node.segments if s.__class__ is ast.Embedded])
    # All instances of a define have the same text: only what is inserted differs.
    key = (id(node), inserted)
    known = replay.indexes.texts.get(key)
    if known is None:
        given = iter(inserted)
        args = tuple(next(given) if s.__class__ is ast.Embedded else of(here, s)
                     for s in node.segments)  # fmt: skip
        known = replay.indexes.texts[key] = _composed(replay, here.unit, node, args)
    return known


def _composed(replay: Replay, unit: Unit, node: ast.Interpolated, args: tuple[Node, ...]) -> Node:
    at = replay.labels.put_together(unit, node)
    return replay.trace.composed(at, replay.trace.operation("concat", args))


@explains(ast.Embedded)
def _embedded(replay: Replay, here: Here, node: ast.Embedded, path: Path) -> Node:
    return replay.of(here, node.value, path)


@explains(ast.Heredoc)
def _heredoc(replay: Replay, here: Here, node: ast.Heredoc, path: Path) -> Node:
    return replay.of(here, node.text, path)
