"""Expressions as closures: a tree is compiled once, then called with a frame.

A closure takes the frame it runs in and returns a value.  It holds no state of a
compilation, so a text that was compiled once serves every node.  Each kind of node is
compiled by the module of its construct, which registers itself with `maker`.

Closures that programs have many of hold what they need as defaults of their parameters.  A variable
of the function around would be an object of its own for each, and 300 classes have 100,000 of them.
Callers give a closure the frame and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from importlib import import_module
from typing import Any

from headwater.langs.puppet.program.units import Unit
from headwater.langs.puppet.record.frames import Frame
from headwater.langs.puppet.syntax import ast

Code = Callable[[Frame], Any]
Make = Callable[[Unit, Any], Code]

MAKERS: dict[type[Any], Make] = {}

CONSTRUCTS: dict[str, tuple[type[Any], ...]] = {
    "access": (ast.Access,),
    "assignments": (ast.Assignment,),
    "blocks": (ast.Block, ast.ClassDef, ast.Define, ast.Node, ast.Function, ast.Alias,
               ast.TypeMapping, ast.TypeDef),
    "calls": (ast.Call, ast.Method),
    "collections": (ast.Array, ast.Hash, ast.Splat),
    "collectors": (ast.Collect,),
    "conditionals": (ast.If, ast.Unless, ast.Case, ast.Selector),
    "defaults": (ast.Defaults,),
    "literals": (ast.Undef, ast.Default, ast.Boolean, ast.Integer, ast.Float, ast.String, ast.Name,
                 ast.TypeName, ast.Regex, ast.Reserved),
    "operators": (ast.Paren, ast.Not, ast.Minus, ast.Binary),
    "overrides": (ast.Override,),
    "relations": (ast.Relation,),
    "resources": (ast.Resource,),
    "strings": (ast.Interpolated, ast.Embedded, ast.Heredoc),
    "templates": (ast.RenderText, ast.Render, ast.Epp),
    "variables": (ast.Variable,),
}  # fmt: skip
"""The modules of constructs, and the kinds of nodes that each evaluates."""

_HOMES = {kind: module for module, kinds in CONSTRUCTS.items() for kind in kinds}


def make(unit: Unit, node: object) -> Code:
    """The closure of an expression; the module of its construct is loaded with the first one."""
    unit.size += 1
    kind = type(node)
    maker = MAKERS.get(kind)
    if maker is None:
        import_module(f"{__package__}.{_HOMES[kind]}")
        maker = MAKERS[kind]
    return maker(unit, node)


def maker(*kinds: type[Any]) -> Callable[[Make], Make]:
    """Registers the function that compiles some kinds of nodes."""

    def register(function: Make) -> Make:
        for kind in kinds:
            MAKERS[kind] = function
        return function

    return register


def constant(value: object) -> Code:
    """A closure that always gives the same value; those of short literals are shared."""
    if value is None or isinstance(value, int) or (isinstance(value, str) and len(value) <= _SHORT):
        return _shared(value)
    return _always(value)


_SHORT = 40
"""Characters of a text whose closure other texts may share."""


@lru_cache(maxsize=8192, typed=True)
def _shared(value: str | int | bool | None) -> Code:
    return _always(value)


def _always(value: object) -> Code:
    def same(f: Frame, value: object = value) -> object:
        return value

    return same


def variable_name(node: object) -> str | None:
    """The name of a plain variable.  Where it is local, operations read it without a call."""
    if isinstance(node, ast.Variable) and not node.name.isdigit() and "::" not in node.name:
        return node.name
    return None


def unwound(node: object) -> object:
    """A node without parentheses around it."""
    while isinstance(node, ast.Paren):
        node = node.value
    return node
