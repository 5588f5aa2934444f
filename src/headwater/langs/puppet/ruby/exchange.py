"""Values on their way between Puppet and Ruby.

Arrays, hashes and strings are the same on both sides.  What Ruby has no class of its own for
(Sensitive, references, times, data types) keeps its Python class; `library` gives it methods.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final, cast

from headwater.langs.puppet import values as v
from headwater.langs.puppet.bytestrings import settled
from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.ruby.classes import class_of
from headwater.langs.puppet.ruby.keys import copied
from headwater.langs.puppet.ruby.machine import MOST
from headwater.langs.puppet.ruby.refusals import Beyond, Exhausted
from headwater.langs.puppet.ruby.values import (
    Class,
    DefaultHash,
    Enumerator,
    Native,
    Pattern,
    Proc,
    RubyObject,
    RubyValue,
    Symbol,
    Text,
    symbol,
)
from headwater.langs.puppet.types.rubytext import inspect, to_s

if TYPE_CHECKING:
    from headwater.langs.puppet.types.value import Value

DEEPEST: Final = 500
"""How deep arrays and hashes may be inside each other where they pass between Ruby and Puppet."""


class Wrapped(Native):
    """A value of Ruby's that stands for one of Puppet's."""

    __slots__ = ()

    def unwrapped(self) -> Value:
        """The value of Puppet's."""
        raise AssertionError("each has its own")


class Reference(Wrapped):
    """``Puppet::Resource``: what the older API, and parameters, make of a reference."""

    __slots__ = ("ref",)

    def __init__(self, ref: v.ResourceRef | v.ClassRef) -> None:
        self.ref = ref

    def __eq__(self, other: object) -> bool:
        return other.__class__ is Reference and str(self.ref) == str(other.ref)

    def __hash__(self) -> int:
        return hash(str(self.ref))

    def unwrapped(self) -> Value:
        held: Value = v.held(self.ref, {})
        return held


def to_ruby(value: Value) -> RubyValue:
    """A value of Puppet as templates and functions of the present API get it."""
    if value.__class__ is str or value.__class__ is int or value is None:
        return value
    if value.__class__ is v.Regexp:
        return Pattern(value.pattern)
    if value.__class__ is v.Default:
        return symbol("default")
    if (value.__class__ is v.ResourceRef or value.__class__ is v.ClassRef) and value.held:
        return Reference(value)
    if value.__class__ is list and _differs(value):
        return [to_ruby(item) for item in value]
    if value.__class__ is Hash and _differs(value):
        return value.map_pairs(lambda name, item: (to_ruby(name), to_ruby(item)))
    return value


def _differs(value: RubyValue) -> bool:
    """Whether a value, or something in it, is another in Ruby."""
    if value.__class__ is list:
        return not v.SINGLE.issuperset(map(type, value)) and any(map(_differs, value))
    if value.__class__ is Hash:
        if value.only_data:
            return False
        return any(map(_differs, value.values())) or any(map(_differs, value))
    if value.__class__ is v.ResourceRef or value.__class__ is v.ClassRef:
        return value.held
    return value.__class__ is v.Regexp or value.__class__ is v.Default


def to_old(value: Value) -> RubyValue:
    """An argument of a function of the older API: undef is '', inside arrays and hashes nil."""
    return Text("") if value is None else _to_old(value)


def _to_old(value: Value) -> RubyValue:
    if value.__class__ is str:
        return Text(value)
    if value is None or value.__class__ is bool or value.__class__ is int:
        return value
    if (
        value.__class__ is Hash
        and value.odd is None
        and all(name.__class__ is str for name in value)
    ):
        return Hash({name: _to_old(item) for name, item in value.entries.items()})
    match value:
        case str():
            return Text(value)
        case list():
            return [_to_old(item) for item in value]
        case Hash():
            return value.map_pairs(lambda name, item: (copied(_to_old(name)), _to_old(item)))
        case v.Regexp():
            return Text(inspect(value))
        case v.ResourceRef(type=str()) | v.ClassRef(name=str()):
            return Reference(value)
        case v.SemVer() | v.SemVerRange() | v.Binary() | v.Timespan() | v.Timestamp():
            return Text(to_s(value))
    return to_ruby(value)


