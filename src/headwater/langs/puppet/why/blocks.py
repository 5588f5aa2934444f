"""Blocks of statements and definitions: their values rest on all that is written in them."""

from __future__ import annotations

from headwater.langs.puppet.syntax import ast
from headwater.langs.puppet.why.constructs import as_a_whole, explains
from headwater.langs.puppet.why.here import Here
from headwater.langs.puppet.why.questions import Path, Replay
from headwater.why import Node


@explains(
    ast.Block, ast.ClassDef, ast.Define, ast.Node, ast.Function, ast.Alias, ast.TypeMapping,
    ast.TypeDef,
)  # fmt: skip
def _block(replay: Replay, here: Here, node: object, path: Path) -> Node:
    return as_a_whole(replay, here, node, path)
