"""Literals: their own place in the text."""

from __future__ import annotations

from headwater.langs.puppet.fault import Fault, Problem
from headwater.langs.puppet.syntax import ast
from headwater.langs.puppet.why.constructs import as_a_whole, explains
from headwater.langs.puppet.why.here import Here
from headwater.langs.puppet.why.questions import Path, Replay
from headwater.why import Node

LITERALS = (
    ast.String, ast.Integer, ast.Float, ast.Boolean, ast.Undef, ast.Default, ast.Name, ast.Regex,
)  # fmt: skip

ALIKE = frozenset(
    [ast.String, ast.Integer, ast.Float, ast.Boolean, ast.Undef, ast.Default, ast.Regex]
)
"""Literals whose values are the same in every frame."""

PASSING = frozenset([ast.Embedded, ast.Paren])
"""Nodes whose values are those of the only node in them."""


@explains(*LITERALS)
def _literal(replay: Replay, here: Here, node: object, path: Path) -> Node:
    return replay.labels.of(here.unit, node)


@explains(ast.TypeName)
def _type(replay: Replay, here: Here, node: ast.TypeName, path: Path) -> Node:
    """The name of a type; an alias rests on what it stands for."""
    name = replay.labels.of(here.unit, node, "reference")
    try:
        alias = replay.left.program.alias(node.value.removeprefix("::").lower())
    except (Fault, Problem):
        return name
    if alias is None:
        return name
    unit, definition = alias
    inside = Here(unit, replay.left.record.top, None, here.when)
    return replay.trace.guard(name, replay.everything(inside, definition.type))


@explains(ast.Reserved)
def _reserved(replay: Replay, here: Here, node: ast.Reserved, path: Path) -> Node:
    return as_a_whole(replay, here, node, path)
