"""Literals, names, and the names of types."""

from __future__ import annotations

from headwater.langs.puppet.engine.expressions import Code, constant, maker
from headwater.langs.puppet.fault import Problem
from headwater.langs.puppet.program.units import Unit
from headwater.langs.puppet.record.frames import Frame
from headwater.langs.puppet.syntax import ast
from headwater.langs.puppet.types.value import Value
from headwater.langs.puppet.values import DEFAULT, Regexp


@maker(ast.Boolean, ast.Integer, ast.Float, ast.String, ast.Name)
def _literal(
    unit: Unit, node: ast.Boolean | ast.Integer | ast.Float | ast.String | ast.Name
) -> Code:
    return constant(node.value)


@maker(ast.Undef)
def _undef(unit: Unit, node: ast.Undef) -> Code:
    return constant(None)


@maker(ast.Default)
def _default(unit: Unit, node: ast.Default) -> Code:
    return constant(DEFAULT)


@maker(ast.Regex)
def _regex(unit: Unit, node: ast.Regex) -> Code:
    return constant(Regexp(node.pattern))


@maker(ast.Reserved)
def _reserved(unit: Unit, node: ast.Reserved) -> Code:
    return constant(node.word)


@maker(ast.TypeName)
def _type_name(unit: Unit, node: ast.TypeName) -> Code:
    name = node.value

    def type_named(
        f: Frame, name: str = name, unit: Unit = unit, node: ast.TypeName = node
    ) -> Value:
        types = f.scope.compilation.services.types
        if name in types.known:
            return types.known[name]
        try:
            return types.named(name)
        except Problem as problem:
            raise problem.at(unit.span(node)) from None

    return type_named
