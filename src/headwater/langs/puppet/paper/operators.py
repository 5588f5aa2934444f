"""Arithmetic, comparison and boolean expressions (A.3.2.2 to A.3.2.4), and concatenation.

ArithLeft, ArithRight, ArithValue; CompLeft, CompRight, CompValueI, CompValueII;
AndLeft, AndRightI, AndRightII, AndValue (of the where-chapter: AndValueI, AndValueII);
OrLeft, OrRightI, OrRightII, OrValue by analogy; NotSTEP, NotValueI, NotValueII.
The thesis leaves the rules of ``or`` to the reader.
"""

from __future__ import annotations

import re
from dataclasses import replace

from headwater.langs.codes import BEYOND_PAPER
from headwater.langs.puppet.codes import calculus as codes
from headwater.langs.puppet.paper import terms as t
from headwater.langs.puppet.paper.judgement import EXPRESSIONS, ExprStep, is_value, step_expr
from headwater.langs.puppet.paper.provenance import Why, operation, put_together
from headwater.langs.puppet.paper.state import Here, State, Stuck
from headwater.langs.puppet.paper.values import (
    MOST_BITS,
    MOST_LEVELS,
    MOST_SIZE,
    equal,
    is_large,
    plus,
    show,
    text_of,
    truth,
    whole,
)
from headwater.text import Span

LARGEST = 2**63 - 1
SMALLEST = -(2**63)
MOST_SHIFT = 64
SPELLED = re.compile(r"[ \t]*+([-+]?)[ \t]*+(0[xX][0-9A-Fa-f]+|0[0-7]*|[1-9][0-9]*)[ \t]*\Z")
"""Text that Puppet takes for an integer."""
FRACTION = re.compile(r"[ \t]*+[-+]?[ \t]*+[0-9]+(\.[0-9]+([eE]-?[0-9]+)?|[eE]-?[0-9]+)[ \t]*\Z")
"""Text that Puppet takes for another number."""


def step_arithmetic(state: State, e: t.Expr, here: Here) -> ExprStep | Stuck:
    """ArithLeft, ArithRight, ArithValue"""
    assert isinstance(e, t.Arithmetic)
    if not is_value(e.left):
        step = step_expr(state, e.left, here)
        if isinstance(step, Stuck):
            return step
        return step.within("ArithLeft", t.Arithmetic(e.op, step.term, e.right, e.at))
    if not is_value(e.right):
        step = step_expr(state, e.right, here)
        if isinstance(step, Stuck):
            return step
        return step.within("ArithRight", t.Arithmetic(e.op, e.left, step.term, e.at))
    left, right = integer(e.left, here), integer(e.right, here)
    if left is None or right is None:
        return not_a_number(e, e.left if left is None else e.right, here)
    assert isinstance(e.left, t.Atom)
    assert isinstance(e.right, t.Atom)
    number = calculate(e.op, left, right)
    if number is None:
        return Stuck(codes.DIVISION_BY_ZERO, e.at)
    if here.world.like_puppet and not SMALLEST <= number <= LARGEST:
        return Stuck(codes.OUT_OF_RANGE, e.at, {"number": number})
    made = t.Atom(number, operation(e.op, e.left.why, e.right.why))
    return grown(e.at) if is_large(made) else ExprStep("ArithValue", made, (), e.at)


def grown(at: Span) -> Stuck:
    """A value that has grown too large."""
    bound = f"{MOST_SIZE:,} characters, {MOST_BITS:,} bits or {MOST_LEVELS} levels"
    return Stuck(codes.TOO_LARGE, at, {"bound": bound})


def integer(side: t.Expr, here: Here) -> int | None:
    """An operand as a number; Puppet also takes text that spells one."""
    if not isinstance(side, t.Atom):
        return None
    if type(side.value) is int:
        return side.value
    if not (isinstance(side.value, str) and here.world.like_puppet):
        return None
    found = SPELLED.match(side.value)
    if found is None:
        return None
    sign, digits = found.groups()
    base = 16 if digits[1:2] in ("x", "X") else 8 if digits[0] == "0" else 10
    return int(sign + digits, base)


