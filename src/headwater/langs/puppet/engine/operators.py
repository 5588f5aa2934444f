"""Operators as closures: logic, arithmetic, comparisons and matches."""

from __future__ import annotations

import operator
from collections.abc import Callable

from headwater.langs.puppet import codes
from headwater.langs.puppet.engine.doing import active
from headwater.langs.puppet.engine.expressions import Code, make, maker, variable_name
from headwater.langs.puppet.engine.steps import FREE
from headwater.langs.puppet.engine.weights import LONG, SIZED, charged, weighed
from headwater.langs.puppet.fault import Problem, fail
from headwater.langs.puppet.program.units import Unit
from headwater.langs.puppet.record.frames import Frame, decide
from headwater.langs.puppet.syntax import ast
from headwater.langs.puppet.types.arithmetic import calculate, numeric
from headwater.langs.puppet.types.assignability import assignable
from headwater.langs.puppet.types.equality import (
    _shown,
    compare,
    equals,
    includes,
    regex_search,
)
from headwater.langs.puppet.types.matching import is_instance
from headwater.langs.puppet.types.model import OptionalType, is_type
from headwater.langs.puppet.types.value import Value
from headwater.langs.puppet.values import (
    Opaque,
    Regexp,
    ResourceRef,
    SemVerRange,
    Timespan,
    is_held,
    opaque_in,
)

_OPTIONAL = OptionalType()


@maker(ast.Paren)
def _paren(unit: Unit, node: ast.Paren) -> Code:
    return make(unit, node.value)


@maker(ast.Not)
def _not(unit: Unit, node: ast.Not) -> Code:
    inner = make(unit, node.value)

    def negate(f: Frame) -> Value:
        value = inner(f)
        if value.__class__ is Opaque:
            return value
        return value is None or value is False

    return negate


@maker(ast.Minus)
def _minus(unit: Unit, node: ast.Minus) -> Code:
    inner = make(unit, node.value)

    def minus(f: Frame) -> Value:
        value = inner(f)
        if value.__class__ is int or value.__class__ is float:
            return -value
        if value.__class__ is Opaque:
            return value
        if value.__class__ is Timespan:
            return Timespan(-value.nanoseconds)
        try:
            number = numeric(value, f.scope.compilation.messages.coerced_at(unit, node), 0)
            if isinstance(number, int | float):
                return -number
            raise TypeError
        except Problem as problem:
            raise problem.at(unit.span(node)) from None
        except TypeError:
            fail(codes.NOT_APPLICABLE, unit.span(node), operator="-", value=_shown(value))

    return minus


@maker(ast.Binary)
def _binary(unit: Unit, node: ast.Binary) -> Code:
    op = node.op
    left, right = make(unit, node.left), make(unit, node.right)
    if op in ("and", "or") and active([node.right]):
        right = _decided(unit, node, right)
        left = _deciding(unit, node, left)
    match op:
        case "and":

            def both(f: Frame) -> Value:
                first = left(f)
                if first is None or first is False:
                    return False
                value = right(f)
                if value is None or value is False:
                    return False
                if first.__class__ is Opaque:
                    return first
                return value if value.__class__ is Opaque else True

            return both
        case "or":

            def either(f: Frame) -> Value:
                first = left(f)
                unknown = first.__class__ is Opaque
                if first is not None and first is not False and not unknown:
                    return True
                value = right(f)
                if value.__class__ is Opaque:
                    return value
                if value is not None and value is not False:
                    return True
                return first if unknown else False

            return either
        case "==" | "!=":
            positive = op == "=="
            name, other = variable_name(node.left), variable_name(node.right)

            def equality(f: Frame) -> Value:
                local = f.vars
                a = local[name] if name in local else left(f)
                b = local[other] if other in local else right(f)
                if a.__class__ is b.__class__ and (a.__class__ is str or a.__class__ is int):
                    if a.__class__ is str and len(a) > LONG:
                        charged(f, unit, node, a)
                    return (a == b or (a.__class__ is str and equals(a, b))) is positive
                if a.__class__ is Opaque or b.__class__ is Opaque:
                    return a if a.__class__ is Opaque else b
                if f.scope.compilation.work.opaque and (unknown := opaque_in([a, b])) is not None:
                    return unknown
                if is_type(a):
                    if is_held(a) and isinstance(b, ResourceRef) and not b.held:
                        # Puppet's resources cannot be compared with types of resources.
                        shown = {"left": _shown(a), "right": _shown(b)}
                        fail(codes.NOT_COMPARABLE, unit.blamed(node), operator=op, **shown)
                    return (a == b) is positive
                charged(f, unit, node, a)
                return equals(a, b) is positive

            return equality
        case "<" | "<=" | ">" | ">=":
            return _comparison(unit, node, left, right)
        case "=~" | "!~":
            return _match(unit, node, left, right)
        case "in":

            def inside(f: Frame) -> Value:
                a, b = left(f), right(f)
                if a.__class__ is Opaque or b.__class__ is Opaque:
                    return a if a.__class__ is Opaque else b
                if f.scope.compilation.work.opaque and (unknown := opaque_in([a, b])) is not None:
                    return unknown
                if b.__class__ in SIZED and len(b) > FREE:
                    charged(f, unit, node, b)
                try:
                    return includes(b, a, f)
                except Problem as problem:
                    raise problem.at(unit.span(node)) from None

            return inside
        case _:
            return _arithmetic(unit, node, left, right)


