"""Calls: how a message reaches its method.

Most calls are messages to strings, arrays, hashes and numbers, whose methods cannot change: these
go straight to their Python (`direct`).  All others ask the machine (`Machine.send`).
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from functools import partial
from typing import Any, Final

from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.ruby import syntax as s
from headwater.langs.puppet.ruby.access import KEPT
from headwater.langs.puppet.ruby.calling import (
    MakeBlock,
    make_arguments,
    make_block,
    make_proc,
)
from headwater.langs.puppet.ruby.context import Context, Run
from headwater.langs.puppet.ruby.direct import Direct, DirectWithBlock
from headwater.langs.puppet.ruby.frames import Break, Frame
from headwater.langs.puppet.ruby.largeness import product
from headwater.langs.puppet.ruby.machine import SMALL
from headwater.langs.puppet.ruby.special import SPECIAL
from headwater.langs.puppet.ruby.values import Keywords, Pattern, RubyValue, Text, symbol

FAST: Final[dict[str, Callable[[Any, Any], RubyValue]]] = {
    "+": operator.add,
    "-": operator.sub,
    "<": operator.lt,
    ">": operator.gt,
    "<=": operator.le,
    ">=": operator.ge,
}
"""Operators of two integers that Python does alike."""

_MATCHING: Final = frozenset(
    ["=~", "!~", "match", "match?", "===", "[]", "sub", "gsub", "sub!", "gsub!", "scan", "slice",
     "index", "rindex", "partition", "rpartition", "slice!", "[]=", "grep", "start_with?", "split",
     "each_line", "any?", "all?", "none?", "one?", "last_match"]
)  # fmt: skip
"""Methods that may match a regular expression, and the one that tells of a match."""


def make_call(cx: Context, node: s.Call) -> Run:
    """``a.m(b) { … }``"""
    if node.receiver is None:
        if node.name in SPECIAL:
            return SPECIAL[node.name](cx, node)
        if node.name in ("lambda", "proc") and isinstance(node.block, s.Block):
            return make_proc(cx, node.block, node.name == "lambda")
    run_ = _plain_call(cx, node)
    if isinstance(node.block, s.Block) and id(node.block) in cx.left:
        tag = node.block

        def breaking(fr: Frame) -> RubyValue:
            try:
                return run_(fr)
            except Break as jump:
                if jump.tag is tag:
                    return jump.value
                raise

        return breaking
    return run_


def _plain_call(cx: Context, node: s.Call) -> Run:
    if node.receiver is None:
        return _own_call(cx, node)
    receiver = cx.make(node.receiver)
    block = make_block(cx, node.block)
    if not isinstance(node.receiver, s.Self) and node.name in KEPT:
        return _kept_call(cx, node, receiver, block)
    if node.name == "[]" and block is None and len(node.arguments) == 1:
        [named] = node.arguments
        if isinstance(named, s.Str):
            return _entry(cx, node, receiver, named.value)
    if node.name in _MATCHING:
        return _matching_call(cx, node, receiver, block)
    if not node.arguments and block is None:
        return _bare_call(cx, node, receiver)
    if (
        len(node.arguments) == 1
        and block is None
        and not isinstance(node.arguments[0], s.Splat | s.Hash)
    ):
        return _call_with_one(cx, node, receiver)
    return _call_with_more(cx, node, receiver, block)


def _bare_call(cx: Context, node: s.Call, receiver: Run) -> Run:
    """``a.m``"""
    machine, name, where, safe = cx.machine, node.name, (cx.file, node.at), node.safe
    is_self = isinstance(node.receiver, s.Self)
    known = Direct(name, 0)

    def bare(fr: Frame) -> RubyValue:
        to = receiver(fr)
        if safe and to is None:
            return None
        machine.at = where
        answer = known[to.__class__]
        if answer is None:
            if machine.hides and not is_self:
                return machine.send_from(fr.self_, to, name, [])
            return machine.send(to, name, [])
        machine.steps -= 1
        if machine.steps < 0:
            machine.spend(0)
        made = answer(machine, to)
        if made.__class__ is Text and len(made.s) > SMALL and made is not to:
            machine.measure(made)
        return made

    return bare


def _call_with_one(cx: Context, node: s.Call, receiver: Run) -> Run:
    """``a.m(b)``, ``a + b``"""
    machine, name, where, safe = cx.machine, node.name, (cx.file, node.at), node.safe
    is_self = isinstance(node.receiver, s.Self)
    argument = cx.make(node.arguments[0])
    known = Direct(name, 1)
    fast = partial(product, machine) if name == "*" else FAST.get(name)
    if name == "==" or name == "!=":
        wanted = name == "=="

        def equality(fr: Frame) -> RubyValue:
            left, right = receiver(fr), argument(fr)
            machine.at = where
            return machine.equal(left, right) is wanted

        return equality

    def one(fr: Frame) -> RubyValue:
        to = receiver(fr)
        if safe and to is None:
            return None
        given = argument(fr)
        machine.at = where
        answer = known[to.__class__]
        if answer is None or given.__class__ is Keywords:
            if machine.hides and not is_self:
                return machine.send_from(fr.self_, to, name, [given])
            return machine.send(to, name, [given])
        machine.steps -= 1
        if machine.steps < 0:
            machine.spend(0)
        made = answer(machine, to, given)
        if made.__class__ is Text and len(made.s) > SMALL and made is not to:
            machine.measure(made)
        return made

    if fast is None or safe:
        return one

    def arithmetic(fr: Frame) -> RubyValue:
        to, given = receiver(fr), argument(fr)
        if to.__class__ is int and given.__class__ is int:
            return fast(to, given)
        machine.at = where
        answer = known[to.__class__]
        if answer is None or given.__class__ is Keywords:
            if machine.hides and not is_self:
                return machine.send_from(fr.self_, to, name, [given])
            return machine.send(to, name, [given])
        machine.steps -= 1
        if machine.steps < 0:
            machine.spend(0)
        made = answer(machine, to, given)
        if made.__class__ is Text and len(made.s) > SMALL and made is not to:
            machine.measure(made)
        return made

    return arithmetic


def _direct(node: s.Call, block: MakeBlock | None) -> Direct | None:
    """What is settled of a call; None where only the call tells how many arguments it has."""
    if any(isinstance(one, s.Splat | s.Hash) for one in node.arguments):
        return None
    return (Direct if block is None else DirectWithBlock)(node.name, len(node.arguments))


def _call_with_more(cx: Context, node: s.Call, receiver: Run, block: MakeBlock | None) -> Run:
    """``a.m(b, c) { … }``"""
    machine, name, where, safe = cx.machine, node.name, (cx.file, node.at), node.safe
    is_self = isinstance(node.receiver, s.Self)
    arguments = make_arguments(cx, node.arguments)
    bare = not node.arguments
    known = _direct(node, block)

    def call(fr: Frame) -> RubyValue:
        to = receiver(fr)
        if safe and to is None:
            return None
        given = [] if bare else arguments(fr)
        passed = None if block is None else block(fr)
        machine.at = where
        answer = None if known is None else known[to.__class__]
        if answer is None or (given and given[-1].__class__ is Keywords):
            if machine.hides and not is_self:
                return machine.send_from(fr.self_, to, name, given, passed)
            return machine.send(to, name, given, passed)
        machine.steps -= 1
        if machine.steps < 0:
            machine.spend(0)
        if block is None:
            made = answer(machine, to, *given)
        else:
            made = answer(machine, to, *given, block=passed)
        if made.__class__ is Text and len(made.s) > SMALL and made is not to:
            machine.measure(made)
        return made

    return call


def _kept_call(cx: Context, node: s.Call, receiver: Run, block: MakeBlock | None) -> Run:
    """``a.puts``: what Ruby gives every object for itself alone, unless `a` has its own."""
    machine, name, where, safe = cx.machine, node.name, (cx.file, node.at), node.safe
    arguments = make_arguments(cx, node.arguments)

    def call(fr: Frame) -> RubyValue:
        to = receiver(fr)
        if safe and to is None:
            return None
        given = arguments(fr)
        passed = None if block is None else block(fr)
        machine.at = where
        return machine.send_from(fr.self_, to, name, given, passed)

    return call


def _own_call(cx: Context, node: s.Call) -> Run:
    """A call without a receiver: a method of ``self``."""
    machine, name, where = cx.machine, node.name, (cx.file, node.at)
    arguments = make_arguments(cx, node.arguments)
    block = make_block(cx, node.block)
    bare = node.bare and block is None

    def call(fr: Frame) -> RubyValue:
        to = fr.self_
        given = arguments(fr)
        passed = None if block is None else block(fr)
        machine.at = where
        method = machine.find(to, name)
        if method is None and machine.main.own is not None:
            method = machine.main.own.get(name)
        if method is None:
            if bare and machine.find(to, "method_missing") is None:
                raise machine.error(
                    "NameError",
                    f"undefined local variable or method `{name}' for {machine.described(to)}",
                    name=symbol(name),
                    receiver=to,
                )
            return machine.missing(to, name, given, passed)
        return machine.invoke(method, to, given, passed)

    return call


def _entry(cx: Context, node: s.Call, receiver: Run, key: str) -> Run:
    """``a['b']``: nearly always of a hash, or of the scope of a template."""
    machine, where, safe = cx.machine, (cx.file, node.at), node.safe
    is_self = isinstance(node.receiver, s.Self)
    known = Direct("[]", 1)

    def entry(fr: Frame) -> RubyValue:
        to = receiver(fr)
        if to.__class__ is Hash:
            machine.at = where
            machine.steps -= 1
            if machine.steps < 0:
                machine.spend(0)
            return to.entries.get(key)
        if safe and to is None:
            return None
        machine.at = where
        answer = known[to.__class__]
        if answer is None:
            if machine.hides and not is_self:
                return machine.send_from(fr.self_, to, "[]", [Text(key)])
            return machine.send(to, "[]", [Text(key)])
        machine.steps -= 1
        if machine.steps < 0:
            machine.spend(0)
        made = answer(machine, to, Text(key))
        if made.__class__ is Text and len(made.s) > SMALL and made is not to:
            machine.measure(made)
        return made

    return entry


def _matching_call(cx: Context, node: s.Call, receiver: Run, block: MakeBlock | None) -> Run:
    """A call that may match a regular expression: ``$~`` is the caller's."""
    machine, name, where, safe = cx.machine, node.name, (cx.file, node.at), node.safe
    arguments = make_arguments(cx, node.arguments)
    is_self = isinstance(node.receiver, s.Self)
    quick = name == "[]" and len(node.arguments) == 1 and block is None
    tells = name == "last_match"
    known = _direct(node, block)

    def call(fr: Frame) -> RubyValue:
        to = receiver(fr)
        if safe and to is None:
            return None
        given = arguments(fr)
        if quick and to.__class__ is list and given[0].__class__ is int:
            index = given[0]
            return to[index] if -len(to) <= index < len(to) else None
        passed = None if block is None else block(fr)
        machine.at = where
        if tells or to.__class__ is Pattern or (given and given[0].__class__ is Pattern):
            before, machine.activation = machine.activation, fr.activation
            try:
                return machine.send(to, name, given, passed)
            finally:
                machine.activation = before
        answer = None if known is None else known[to.__class__]
        if answer is None or (given and given[-1].__class__ is Keywords):
            if machine.hides and not is_self:
                return machine.send_from(fr.self_, to, name, given, passed)
            return machine.send(to, name, given, passed)
        machine.steps -= 1
        if machine.steps < 0:
            machine.spend(0)
        if block is None:
            made = answer(machine, to, *given)
        else:
            made = answer(machine, to, *given, block=passed)
        if made.__class__ is Text and len(made.s) > SMALL and made is not to:
            machine.measure(made)
        return made

    return call
