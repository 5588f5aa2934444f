"""Attributes: what is given to resources, defaults, overrides and collectors in braces."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from headwater.langs.puppet import codes
from headwater.langs.puppet.catalog.resource import Param
from headwater.langs.puppet.engine.expressions import Code, make, unwound, variable_name
from headwater.langs.puppet.fault import fail
from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.program.definitions import constant_of, is_constant
from headwater.langs.puppet.program.units import Unit
from headwater.langs.puppet.record.frames import Frame, unsettle
from headwater.langs.puppet.syntax import ast
from headwater.langs.puppet.types.value import Value
from headwater.langs.puppet.values import DEFAULT, SINGLE, Opaque
from headwater.text.named import NamedTuple

Params = dict[str, Param]


def make_attributes(
    unit: Unit, operations: list[Any], owner: object, how: str
) -> Callable[[Frame], Params]:
    """The closure that evaluates attributes, each one once."""
    parts: list[tuple[str | None, bool, Code, Any]] = []
    for op in operations:
        if isinstance(op, ast.Attribute):
            parts.append((op.name, op.op == "+>", make(unit, op.value), op))
        else:
            parts.append((None, False, make(unit, op.value), op))
    plain = [
        Plain(
            name, add, op, None if is_constant(op.value) else code, constant_of(op.value),
            variable_name(op.value), _is_apart(op.value),
        )
        for name, add, code, op in parts
        if name is not None
    ]  # fmt: skip
    if len({each.name for each in plain}) == len(parts):
        return _named_once(unit, plain, how)
    return lambda f: _evaluate(f, unit, parts, owner, how)


class Plain(NamedTuple):
    """An attribute that is written by its name, which no other has.

    `code` is None where the `value` is constant; `apart` is whether nobody else holds the value.
    """

    name: str
    add: bool
    op: ast.Attribute
    code: Code | None
    value: Any
    variable: str | None
    apart: bool


def _named_once(unit: Unit, plain: list[Plain], how: str) -> Callable[[Frame], Params]:
    """The closure of attributes of different names."""

    def evaluate(f: Frame, unit: Unit = unit, plain: list[Plain] = plain, how: str = how) -> Params:
        source, guard, local = f.scope.source, f.guard, f.vars
        given: Params = {}
        for name, add, op, code, value, variable, apart in plain:
            if code is not None:
                value = local[variable] if variable in local else code(f)
                if not apart and (value.__class__ is list or value.__class__ is Hash):
                    value = own_copy(f, value)
            given[name] = Param(value, source, how, add, unit, op, f, guard)
        return given

    return evaluate


def _evaluate(
    f: Frame, unit: Unit, parts: list[tuple[str | None, bool, Code, Any]], owner: object, how: str
) -> Params:
    """The attributes where a hash may bring some, or a name is there twice."""
    source, guard = f.scope.source, f.guard
    result: Params = {}
    for name, add, code, op in parts:
        value = code(f)
        if name is not None:
            given = Hash({name: value})
        elif isinstance(value, Hash):
            given = value
        elif isinstance(value, Opaque):
            f.scope.compilation.messages.undecide(unit, owner, value)
            unsettle(f, unit, owner, value)
            continue
        else:
            kind = kind_of(value)
            fail(codes.MISTYPED, unit.span(op.value), message=f"* => takes a Hash, got {kind}")
        for key, item in given.pairs():
            if key is DEFAULT:
                key = "default"
            elif not isinstance(key, str):
                kind = kind_of(key)
                fail(codes.MISTYPED, unit.span(op), message=f"{kind} is no name of a parameter")
            if key in result:
                fail(codes.DUPLICATE_ATTRIBUTE, unit.span(owner), name=key)
            result[key] = Param(
                own_copy(f, item), source, how, add=add, unit=unit, node=op, frame=f,
                guard=guard, detail=None if name is not None else key,
            )  # fmt: skip
    return result


_SCALARS = (
    ast.String, ast.Integer, ast.Float, ast.Boolean, ast.Undef, ast.Name, ast.Interpolated,
    ast.Regex, ast.Default, ast.Heredoc, ast.TypeName,
)  # fmt: skip


def _is_apart(node: object) -> bool:
    """Whether nobody but the attribute holds its value.

    Puppet gives every attribute its own copy of arrays and hashes, which shows when Ruby changes
    them.  What is written out as an array of plain values belongs to nobody else anyway.
    """
    node = unwound(node)
    items = node.items if isinstance(node, ast.Array) else [node]
    return all(isinstance(unwound(item), _SCALARS) for item in items)


def own_copy(f: Frame, value: Value) -> Value:
    """A copy of an array or hash and of those in it; heavy ones are shared."""
    if value.__class__ is list:
        if _heavy(f, value):
            return value
        if SINGLE.issuperset(map(type, value)):
            return value.copy()
        return [own_copy(f, item) for item in value]
    if value.__class__ is Hash:
        return value if _heavy(f, value) else value.map_values(lambda item: own_copy(f, item))
    return value


def _heavy(f: Frame, value: object) -> bool:
    return id(value) in f.scope.compilation.work.weights


def timed(params: Params, f: Frame) -> Params:
    """Parameters that do not come with a resource, with the time they were evaluated."""
    when = f.scope.record.clock
    for param in params.values():
        param.when = when
    return params


def kind_of(value: Value) -> str:
    """The type of a value in a few words."""
    from headwater.langs.puppet.types import generalize, infer, show_type

    return show_type(generalize(infer(value)))
