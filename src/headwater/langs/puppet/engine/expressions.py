"""Expressions as closures: a tree is compiled once, then called with a frame.

A closure takes the frame it runs in and returns a value.  It holds no state of a
compilation, so a text that was compiled once serves every node.  Each kind of node is
compiled by the module of its construct, which registers itself with `maker`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from headwater.langs.puppet.program.units import Unit
from headwater.langs.puppet.record.frames import Frame
from headwater.langs.puppet.syntax import ast

Code = Callable[[Frame], Any]
Make = Callable[[Unit, Any], Code]

MAKERS: dict[type[Any], Make] = {}


def make(unit: Unit, node: Any) -> Code:
    """The closure of an expression."""
    return MAKERS[type(node)](unit, node)


def maker(*kinds: type[Any]) -> Callable[[Make], Make]:
    """Registers the function that compiles some kinds of nodes."""

    def register(function: Make) -> Make:
        for kind in kinds:
            MAKERS[kind] = function
        return function

    return register


def constant(value: Any) -> Code:
    """A closure that always gives the same value."""
    return lambda f: value


def variable_name(node: Any) -> str | None:
    """The name of a plain variable.  Where it is local, operations read it without a call."""
    if isinstance(node, ast.Variable) and not node.name.isdigit() and "::" not in node.name:
        return node.name
    return None


def unwound(node: Any) -> Any:
    """A node without parentheses around it."""
    while isinstance(node, ast.Paren):
        node = node.value
    return node
