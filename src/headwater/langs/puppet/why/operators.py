"""Operators: what they were given; of ``and`` and ``or`` only what was evaluated."""

from __future__ import annotations

from collections.abc import Iterator

from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.record.frames import Guard
from headwater.langs.puppet.syntax import ast
from headwater.langs.puppet.why.constructs import Branch, branches, decides, explains
from headwater.langs.puppet.why.here import Here
from headwater.langs.puppet.why.passed import passed_on
from headwater.langs.puppet.why.questions import FOREVER, UNKNOWN, Key, Path, Replay
from headwater.langs.puppet.why.shapes import shape
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
    right = replay.of(here, node.right)
    if path and node.op in ("+", "-", "<<"):
        found = _element(replay, here, node, path)
        if found is not None:
            return found
    return replay.trace.operation(node.op, [left, right])


def _element(replay: Replay, here: Here, node: ast.Binary, path: Path) -> Node | None:
    """An element of what two arrays or hashes make: it is from one, and there by both."""
    left, right = replay.value(here, node.left), replay.value(here, node.right)
    if node.op == "+" and isinstance(left, Hash) and isinstance(right, Hash):
        wanted = path[0].of if isinstance(path[0], Key) else path[0]
        side = node.right if wanted in right else node.left if wanted in left else None
        if side is None:
            return None
        shapes = (shape(replay, here, part) for part in (node.left, node.right))
        return replay.trace.copy(replay.of(here, side, path), replay.trace.union(*shapes))
    result = replay.value(here, node)
    found = passed_on(replay, here, node.op, result, [node.left, node.right], path)
    if found is None:
        return None
    whole = (replay.of(here, part) for part in (node.left, node.right))
    return replay.trace.copy(found, replay.trace.union(*whole))


@decides(ast.Binary)
def _decided(replay: Replay, here: Here, guard: Guard, options: int) -> Node:
    """Whether the right side of ``and`` or ``or`` runs."""
    return replay.of(here, guard.node.left)


@branches(ast.Binary)
def _branches(guard: Guard) -> Iterator[Branch]:
    if not guard.taken:
        yield Branch([guard.node.right], False, FOREVER)
