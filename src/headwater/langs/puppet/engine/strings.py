"""Strings with something interpolated, and heredocs."""

from __future__ import annotations

from headwater.langs.puppet.engine.expressions import Code, make, maker, variable_name
from headwater.langs.puppet.engine.weights import LONG, weighed
from headwater.langs.puppet.program.units import Unit
from headwater.langs.puppet.record.frames import Frame
from headwater.langs.puppet.syntax import ast
from headwater.langs.puppet.types.text import text_of
from headwater.langs.puppet.types.value import Value
from headwater.langs.puppet.values import Opaque, opaque_in


@maker(ast.Embedded)
def _embedded(unit: Unit, node: ast.Embedded) -> Code:
    value = make(unit, node.value)

    def embedded(f: Frame, value: Code = value) -> Value:
        return text_of(value(f))

    return embedded


@maker(ast.Interpolated)
def _interpolated(unit: Unit, node: ast.Interpolated) -> Code:
    parts: list[str | None] = []
    codes_: list[tuple[int, str | None, Code]] = []
    for index, segment in enumerate(node.segments):
        if isinstance(segment, ast.String):
            parts.append(segment.value)
        else:
            parts.append(None)
            codes_.append((index, variable_name(segment.value), make(unit, segment.value)))
    template = [part or "" for part in parts]
    if len(codes_) == 1:
        ((index, name, code),) = codes_
        return _around(unit, node, "".join(template[:index]), name, code, "".join(template[index:]))

    def interpolate(
        f: Frame, template: list[str] = template,
        codes_: list[tuple[int, str | None, Code]] = codes_, unit: Unit = unit,
        node: ast.Interpolated = node,
    ) -> Value:  # fmt: skip
        pieces = template.copy()
        local = f.vars
        for index, name, code in codes_:
            value = local[name] if name in local else code(f)
            if value.__class__ is not str:
                if value.__class__ is int:
                    value = str(value)
                elif value.__class__ is Opaque:
                    return value
                elif f.scope.compilation.work.opaque and (part := opaque_in(value)) is not None:
                    return part
                else:
                    value = text_of(value)
            pieces[index] = value
        text = "".join(pieces)
        return text if len(text) < LONG else weighed(f, unit, node, text)

    return interpolate


def _around(
    unit: Unit, node: ast.Interpolated, before: str, name: str | None, code: Code, after: str
) -> Code:
    """A string in which one value is interpolated."""

    def interpolate(
        f: Frame, before: str = before, name: str | None = name, code: Code = code,
        after: str = after, unit: Unit = unit, node: ast.Interpolated = node,
    ) -> Value:  # fmt: skip
        value = f.vars[name] if name in f.vars else code(f)
        if value.__class__ is not str and value.__class__ is not int:
            if value.__class__ is Opaque:
                return value
            if f.scope.compilation.work.opaque and (part := opaque_in(value)) is not None:
                return part
            value = text_of(value)
        text = f"{before}{value}{after}"
        return text if len(text) < LONG else weighed(f, unit, node, text)

    return interpolate


@maker(ast.Heredoc)
def _heredoc(unit: Unit, node: ast.Heredoc) -> Code:
    return make(unit, node.text)
