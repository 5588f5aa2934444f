"""Assignments: to variables, elements, attributes and several at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeAlias

from headwater.langs.puppet.ruby import syntax as s
from headwater.langs.puppet.ruby.calling import make_arguments
from headwater.langs.puppet.ruby.context import Context, Run, truthy
from headwater.langs.puppet.ruby.frames import Frame
from headwater.langs.puppet.ruby.refusals import Beyond
from headwater.langs.puppet.ruby.values import Class, Raised, RubyObject, RubyValue

Put = Callable[[Frame, Any], None]

Place: TypeAlias = tuple[RubyValue, list[Any]]
"""Where an element or attribute is: its owner and its indices."""

Old: TypeAlias = tuple[Place, RubyValue]
"""A place, and what was there."""

_HERE: Final[Place] = (None, [])
"""Where a variable is."""


def make_assign(cx: Context, target: s.Target) -> Put:
    """What puts a value where it is assigned to."""
    machine = cx.machine
    match target:
        case s.Local(name=name):
            return _to_local(cx, name)
        case s.Instance(name=name):

            def instance(fr: Frame, value: RubyValue) -> None:
                owner = fr.self_
                ivars = getattr(owner, "ivars", None)
                if ivars is None:
                    raise Beyond("an instance variable of a plain value", target.at)
                if owner.__class__ is RubyObject and owner.frozen:
                    raise machine.is_frozen(owner)
                ivars[name] = value

            return instance
        case s.ClassVariable(name=name):

            def class_variable(fr: Frame, value: RubyValue) -> None:
                scope = fr.lexical[0]
                owner = next((one for one in scope.ancestors() if name in one.variables), scope)
                owner.variables[name] = value

            return class_variable
        case s.Global(name=name):

            def global_(fr: Frame, value: RubyValue) -> None:
                machine.globals[name] = value

            return global_
        case s.Constant(scope=scope, name=name):
            made = None if scope is None else cx.make(scope)

            def constant(fr: Frame, value: RubyValue) -> None:
                owner = fr.lexical[0] if made is None else made(fr)
                if owner.__class__ is Class:
                    machine.set_constant(owner, name, value)

            return constant
        case s.Index(receiver=receiver, arguments=arguments):
            to, given = cx.make(receiver), make_arguments(cx, arguments)
            send = _sender(cx, receiver)

            def element(fr: Frame, value: RubyValue) -> None:
                send(fr, to(fr), "[]=", [*given(fr), value])

            return element
        case s.Attribute(receiver=receiver, name=name, safe=safe):
            to, send = cx.make(receiver), _sender(cx, receiver)

            def attribute(fr: Frame, value: RubyValue) -> None:
                owner = to(fr)
                if not (safe and owner is None):
                    send(fr, owner, name + "=", [value])

            return attribute
        case s.Targets():
            return _to_several(cx, target)
        case s.Splat(value=inner):
            if inner is None:
                return lambda fr, value: None
            return make_assign(cx, inner)  # type: ignore[arg-type]


def _sender(cx: Context, receiver: s.Expr) -> Callable[[Frame, RubyValue, str, list[Any]], Any]:
    """How an element or attribute is asked for: ``self`` has all of its own."""
    machine, is_self = cx.machine, isinstance(receiver, s.Self)

    def send(fr: Frame, to: RubyValue, name: str, args: list[Any]) -> RubyValue:
        if machine.hides and not is_self:
            return machine.send_from(fr.self_, to, name, args)
        return machine.send(to, name, args)

    return send


def _to_local(cx: Context, name: str) -> Put:
    depth, slot = cx.place(name)

    def near(fr: Frame, value: RubyValue) -> None:
        fr.vars[slot] = value

    def far(fr: Frame, value: RubyValue) -> None:
        for _ in range(depth):
            fr = fr.outer  # type: ignore[assignment]
        fr.vars[slot] = value

    return near if depth == 0 else far


def _to_several(cx: Context, target: s.Targets) -> Put:
    """``a, *b, (c, d) = …``: an array is taken apart, anything else is its only element."""
    machine = cx.machine
    splat = next((n for n, item in enumerate(target.items) if isinstance(item, s.Splat)), None)
    puts = [make_assign(cx, item) for item in target.items]

    def several(fr: Frame, value: RubyValue) -> None:
        if value.__class__ is list:
            items = value
        elif value is not None and machine.find(value, "to_ary") is not None:
            items = machine.as_array(value, "to_ary")
        else:
            items = [value]
        if splat is None:
            for index, put in enumerate(puts):
                put(fr, items[index] if index < len(items) else None)
            return
        behind = len(puts) - splat - 1
        for index in range(splat):
            puts[index](fr, items[index] if index < len(items) else None)
        rest_end = max(splat, len(items) - behind)
        puts[splat](fr, list(items[splat:rest_end]))
        for index in range(behind):
            place = rest_end + index
            puts[splat + 1 + index](fr, items[place] if place < len(items) else None)

    return several


def make_assign_value(cx: Context, node: s.Assign) -> Run:
    """``a = b``: its value is the right side."""
    put = make_assign(cx, node.target)
    value = cx.make(node.value)

    def assign(fr: Frame) -> RubyValue:
        result = value(fr)
        put(fr, result)
        return result

    if isinstance(node.target, s.Local) and cx.place(node.target.name)[0] == 0:
        slot = cx.place(node.target.name)[1]

        def near(fr: Frame) -> RubyValue:
            result = fr.vars[slot] = value(fr)
            return result

        return near
    return assign


def make_operator_assign(cx: Context, node: s.OperatorAssign) -> Run:
    """``a += b``, ``a ||= b``: receivers and indices are evaluated once."""
    machine = cx.machine
    value = cx.make(node.value)
    operator = node.operator
    get, put = _place(cx, node.target, operator == "||")

    def assign(fr: Frame) -> RubyValue:
        place, old = get(fr)
        if operator == "||":
            if truthy(old):
                return old
            result = value(fr)
        elif operator == "&&":
            if not truthy(old):
                return old
            result = value(fr)
        else:
            result = machine.send(old, operator, [value(fr)])
        put(fr, place, result)
        return result

    return assign


def _place(
    cx: Context, target: s.Target, may_miss: bool
) -> tuple[Callable[[Frame], Old], Callable[[Frame, Place, RubyValue], None]]:
    """How the old value of a target is read and the new one written."""
    match target:
        case s.Index(receiver=receiver, arguments=arguments):
            to, given = cx.make(receiver), make_arguments(cx, arguments)
            send = _sender(cx, receiver)

            def get_element(fr: Frame) -> Old:
                owner, keys = to(fr), given(fr)
                return (owner, keys), send(fr, owner, "[]", keys)

            def put_element(fr: Frame, place: Place, value: RubyValue) -> None:
                send(fr, place[0], "[]=", [*place[1], value])

            return get_element, put_element
        case s.Attribute(receiver=receiver, name=name):
            to, send = cx.make(receiver), _sender(cx, receiver)

            def get_attribute(fr: Frame) -> Old:
                owner = to(fr)
                return (owner, []), send(fr, owner, name, [])

            def put_attribute(fr: Frame, place: Place, value: RubyValue) -> None:
                send(fr, place[0], name + "=", [value])

            return get_attribute, put_attribute
        case s.Targets() | s.Splat():
            raise Beyond("an operator with several targets", target.at)
    read = cx.make(target)
    write = make_assign(cx, target)

    def get(fr: Frame) -> Old:
        if not may_miss:
            return _HERE, read(fr)
        try:
            return _HERE, read(fr)
        except (Raised, Beyond):
            return _HERE, None

    def put(fr: Frame, place: Place, value: RubyValue) -> None:
        write(fr, value)

    return get, put
