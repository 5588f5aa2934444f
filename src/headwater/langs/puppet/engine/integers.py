"""Arithmetic and order: operations that are nearly always of small integers.

A closure looks at the classes of its operands and computes what is plain; everything else is
done by the function that it ends with.  A literal on the right side is no operand to evaluate.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from headwater.langs.puppet import codes
from headwater.langs.puppet.engine.expressions import Code, unwound, variable_name
from headwater.langs.puppet.engine.weights import COMPARED, SIZED, charged, weighed
from headwater.langs.puppet.fault import Problem
from headwater.langs.puppet.program.units import Unit
from headwater.langs.puppet.record.frames import Frame
from headwater.langs.puppet.syntax import ast
from headwater.langs.puppet.types.arithmetic import calculate
from headwater.langs.puppet.types.assignability import assignable
from headwater.langs.puppet.types.equality import _shown, compare
from headwater.langs.puppet.types.model import OptionalType, is_type
from headwater.langs.puppet.types.value import Value
from headwater.langs.puppet.values import Opaque, is_held, opaque_in

_SMALL, _LARGE = 2**30 - 1, 2**62
_LEAST, _LOWEST = -_SMALL, -_LARGE
"""Results between these are no overflow; to compare with the small ones takes Python less."""

_OPTIONAL = OptionalType()

Rest = Callable[[Frame, Any, Any], Value]
"""An operation on any values."""


def operand(problem: Problem, node: ast.Record) -> ast.Record:
    """The node a problem of an operation is about."""
    side = {0: "left", 1: "right"}.get(-1 if problem.part is None else problem.part)
    found: ast.Record = node if side is None else getattr(node, side, node)
    return found


def make_arithmetic(unit: Unit, node: ast.Binary, left: Code, right: Code) -> Code:
    """The closure of ``+``, ``-``, ``*``, ``/``, ``%``, ``<<`` or ``>>``."""
    op = node.op
    rest = _calculation(unit, node)
    direct = _DIRECT.get(op)
    if direct is None:
        return lambda f: rest(f, left(f), right(f))
    name, other = variable_name(node.left), variable_name(node.right)
    number, least, small = _number(node.right), _LEAST, _SMALL
    if number:
        return _with_number(op, direct, name, left, number, rest)

    def arithmetic(f: Frame) -> Value:
        local = f.vars
        a = local[name] if name in local else left(f)
        b = local[other] if other in local else right(f)
        if a.__class__ is int and b.__class__ is int and b:
            result = direct(a, b)
            if least < result < small or _LOWEST < result < _LARGE:
                return result
        return rest(f, a, b)

    return arithmetic


def _with_number(
    op: str, direct: Callable[[int, int], int], name: str | None, left: Code, number: int,
    rest: Rest,
) -> Code:  # fmt: skip
    """An operation with a literal, not 0, on the right."""
    least, small = _LEAST, _SMALL
    if op == "+" or op == "-":
        step = number if op == "+" else -number

        def add(f: Frame) -> Value:
            local = f.vars
            a = local[name] if name in local else left(f)
            if a.__class__ is int:
                result = a + step
                if least < result < small or _LOWEST < result < _LARGE:
                    return result
            return rest(f, a, number)

        return add
    if op == "%" and abs(number) < small:

        def modulo(f: Frame) -> Value:
            local = f.vars
            a = local[name] if name in local else left(f)
            return a % number if a.__class__ is int else rest(f, a, number)

        return modulo

    def scale(f: Frame) -> Value:
        local = f.vars
        a = local[name] if name in local else left(f)
        if a.__class__ is int:
            result = direct(a, number)
            if least < result < small or _LOWEST < result < _LARGE:
                return result
        return rest(f, a, number)

    return scale


def _calculation(unit: Unit, node: ast.Binary) -> Rest:
    op = node.op

    def calculated(f: Frame, a: Value, b: Value) -> Value:
        if a.__class__ is Opaque or b.__class__ is Opaque:
            return a if a.__class__ is Opaque else b
        compilation = f.scope.compilation
        if op == "-" and compilation.work.opaque and (unknown := opaque_in([a, b])) is not None:
            return unknown
        if op == "-" and a.__class__ in SIZED:
            charged(f, unit, node, a, COMPARED)
            charged(f, unit, node, b, COMPARED)
        try:
            coerced = compilation.messages.coerced_at(unit, node)
            made = calculate(op, a, b, coerced, compilation.level)
        except Problem as problem:
            raise problem.at(unit.blamed(operand(problem, node))) from None
        return weighed(f, unit, node, made)

    return calculated


_DIRECT: dict[str, Callable[[int, int], int]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.floordiv,
    "%": operator.mod,
}
"""Operations on integers that need no more care than a look at the result."""

_ORDERS: dict[str, Callable[[int], bool]] = {
    "<": lambda c: c < 0,
    "<=": lambda c: c <= 0,
    ">": lambda c: c > 0,
    ">=": lambda c: c >= 0,
}


_INTEGER_ORDERS: dict[str, Callable[[int, int], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def make_comparison(unit: Unit, node: ast.Binary, left: Code, right: Code) -> Code:
    """The closure of ``<``, ``<=``, ``>`` or ``>=``."""
    direct, rest = _INTEGER_ORDERS[node.op], _comparison(unit, node)
    name, other = variable_name(node.left), variable_name(node.right)
    number = _number(node.right)
    if number is not None:

        def order_by(
            f: Frame, name: str | None = name, left: Code = left, number: int = number,
            direct: Callable[[int, int], bool] = direct, rest: Rest = rest,
        ) -> Value:  # fmt: skip
            local = f.vars
            a = local[name] if name in local else left(f)
            return direct(a, number) if a.__class__ is int else rest(f, a, number)

        return order_by

    def order(
        f: Frame, name: str | None = name, left: Code = left, other: str | None = other,
        right: Code = right, direct: Callable[[int, int], bool] = direct, rest: Rest = rest,
    ) -> Value:  # fmt: skip
        local = f.vars
        a = local[name] if name in local else left(f)
        b = local[other] if other in local else right(f)
        if a.__class__ is int and b.__class__ is int:
            return direct(a, b)
        return rest(f, a, b)

    return order


def _comparison(unit: Unit, node: ast.Binary) -> Rest:
    op = node.op
    decide = _ORDERS[op]

    def compared(
        f: Frame, a: Value, b: Value, unit: Unit = unit, node: ast.Binary = node, op: str = op,
        decide: Callable[[int], bool] = decide,
    ) -> Value:  # fmt: skip
        if a.__class__ is Opaque or b.__class__ is Opaque:
            return a if a.__class__ is Opaque else b
        try:
            if is_type(a):
                if is_held(a):
                    raise Problem(
                        codes.NOT_COMPARABLE, left=_shown(a), right=_shown(b), operator=op
                    )
                if not is_type(b) or is_held(b):
                    # Of all types only a bare Optional has a value below it, undef.
                    return b is None and op in (">", ">=") and a == _OPTIONAL
                wide, narrow = (b, a) if op in ("<", "<=") else (a, b)
                return assignable(wide, narrow) and (len(op) == 2 or a != b)
            return decide(compare(a, b, op))
        except Problem as problem:
            raise problem.at(unit.blamed(node)) from None

    return compared


def _number(node: object) -> int | None:
    """The value of a literal integer."""
    node = unwound(node)
    return node.value if isinstance(node, ast.Integer) else None
