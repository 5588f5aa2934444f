"""Proc and Method: composed, curried, described."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from headwater.langs.puppet.ruby.access import visibility
from headwater.langs.puppet.ruby.calling import Method, to_proc
from headwater.langs.puppet.ruby.classes import METHOD, OBJECT, PROC, class_of, define
from headwater.langs.puppet.ruby.machine import Machine
from headwater.langs.puppet.ruby.methods import conversions as to
from headwater.langs.puppet.ruby.methods.registry import method, own_method
from headwater.langs.puppet.ruby.refusals import Beyond
from headwater.langs.puppet.ruby.values import (
    UNDEFINED,
    BoundMethod,
    Class,
    Given,
    Proc,
    RubyValue,
    symbol,
)

define("UnboundMethod", OBJECT)
KINDS: Final = {
    "required": "req", "optional": "opt", "rest": "rest", "keyrest": "keyrest", "block": "block",
    "nested": "req",
}  # fmt: skip


def _callable(m: Machine, value: RubyValue) -> RubyValue:
    if m.find(value, "call") is None:
        raise m.error("TypeError", "callable object is expected")
    return value


def made_proc(call: Callable[..., Any], arity: int, is_lambda: bool) -> Proc:
    """A proc that is written in Python."""
    return Proc(call, lambda one: call([one], None), arity, is_lambda, None)


def _composed(m: Machine, first: RubyValue, second: RubyValue, is_lambda: bool) -> Proc:
    def call(args: list[Any], block: Proc | None, *_: RubyValue) -> RubyValue:
        return m.send(second, "call", [m.send(first, "call", args, block)])

    return made_proc(call, -1, is_lambda)


@method(PROC, ">>")
def then(m: Machine, self: Proc, other: RubyValue) -> RubyValue:
    return _composed(m, self, _callable(m, other), self.is_lambda)


@method(PROC, "<<")
def after(m: Machine, self: Proc, other: RubyValue) -> RubyValue:
    return _composed(m, _callable(m, other), self, self.is_lambda)


@method(METHOD, ">>")
def method_then(m: Machine, self: BoundMethod, other: RubyValue) -> RubyValue:
    return _composed(m, self, _callable(m, other), True)


@method(METHOD, "<<")
def method_after(m: Machine, self: BoundMethod, other: RubyValue) -> RubyValue:
    return _composed(m, _callable(m, other), self, True)


def _curried(m: Machine, whole: Proc, wanted: int, given: list[Any]) -> Proc:
    def call(args: list[Any], block: Proc | None, *_: RubyValue) -> RubyValue:
        more = [*given, *args]
        if len(more) >= wanted:
            return whole.call(more, block)
        return _curried(m, whole, wanted, more)

    return made_proc(call, -1 if wanted - len(given) > 1 else 1, whole.is_lambda)


@method(PROC, "curry")
def curry(m: Machine, self: Proc, count: Given = UNDEFINED) -> RubyValue:
    least = self.arity if self.arity >= 0 else -self.arity - 1
    wanted = least if count is UNDEFINED else to.integer(m, count)
    if (
        count is not UNDEFINED
        and self.is_lambda
        and (wanted < least or (self.arity >= 0 and wanted != least))
    ):
        raise m.wrong_count(wanted, least, least if self.arity >= 0 else None)
    return self.call([], None) if wanted == 0 else _curried(m, self, wanted, [])


@method(METHOD, "curry")
def method_curry(m: Machine, self: BoundMethod, count: Given = UNDEFINED) -> RubyValue:
    whole = to_proc(m, self)
    assert whole is not None
    if count is UNDEFINED:
        arity = to.integer(m, m.send(self, "arity", []))
        count = arity if arity >= 0 else -arity - 1
    return _curried(m, whole, to.integer(m, count), []) if count else whole.call([], None)


def _described(parameters: Sequence[tuple[str, str]], is_lambda: bool) -> list[Any]:
    made: list[Any] = []
    for kind, name in parameters:
        word = KINDS.get(kind, "keyreq")
        if word == "req" and not is_lambda:
            word = "opt"
        if kind == "nested":
            made.append([symbol(word)] if word == "req" else [symbol(word), None])
        else:
            made.append([symbol(word), symbol(name)] if name else [symbol(word)])
    return made


@method(PROC, "parameters")
def parameters(m: Machine, self: Proc, options: Given = UNDEFINED) -> RubyValue:
    if options is not UNDEFINED or any(kind == "keyword" for kind, *_ in self.parameters):
        raise Beyond("Proc#parameters with keywords")
    return _described(self.parameters, self.is_lambda)


@method(PROC, "ruby2_keywords")
def ruby2_keywords(m: Machine, self: Proc) -> RubyValue:
    return self


@method(PROC, "==", "eql?")
def same_proc(m: Machine, self: Proc, other: RubyValue) -> bool:
    return self is other


@own_method(PROC, "new")
def new_proc(m: Machine, self: Class, block: Proc | None = None) -> RubyValue:
    if block is None:
        raise m.error("ArgumentError", "tried to create Proc object without a block")
    return block


@method(METHOD, "parameters")
def method_parameters(m: Machine, self: BoundMethod) -> RubyValue:
    found = m.find(self.receiver, self.name)
    if not isinstance(found, Method) or any(k == "keyword" for k, *_ in found.parameters.named):
        raise Beyond("Method#parameters")
    return _described(found.parameters.named, True)


@method(METHOD, "original_name")
def original_name(m: Machine, self: BoundMethod) -> RubyValue:
    found = m.find(self.receiver, self.name)
    return symbol(found.name if isinstance(found, Method) else self.name)


@method(METHOD, "owner")
def owner(m: Machine, self: BoundMethod) -> RubyValue:
    for one in class_of(self.receiver).ancestors():
        if self.name in one.methods:
            return one
    raise Beyond("Method#owner of a method of one object")


@method(METHOD, "==", "eql?")
def same_method(m: Machine, self: BoundMethod, other: RubyValue) -> bool:
    return (
        other.__class__ is BoundMethod
        and other.receiver is self.receiver
        and other.name == self.name
    )


def _asked(word: str) -> None:
    def is_so(m: Machine, self: BoundMethod) -> bool:
        return visibility(self.receiver, self.name).word == word

    method(METHOD, f"{word}?")(is_so)


for _word in ("public", "private", "protected"):
    _asked(_word)
