"""Enumerator::Lazy: a chain of steps that each element passes, only as far as somebody asks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.ruby.classes import ENUMERABLE, ENUMERATOR, OF_TYPE, define
from headwater.langs.puppet.ruby.keys import key
from headwater.langs.puppet.ruby.machine import Machine
from headwater.langs.puppet.ruby.methods import conversions as to
from headwater.langs.puppet.ruby.methods.enumerators import Chain
from headwater.langs.puppet.ruby.methods.iteration import called, items, visit
from headwater.langs.puppet.ruby.methods.registry import method
from headwater.langs.puppet.ruby.values import Enumerator, Native, Proc, RubyValue

LAZY: Final = define("Enumerator::Lazy", ENUMERATOR)
Take = Callable[[Any], Any]
Stage = Callable[[Take], Take]


class Lazy(Native):
    """A source, and what is done with its elements; `shown` is how it is written."""

    __slots__ = ("keeps_size", "place", "shown", "source", "stages")

    def __init__(
        self, source: RubyValue, stages: list[Stage], shown: Callable[[], str], keeps_size: bool
    ) -> None:
        self.source = source
        self.stages = stages
        self.shown = shown
        self.keeps_size = keeps_size
        self.place = 0


OF_TYPE[Lazy] = LAZY


@method(ENUMERABLE, "lazy")
def lazy(m: Machine, self: RubyValue) -> RubyValue:
    return Lazy(self, [], lambda: f"#<Enumerator::Lazy: {m.inspect(self)}>", True)


def run(m: Machine, self: Lazy, sink: Take) -> None:
    """Lets the elements through all steps; a step that says true ends it."""
    take = sink
    for stage in reversed(self.stages):
        take = stage(take)
    visit(m, self.source, take)


def then(m: Machine, self: Lazy, name: str, args: list[Any], stage: Stage, sized: bool) -> Lazy:
    """The chain with one more step."""

    def shown() -> str:
        given = f"({', '.join(map(m.inspect, args))})" if args else ""
        return f"#<Enumerator::Lazy: {self.shown()}:{name}{given}>"

    return Lazy(self.source, [*self.stages, stage], shown, self.keeps_size and sized)


def _step(*names: str, sized: bool = False) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Gives Lazy a method whose block decides about each element."""

    def give(make: Callable[[Machine, Proc, Take, Any], Any]) -> Callable[..., Any]:
        for name in names:

            def call(
                m: Machine, self: Lazy, block: Proc | None = None, name: str = name
            ) -> RubyValue:
                if block is None:
                    raise m.error("ArgumentError", f"tried to call lazy {name} without a block")
                given = block

                def stage(sink: Take) -> Take:
                    return lambda one: make(m, given, sink, one)

                return then(m, self, name, [], stage, sized)

            _register(name, call)
        return make

    return give


def _register(name: str, call: Callable[..., Any]) -> None:
    def plain(m: Machine, self: Lazy, block: Proc | None = None) -> RubyValue:
        return call(m, self, block)

    method(LAZY, name)(plain)


@_step("map", "collect", sized=True)
def map_(m: Machine, block: Proc, sink: Take, one: RubyValue) -> RubyValue:
    return sink(block.one(one))


@_step("select", "filter", "find_all")
def select(m: Machine, block: Proc, sink: Take, one: RubyValue) -> RubyValue:
    return m.truth(block.one(one)) and sink(one)


@_step("reject")
def reject(m: Machine, block: Proc, sink: Take, one: RubyValue) -> RubyValue:
    return not m.truth(block.one(one)) and sink(one)


@_step("filter_map")
def filter_map(m: Machine, block: Proc, sink: Take, one: RubyValue) -> RubyValue:
    made = block.one(one)
    return m.truth(made) and sink(made)


@_step("flat_map", "collect_concat")
def flat_map(m: Machine, block: Proc, sink: Take, one: RubyValue) -> RubyValue:
    made = block.one(one)
    if made.__class__ is list:
        return any(sink(two) for two in made)
    if made.__class__ is Lazy:
        return any(sink(two) for two in items(m, made))
    return sink(made)


@_step("take_while")
def take_while(m: Machine, block: Proc, sink: Take, one: RubyValue) -> RubyValue:
    return True if not m.truth(block.one(one)) else sink(one)


_EAGER: Final = frozenset(["each_with_index", "zip"])
"""Steps that Ruby takes at once if there is a block."""


def _stateful(
    name: str, function: Callable[..., Stage], least: int, most: int | None, sized: bool = False
) -> None:
    def call(m: Machine, self: Lazy, *args: RubyValue, block: Proc | None = None) -> RubyValue:
        if len(args) < least or (most is not None and len(args) > most):
            raise m.wrong_count(len(args), least, most)
        if block is not None and name in _EAGER:
            m.send(m.send(self, "force", []), name, list(args), block)
            return None if name == "zip" or self.stages else self.source
        return then(m, self, name, list(args), function(m, list(args), block), sized)

    method(LAZY, name)(call)


def _take(m: Machine, args: list[Any], block: Proc | None) -> Stage:
    size = to.integer(m, args[0])
    if size < 0:
        raise m.error("ArgumentError", "attempt to take negative size")

    def stage(sink: Take) -> Take:
        seen = 0

        def take(one: RubyValue) -> RubyValue:
            nonlocal seen
            seen += 1
            return True if seen > size else sink(one) or seen >= size

        return take

    return stage


