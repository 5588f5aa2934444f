"""Operators: what they were given; of ``and`` and ``or`` only what was evaluated."""

from __future__ import annotations

from collections.abc import Iterator

from headwater.langs.puppet.record.frames import Guard
from headwater.langs.puppet.syntax import ast
from headwater.langs.puppet.why.constructs import Branch, branches, decides, explains
from headwater.langs.puppet.why.here import Here
from headwater.langs.puppet.why.questions import FOREVER, UNKNOWN, Path, Replay
from headwater.why import Node


@explains(ast.Paren)
def _paren(replay: Replay, here: Here, node: ast.Paren, path: Path) -> Node:
    return replay.of(here, node.value, path)


@explains(ast.Not)
def _not(replay: Replay, here: Here, node: ast.Not, path: Path) -> Node:
    return replay.trace.operation("!", [replay.of(here, node.value)])


@explains(ast.Minus)
def _minus(replay: Replay, here: Here, node: ast.Minus, path: Path) -> Node:
    if isinstance(node.value, ast.Integer | ast.Float):
        return replay.labels.of(here.unit, node)
    return replay.trace.operation("-", [replay.of(here, node.value)])


@explains(ast.Binary)
def _binary(replay: Replay, here: Here, node: ast.Binary, path: Path) -> Node:
    left = replay.of(here, node.left)
    if node.op in ("and", "or"):
        value = replay.value(here, node.left)
        falsy = value is None or value is False
        if value is not UNKNOWN and falsy is (node.op == "and"):
            return replay.trace.operation(node.op, [left, replay.trace.operation("_", [])])
    return replay.trace.operation(node.op, [left, replay.of(here, node.right)])


@decides(ast.Binary)
def _decided(replay: Replay, here: Here, guard: Guard, options: int) -> Node:
    """Whether the right side of ``and`` or ``or`` runs."""
    return replay.of(here, guard.node.left)


@branches(ast.Binary)
def _branches(guard: Guard) -> Iterator[Branch]:
    if not guard.taken:
        yield Branch([guard.node.right], False, FOREVER)
