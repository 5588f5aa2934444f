"""Control: conditions, loops, case, begin and jumps."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from headwater.langs.puppet.ruby import syntax as s
from headwater.langs.puppet.ruby.assigning import (
    make_assign,
)
from headwater.langs.puppet.ruby.calling import (
    make_arguments,
)
from headwater.langs.puppet.ruby.context import Context, Run, truthy
from headwater.langs.puppet.ruby.frames import (
    Break,
    Frame,
    LoopBreak,
    LoopNext,
    Next,
    Retry,
    Return,
)
from headwater.langs.puppet.ruby.machine import Machine
from headwater.langs.puppet.ruby.matching import asked
from headwater.langs.puppet.ruby.refusals import Beyond, Unreadable
from headwater.langs.puppet.ruby.values import (
    Class,
    Raised,
    RubyObject,
    RubyValue,
)


def _if(cx: Context, node: s.If) -> Run:
    asked = node.condition
    while isinstance(asked, s.Sequence) and len(asked.items) == 1:
        asked = asked.items[0]
    if isinstance(asked, s.Range):
        raise Beyond("a range as a condition (flip-flop)", asked.at)
    condition = cx.make(node.condition)
    then, otherwise = cx.make(node.then), cx.make(node.otherwise)

    def if_(fr: Frame) -> RubyValue:
        value = condition(fr)
        return otherwise(fr) if value is None or value is False else then(fr)

    return if_


def _and(cx: Context, node: s.And) -> Run:
    left, right = cx.make(node.left), cx.make(node.right)

    def and_(fr: Frame) -> RubyValue:
        value = left(fr)
        return value if value is None or value is False else right(fr)

    return and_


def _or(cx: Context, node: s.Or) -> Run:
    left, right = cx.make(node.left), cx.make(node.right)

    def or_(fr: Frame) -> RubyValue:
        value = left(fr)
        return right(fr) if value is None or value is False else value

    return or_


def _not(cx: Context, node: s.Not) -> Run:
    value = cx.make(node.value)
    machine = cx.machine

    def not_(fr: Frame) -> RubyValue:
        result = value(fr)
        if result.__class__ is RubyObject and (method := machine.find(result, "!")) is not None:
            return machine.invoke(method, result, [], None)
        return result is None or result is False

    return not_


def _while(cx: Context, node: s.While) -> Run:
    inner = cx.inside_loop()
    condition, body = inner.make(node.condition), inner.make(node.body)
    negated, body_first, machine = node.negated, node.body_first, cx.machine

    def while_(fr: Frame) -> RubyValue:
        first = body_first
        try:
            while True:
                if not first and truthy(condition(fr)) is negated:
                    return None
                first = False
                machine.spend(1)
                try:
                    body(fr)
                except LoopNext:
                    continue
        except LoopBreak as jump:
            return jump.value

    return while_


def _for(cx: Context, node: s.For) -> Run:
    inner = cx.inside_loop()
    value, machine = cx.make(node.value), cx.machine
    body, assign = inner.make(node.body), make_assign(cx, node.target)

    def for_(fr: Frame) -> RubyValue:
        over = value(fr)
        items = over if over.__class__ is list else machine.as_array(over, "to_a")
        try:
            for item in list(items):
                machine.spend(1)
                assign(fr, item)
                try:
                    body(fr)
                except LoopNext:
                    continue
        except LoopBreak as jump:
            return jump.value
        return over

    return for_


def _case(cx: Context, node: s.Case) -> Run:
    machine = cx.machine
    subject = None if node.subject is None else cx.make(node.subject)
    whens = [
        ([(cx.make(_inner(p)), isinstance(p, s.Splat)) for p in when.patterns], cx.make(when.body))
        for when in node.whens
    ]
    otherwise = cx.make(node.otherwise)
    file, at = cx.file, node.at

    def case(fr: Frame) -> RubyValue:
        value = None if subject is None else subject(fr)
        for patterns, body in whens:
            for pattern, splat in patterns:
                found = pattern(fr)
                machine.at = (file, at)
                for one in found if splat and found.__class__ is list else (found,):
                    if subject is None:
                        if truthy(one):
                            return body(fr)
                    elif asked(fr, machine, one, value):
                        return body(fr)
        return otherwise(fr)

    return case


def _inner(pattern: s.Expr) -> s.Expr:
    if isinstance(pattern, s.Splat):
        assert pattern.value is not None
        return pattern.value
    return pattern


ERROR_STEPS = 20
"""An error that is raised and met takes the time of so many steps."""


def _begin(cx: Context, node: s.Begin) -> Run:
    machine = cx.machine
    body = cx.make(node.body)
    otherwise = None if node.otherwise is None else cx.make(node.otherwise)
    ensure = None if node.ensure is None else cx.make(node.ensure)
    rescues = [
        (
            make_arguments(cx, one.classes) if one.classes else None,
            None if one.target is None else make_assign(cx, one.target),
            cx.make(one.body),
        )
        for one in node.rescues
    ]

    def attempt(fr: Frame) -> RubyValue:
        depth = machine.depth
        while True:
            try:
                value = body(fr)
            except Raised as raised:
                machine.depth = depth
                machine.spend(ERROR_STEPS)
                error = raised.error
                fitting = next(
                    (
                        (assign, handler)
                        for classes, assign, handler in rescues
                        if _rescues(machine, None if classes is None else classes(fr), error)
                    ),
                    None,
                )
                if fitting is None:
                    raise
                assign, handler = fitting
                before = machine.globals.get("$!")
                machine.globals["$!"] = error
                if assign is not None:
                    assign(fr, error)
                try:
                    return handler(fr)
                except Retry:
                    continue
                finally:
                    machine.globals["$!"] = before
            return value if otherwise is None else otherwise(fr)

    if ensure is None:
        return attempt

    def ensured(fr: Frame) -> RubyValue:
        try:
            return attempt(fr)
        finally:
            ensure(fr)

    return ensured


def _rescues(machine: Machine, classes: list[Any] | None, error: RubyObject) -> bool:
    """Whether a ``rescue`` is for an error."""
    from headwater.langs.puppet.ruby.classes import BUILTIN

    if classes is None:
        return error.cls.is_below(BUILTIN["StandardError"])
    return any(
        error.cls.is_below(one)
        if one.__class__ is Class
        else truthy(machine.send(one, "===", [error]))
        for one in classes
    )


def _jump(cx: Context, node: s.Jump) -> Run:
    value: Run = (lambda fr: None) if node.value is None else cx.make(node.value)
    cx.jump(node.kind)
    if node.kind == "return":

        def return_(fr: Frame) -> RubyValue:
            raise Return(fr.activation, value(fr))

        return return_
    if node.kind == "retry":

        def retry(fr: Frame) -> RubyValue:
            raise Retry

        return retry
    if node.kind == "redo":
        raise Beyond("redo", node.at)
    if cx.in_loop:

        def leave(fr: Frame) -> RubyValue:
            raise LoopBreak(value(fr)) if node.kind == "break" else LoopNext

        return leave
    if cx.break_tag is None:
        raise Unreadable(f"Invalid {node.kind}", node.at)
    if node.kind == "next":

        def next_(fr: Frame) -> RubyValue:
            raise Next(value(fr))

        return next_
    tag = cx.break_tag
    cx.left.add(id(tag))

    def break_(fr: Frame) -> RubyValue:
        raise Break(tag, value(fr))

    return break_


def _sequence(cx: Context, node: s.Sequence) -> Run:
    if not node.items:
        return lambda fr: None
    made = [cx.make(item) for item in node.items]
    *first, last = made
    if len(first) == 1:
        one = first[0]

        def two(fr: Frame) -> RubyValue:
            one(fr)
            return last(fr)

        return two

    def many(fr: Frame) -> RubyValue:
        for item in first:
            item(fr)
        return last(fr)

    return many


CONTROL: Final[Mapping[type, Callable[[Context, Any], Run]]] = {
    s.And: _and,
    s.Begin: _begin,
    s.Case: _case,
    s.For: _for,
    s.If: _if,
    s.Jump: _jump,
    s.Not: _not,
    s.Or: _or,
    s.Sequence: _sequence,
    s.While: _while,
}