def _drop(m: Machine, args: list[Any], block: Proc | None) -> Stage:
    size = to.integer(m, args[0])
    if size < 0:
        raise m.error("ArgumentError", "attempt to drop negative size")

    def stage(sink: Take) -> Take:
        seen = 0

        def take(one: RubyValue) -> RubyValue:
            nonlocal seen
            seen += 1
            return seen > size and sink(one)

        return take

    return stage


def _drop_while(m: Machine, args: list[Any], block: Proc | None) -> Stage:
    if block is None:
        raise m.error("ArgumentError", "tried to call lazy drop_while without a block")

    def stage(sink: Take) -> Take:
        dropping = True

        def take(one: RubyValue) -> RubyValue:
            nonlocal dropping
            dropping = dropping and m.truth(block.one(one))
            return not dropping and sink(one)

        return take

    return stage


def _uniq(m: Machine, args: list[Any], block: Proc | None) -> Stage:
    def stage(sink: Take) -> Take:
        seen = Hash({})

        def take(one: RubyValue) -> RubyValue:
            name = key(m, one if block is None else block.one(one))
            if name in seen:
                return False
            seen.put(name, True)
            return sink(one)

        return take

    return stage


def _with_index(m: Machine, args: list[Any], block: Proc | None) -> Stage:
    start = to.integer(m, args[0]) if args and args[0] is not None else 0

    def stage(sink: Take) -> Take:
        place = start - 1

        def take(one: RubyValue) -> RubyValue:
            nonlocal place
            place += 1
            if block is None:
                return sink([one, place])
            called(block, one, place)
            return sink(one)

        return take

    return stage


def _zip(m: Machine, args: list[Any], block: Proc | None) -> Stage:
    def stage(sink: Take) -> Take:
        sources = [Enumerator(one, "each", []) for one in args]
        place = -1

        def nth(source: Enumerator) -> RubyValue:
            if source.receiver.__class__ is list:
                return source.receiver[place] if place < len(source.receiver) else None
            found: list[Any] = []
            seen = -1

            def take(one: RubyValue) -> bool:
                nonlocal seen
                seen += 1
                if seen == place:
                    found.append(one)
                return bool(found)

            visit(m, source, take)
            return found[0] if found else None

        def take(one: RubyValue) -> RubyValue:
            nonlocal place
            place += 1
            return sink([one, *[nth(source) for source in sources]])

        return take

    return stage


def _grep(wanted: bool) -> Callable[..., Stage]:
    def make(m: Machine, args: list[Any], block: Proc | None) -> Stage:
        def stage(sink: Take) -> Take:
            def take(one: RubyValue) -> RubyValue:
                if m.truth(m.send(args[0], "===", [one])) is not wanted:
                    return False
                return sink(one if block is None else block.one(one))

            return take

        return stage

    return make


def _compact(m: Machine, args: list[Any], block: Proc | None) -> Stage:
    return lambda sink: lambda one: one is not None and sink(one)


for _name, _function, _least, _most, _sized in (
    ("take", _take, 1, 1, False), ("drop", _drop, 1, 1, False),
    ("drop_while", _drop_while, 0, 0, False), ("uniq", _uniq, 0, 0, False),
    ("with_index", _with_index, 0, 1, True), ("each_with_index", _with_index, 0, 0, True),
    ("zip", _zip, 0, None, True), ("grep", _grep(True), 1, 1, False),
    ("grep_v", _grep(False), 1, 1, False), ("compact", _compact, 0, 0, False),
):  # fmt: skip
    _stateful(_name, _function, _least, _most, _sized)


@method(LAZY, "each")
def each(m: Machine, self: Lazy, block: Proc | None = None) -> RubyValue:
    if block is None:
        return self

    def take(one: RubyValue) -> None:
        block.one(one)

    run(m, self, take)
    return None if self.stages else self.source


@method(LAZY, "+", "chain")
def chained(m: Machine, self: Lazy, *others: RubyValue) -> RubyValue:
    return lazy(m, Chain([self, *others]))


@method(LAZY, "force", "to_a")
def force(m: Machine, self: Lazy) -> RubyValue:
    made: list[Any] = []

    def take(one: RubyValue) -> None:
        made.append(one)
        m.check_count(len(made))

    run(m, self, take)
    return made


@method(LAZY, "eager")
def eager(m: Machine, self: Lazy) -> RubyValue:
    return Enumerator(self, "each", [])


@method(LAZY, "lazy")
def itself(m: Machine, self: Lazy) -> RubyValue:
    return self


@method(LAZY, "size")
def size(m: Machine, self: Lazy) -> RubyValue:
    if not self.keeps_size or m.find(self.source, "size") is None:
        return None
    return m.send(self.source, "size", [])


@method(LAZY, "inspect")
def inspect(m: Machine, self: Lazy) -> str:
    return self.shown()


def _again(name: str) -> None:
    """Iterations in rows, which are lazy too."""

    def call(m: Machine, self: Lazy, *args: RubyValue, block: Proc | None = None) -> RubyValue:
        found = ENUMERABLE.methods[name]
        assert found is not None
        made = m.invoke(found, self, list(args), block)
        return lazy(m, made) if block is None or name in _CUT else made

    method(LAZY, name)(call)


_CUT: Final = ("chunk_while", "slice_when", "slice_before", "slice_after", "chunk")
for _name in ("each_slice", "each_cons", "each_entry", *_CUT):
    _again(_name)

__all__ = ["LAZY", "Lazy"]
