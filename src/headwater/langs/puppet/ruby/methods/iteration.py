"""How values are gone through: arrays, hashes, ranges, enumerators, objects with each."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from headwater.langs.puppet.bytestrings import Bytes
from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.ruby.classes import GENERATOR
from headwater.langs.puppet.ruby.machine import Machine
from headwater.langs.puppet.ruby.values import (
    Class,
    Classed,
    Enumerator,
    Proc,
    Range,
    RubyValue,
    Text,
)


class Generator(Classed):
    """The block of ``Enumerator.new``, or the source of ``Enumerator.produce``."""

    __slots__ = ("run", "size")

    def __init__(self, cls: Class, run: Callable[[Proc], Any], size: RubyValue) -> None:
        self.cls = cls
        self.run = run
        self.size = size


def generated(run: Callable[[Proc], Any]) -> Enumerator:
    """An enumerator whose elements are made when somebody asks for them."""
    return Enumerator(Generator(GENERATOR, run, None), "each", [])


def iterate(m: Machine, value: RubyValue) -> Iterator[Any]:
    """The elements of a value, one by one, as it is at each turn."""
    if value.__class__ is list:
        return _live(m, value)
    if isinstance(value, Hash):
        return iter([[name, item] for name, item in value.pairs()])
    if value.__class__ is Range:
        return counted(m, value)
    return iter(collected(m, value, "each", []))


def _live(m: Machine, items: list[Any]) -> Iterator[Any]:
    place = 0
    while place < len(items):
        m.steps -= 1
        yield items[place]
        place += 1


def items(m: Machine, value: RubyValue) -> list[Any]:
    """All elements at once."""
    if value.__class__ is list:
        return list(value)
    made = []
    for one in iterate(m, value):
        made.append(one)
        if not len(made) % 1024:
            m.spend(1024)
            m.check_count(len(made))
    return made


def collected(m: Machine, value: RubyValue, name: str, args: list[Any]) -> list[Any]:
    """What a method gives its block, turn by turn; several values of a turn are a list."""
    if value.__class__ is Enumerator and name == "each" and not args:
        return collected(m, value.receiver, value.name, value.args)
    found: list[Any] = []

    def take(given: list[Any], block: Proc | None, *_: RubyValue) -> RubyValue:
        found.append(packed(given))
        m.spend(1)
        m.check_count(len(found))
        return None

    m.send(value, name, args, native(take))
    return found


def turns(m: Machine, value: RubyValue, block: Proc) -> list[Any]:
    """What a block gives for each turn; it is given the values of a turn one beside the other."""
    if value.__class__ is Enumerator:
        return _turns(m, value.receiver, value.name, value.args, block)
    if value.__class__ in (list, Range) or isinstance(value, Hash):
        call = block.one
        return [call(one) for one in iterate(m, value)]
    return _turns(m, value, "each", [], block)


def _turns(m: Machine, value: RubyValue, name: str, args: list[Any], block: Proc) -> list[Any]:
    found: list[Any] = []

    def take(given: list[Any], inner: Proc | None, *_: RubyValue) -> RubyValue:
        found.append(block.one(given[0]) if len(given) == 1 else block.call(given, None))
        m.spend(1)
        m.check_count(len(found))
        return None

    m.send(value, name, args, native(take))
    return found


def packed(given: list[Any]) -> RubyValue:
    """What a block is given, as one value: several are an array, none is nil."""
    return given[0] if len(given) == 1 else given if given else None


class _Stop(Exception):
    """Ends an iteration that was visited long enough."""


def visit(m: Machine, value: RubyValue, take: Callable[[Any], Any]) -> None:
    """Hands the elements of a value over one by one, until `take` says that it is enough.

    Unlike `iterate` it works with what never ends by itself: nothing is gone through in advance.
    """
    if value.__class__ in (list, Range) or isinstance(value, Hash):
        for one in iterate(m, value):
            if take(one):
                return
        return
    _visited(m, value, lambda given: take(packed(given)))


def visit_turns(m: Machine, value: RubyValue, take: Callable[[list[Any]], Any]) -> None:
    """Like `visit`, with the values of each turn one beside the other."""
    if value.__class__ in (list, Range) or isinstance(value, Hash):
        visit(m, value, lambda one: take([one]))
    else:
        _visited(m, value, take)


def _visited(m: Machine, value: RubyValue, take: Callable[[list[Any]], Any]) -> None:
    stop = _Stop()

    def call(given: list[Any], block: Proc | None, *_: RubyValue) -> RubyValue:
        m.spend(1)
        if take(given):
            raise stop
        return None

    depth = m.depth
    try:
        m.send(value, "each", [], native(call))
    except _Stop as reached:
        if reached is not stop:
            raise
        m.depth = depth


def native(call: Callable[..., Any]) -> Proc:
    """A block that is written in Python."""
    return Proc(call, lambda one: call([one], None), -1, False, None)


def counted(m: Machine, value: Range) -> Iterator[Any]:
    """The elements of a range: integers, or strings that follow each other."""
    low, high = value.low, value.high
    if low.__class__ is int and (high is None or high.__class__ in (int, float)):
        place = low
        while high is None or place < high or (place == high and not value.exclusive):
            m.spend(1)
            yield place
            place += 1
        return
    if low.__class__ in (Text, str, Bytes):
        from headwater.langs.puppet.ruby.methods.successors import between

        for text in between(
            m, m.text(low), None if high is None else m.text(high), value.exclusive
        ):
            yield Text(text)
        return
    if m.find(low, "succ") is None:
        from headwater.langs.puppet.ruby.classes import class_of

        raise m.error("TypeError", f"can't iterate from {class_of(low).name}")
    at = low
    while True:
        order = m.compare(at, high)
        if order > 0 or (order == 0 and value.exclusive):
            return
        yield at
        if order == 0:
            return
        at = m.send(at, "succ", [])


def called(block: Proc, *args: RubyValue) -> RubyValue:
    """Calls a block with several arguments."""
    return block.call(list(args), None)
