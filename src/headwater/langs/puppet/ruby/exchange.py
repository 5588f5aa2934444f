"""Values on their way between Puppet and Ruby.

Arrays, hashes and strings are the same on both sides.  What Ruby has no class of its own for
(Sensitive, references, times, data types) keeps its Python class; `library` gives it methods.
"""

from __future__ import annotations

from typing import Any

from headwater.langs.puppet import values as v
from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.ruby.values import DefaultHash, Pattern, Symbol, Text, key, symbol
from headwater.langs.puppet.types.rubytext import inspect, to_s


def to_ruby(value: Any) -> Any:
    """A value of Puppet as templates and functions of the present API get it."""
    kind = value.__class__
    if kind is str or kind is int or value is None:
        return value
    if kind is v.Regexp:
        return Pattern(value.pattern)
    if kind is v.Default:
        return symbol("default")
    if kind is list and any(_differs(item) for item in value):
        return [to_ruby(item) for item in value]
    if kind is Hash and (
        any(_differs(item) for item in value.values()) or any(_differs(name) for name in value)
    ):
        return value.map_pairs(lambda name, item: (to_ruby(name), to_ruby(item)))
    return value


def _differs(value: Any) -> bool:
    """Whether a value, or something in it, is another in Ruby."""
    kind = value.__class__
    if kind is list:
        return any(map(_differs, value))
    if kind is Hash:
        return any(map(_differs, value.values())) or any(map(_differs, value))
    return kind is v.Regexp or kind is v.Default


def to_old(value: Any) -> Any:
    """An argument of a function of the older API: undef is '', inside arrays and hashes nil."""
    return Text("") if value is None else _to_old(value)


def _to_old(value: Any) -> Any:
    match value:
        case str():
            return Text(value)
        case list():
            return [_to_old(item) for item in value]
        case Hash():
            return value.map_pairs(lambda name, item: (key(_to_old(name)), _to_old(item)))
        case v.Regexp():
            return Text(inspect(value))
        case v.SemVer() | v.SemVerRange() | v.Binary() | v.Timespan() | v.Timestamp():
            return Text(to_s(value))
    return to_ruby(value)


def from_ruby(value: Any) -> Any:
    """A value of Ruby as Puppet holds it."""
    kind = value.__class__
    if kind is Text:
        return value.s
    if kind is list:
        return [from_ruby(item) for item in value] if any(map(_ruby, value)) else value
    if kind is Hash:
        if any(map(_ruby, value.values())) or any(map(_ruby, value)):
            return value.map_pairs(lambda name, item: (from_ruby(name), from_ruby(item)))
        return value
    if isinstance(value, Hash):
        return Hash.of((from_ruby(name), from_ruby(item)) for name, item in value.pairs())
    if kind is Symbol:
        if value.name in ("undef", "undefined"):
            return None
        return v.DEFAULT if value.name == "default" else value.name
    if kind is Pattern:
        return v.Regexp(value.inner)
    return value


def _ruby(value: Any) -> bool:
    kind = value.__class__
    return kind in (Text, Symbol, Pattern, DefaultHash) or (
        (kind is list and any(map(_ruby, value)))
        or (isinstance(value, Hash) and (kind is not Hash or any(map(_ruby, value.values()))))
    )


def settle(value: Any) -> None:
    """Makes what Ruby put into an array or hash of Puppet's a value of Puppet, in place."""
    if value.__class__ is list:
        value[:] = [from_ruby(item) for item in value]
    elif isinstance(value, Hash):
        for inner, item in list(value.entries.items()):
            value.entries[inner] = from_ruby(item)
