"""What calls are made of: arguments, blocks, methods written in Ruby, ``yield`` and ``super``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from headwater.langs.puppet.ruby import access
from headwater.langs.puppet.ruby import syntax as s
from headwater.langs.puppet.ruby.access import KEPT, NOBODY
from headwater.langs.puppet.ruby.binding import Parameters
from headwater.langs.puppet.ruby.context import Context, Run
from headwater.langs.puppet.ruby.frames import Activation, Frame, Next, Return
from headwater.langs.puppet.ruby.machine import DEEPEST, Machine
from headwater.langs.puppet.ruby.values import (
    BoundMethod,
    Class,
    DefinedMethod,
    Proc,
    RubyMethod,
    RubyObject,
    RubyValue,
    Symbol,
    symbol,
)


class Method(DefinedMethod):
    """A method written in Ruby."""

    __slots__ = ("body", "lexical", "name", "owner", "parameters", "size", "visibility", "where")

    def __init__(
        self,
        name: str,
        parameters: Parameters,
        body: Run,
        size: int,
        lexical: tuple[Class, ...],
        owner: RubyValue,
        where: tuple[str, int, int],
    ) -> None:
        self.name = name
        self.parameters = parameters
        self.body = body
        self.size = size
        self.lexical = lexical
        self.owner = owner
        self.where = where
        """Its file, and where it begins and ends there."""

    def run(
        self, machine: Machine, receiver: RubyValue, args: list[Any], block: Proc | None
    ) -> RubyValue:
        """Calls it."""
        activation = Activation(self, receiver, args, block)
        frame = Frame(receiver, self.size, None, activation, self.lexical)
        activation.vars = frame.vars
        self.parameters.strict(machine, frame, args, block)
        try:
            return self.body(frame)
        except Return as jump:
            if jump.activation is activation:
                return jump.value
            raise


def make_arguments(cx: Context, items: list[s.Expr]) -> Callable[[Frame], list[Any]]:
    """A list of values; splats are spread."""
    machine = cx.machine
    if not any(isinstance(item, s.Splat) for item in items):
        made = [cx.make(item) for item in items]
        if len(made) == 1:
            one = made[0]
            return lambda fr: [one(fr)]
        return lambda fr: [item(fr) for item in made]
    parts = [
        (cx.make(item.value), True) if isinstance(item, s.Splat) and item.value is not None
        else (cx.make(item), False)
        for item in items
    ]  # fmt: skip

    def spread(fr: Frame) -> list[Any]:
        result: list[Any] = []
        for part, splat in parts:
            value = part(fr)
            if not splat:
                result.append(value)
            elif value.__class__ is list:
                result.extend(value)
            else:
                result.extend(machine.spread(value))
        machine.check_count(len(result))
        return result

    return spread


def make_proc(cx: Context, node: s.Block, is_lambda: bool) -> Callable[[Frame], Proc]:
    """What makes a proc of a block, with the frame it stands in."""
    inner = cx.block(node)
    machine = cx.machine
    parameters = Parameters(node.parameters, inner.slots, inner.make)
    body = inner.make(node.body)
    size = len(node.names)
    plain = parameters.plain
    fill = parameters.strict if is_lambda else parameters.loose
    arity = parameters.arity
    if not is_lambda and parameters.optional and not parameters.has_rest and not parameters.least:
        arity = -1
    simple = plain is not None and len(plain) <= 1 and parameters.block is None
    slot = plain[0] if plain else None

    def make(fr: Frame) -> Proc:
        self_, activation, lexical = fr.self_, fr.activation, fr.lexical

        def call(
            args: list[Any],
            block: Proc | None,
            receiver: RubyValue = self_,
            scope: tuple[Class, ...] | None = None,
        ) -> RubyValue:
            machine.steps -= 1
            machine.depth += 1
            if machine.steps < 0 or machine.depth > DEEPEST:
                machine.too_deep()
            try:
                frame = Frame(receiver, size, fr, activation, lexical if scope is None else scope)
                fill(machine, frame, args, block)
                return body(frame)
            except Next as jump:
                return jump.value
            except Return as jump:
                if is_lambda and jump.activation is activation:
                    return jump.value
                raise
            finally:
                machine.depth -= 1

        def one(value: RubyValue) -> RubyValue:
            machine.steps -= 1
            machine.depth += 1
            if machine.steps < 0 or machine.depth > DEEPEST:
                machine.too_deep()
            frame = Frame(self_, size, fr, activation, lexical)
            if slot is not None:
                frame.vars[slot] = value
            try:
                return body(frame)
            except Next as jump:
                return jump.value
            finally:
                machine.depth -= 1

        def any_(value: RubyValue) -> RubyValue:
            return call([value], None)

        fast = one if simple and not is_lambda else any_
        return Proc(call, fast, arity, is_lambda, self_, parameters.named)

    return make


def make_lambda(cx: Context, node: s.Lambda) -> Run:
    """``->(a) { … }``"""
    return make_proc(cx, node.block, True)


def to_proc(machine: Machine, value: RubyValue) -> Proc | None:
    """What ``&value`` passes: a proc, a symbol's method, a method."""
    match value:
        case None | Proc():
            return value
        case Symbol(name=name):

            def send(args: list[Any], block: Proc | None) -> RubyValue:
                if not args:
                    raise machine.error("ArgumentError", "no receiver given")
                return machine.send_from(NOBODY, args[0], name, args[1:], block)

            def send_one(one: RubyValue) -> RubyValue:
                if machine.hides or name in KEPT:
                    return machine.send_from(NOBODY, one, name, [])
                return machine.send(one, name, [])

            return Proc(send, send_one, -2, True, None)
        case BoundMethod(receiver=receiver, name=name):

            def call(args: list[Any], block: Proc | None) -> RubyValue:
                return machine.send(receiver, name, args, block)

            return Proc(call, lambda one: machine.send(receiver, name, [one]), -1, True, None)
    if machine.find(value, "to_proc") is not None:
        made = machine.send(value, "to_proc", [])
        return made if isinstance(made, Proc) else None
    raise machine.error(
        "TypeError", f"wrong argument type {value.__class__.__name__} (expected Proc)"
    )


