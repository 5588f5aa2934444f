"""`Recipe`: what the body of a define or lambda reads, if it only assigns, declares and chooses.

How such a body's variables and resources came about rests on how what it reads did, on the values
that it chooses by, and on why it ran: on nothing else.  Whatever may look further (a call, a
collector, an override, a default, an arrow, a part of a value that differs from one time to the
next) has no recipe.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from headwater.langs.puppet.engine.expressions import unwound
from headwater.langs.puppet.program.units import Unit
from headwater.langs.puppet.syntax import ast
from headwater.langs.puppet.why.literals import ALIKE

_NO_VALUES = frozenset(["+", "-", "*", "/", "%", "<<", ">>", "==", "!=", "<", ">", "<=", ">="])
"""Operators that are explained without looking at any value."""


class Recipe(msgspec.Struct, frozen=True):
    """What a body reads.

    `whole` are variables that are read as they are, `parts` those that an element is taken of,
    `texts` those that have to be texts; `deciding` are the expressions whose values choose,
    `accesses` those that might read a parameter of a resource.
    """

    whole: list[str]
    parts: list[str]
    texts: list[str]
    deciding: list[ast.Expr]
    accesses: list[ast.Access]


def recipe_of(unit: Unit, node: ast.Define | ast.Lambda) -> Recipe | None:
    """The recipe of a body, found once for all compilations that use the text."""
    found = unit.once("recipe", node, lambda: _read(node))
    assert found is None or isinstance(found, Recipe)
    return found


def is_constant(node: object) -> bool:
    """Whether an expression reads no variable and calls nothing."""
    reader = _Reader(())
    return reader.expression(node) and not (reader.whole or reader.parts)


def _read(node: ast.Define | ast.Lambda) -> Recipe | None:
    reader = _Reader(one.name for one in node.params)
    reader.later = _assigned(node.body)
    if not reader.statements(node.body):
        return None
    return Recipe(
        list(reader.whole), list(reader.parts), list(reader.texts),
        list(reader.deciding.values()), reader.accesses,
    )  # fmt: skip


def _assigned(body: list[Any]) -> set[str]:
    """The variables that a body assigns, anywhere."""
    found: set[str] = set()
    todo = list(body)
    while todo:
        at = todo.pop()
        if isinstance(at, ast.Assignment) and isinstance(at.left, ast.Variable):
            found.add(at.left.name)
        if isinstance(at, ast.Record):
            todo.extend(ast.children(at))
    return found


class _Reader:
    """Reads a body in order; every method says whether it understood what it was given."""

    def __init__(self, bound: Iterable[str]) -> None:
        self.bound = set(bound)
        self.later: set[str] = set()
        """What is assigned somewhere: who reads it before that sees another."""
        self.whole: dict[str, None] = {}
        self.parts: dict[str, None] = {}
        self.texts: dict[str, None] = {}
        self.deciding: dict[int, Any] = {}
        self.accesses: list[ast.Access] = []

    def statements(self, body: list[Any]) -> bool:
        """A list of statements."""
        return all(self.statement(one) for one in body)

    def statement(self, node: object) -> bool:
        """An assignment, a declaration, or a condition over such."""
        match node:
            case ast.Assignment(op="=", left=ast.Variable(name=name), right=right):
                understood = self.expression(right)
                self.bound.add(name)
                return understood
            case ast.Resource(type=ast.Name(value=kind), bodies=bodies, form="regular"):
                return kind.lower() != "class" and all(self.body(one) for one in bodies)
            case ast.If(test=test, then=then, otherwise=rest):
                return self.choosing(test) and self.statements(then) and self.statements(rest)
            case ast.Unless(test=test, then=then, otherwise=rest):
                return self.choosing(test) and self.statements(then) and self.statements(rest)
            case ast.Case(test=test, options=options):
                return self.choosing(test) and all(
                    all(self.tested(value) for value in one.values) and self.statements(one.body)
                    for one in options
                )
        return False

    def body(self, body: ast.Body) -> bool:
        """One of the bodies of a resource expression, for one title."""
        title = body.title
        if isinstance(title, ast.Variable):
            self.texts[title.name] = None
        elif not isinstance(title, ast.Interpolated | ast.String):
            return False
        return self.expression(title) and all(
            isinstance(one, ast.Attribute) and one.op == "=>" and self.expression(one.value)
            for one in body.operations
        )

    def choosing(self, node: object) -> bool:
        """An expression by whose value something is chosen."""
        if type(node) not in ALIKE:
            self.deciding[id(node)] = node
        return self.expression(node)

    def tested(self, node: object) -> bool:
        """What the subject of a choice is compared with."""
        return type(node) is ast.Name or self.choosing(node)

    def expression(self, node: object) -> bool:
        """An expression that only puts together what variables hold."""
        match node:
            case _ if type(node) in ALIKE or isinstance(node, ast.Name):
                return True
            case ast.Variable(name=name):
                return self.variable(name, self.whole)
            case ast.Interpolated(segments=[ast.Embedded(value=ast.Variable(name=name))]):
                self.texts[name] = None
                return self.variable(name, self.whole)
            case ast.Interpolated(segments=[only]):
                return isinstance(only, ast.String)
            case ast.Interpolated(segments=parts) | ast.Array(items=parts):
                return all(self.expression(part) for part in parts)
            case ast.Embedded(value=inner) | ast.Paren(value=inner) | ast.Not(value=inner):
                return self.expression(inner)
            case ast.Minus(value=inner):
                return self.expression(inner)
            case ast.Binary(op=op, left=left, right=right) if op in _NO_VALUES:
                return self.expression(left) and self.expression(right)
            case ast.Binary(op="and" | "or", left=left, right=right):
                return self.choosing(left) and self.expression(right)
            case ast.Hash(entries=entries):
                return all(
                    self.expression(one.key) and self.expression(one.value) for one in entries
                )
            case ast.Selector(value=value, options=options):
                return self.choosing(value) and all(
                    self.tested(one.match) and self.expression(one.value) for one in options
                )
            case ast.Access():
                return self.access(node)
        return False

    def access(self, node: ast.Access) -> bool:
        """A reference, or an element of what a variable has."""
        self.accesses.append(node)
        if isinstance(node.left, ast.TypeName):
            return all(self.expression(key) for key in node.keys)
        left = unwound(node.left)
        if not all(self.choosing(key) for key in node.keys):
            return False
        match left:
            case ast.Access() if not isinstance(left.left, ast.TypeName):
                return self.access(left)
            case ast.Variable(name=name):
                return self.variable(name, self.parts)
        return False

    def variable(self, name: str, kept: dict[str, None]) -> bool:
        """A variable that is read."""
        if "::" in name or name.isdigit() or (name in self.later and name not in self.bound):
            return False
        kept[name] = None
        return True
