"""A block of Ruby as a lambda: what Ruby gives to a function of Puppet that calls it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from headwater.langs.puppet.ruby.exchange import from_ruby, to_ruby
from headwater.langs.puppet.ruby.values import Proc, RubyValue
from headwater.langs.puppet.types import model
from headwater.langs.puppet.types.value import Value


class Counting(Protocol):
    """Who counts the steps of Ruby while a function of Puppet calls it back."""

    def back(self, run: Callable[[], RubyValue]) -> RubyValue:
        """Runs Ruby inside of a function that Ruby called."""
        ...


class RubyBlock:
    """A proc as functions of Puppet see a lambda (`functions_protocol.Block`)."""

    __slots__ = ("_counting", "_proc")

    def __init__(self, proc: Proc, counting: Counting) -> None:
        self._proc = proc
        self._counting = counting

    @property
    def arity(self) -> tuple[int, int | None]:
        """How many arguments it must and may have."""
        count = self._proc.arity
        return (count, count) if count >= 0 else (-count - 1, None)

    @property
    def parameters(self) -> list[tuple[str, Any]]:
        """Parameters have no types in Ruby."""
        return [(f"_{number}", None) for number in range(self.arity[0])]

    @property
    def callable_type(self) -> model.CallableType:
        """What it can be called with, as a type."""
        least, most = self.arity
        types = (model.ANY,) * max(least, 1 if most is None else least)
        size = None if least == most and types else model.IntegerType(least, most)
        return model.CallableType(model.TupleType(types, size))

    def __call__(self, *args: Value) -> Value:
        given = [to_ruby(arg) for arg in args]
        return from_ruby(self._counting.back(lambda: self._proc.call(given, None)))

    def one(self) -> Callable[[Any], Any]:
        """Itself."""
        return self

    def two(self) -> Callable[[Any, Any], Any]:
        """Itself."""
        return self

    def named(self, arguments: Mapping[str, Any]) -> Value:
        """Ruby's blocks take no arguments by the names of Puppet's."""
        return self(*arguments.values())
