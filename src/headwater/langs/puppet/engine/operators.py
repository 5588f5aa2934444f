"""Operators as closures: logic, arithmetic, comparisons and matches."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from headwater.langs.puppet import codes
from headwater.langs.puppet.engine.doing import active
from headwater.langs.puppet.engine.expressions import Code, make, maker, unwound, variable_name
from headwater.langs.puppet.engine.integers import Rest, make_arithmetic, make_comparison, operand
from headwater.langs.puppet.engine.steps import FREE
from headwater.langs.puppet.engine.weights import COMPARED, LONG, SIZED, charged
from headwater.langs.puppet.fault import Problem, fail
from headwater.langs.puppet.program.units import Unit
from headwater.langs.puppet.record.frames import Frame, decide
from headwater.langs.puppet.syntax import ast
from headwater.langs.puppet.types.arithmetic import numeric
from headwater.langs.puppet.types.equality import (
    _shown,
    bad_match,
    equals,
    folded,
    includes,
    regex_search,
)
from headwater.langs.puppet.types.matching import is_instance
from headwater.langs.puppet.types.model import is_type
from headwater.langs.puppet.types.refusals import BadRegexp
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
from headwater.text.late import when_called

if TYPE_CHECKING:
    from headwater.langs.puppet.types.regexps import finder
else:
    when_called(globals(), "headwater.langs.puppet.types.regexps", "finder")


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

            def both(f: Frame, left: Code = left, right: Code = right) -> Value:
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

            def either(f: Frame, left: Code = left, right: Code = right) -> Value:
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
            return _equality(unit, node, left, right)
        case "<" | "<=" | ">" | ">=":
            return make_comparison(unit, node, left, right)
        case "=~" | "!~":
            return _match(unit, node, left, right)
        case "in":

            def inside(f: Frame) -> Value:
                a, b = left(f), right(f)
                if a.__class__ is Opaque or b.__class__ is Opaque:
                    return a if a.__class__ is Opaque else b
                if f.scope.compilation.work.opaque and (unknown := opaque_in([a, b])) is not None:
                    return unknown
                if b.__class__ in SIZED and (len(b) > FREE or f.scope.compilation.work.weights):
                    charged(f, unit, node, b, 1 if a.__class__ is str else COMPARED)
                try:
                    return includes(b, a, f)
                except Problem as problem:
                    raise problem.at(unit.span(node)) from None

            return inside
        case _:
            return make_arithmetic(unit, node, left, right)


def _equality(unit: Unit, node: ast.Binary, left: Code, right: Code) -> Code:
    positive = node.op == "=="
    name, other = variable_name(node.left), variable_name(node.right)
    rest = _sameness(unit, node)
    literal = unwound(node.right)
    if isinstance(literal, ast.Integer | ast.String | ast.Name):
        wanted: Any = literal.value
        kind, text = wanted.__class__, folded(wanted) if wanted.__class__ is str else wanted

        def equal_to(
            f: Frame, name: str | None = name, left: Code = left, wanted: Value = wanted,
            kind: type[Any] = kind, text: Value = text, positive: bool = positive,
            rest: Rest = rest,
        ) -> Value:  # fmt: skip
            local = f.vars
            a = local[name] if name in local else left(f)
            if a.__class__ is kind:
                if kind is int:
                    return (a == wanted) is positive
                if len(a) <= LONG:
                    return (a == wanted or folded(a) == text) is positive
            return rest(f, a, wanted)

        return equal_to

    def equality(
        f: Frame, name: str | None = name, left: Code = left, other: str | None = other,
        right: Code = right, positive: bool = positive, rest: Rest = rest,
    ) -> Value:  # fmt: skip
        local = f.vars
        a = local[name] if name in local else left(f)
        b = local[other] if other in local else right(f)
        if a.__class__ is int and b.__class__ is int:
            return (a == b) is positive
        return rest(f, a, b)

    return equality


def _sameness(unit: Unit, node: ast.Binary) -> Callable[[Frame, Any, Any], Value]:
    """``==`` or ``!=`` of any values."""
    op, positive = node.op, node.op == "=="

    def same(
        f: Frame, a: Value, b: Value, unit: Unit = unit, node: ast.Binary = node, op: str = op,
        positive: bool = positive,
    ) -> Value:  # fmt: skip
        if a.__class__ is str and b.__class__ is str:
            if len(a) > LONG:
                charged(f, unit, node, a)
            return equals(a, b) is positive
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
        charged(f, unit, node, a, COMPARED)
        return equals(a, b) is positive

    return same


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


def _match(unit: Unit, node: ast.Binary, left: Code, right: Code) -> Code:
    positive = node.op == "=~"
    matched = unwound(node.right)
    literal = matched.pattern if isinstance(matched, ast.Regex) else None

    def match(
        f: Frame, literal: str | None = literal, left: Code = left, right: Code = right,
        positive: bool = positive,
    ) -> Value:  # fmt: skip
        value = left(f)
        if literal is not None and value.__class__ is str and len(value) <= FREE:
            try:
                quick = finder(literal)(value)
            except BadRegexp as error:
                raise bad_match(error).at(unit.blamed(node.right)) from None
            except Problem as problem:
                at_fault = node.right if problem.part is None else operand(problem, node)
                raise problem.at(unit.blamed(at_fault)) from None
            if quick is not None:
                f.match = quick
            return (quick is not None) is positive
        pattern = right(f)
        if value.__class__ is Opaque or pattern.__class__ is Opaque:
            f.scope.record.guesses.guessed = True  # what $1 is
            return value if value.__class__ is Opaque else pattern
        if f.scope.compilation.work.opaque and (unknown := opaque_in(value)) is not None:
            return unknown
        if value.__class__ in SIZED and (len(value) > FREE or f.scope.compilation.work.weights):
            charged(f, unit, node, value, 1 if value.__class__ is str else COMPARED)
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
            if not isinstance(value, str):
                raise Problem(
                    codes.BAD_MATCH, part=0,
                    message=f"only a string can be matched, not {_shown(value)}",
                )  # fmt: skip
            found = regex_search(text, value)
        except Problem as problem:
            at_fault = node.right if problem.part is None else operand(problem, node)
            raise problem.at(unit.blamed(at_fault)) from None
        if found is not None:
            f.match = found
        return (found is not None) is positive

    return match