def _deciding(unit: Unit, node: ast.Binary, left: Code) -> Code:
    """The left side of ``and`` or ``or`` that decides whether the right one has its effects."""
    stops = node.op == "or"

    def decide_by(f: Frame) -> Value:
        value, guard = left(f), f.guard
        holds = value is not None and value is not False
        if value.__class__ is Opaque:
            f.scope.compilation.messages.undecide(unit, node, value)
        decide(f, unit, node, holds is not stops)
        f.guard = guard
        return value

    return decide_by


def _decided(unit: Unit, node: ast.Binary, right: Code) -> Code:
    """The right side, which runs because of the decision noted last."""

    def because(f: Frame) -> Value:
        guard = f.guard
        decisions = f.scope.record.decisions
        made = next(g for g in reversed(decisions) if g.node is node and g.frame is f)
        f.guard = made
        try:
            return right(f)
        finally:
            f.guard = guard

    return because


def operand(problem: Problem, node: ast.Record) -> ast.Record:
    """The node a problem of an operation is about."""
    side = {0: "left", 1: "right"}.get(-1 if problem.part is None else problem.part)
    found: ast.Record = node if side is None else getattr(node, side, node)
    return found


def _arithmetic(unit: Unit, node: ast.Binary, left: Code, right: Code) -> Code:
    op = node.op
    small = 2**62
    direct = _DIRECT.get(op)
    name, other = variable_name(node.left), variable_name(node.right)

    def arithmetic(f: Frame) -> Value:
        local = f.vars
        a = local[name] if name in local else left(f)
        b = local[other] if other in local else right(f)
        if direct is not None and a.__class__ is int and b.__class__ is int and b:
            result = direct(a, b)
            if -small < result < small:
                return result
        if a.__class__ is Opaque or b.__class__ is Opaque:
            return a if a.__class__ is Opaque else b
        if (
            op == "-"
            and f.scope.compilation.work.opaque
            and (unknown := opaque_in([a, b])) is not None
        ):
            return unknown
        try:
            compilation = f.scope.compilation
            coerced = compilation.messages.coerced_at(unit, node)
            made = calculate(op, a, b, coerced, compilation.level)
        except Problem as problem:
            raise problem.at(unit.span(operand(problem, node))) from None
        return weighed(f, unit, node, made)

    return arithmetic


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


def _comparison(unit: Unit, node: ast.Binary, left: Code, right: Code) -> Code:
    op = node.op
    decide, direct = _ORDERS[op], _INTEGER_ORDERS[op]
    name, other = variable_name(node.left), variable_name(node.right)

    def order(f: Frame) -> Value:
        local = f.vars
        a = local[name] if name in local else left(f)
        b = local[other] if other in local else right(f)
        if a.__class__ is int and b.__class__ is int:
            return direct(a, b)
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

    return order


def _match(unit: Unit, node: ast.Binary, left: Code, right: Code) -> Code:
    positive = node.op == "=~"

    def match(f: Frame) -> Value:
        value, pattern = left(f), right(f)
        if value.__class__ is Opaque or pattern.__class__ is Opaque:
            f.scope.record.guesses.guessed = True  # what $1 is
            return value if value.__class__ is Opaque else pattern
        if f.scope.compilation.work.opaque and (unknown := opaque_in(value)) is not None:
            return unknown
        if value.__class__ in SIZED and len(value) > FREE:
            charged(f, unit, node, value)
        try:
            if is_type(pattern):
                return is_instance(pattern, value) is positive
            if isinstance(pattern, SemVerRange):
                return includes(pattern, value, f) is positive
            if isinstance(pattern, Regexp):
                text = pattern.pattern
            elif isinstance(pattern, str):
                text = pattern
            else:
                raise Problem(
                    codes.BAD_MATCH, part=1,
                    message=f"{_shown(pattern)} is neither regular expression nor type",
                )  # fmt: skip
            if value.__class__ is not str:
                raise Problem(
                    codes.BAD_MATCH, part=0,
                    message=f"only a string can be matched, not {_shown(value)}",
                )  # fmt: skip
            found = regex_search(text, value)
        except Problem as problem:
            raise problem.at(unit.span(operand(problem, node))) from None
        if found is not None:
            f.match = found
        return (found is not None) is positive

    return match
