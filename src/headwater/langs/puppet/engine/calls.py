"""Calls of functions, with and without a lambda, and the jumps that look like calls."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

from headwater.langs.puppet import codes
from headwater.langs.puppet.engine.collections import Items, make_list
from headwater.langs.puppet.engine.doing import active
from headwater.langs.puppet.engine.expressions import Code, make, maker, unwound, variable_name
from headwater.langs.puppet.engine.functions import invoke
from headwater.langs.puppet.engine.lambdas import Callee, Lambda
from headwater.langs.puppet.engine.steps import A_CALL
from headwater.langs.puppet.fault import Break, Fault, Next, Return
from headwater.langs.puppet.program.units import Unit
from headwater.langs.puppet.record.frames import Frame, decide
from headwater.langs.puppet.syntax import ast
from headwater.langs.puppet.types.value import Value


@maker(ast.Call)
def _call(unit: Unit, node: ast.Call) -> Code:
    args = make_list(unit, node.args)
    functor = node.function
    if isinstance(functor, ast.Name):
        return _named(unit, node, functor.value, args, node.block)
    type_ = make(unit, functor)
    return _named(unit, node, "new", lambda f: [type_(f), *args(f)], node.block)


@maker(ast.Method)
def _method(unit: Unit, node: ast.Method) -> Code:
    name = node.function.value.removeprefix("::")
    receiver = unwound(node.receiver)
    alone = node.block is None and not node.args and name not in _JUMPS
    if alone and not isinstance(receiver, ast.Splat):
        return _of_one(unit, node, name)
    args = make_list(unit, [node.receiver, *node.args])
    return _named(unit, node, node.function.value, args, node.block)


def _of_one(unit: Unit, node: ast.Method, name: str) -> Code:
    """A method of what it is called on alone."""
    only, variable = make(unit, node.receiver), variable_name(node.receiver)
    unit.size += A_CALL

    def call(
        f: Frame, unit: Unit = unit, node: ast.Method = node, name: str = name, only: Code = only,
        variable: str | None = variable,
    ) -> Value:  # fmt: skip
        value = f.vars[variable] if variable in f.vars else only(f)
        return invoke(f, unit, node, name, [value], None)

    return call


def _named(
    unit: Unit,
    node: ast.Call | ast.Method,
    name: str,
    args: Items,
    block: ast.Lambda | None,
) -> Code:
    name = name.removeprefix("::")
    jump = _JUMPS.get(name)
    unit.size += A_CALL
    if jump is not None and block is None:
        return jump(unit, node, args)
    if block is None:

        def call(
            f: Frame, unit: Unit = unit, node: ast.Call | ast.Method = node, name: str = name,
            args: Items = args,
        ) -> Value:  # fmt: skip
            return invoke(f, unit, node, name, args(f), None)

        return call
    callee = Callee(unit, block, "lambda")
    callee.does = active(block.body)
    if callee.does:

        def iterate(f: Frame) -> Value:
            values, guard = args(f), f.guard
            decide(f, unit, node, None)
            f.guard = guard  # the frames of the lambda know the call by themselves
            return invoke(f, unit, node, name, values, Lambda(callee, f))

        return iterate
    return lambda f: invoke(f, unit, node, name, args(f), Lambda(callee, f))


def _jump(kind: type[Next] | type[Return]) -> Callable[..., Code]:
    def make_jump(unit: Unit, node: object, args: Callable[[Frame], list[Any]]) -> Code:
        span = unit.span(node)

        def jump(f: Frame) -> NoReturn:
            values = args(f)
            if len(values) > 1:
                raise Fault(codes.MISTYPED.at(span, message="expects at most one argument"))
            raise kind(values[0] if values else None, span)

        return jump

    return make_jump


def _break(unit: Unit, node: object, args: Callable[[Frame], list[Any]]) -> Code:
    span = unit.span(node)

    def leave(f: Frame) -> NoReturn:
        raise Break(None, span)

    return leave


_JUMPS: dict[str, Callable[..., Code]] = {
    "next": _jump(Next),
    "return": _jump(Return),
    "break": _break,
}
