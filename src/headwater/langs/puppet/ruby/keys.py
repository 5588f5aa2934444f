"""Keys of Ruby's hashes and elements of its sets: the work of making and comparing them counts.

A key is copied, hashed and compared with all its parts, so each use of one counts by them, and a
part that is shared counts as often as it occurs.  Most keys are strings, symbols and integers,
which have no parts.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any, Final

from headwater.langs.puppet import values as v
from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.ruby.machine import COMPARED, LONG, Machine
from headwater.langs.puppet.ruby.refusals import Beyond, Exhausted
from headwater.langs.puppet.ruby.values import (
    DefaultHash,
    Keywords,
    Range,
    RubyMethod,
    RubyObject,
    RubyValue,
    Text,
)

IDENTITY: Final[dict[str, RubyMethod | None]] = {}
"""The ``eql?`` that every object has unless it says otherwise."""

MOST_IN_KEY: Final = 2_000_000
"""Parts of a key: values share their parts, and a key has each of its own."""

A_SET: Final = 5 * COMPARED
"""What a hash or set in a key counts beside its parts: what tells it apart is a set of them."""


def _entries(value: Hash) -> Collection[Any]:
    """The keys, as what tells them apart, and values; what facts note is no matter here."""
    return [*dict.keys(value.entries), *dict.values(value.entries)]


PARTS: Final[dict[type, Callable[[Any], Collection[Any]]]] = {
    list: lambda value: value,
    tuple: lambda value: value,  # it and a set stand for arrays and hashes that are keys
    frozenset: lambda value: value,
    Hash: _entries,
    DefaultHash: _entries,
    Keywords: _entries,
    Range: lambda value: [value.low, value.high],
    v.Sensitive: lambda value: [value.value],
    v.Deferred: lambda value: value.arguments,
}
"""The parts of values that are made of others."""


def key(m: Machine, value: RubyValue) -> RubyValue:
    """A value as a key of a hash: a string there is one that cannot change."""
    if value.__class__ is Text:
        value = value.s
    if isinstance(value, str):
        if len(value) > LONG:
            m.look_at(value)
        return value
    if value.__class__ in PARTS:
        weigh(m, value)
    return copied(value)


def copied(value: RubyValue) -> RubyValue:
    """A value that cannot change with those of the program: an array has its own arrays."""
    if value.__class__ is list:
        return [copied(one) for one in value]
    if value.__class__ is RubyObject and value.cls.find("eql?") is not IDENTITY.get("eql?"):
        raise Beyond("an object that says itself what it is equal to, as a key of a hash")
    return value.s if value.__class__ is Text else value


def weigh(m: Machine, value: RubyValue | tuple[Any, ...]) -> None:
    """Counts that the parts of a value are gone through."""
    left = MOST_IN_KEY
    pending: list[Any] = [value]
    while pending:
        one = pending.pop()
        parts = PARTS[one.__class__](one)
        left -= len(parts)
        if left < 0:
            raise Exhausted("elements of a key of Ruby", MOST_IN_KEY)
        m.spend(len(parts) + (COMPARED if one.__class__ is list else A_SET))
        for part in parts:
            if part.__class__ in PARTS:
                pending.append(part)
            elif part.__class__ is Text:
                m.look_at(part.s)
            elif part.__class__ is str:
                m.look_at(part)


def weigh_keys(m: Machine, value: Hash) -> None:
    """Counts that the keys of a hash are used once more."""
    for inner in value.odd or ():
        if inner[0] in PARTS:
            weigh(m, inner)


__all__ = ["IDENTITY", "PARTS", "copied", "key", "weigh", "weigh_keys"]
