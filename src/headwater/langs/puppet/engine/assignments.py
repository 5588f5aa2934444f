"""Assignments, of one variable or of several."""

from __future__ import annotations

from typing import Any

from headwater.langs.puppet import codes
from headwater.langs.puppet.engine.expressions import Code, make, maker
from headwater.langs.puppet.engine.variables import qualified
from headwater.langs.puppet.fault import Problem, fail
from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.program.units import Unit
from headwater.langs.puppet.record.frames import UNBOUND, Binding, Frame
from headwater.langs.puppet.syntax import ast
from headwater.langs.puppet.types.value import Value
from headwater.langs.puppet.values import ClassRef, Opaque

_RESERVED = frozenset(["trusted", "facts", "server_facts"])


@maker(ast.Assignment)
def _assignment(unit: Unit, node: ast.Assignment) -> Code:
    right = make(unit, node.right)
    if isinstance(node.left, ast.Variable):
        name = node.left.name
        check = name in _RESERVED
        value_node = node.right

        def assign(
            f: Frame, name: str = name, right: Code = right, check: bool = check, unit: Unit = unit,
            node: ast.Assignment = node, value_node: ast.Expr = value_node,
        ) -> Value:  # fmt: skip
            value = right(f)
            local = f.vars
            if name in local or check:
                _refuse(name, unit, node)
            if f.pending is not None:
                fail(codes.REASSIGNED, unit.span(node), name=name)
            local[name] = value
            record = f.scope.record
            record.clock = now = record.clock + 1
            if f.up is not None and not f.bindings:
                record.opens(f)
            f.bindings[name] = Binding("assigned", unit, value_node, f, f.guard, None, now)
            return value

        return assign
    targets = node.left

    def assign_several(f: Frame) -> Value:
        value = right(f)
        try:
            _assign(f, targets, value, unit, node)
        except Problem as problem:
            raise problem.at(unit.span(node)) from None
        return value

    return assign_several


def _refuse(name: str, unit: Unit, node: object) -> None:
    code = codes.RESERVED_VARIABLE if name in _RESERVED else codes.REASSIGNED
    fail(code, unit.span(node), name=name)


def _assign(f: Frame, target: object, value: object, unit: Unit, node: ast.Assignment) -> None:
    if isinstance(target, ast.Variable):
        name = target.name
        if name in f.vars or name in _RESERVED:
            _refuse(name, unit, node)
        f.vars[name] = value
        record = f.scope.record
        record.clock = now = record.clock + 1
        f.bindings[name] = Binding("assigned", unit, node.right, f, f.guard, target, now)
        return
    assert isinstance(target, ast.Array)
    names = target.items
    if isinstance(value, Hash):
        for item in names:
            name = item.name if isinstance(item, ast.Variable) else ""
            if name not in value:
                raise Problem(codes.BAD_MULTI_ASSIGNMENT, message=f"the hash has no key {name}")
            _assign(f, item, value[name], unit, node)
        return
    if isinstance(value, Opaque):
        for item in names:
            _assign(f, item, value, unit, node)
        return
    if isinstance(value, ClassRef):
        _assign_from_class(f, names, value, unit, node)
        return
    values = value if isinstance(value, list) else [value]
    if len(values) != len(names):
        raise Problem(
            codes.BAD_MULTI_ASSIGNMENT,
            message=f"{len(values)} values for {len(names)} variables",
        )
    for item, element in zip(names, values, strict=True):
        _assign(f, item, element, unit, node)


def _assign_from_class(
    f: Frame, names: list[Any], ref: ClassRef, unit: Unit, node: ast.Assignment
) -> None:
    if f.scope.record.scopes.get(ref.name or "") is None:
        raise Problem(codes.MISSING_RESOURCE, resource=str(ref), what="")
    for item in names:
        assert isinstance(item, ast.Variable)
        found = qualified(f.scope.compilation, f"{ref.name}::{item.name}")
        if found is UNBOUND:
            raise Problem(codes.BAD_MULTI_ASSIGNMENT, message=f"{ref} has no variable {item.name}")
        _assign(f, item, found, unit, node)