def from_ruby(value: RubyValue) -> Value:
    """A value of Ruby as Puppet holds it."""
    if value.__class__ is list or isinstance(value, Hash):
        bounded(value)
    return _from_ruby(value)


def bounded(value: list[Any] | Hash) -> None:
    """Refuses arrays and hashes that hold themselves, or would be too many or too deep."""
    if not any(part.__class__ is list or isinstance(part, Hash) for part in _parts(value)):
        return
    sizes: dict[int, tuple[int, int]] = {}
    begun: set[int] = set()
    todo: list[Any] = [value]
    while todo:
        at = todo[-1]
        parts = [p for p in _parts(at) if p.__class__ is list or isinstance(p, Hash)]
        if id(at) not in begun:
            begun.add(id(at))
            if any(id(part) in begun and id(part) not in sizes for part in parts):
                raise Beyond("an array or hash that holds itself")
            todo += [part for part in parts if id(part) not in begun]
            continue
        todo.pop()
        size = 1 + sum(sizes[id(part)][0] for part in parts)
        depth = 1 + max((sizes[id(part)][1] for part in parts), default=0)
        if size > MOST:
            raise Exhausted("arrays and hashes of a value of Ruby", MOST)
        if depth > DEEPEST:
            raise Exhausted("arrays and hashes of Ruby inside each other", DEEPEST)
        sizes[id(at)] = (size, depth)


def _parts(value: list[Any] | Hash) -> list[Any]:
    return list(value.values()) if isinstance(value, Hash) else list(value)


def _from_ruby(value: RubyValue) -> Value:
    if value.__class__ is Text:
        text = value.s
        return text if text.__class__ is str and text.isascii() else settled(text)
    if value.__class__ is list:
        return [_from_ruby(item) for item in value] if any(map(_ruby, value)) else value
    if value.__class__ is Hash:
        if any(map(_ruby, value.values())) or any(map(_ruby, value)):
            return value.map_pairs(lambda name, item: (_from_ruby(name), _from_ruby(item)))
        return value
    if isinstance(value, Hash):
        return Hash.of((_from_ruby(name), _from_ruby(item)) for name, item in value.pairs())
    if value.__class__ is Symbol:
        if value.name in ("undef", "undefined"):
            return None
        return v.DEFAULT if value.name == "default" else value
    if value.__class__ is Pattern:
        return v.Regexp(value.inner)
    # What Puppet has no value for goes on as it is: Puppet's functions only pass it along.
    return value.unwrapped() if isinstance(value, Wrapped) else cast("Value", value)


def has_symbols(value: RubyValue) -> bool:
    """Whether there is a symbol in a value, for which Puppet has a string."""
    if value.__class__ is list:
        return any(map(has_symbols, value))
    if isinstance(value, Hash):
        return any(has_symbols(one) for pair in value.pairs() for one in pair)
    return value.__class__ is Symbol


_SIMPLE: Final = frozenset([str, int, float, bool, type(None)])


def check_told(value: Value) -> None:
    """Refuses what Ruby gives back to the program and Puppet has no value for: a set, a time."""
    pending: list[Any] = [value]
    while pending:
        one = pending.pop()
        if one.__class__ in _SIMPLE:
            continue
        if one.__class__ is list:
            pending += one
        elif isinstance(one, Hash):
            pending += one.values()
        elif isinstance(one, Native | RubyObject | Proc | Enumerator | Fraction | Class):
            raise Beyond(f"an object of the class {class_of(one).name} outside of Ruby")


def _ruby(value: RubyValue) -> bool:
    kind = value.__class__
    return (
        kind in (Text, Symbol, Pattern, DefaultHash, Reference)
        or isinstance(value, Wrapped)
        or (
            (value.__class__ is list and any(map(_ruby, value)))
            or (isinstance(value, Hash) and (kind is not Hash or any(map(_ruby, value.values()))))
        )
    )


def settle(value: list[Any] | Hash) -> None:
    """Makes what Ruby put into an array or hash of Puppet's a value of Puppet, in place."""
    bounded(value)
    if isinstance(value, list):
        value[:] = [from_ruby(item) for item in value]
    else:
        for inner, item in list(value.entries.items()):
            value.entries[inner] = from_ruby(item)