MakeBlock: TypeAlias = Callable[[Frame], Proc | None]
"""What makes the block of a call, in a frame."""


def make_block_argument(cx: Context, node: s.BlockPass) -> MakeBlock:
    """``&b``: a proc, or the block of the method itself for a lone ``&``."""
    machine = cx.machine
    if node.value is None:
        return lambda fr: fr.activation.block
    value = cx.make(node.value)
    return lambda fr: to_proc(machine, value(fr))


def make_block(cx: Context, node: s.Block | s.BlockPass | None) -> MakeBlock | None:
    """What makes the block of a call."""
    if node is None:
        return None
    if isinstance(node, s.BlockPass):
        return make_block_argument(cx, node)
    return make_proc(cx, node, False)


def _when_called(cx: Context, body: s.Expr) -> Run:
    """The body of a method, made with its first call: most methods of a file are not called."""
    made: list[Run] = []

    def run(fr: Frame) -> RubyValue:
        if not made:
            made.append(cx.make(body))
        return made[0](fr)

    return run


def make_definition(cx: Context, node: s.Definition) -> Run:
    """``def m``: gives a method to the class around, or to one object."""
    inner = cx.closed(node.names)
    machine = cx.machine
    parameters = Parameters(node.parameters, inner.slots, inner.make)
    body = _when_called(inner, node.body)
    size, name = len(node.names), node.name
    singleton = None if node.singleton is None else cx.make(node.singleton)
    where = (cx.file, node.at, node.end)

    def define(fr: Frame) -> RubyValue:
        target = None if singleton is None else singleton(fr)
        owner = fr.lexical[0] if target is None else target
        method = Method(name, parameters, body, size, fr.lexical, owner, where)
        if target is not None:
            give_own(machine, target, name, method)
        else:
            give(machine, fr, name, method)
        return symbol(name)

    return define


def give_own(machine: Machine, target: RubyValue, name: str, method: RubyMethod) -> None:
    """Gives a method to one object or class alone."""
    if target.__class__ is Class:
        machine.check_open(target)
        target.own[name] = method
        target.access.own.pop(name, None)
    elif target.__class__ is RubyObject:
        target.own = {} if target.own is None else target.own
        target.own[name] = method
        if target.hidden is not None:
            target.hidden.pop(name, None)
    else:
        machine.fail("TypeError", "can't define singleton")


def give(machine: Machine, fr: Frame, name: str, method: RubyMethod) -> None:
    """Gives a method to what is being defined around: a class, or the main object."""
    definee = machine.definee(fr)
    if isinstance(definee, RubyObject):
        definee.own = {} if definee.own is None else definee.own
        definee.own[name] = method
        machine.hides = machine.hides or definee is machine.main
        return
    machine.check_open(definee)
    word = access.current(definee, machine.method)
    if definee.access.module_functions and definee.access.inside is machine.method:
        definee.own[name] = method
        word = "private"
    access.give(definee, name, method, word)
    machine.tell(definee, "method_added", symbol(name))


def make_yield(cx: Context, node: s.Yield) -> Run:
    """``yield a``"""
    machine, where = cx.machine, (cx.file, node.at)
    if len(node.arguments) == 1 and not isinstance(node.arguments[0], s.Splat):
        value = cx.make(node.arguments[0])

        def one(fr: Frame) -> RubyValue:
            block = fr.activation.block
            if block is None:
                machine.at = where
                raise machine.error("LocalJumpError", "no block given (yield)")
            return block.one(value(fr))

        return one
    arguments = make_arguments(cx, node.arguments)

    def many(fr: Frame) -> RubyValue:
        block = fr.activation.block
        if block is None:
            machine.at = where
            raise machine.error("LocalJumpError", "no block given (yield)")
        return block.call(arguments(fr), None)

    return many


def _passed_on(activation: Activation) -> list[Any]:
    """The arguments of ``super`` alone: the parameters of the method with their values now."""
    variables, method = activation.vars, activation.method
    if variables is None or not isinstance(method, Method):
        return activation.args
    return list(method.parameters.current(variables))


def make_super(cx: Context, node: s.Super) -> Run:
    """``super``: the method of the same name above."""
    machine, where = cx.machine, (cx.file, node.at)
    arguments = None if node.arguments is None else make_arguments(cx, node.arguments)
    block = make_block(cx, node.block)

    def call(fr: Frame) -> RubyValue:
        activation = fr.activation
        method = activation.method
        machine.at = where
        if method is None:
            raise machine.error("RuntimeError", "super called outside of method")
        receiver = activation.receiver
        given = _passed_on(activation) if arguments is None else arguments(fr)
        passed = activation.block if block is None else block(fr)
        above = machine.find_above(receiver, method)
        if above is None and method.name == "method_missing" and given:
            raise machine.unanswered(receiver, machine.text(given[0]), given[1:])
        if above is None:
            raise machine.error(
                "NoMethodError",
                f"super: no superclass method `{method.name}' for {machine.described(receiver)}",
            )
        return machine.invoke(above, receiver, given, passed)

    return call


__all__ = [
    "Method",
    "give",
    "make_arguments",
    "make_block",
    "make_block_argument",
    "make_definition",
    "make_lambda",
    "make_proc",
    "make_super",
    "make_yield",
    "to_proc",
]
