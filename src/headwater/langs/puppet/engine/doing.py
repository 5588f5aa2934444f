"""Whether a piece of program does anything but give a value.

Conditions are noted in the record only where something else hangs on them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from headwater.langs.puppet.functions import NAMES
from headwater.langs.puppet.syntax import ast

_DOING = (ast.Assignment, ast.Resource, ast.Defaults, ast.Override, ast.Collect, ast.Relation)
_DEFINING = (ast.ClassDef, ast.Define, ast.Node, ast.Function, ast.Alias, ast.TypeMapping,
             ast.TypeDef)  # fmt: skip
_LEAVES = frozenset([ast.Undef, ast.Default, ast.Boolean, ast.Integer, ast.Float, ast.String,
                     ast.Name, ast.TypeName, ast.Regex, ast.Variable, ast.Reserved])  # fmt: skip
_LOOKING = frozenset(["defined", "tagged", "lookup", "hiera", "hiera_array", "hiera_hash"])
_CALLING = frozenset(["break", "call", "fail", "import"])


def name_called(node: ast.Call | ast.Method) -> str:
    """The name of the function that a call calls; ``new`` for a type."""
    if isinstance(node.function, ast.Name):
        return node.function.value.removeprefix("::")
    return "new"


def active(nodes: Iterable[Any], known: Mapping[int, bool] | None = None) -> bool:
    """Whether running these nodes could do anything but give a value.

    `known` has the answer for some of the nodes inside, by their identity.
    """
    todo = list(nodes)
    while todo:
        node = todo.pop()
        kind = node.__class__
        if kind in _LEAVES or kind in _DEFINING:
            continue
        if known is not None and id(node) in known:
            if known[id(node)]:
                return True
            continue
        if kind in _DOING:
            return True
        if kind is ast.Call or kind is ast.Method:
            name = name_called(node)
            if name in _CALLING or (name not in NAMES and name not in _LOOKING):
                return True
        if isinstance(node, ast.Record):
            todo.extend(ast.children(node))
    return False


_COMPUTING = _LEAVES | frozenset([
    ast.Paren, ast.Not, ast.Minus, ast.Binary, ast.Access, ast.Array, ast.Hash, ast.Entry,
    ast.Interpolated, ast.Embedded, ast.Heredoc, ast.Splat, ast.If, ast.Unless, ast.Case, ast.When,
    ast.Selector, ast.Option, ast.Block,
])  # fmt: skip


def computes(nodes: Iterable[Any]) -> bool:
    """Whether running these nodes calls nothing and does nothing: they only compute a value.

    The frame that they run in is then known to nobody once they have run.
    """
    todo = list(nodes)
    while todo:
        node = todo.pop()
        kind = node.__class__
        if kind not in _COMPUTING:
            return False
        if kind not in _LEAVES:
            todo.extend(ast.children(node))
    return True
