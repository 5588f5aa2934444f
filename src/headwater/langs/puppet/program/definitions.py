"""Definitions: classes, defines, nodes and functions, with the text they stand in."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from headwater.langs.puppet.program.units import Unit
from headwater.langs.puppet.syntax import ast

Code = Callable[[Any], Any]
"""What evaluates a piece of program; it takes a frame."""


_CONSTANTS = (ast.Undef, ast.Boolean, ast.Integer, ast.Float, ast.String, ast.Name)


def is_constant(node: object) -> bool:
    """Whether an expression has the same value everywhere."""
    return isinstance(node, _CONSTANTS)


def constant_of(node: object) -> bool | int | float | str | None:
    """The value of an expression that is constant, else None."""
    match node:
        case ast.Boolean() | ast.Integer() | ast.Float() | ast.String() | ast.Name():
            return node.value
    return None


class Parameter:
    """A parameter: its name, and how to get its type and default once they are compiled."""

    __slots__ = ("constant", "default", "fits", "name", "node", "plain", "splat", "type",
                 "type_value")  # fmt: skip

    def __init__(self, node: ast.Param, type_: Code | None, default: Code | None) -> None:
        self.node = node
        self.name = node.name
        self.splat = node.splat
        self.type = type_
        self.default = default
        self.type_value: Any = None
        self.plain = False
        self.fits: Any = self
        """A value that is of its type, whenever that is asked; the parameter itself is none."""
        self.constant = is_constant(node.default)


class Definition:
    """A class, define or node: Puppet calls it a resource type.

    `kind` is ``class``, ``define`` or ``node``; `overriding` is set once a collector with
    new values was evaluated in it, after which it may override anything.
    """

    __slots__ = ("body", "code", "kind", "match", "name", "node", "overriding", "params",
                 "parent", "parent_definition", "steps", "unit")  # fmt: skip

    def __init__(
        self,
        kind: str,
        name: str,
        unit: Unit | None,
        node: ast.ClassDef | ast.Define | ast.Node | None,
        parent: str | None = None,
    ) -> None:
        self.kind = kind
        self.name = name
        self.unit = unit
        self.node = node
        self.parent = parent
        self.parent_definition: Definition | None = None
        self.overriding = False
        self.params: list[Parameter] | None = None
        self.body: list[ast.Expr] = node.body if node is not None else []
        self.code: Code | None = None
        self.steps = 0
        """What a run of the body counts."""
        self.match: Any = None

    @property
    def module(self) -> str | None:
        """The module whose file it stands in."""
        return self.unit.module if self.unit is not None else None

    def child_of(self, other: Definition | None) -> bool:
        """Whether it may override what the other declared: it inherits from it, or may all."""
        if self.overriding:
            return True
        seen: Definition | None = self
        while seen is not None and seen.parent is not None:
            seen = seen.parent_definition
            if seen is None:
                return False
            if seen is other or seen.overriding:
                return True
        return False


def hoisted(program: ast.Program) -> list[Any]:
    """The definitions of a program, nested classes too, in order."""
    found: list[Any] = []

    def visit(statements: list[Any]) -> None:
        for statement in statements:
            match statement:
                case ast.ClassDef():
                    found.append(statement)
                    visit(statement.body)
                case ast.Define() | ast.Node() | ast.Function() | ast.Alias() | ast.TypeMapping():
                    found.append(statement)
                case ast.Block(statements=inner):
                    visit(inner)
                case _:
                    pass

    visit(program.body)
    return found
