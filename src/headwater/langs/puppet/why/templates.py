"""EPP: what a template writes rests on all that is written in it (see also `calls`)."""

from __future__ import annotations

from headwater.langs.puppet.syntax import ast
from headwater.langs.puppet.why.constructs import as_a_whole, explains
from headwater.langs.puppet.why.here import Here
from headwater.langs.puppet.why.questions import Path, Replay
from headwater.why import Node


@explains(ast.RenderText, ast.Render, ast.Epp)
def _whole(replay: Replay, here: Here, node: object, path: Path) -> Node:
    return as_a_whole(replay, here, node, path)
