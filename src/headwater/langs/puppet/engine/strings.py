"""Strings with something interpolated, and heredocs."""

from __future__ import annotations

from headwater.langs.puppet import codes
from headwater.langs.puppet.bytestrings import Bytes, Incompatible, joined
from headwater.langs.puppet.engine.expressions import Code, make, maker, variable_name
from headwater.langs.puppet.engine.weights import LONG, weighed
from headwater.langs.puppet.fault import fail
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

    if len(codes_) == 2:
        return _around_two(unit, node, template, codes_)

    if len(codes_) == 3:
        return _around_three(unit, node, template, codes_)

    def interpolate(
        f: Frame, template: list[str] = template,
        codes_: list[tuple[int, str | None, Code]] = codes_, unit: Unit = unit,
        node: ast.Interpolated = node,
    ) -> Value:  # fmt: skip
        pieces = template.copy()
        local, odd = f.vars, False
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
                    value = _as_text(unit, node, value)
                    if value.__class__ is Bytes:
                        pieces[index], odd = value, True
                        continue
            pieces[index] = value
        text = _together(unit, node, pieces) if odd else "".join(pieces)
        return text if len(text) < LONG else weighed(f, unit, node, text)

    return interpolate


def _piece(f: Frame, unit: Unit, node: object, value: Value) -> str | Opaque:
    """A value as text, unless it is unknown or what makes it so."""
    if value.__class__ is Opaque:
        return value
    if f.scope.compilation.work.opaque and (part := opaque_in(value)) is not None:
        return part
    return _as_text(unit, node, value)


def _as_text(unit: Unit, node: object, value: object) -> str:
    """A value as text; a list may hold strings that do not go together."""
    try:
        return text_of(value)
    except Incompatible as error:
        fail(codes.MIXED_ENCODINGS, unit.span(node), what=str(error))


def _together(unit: Unit, node: object, pieces: list[str]) -> str:
    """The pieces, one of which is a string of bytes; an empty one was never written."""
    try:
        return joined([piece for piece in pieces if piece] or [""])
    except Incompatible as error:
        fail(codes.MIXED_ENCODINGS, unit.span(node), what=str(error))


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
            value = _piece(f, unit, node, value)
            if value.__class__ is Opaque:
                return value
            if value.__class__ is Bytes:
                return _together(unit, node, [before, value, after])
        text = f"{before}{value}{after}"
        return text if len(text) < LONG else weighed(f, unit, node, text)

    return interpolate


def _around_two(
    unit: Unit,
    node: ast.Interpolated,
    template: list[str],
    codes_: list[tuple[int, str | None, Code]],
) -> Code:
    """A string in which two values are interpolated."""
    (at, first_name, first), (then, second_name, second) = codes_
    before, between, after = (
        "".join(template[:at]), "".join(template[at:then]), "".join(template[then:])
    )  # fmt: skip

    def interpolate(
        f: Frame, before: str = before, first_name: str | None = first_name, first: Code = first,
        between: str = between, second_name: str | None = second_name, second: Code = second,
        after: str = after, unit: Unit = unit, node: ast.Interpolated = node,
    ) -> Value:  # fmt: skip
        local = f.vars
        one = local[first_name] if first_name in local else first(f)
        if one.__class__ is not str and one.__class__ is not int:
            one = _piece(f, unit, node, one)
            if one.__class__ is Opaque:
                return one
        two = local[second_name] if second_name in local else second(f)
        if two.__class__ is not str and two.__class__ is not int:
            two = _piece(f, unit, node, two)
            if two.__class__ is Opaque:
                return two
        if one.__class__ is Bytes or two.__class__ is Bytes:
            pieces = [piece if isinstance(piece, str) else str(piece) for piece in (one, two)]
            return _together(unit, node, [before, pieces[0], between, pieces[1], after])
        text = f"{before}{one}{between}{two}{after}"
        return text if len(text) < LONG else weighed(f, unit, node, text)

    return interpolate


def _around_three(
    unit: Unit,
    node: ast.Interpolated,
    template: list[str],
    codes_: list[tuple[int, str | None, Code]],
) -> Code:
    """A string in which three values are interpolated."""
    (at, first_name, first), (then, second_name, second), (last, third_name, third) = codes_
    before, between = "".join(template[:at]), "".join(template[at:then])
    amid, after = "".join(template[then:last]), "".join(template[last:])

    def interpolate(
        f: Frame, before: str = before, first_name: str | None = first_name, first: Code = first,
        between: str = between, second_name: str | None = second_name, second: Code = second,
        amid: str = amid, third_name: str | None = third_name, third: Code = third,
        after: str = after, unit: Unit = unit, node: ast.Interpolated = node,
    ) -> Value:  # fmt: skip
        local, odd = f.vars, False
        one = local[first_name] if first_name in local else first(f)
        if one.__class__ is not str and one.__class__ is not int:
            one = _piece(f, unit, node, one)
            if one.__class__ is Opaque:
                return one
            odd = one.__class__ is Bytes
        two = local[second_name] if second_name in local else second(f)
        if two.__class__ is not str and two.__class__ is not int:
            two = _piece(f, unit, node, two)
            if two.__class__ is Opaque:
                return two
            odd = odd or two.__class__ is Bytes
        three = local[third_name] if third_name in local else third(f)
        if three.__class__ is not str and three.__class__ is not int:
            three = _piece(f, unit, node, three)
            if three.__class__ is Opaque:
                return three
            odd = odd or three.__class__ is Bytes
        if odd:
            pieces = [part if isinstance(part, str) else str(part) for part in (one, two, three)]
            parts = [before, pieces[0], between, pieces[1], amid, pieces[2], after]
            return _together(unit, node, parts)
        text = f"{before}{one}{between}{two}{amid}{three}{after}"
        return text if len(text) < LONG else weighed(f, unit, node, text)

    return interpolate


@maker(ast.Heredoc)
def _heredoc(unit: Unit, node: ast.Heredoc) -> Code:
    return make(unit, node.text)
