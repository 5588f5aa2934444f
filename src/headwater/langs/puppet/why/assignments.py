"""Assignments: their value is what is assigned.  For the variable see `variables`."""

from __future__ import annotations

from headwater.langs.puppet.syntax import ast
from headwater.langs.puppet.why.constructs import explains
from headwater.langs.puppet.why.here import Here
from headwater.langs.puppet.why.questions import Path, Replay
from headwater.why import Node


@explains(ast.Assignment)
def _assignment(replay: Replay, here: Here, node: ast.Assignment, path: Path) -> Node:
    return replay.of(here, node.right, path)
