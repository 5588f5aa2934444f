"""Resource expressions, as values and as declarations of classes."""

from __future__ import annotations

from collections.abc import Iterator

from headwater.langs.puppet.record.frames import Guard
from headwater.langs.puppet.syntax import ast
from headwater.langs.puppet.why.classes import named_by
from headwater.langs.puppet.why.constructs import Branch, as_a_whole, branches, decides, explains
from headwater.langs.puppet.why.here import Here
from headwater.langs.puppet.why.questions import FOREVER, Path, Replay
from headwater.why import Node


@explains(ast.Resource)
def _resource(replay: Replay, here: Here, node: ast.Resource, path: Path) -> Node:
    return as_a_whole(replay, here, node, path)


@decides(ast.Resource)
def _decided(replay: Replay, here: Here, guard: Guard, options: int) -> Node:
    """Which class ``class { $name: }`` declares."""
    return named_by(replay, here._replace(when=guard.when), guard.node)


@branches(ast.Resource)
def _branches(guard: Guard) -> Iterator[Branch]:
    """It might have declared any other class."""
    yield Branch([ast.Call(ast.Name("include"), [ast.Undef()])], False, FOREVER)
