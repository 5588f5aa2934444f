"""Blocks of statements; definitions among them do nothing where they stand."""

from __future__ import annotations

from typing import Any

from headwater.langs.puppet.engine.expressions import Code, constant, make, maker
from headwater.langs.puppet.engine.steps import A_RUN
from headwater.langs.puppet.program.units import Unit
from headwater.langs.puppet.record.frames import Frame
from headwater.langs.puppet.syntax import ast
from headwater.langs.puppet.types.value import Value

_DEFINITIONS = (ast.ClassDef, ast.Define, ast.Node, ast.Function, ast.Alias, ast.TypeMapping,
                ast.TypeDef)  # fmt: skip


def make_body(unit: Unit, statements: list[Any]) -> tuple[Code, int]:
    """The closure of a body that is run as a whole, and what each run counts."""
    before = unit.size
    block = make_block(unit, statements)
    steps, unit.size = unit.size - before + A_RUN, before
    return block, steps


def make_block(unit: Unit, statements: list[Any]) -> Code:
    """The closure of statements; its value is that of the last."""
    parts = [make(unit, node) for node in statements if not isinstance(node, _DEFINITIONS)]
    if statements and isinstance(statements[-1], _DEFINITIONS):
        parts.append(constant(None))
    if not parts:
        return constant(None)
    if len(parts) == 1:
        return parts[0]
    if len(parts) == 2:
        first, second = parts

        def pair(f: Frame) -> Value:
            first(f)
            return second(f)

        return pair
    *front, last = parts

    def block(f: Frame) -> Value:
        for part in front:
            part(f)
        return last(f)

    return block


@maker(ast.Block)
def _block(unit: Unit, node: ast.Block) -> Code:
    return make_block(unit, node.statements)


@maker(*_DEFINITIONS)
def _definition(unit: Unit, node: object) -> Code:
    return constant(None)
