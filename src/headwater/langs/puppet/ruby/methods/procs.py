"""Proc and Method."""

from __future__ import annotations

from headwater.langs.puppet.ruby.classes import (
    METHOD,
    PROC,
)
from headwater.langs.puppet.ruby.machine import Builtin, Machine
from headwater.langs.puppet.ruby.methods.registry import method
from headwater.langs.puppet.ruby.refusals import Beyond
from headwater.langs.puppet.ruby.values import (
    BoundMethod,
    Proc,
    RubyValue,
    symbol,
)


@method(PROC, "call", "()", "yield", "[]", "===")
def call(m: Machine, self: Proc, *args: RubyValue, block: Proc | None = None) -> RubyValue:
    return self.call(list(args), block)


@method(PROC, "to_proc")
def proc_itself(m: Machine, self: Proc) -> RubyValue:
    return self


@method(PROC, "arity")
def arity(m: Machine, self: Proc) -> int:
    return self.arity


@method(PROC, "lambda?")
def is_lambda(m: Machine, self: Proc) -> bool:
    return self.is_lambda


@method(METHOD, "call", "()", "[]", "===")
def call_method(
    m: Machine, self: BoundMethod, *args: RubyValue, block: Proc | None = None
) -> RubyValue:
    return m.send(self.receiver, self.name, list(args), block)


@method(METHOD, "name")
def method_name(m: Machine, self: BoundMethod) -> RubyValue:
    return symbol(self.name)


@method(METHOD, "receiver")
def method_receiver(m: Machine, self: BoundMethod) -> RubyValue:
    return self.receiver


@method(METHOD, "to_proc")
def method_to_proc(m: Machine, self: BoundMethod) -> RubyValue:
    from headwater.langs.puppet.ruby.calling import to_proc

    return to_proc(m, self)


@method(METHOD, "arity")
def method_arity(m: Machine, self: BoundMethod) -> int:
    from headwater.langs.puppet.ruby.calling import Method

    found = m.find(self.receiver, self.name)
    if isinstance(found, Builtin):
        return found.least if found.least == found.most else -found.least - 1
    if not isinstance(found, Method):
        raise Beyond("Method#arity of a method that is not evaluated")
    return found.parameters.arity