def not_a_number(e: t.Arithmetic, side: t.Expr, here: Here) -> Stuck:
    """Arithmetic on something else; Puppet has fractions, and adds arrays."""
    assert isinstance(side, t.VALUES)
    if isinstance(side, t.ArrayValue | t.HashValue):
        return Stuck(BEYOND_PAPER, e.at, {"what": f"{e.op} of {show(side)}"})
    spelled = here.world.like_puppet and isinstance(side, t.Atom) and isinstance(side.value, str)
    if spelled and FRACTION.match(str(side.value)):  # type: ignore[union-attr]
        return Stuck(BEYOND_PAPER, e.at, {"what": "a floating-point number"})
    return Stuck(codes.BAD_OPERAND, e.at, {"op": e.op, "value": show(side), "wants": "an integer"})


def calculate(op: str, left: int, right: int) -> int | None:
    """``+Z`` and its like; None for a division by zero."""
    match op:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
        case "/":
            return left // right if right else None
        case "%":
            return left % right if right else None
        case _:
            by = right if op == "<<" else -right
            if by > MOST_SHIFT and left:
                return LARGEST + 1
            return left << by if by >= 0 else left >> -by


def step_comparison(state: State, e: t.Expr, here: Here) -> ExprStep | Stuck:
    """CompLeft, CompRight, CompValueI (it holds), CompValueII (it does not)"""
    assert isinstance(e, t.Comparison)
    if not is_value(e.left):
        step = step_expr(state, e.left, here)
        if isinstance(step, Stuck):
            return step
        return step.within("CompLeft", t.Comparison(e.op, step.term, e.right, e.at))
    if not is_value(e.right):
        step = step_expr(state, e.right, here)
        if isinstance(step, Stuck):
            return step
        return step.within("CompRight", t.Comparison(e.op, e.left, step.term, e.at))
    assert isinstance(e.left, t.VALUES)
    assert isinstance(e.right, t.VALUES)
    like_puppet = here.world.like_puppet
    if e.op in ("==", "!="):
        holds = equal(e.left, e.right, like_puppet=like_puppet) == (e.op == "==")
    else:
        sign = order(e.left, e.right, like_puppet=like_puppet)
        if sign is None:
            value = f"{show(e.left)} and {show(e.right)}"
            fields = {"op": e.op, "value": value, "wants": "two integers"}
            return Stuck(codes.BAD_OPERAND, e.at, fields)
        holds = {"<": sign < 0, "<=": sign <= 0, ">": sign > 0, ">=": sign >= 0}[e.op]
    why = operation(e.op, whole(e.left), whole(e.right))
    return ExprStep("CompValueI" if holds else "CompValueII", t.Atom(holds, why), (), e.at)


def order(one: t.Value, other: t.Value, *, like_puppet: bool) -> int | None:
    """Which comes first; None where there is no order.  Only Puppet orders strings."""
    if not (isinstance(one, t.Atom) and isinstance(other, t.Atom)):
        return None
    match one.value, other.value:
        case bool(), _:
            return None
        case _, bool():
            return None
        case int(a), int(b):
            return (a > b) - (a < b)
        case str(a), str(b) if like_puppet:
            return (a.lower() > b.lower()) - (a.lower() < b.lower())
        case _:
            return None


def step_and(state: State, e: t.Expr, here: Here) -> ExprStep | Stuck:
    """AndLeft, AndRightI, AndRightII, AndValue"""
    assert isinstance(e, t.And)
    return junction(state, e, here, "And", stops=False)


def step_or(state: State, e: t.Expr, here: Here) -> ExprStep | Stuck:
    """OrLeft, OrRightI, OrRightII, OrValue"""
    assert isinstance(e, t.Or)
    return junction(state, e, here, "Or", stops=True)


RULES = {
    "And": ("AndLeft", "AndRightI", "AndRightII", "AndValue"),
    "Or": ("OrLeft", "OrRightI", "OrRightII", "OrValue"),
}


def junction(
    state: State, e: t.And | t.Or, here: Here, kind: str, *, stops: bool
) -> ExprStep | Stuck:
    """``and`` and ``or``: the left side decides alone when it has the value `stops`."""
    left_rule, stop_rule, right_rule, value_rule = RULES[kind]
    op = kind.lower()
    if not isinstance(e.left, t.VALUES):
        step = step_expr(state, e.left, here)
        if isinstance(step, Stuck):
            return step
        return step.within(left_rule, replace(e, left=step.term))
    left = boolean(e.left, e.at, op, here)
    if isinstance(left, Stuck):
        return left
    if left is stops:
        why = operation(op, whole(e.left), operation("_"))
        return ExprStep(stop_rule, t.Atom(stops, why), (), e.at)
    if not isinstance(e.right, t.VALUES):
        step = step_expr(state, e.right, here)
        if isinstance(step, Stuck):
            return step
        return step.within(right_rule, replace(e, right=step.term))
    right = boolean(e.right, e.at, op, here)
    if isinstance(right, Stuck):
        return right
    why = operation(op, whole(e.left), whole(e.right))
    also = (f"AndValue{'I' if right else 'II'}",) if kind == "And" else ()
    return ExprStep(value_rule, t.Atom(right, why), also, e.at)


