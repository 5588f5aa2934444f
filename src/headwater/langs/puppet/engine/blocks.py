"""Blocks of statements; definitions among them do nothing where they stand."""

from __future__ import annotations

from itertools import groupby
from typing import Any

from headwater.langs.puppet.engine.expressions import Code, constant, make, maker
from headwater.langs.puppet.engine.steps import A_RUN
from headwater.langs.puppet.program.units import Unit
from headwater.langs.puppet.record.frames import Frame
from headwater.langs.puppet.syntax import ast
from headwater.langs.puppet.types.value import Value

_DEFINITIONS = (ast.ClassDef, ast.Define, ast.Node, ast.Function, ast.Alias, ast.TypeMapping,
                ast.TypeDef)  # fmt: skip
_WRITING = (ast.RenderText, ast.Render)


def make_body(unit: Unit, statements: list[Any]) -> tuple[Code, int]:
    """The closure of a body that is run as a whole, and what each run counts."""
    before = unit.size
    block = make_block(unit, statements)
    steps, unit.size = unit.size - before + A_RUN, before
    return block, steps


def make_block(unit: Unit, statements: list[Any]) -> Code:
    """The closure of statements; its value is that of the last."""
    if any(isinstance(node, _WRITING) for node in statements):
        parts = _in_rows(unit, statements)
    else:
        parts = [make(unit, node) for node in statements if not isinstance(node, _DEFINITIONS)]
    if statements and isinstance(statements[-1], _DEFINITIONS):
        parts.append(constant(None))
    if not parts:
        return constant(None)
    if len(parts) == 1:
        return parts[0]
    if len(parts) == 2:
        first, second = parts

        def pair(f: Frame, first: Code = first, second: Code = second) -> Value:
            first(f)
            return second(f)

        return pair
    *front, last = parts

    def block(f: Frame, front: list[Code] = front, last: Code = last) -> Value:
        for part in front:
            part(f)
        return last(f)

    return block


def _in_rows(unit: Unit, statements: list[Any]) -> list[Code]:
    """The closures of statements in a template: what is written in a row is one."""
    from headwater.langs.puppet.engine.writing import is_row_part, make_writing

    parts: list[Code] = []
    for in_row, nodes in groupby(statements, is_row_part):
        if in_row:
            row = list(nodes)
            unit.size += len(row)
            parts.append(make_writing(unit, row))
        else:
            parts += [make(unit, node) for node in nodes if not isinstance(node, _DEFINITIONS)]
    return parts


@maker(ast.Block)
def _block(unit: Unit, node: ast.Block) -> Code:
    return make_block(unit, node.statements)


@maker(*_DEFINITIONS)
def _definition(unit: Unit, node: object) -> Code:
    return constant(None)
