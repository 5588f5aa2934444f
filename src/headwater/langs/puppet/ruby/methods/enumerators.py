"""Enumerator: an iteration that nobody has begun; ``Enumerator.new``, ``next``, chains."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, Final

from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.ruby.classes import (
    BUILTIN,
    ENUMERABLE,
    ENUMERATOR,
    GENERATOR,
    OBJECT,
    OF_TYPE,
    define,
)
from headwater.langs.puppet.ruby.machine import Machine
from headwater.langs.puppet.ruby.methods import conversions as to
from headwater.langs.puppet.ruby.methods.iteration import (
    Generator,
    called,
    collected,
    native,
    packed,
    visit,
)
from headwater.langs.puppet.ruby.methods.kernel import ADDRESS
from headwater.langs.puppet.ruby.methods.registry import method, own_method
from headwater.langs.puppet.ruby.refusals import Beyond
from headwater.langs.puppet.ruby.values import (
    UNDEFINED,
    Class,
    Enumerator,
    Given,
    Native,
    Proc,
    Raised,
    Range,
    RubyValue,
    Symbol,
)

PRODUCER: Final = define("Enumerator::Producer", OBJECT)
YIELDER: Final = define("Enumerator::Yielder", OBJECT)
CHAIN: Final = define("Enumerator::Chain", ENUMERATOR)


class Yielder(Native):
    """What the block of ``Enumerator.new`` gives its elements to."""

    __slots__ = ("block",)

    def __init__(self, block: Proc) -> None:
        self.block = block


class Chain(Native):
    """``a.each + b``: one iteration after the other."""

    __slots__ = ("parts",)

    def __init__(self, parts: list[Any]) -> None:
        self.parts = parts


OF_TYPE[Yielder] = YIELDER
OF_TYPE[Chain] = CHAIN


@own_method(ENUMERATOR, "new")
def new(m: Machine, self: Class, size: RubyValue = None, block: Proc | None = None) -> RubyValue:
    if block is None:
        raise m.error("ArgumentError", "no block given")
    source = block
    made = Generator(GENERATOR, lambda each: source.call([Yielder(each)], None), size)
    return Enumerator(made, "each", [])


@own_method(ENUMERATOR, "produce")
def produce(
    m: Machine, self: Class, first: Given = UNDEFINED, block: Proc | None = None
) -> RubyValue:
    if block is None:
        raise m.error("ArgumentError", "no block given")
    step = block

    def run(each: Proc) -> RubyValue:
        value = step.call([], None) if first is UNDEFINED else first
        while True:
            m.spend(1)
            each.one(value)
            try:
                value = step.one(value)
            except Raised as raised:
                if raised.error.cls.is_below(BUILTIN["StopIteration"]):
                    return None
                raise

    return Enumerator(Generator(PRODUCER, run, math.inf), "each", [])


@method(GENERATOR, "each")
@method(PRODUCER, "each")
def generate(m: Machine, self: Generator, block: Proc | None = None) -> RubyValue:
    if block is None:
        raise m.error("LocalJumpError", "no block given (yield)")
    return self.run(block)


@method(YIELDER, "<<")
def give(m: Machine, self: Yielder, value: RubyValue) -> RubyValue:
    self.block.call([value], None)
    return self


@method(YIELDER, "yield", "call")
def give_all(m: Machine, self: Yielder, *values: RubyValue) -> RubyValue:
    return self.block.call(list(values), None)


@method(YIELDER, "to_proc")
def yielder_to_proc(m: Machine, self: Yielder) -> RubyValue:
    return native(lambda args, block, *_: self.block.call(args, None))


@method(ENUMERATOR, "each")
def each(m: Machine, self: Enumerator, *more: RubyValue, block: Proc | None = None) -> RubyValue:
    if more:
        return m.send(Enumerator(self.receiver, self.name, [*self.args, *more]), "each", [], block)
    if block is None:
        return self
    result = m.send(self.receiver, self.name, self.args, block)
    return self if is_sequence(self) else result


UNSIZED: Final = frozenset(
    ["find", "detect", "find_index", "index", "rindex", "take_while", "drop_while", "gsub", "chunk",
     "each_line", "each_grapheme_cluster", "bsearch"]
)  # fmt: skip
"""Iterations whose number of turns nobody knows before."""


@method(ENUMERATOR, "size")
def size(m: Machine, self: Enumerator) -> RubyValue:
    receiver = self.receiver
    if receiver.__class__ is Generator:
        count = receiver.size
        return m.send(count, "call", []) if count.__class__ is Proc else count
    if self.name in UNSIZED:
        return None
    if self.name == "loop" or (
        self.name == "cycle"
        and receiver.__class__ is list
        and receiver
        and self.args in ([], [None])
    ):
        return math.inf
    if receiver.__class__ is Enumerator or receiver.__class__ is Chain:
        inner = m.send(receiver, "size", [])
        if inner is None or self.name in ("with_index", "each_with_index", "with_object", "each"):
            return inner
    if receiver.__class__ is Range and receiver.high is None:
        return math.inf
    if m.find(receiver, "size") is None and receiver.__class__ is not int:
        return None
    return len(collected(m, self, "each", []))


@method(ENUMERATOR, "with_index")
def with_index(
    m: Machine, self: Enumerator, start: Given = UNDEFINED, block: Proc | None = None
) -> RubyValue:
    if block is None:
        return Enumerator(self, "with_index", [] if start is UNDEFINED else [start])
    place = (0 if start is UNDEFINED or start is None else to.integer(m, start)) - 1

    def call(args: list[Any], inner: Proc | None, *_: RubyValue) -> RubyValue:
        nonlocal place
        place += 1
        return called(block, packed(args), place)

    given = m.send(self, "each", [], native(call))
    return self.receiver if is_sequence(self) else given


@method(ENUMERATOR, "each_with_index")
def each_with_index(m: Machine, self: Enumerator, block: Proc | None = None) -> RubyValue:
    if block is None:
        return Enumerator(self, "each_with_index", [])
    return with_index(m, self, UNDEFINED, block)


@method(ENUMERATOR, "with_object", "each_with_object")
def with_object(
    m: Machine, self: Enumerator, memo: RubyValue, block: Proc | None = None
) -> RubyValue:
    if block is None:
        return Enumerator(self, "with_object", [memo])

    def call(args: list[Any], inner: Proc | None, *_: RubyValue) -> RubyValue:
        return called(block, packed(args), memo)

    m.send(self, "each", [], native(call))
    return memo


@method(ENUMERATOR, "next")
def next_(m: Machine, self: Enumerator) -> RubyValue:
    found = peek(m, self)
    self.place += 1
    return found


@method(ENUMERATOR, "peek")
def peek(m: Machine, self: Enumerator) -> RubyValue:
    """The next element: what came before is gone through again, which changes nothing here."""
    wanted, seen = self.place, 0
    found: list[Any] = []

    def take(one: RubyValue) -> bool:
        nonlocal seen
        seen += 1
        if seen > wanted:
            found.append(one)
        return bool(found)

    visit(m, self, take)
    if found:
        return found[0]
    result = self.receiver if self.name == "each" else None
    raise m.error("StopIteration", "iteration reached an end", result=result)


@method(ENUMERATOR, "rewind")
def rewind(m: Machine, self: Enumerator) -> RubyValue:
    self.place = 0
    return self


@method(ENUMERATOR, "+")
def plus(m: Machine, self: RubyValue, other: RubyValue) -> RubyValue:
    return Chain([self, other])


@method(ENUMERABLE, "chain")
def chain(m: Machine, self: RubyValue, *others: RubyValue) -> RubyValue:
    return Chain([self, *others])


@own_method(CHAIN, "new")
def new_chain(m: Machine, self: Class, *parts: RubyValue) -> RubyValue:
    return Chain(list(parts))


@method(CHAIN, "each")
def chain_each(m: Machine, self: Chain, *args: RubyValue, block: Proc | None = None) -> RubyValue:
    if block is None:
        return Enumerator(self, "each", list(args))
    for part in self.parts:
        m.send(part, "each", list(args), block)
    return self


@method(CHAIN, "size")
def chain_size(m: Machine, self: Chain) -> RubyValue:
    total: Any = 0
    for part in self.parts:
        count = m.send(part, "size", [])
        if count is None or count.__class__ is float:
            return count
        total += count
    return total


@method(CHAIN, "+")
def chain_plus(m: Machine, self: Chain, other: RubyValue) -> RubyValue:
    return Chain([self, other])


@method(CHAIN, "rewind")
def chain_rewind(m: Machine, self: Chain) -> RubyValue:
    return self


@method(CHAIN, "inspect")
def chain_inspect(m: Machine, self: Chain) -> str:
    return f"#<Enumerator::Chain: {m.inspect(self.parts)}>"


def is_sequence(self: Enumerator) -> bool:
    """Whether it goes through numbers by steps."""
    low = self.receiver.low if self.receiver.__class__ is Range else self.receiver
    return self.name in ("step", "%") and low.__class__ in (int, float)


@method(ENUMERATOR, "to_s")
def enumerator_text(m: Machine, self: RubyValue) -> str:
    raise Beyond(ADDRESS)


@method(ENUMERATOR, "inspect")
def enumerator_inspect(m: Machine, self: Enumerator) -> str:
    if is_sequence(self):
        return _sequence(m, self)
    args = f"({', '.join(_arguments(m, self.args))})" if self.args else ""
    shown = (
        f"#<{self.receiver.cls.name}>"
        if self.receiver.__class__ is Generator
        else m.inspect(self.receiver)
    )
    return f"#<Enumerator: {shown}:{self.name}{args}>"


def _arguments(m: Machine, args: list[Any]) -> Iterator[str]:
    """Arguments as they are shown: a hash of symbols at the end is keywords."""
    *before, last = args
    yield from map(m.inspect, before)
    if isinstance(last, Hash) and last and all(k.__class__ is Symbol for k in last):
        yield from (f"{name.name}: {m.inspect(value)}" for name, value in last.pairs())
    else:
        yield m.inspect(last)


def _sequence(m: Machine, self: Enumerator) -> str:
    """``(1.step(10, 3))``: steps of numbers are shown as they were written."""
    shown = m.inspect(self.receiver)
    shown = f"({shown})" if self.receiver.__class__ is Range else shown
    args = ", ".join(
        ", ".join(f"{name.name}: {m.inspect(value)}" for name, value in one.pairs())
        if isinstance(one, Hash)
        else m.inspect(one)
        for one in self.args
    )
    return f"({shown}.{self.name}{f'({args})' if args else ''})"


__all__ = ["Chain", "Yielder"]