def boolean(value: t.Value, at: Span, op: str, here: Here) -> bool | Stuck:
    """The truth of an operand."""
    held = truth(value, like_puppet=here.world.like_puppet)
    if held is None:
        return Stuck(codes.BAD_OPERAND, at, {"op": op, "value": show(value), "wants": "a boolean"})
    return held


def step_not(state: State, e: t.Expr, here: Here) -> ExprStep | Stuck:
    """NotSTEP, NotValueI, NotValueII"""
    assert isinstance(e, t.Not)
    if not isinstance(e.value, t.VALUES):
        step = step_expr(state, e.value, here)
        return step if isinstance(step, Stuck) else step.within("NotSTEP", t.Not(step.term, e.at))
    held = boolean(e.value, e.at, "!", here)
    if isinstance(held, Stuck):
        return held
    why = operation("!", whole(e.value))
    return ExprStep("NotValueI" if held else "NotValueII", t.Atom(not held, why), (), e.at)


def step_concat(state: State, e: t.Expr, here: Here) -> ExprStep | Stuck:
    """ConcatStep, ConcatValue: strings with variables, which §5.3 leaves to be desugared."""
    assert isinstance(e, t.Concat)
    for i, part in enumerate(e.parts):
        if not is_value(part):
            step = step_expr(state, part, here)
            if isinstance(step, Stuck):
                return step
            term = t.Concat((*e.parts[:i], step.term, *e.parts[i + 1 :]), e.why, e.at)
            return step.within("ConcatStep", term)
    texts: list[str] = []
    whys: list[Why] = []
    for part in e.parts:
        assert isinstance(part, t.VALUES)
        texts.append(text_of(part))
        whys.append(whole(part))
    if sum(map(len, texts)) > MOST_SIZE:
        return grown(e.at)
    only = e.parts[0] if len(e.parts) == 1 else None
    if isinstance(only, t.Atom) and isinstance(only.value, str):
        return ExprStep("ConcatValue", only, (), e.at)
    why = put_together(e.why, operation("concat", *whys))
    return ExprStep("ConcatValue", t.Atom("".join(texts), why), (), e.at)


def step_under(state: State, e: t.Expr, here: Here) -> ExprStep | Stuck:
    """Expre: ``e^{+β}`` steps as e does; of a value, β joins its labels."""
    assert isinstance(e, t.UnderExpr)
    if isinstance(e.value, t.VALUES):
        return ExprStep("Expre", plus(e.value, e.beta), (), e.at)
    step = step_expr(state, e.value, here)
    if isinstance(step, Stuck):
        return step
    if isinstance(step.term, t.VALUES):
        return step.within("Expre", plus(step.term, e.beta))
    return step.within("Expre", t.UnderExpr(step.term, e.beta, e.at))


def step_beyond(state: State, e: t.Expr, here: Here) -> ExprStep | Stuck:
    """No rule: the construct is outside the calculus."""
    assert isinstance(e, t.Beyond)
    return Stuck(BEYOND_PAPER, e.at, {"what": e.what})


def step_fail(state: State, e: t.Expr, here: Here) -> ExprStep | Stuck:
    """No rule: the manifest refuses itself."""
    assert isinstance(e, t.Fail)
    return Stuck(codes.FAILED, e.at, {"message": e.message})


EXPRESSIONS[t.Arithmetic] = step_arithmetic
EXPRESSIONS[t.Comparison] = step_comparison
EXPRESSIONS[t.And] = step_and
EXPRESSIONS[t.Or] = step_or
EXPRESSIONS[t.Not] = step_not
EXPRESSIONS[t.Concat] = step_concat
EXPRESSIONS[t.UnderExpr] = step_under
EXPRESSIONS[t.Beyond] = step_beyond
EXPRESSIONS[t.Fail] = step_fail
