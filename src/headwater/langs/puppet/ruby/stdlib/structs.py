"""Struct: classes of objects with named members."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Final

from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.ruby.access import body
from headwater.langs.puppet.ruby.classes import ENUMERABLE, OBJECT, define
from headwater.langs.puppet.ruby.keys import key
from headwater.langs.puppet.ruby.machine import Builtin, Machine
from headwater.langs.puppet.ruby.methods import conversions as to
from headwater.langs.puppet.ruby.methods.arrays import dug
from headwater.langs.puppet.ruby.methods.iteration import called
from headwater.langs.puppet.ruby.methods.registry import method, own_method
from headwater.langs.puppet.ruby.values import (
    Class,
    Enumerator,
    Proc,
    Raised,
    Range,
    RubyObject,
    RubyValue,
    Symbol,
    symbol,
)

STRUCT: Final = define("Struct", OBJECT)
STRUCT.included.append(ENUMERABLE)
MEMBERS: Final = " members"
"""Where a class has its members, and an object their values: no variable is named so."""

BY_NAME: Final = " by name"


def members(cls: Class) -> list[Symbol]:
    """The members that objects of a class have."""
    current: Class | None = cls
    while current is not None and MEMBERS not in current.ivars:
        current = current.superclass
    found: list[Symbol] = [] if current is None else current.ivars[MEMBERS]
    return found


def _by_name(cls: Class) -> bool:
    current: Class | None = cls
    while current is not None and MEMBERS not in current.ivars:
        current = current.superclass
    return current is not None and bool(current.ivars.get(BY_NAME))


@own_method(STRUCT, "new")
def new(m: Machine, self: Class, *args: RubyValue, block: Proc | None = None) -> RubyValue:
    if self is not STRUCT:
        made = RubyObject(self)
        made.ivars[MEMBERS] = [None] * len(members(self))
        m.send(made, "initialize", list(args), block)
        return made
    given = list(args)
    named = given.pop(0) if given and to.is_string(given[0]) else None
    options = to.hash_(m, given.pop()) if given and isinstance(given[-1], Hash) else None
    names = [symbol(to.name_of(m, one)) for one in given]
    if len(set(names)) < len(names):
        twice = next(one for at, one in enumerate(names) if one in names[:at])
        raise m.error("ArgumentError", f"duplicate member: {twice.name}")
    if not names and named is None:
        raise m.wrong_count(0, 1, None)
    cls = Class(None, STRUCT)
    cls.ivars[MEMBERS] = names
    cls.ivars[BY_NAME] = options is not None and m.truth(options.get(symbol("keyword_init")))
    for place, one in enumerate(names):
        _accessors(cls, one.name, place)
    if named is not None:
        m.set_constant(STRUCT, m.text(named), cls)
    if block is not None:
        with body(cls, m.method):
            block.call([cls], None, cls, (cls, OBJECT))
    return cls


def _accessors(cls: Class, name: str, place: int) -> None:
    def read(m: Machine, self: RubyObject) -> RubyValue:
        return self.ivars[MEMBERS][place]

    def write(m: Machine, self: RubyObject, value: RubyValue) -> RubyValue:
        changing(m, self)
        self.ivars[MEMBERS][place] = value
        return value

    cls.methods[name] = Builtin(name, read)
    cls.methods[name + "="] = Builtin(name + "=", write)


def changing(m: Machine, self: RubyObject) -> None:
    """Refuses the change of a frozen object."""
    if self.frozen:
        raise m.error("FrozenError", f"can't modify frozen {self.cls.name}: {m.inspect(self)}")


@own_method(STRUCT, "[]")
def brackets(m: Machine, self: Class, *args: RubyValue) -> RubyValue:
    return m.send(self, "new", list(args))


@own_method(STRUCT, "members")
def class_members(m: Machine, self: Class) -> RubyValue:
    return list(members(self))


@own_method(STRUCT, "keyword_init?")
def keyword_init(m: Machine, self: Class) -> RubyValue:
    return True if _by_name(self) else None


@own_method(STRUCT, "inspect")
def class_inspect(m: Machine, self: Class) -> str:
    return (self.name or "#<Class>") + ("(keyword_init: true)" if _by_name(self) else "")


@method(STRUCT, "initialize")
def initialize(m: Machine, self: RubyObject, *args: RubyValue) -> RubyValue:
    names = members(self.cls)
    values = self.ivars.setdefault(MEMBERS, [None] * len(names))
    if _by_name(self.cls):
        if not args:
            return None
        if len(args) > 1 or not isinstance(args[0], Hash):
            raise m.wrong_count(len(args), 0, 0)
        strange = [one for one in args[0] if symbol(to.name_of(m, one)) not in names]
        if strange:
            shown = ", ".join(to.name_of(m, one) for one in strange)
            raise m.error("ArgumentError", f"unknown keywords: {shown}")
        for name, value in args[0].pairs():
            values[names.index(symbol(to.name_of(m, name)))] = value
        return None
    if len(args) > len(names):
        raise m.error("ArgumentError", "struct size differs")
    values[: len(args)] = args
    return None


def _values(self: RubyObject) -> list[Any]:
    found: list[Any] = self.ivars[MEMBERS]
    return found


def _place(m: Machine, self: RubyObject, index: RubyValue) -> int:
    names = members(self.cls)
    if index.__class__ is Symbol or to.is_string(index):
        name = symbol(to.name_of(m, index))
        if name not in names:
            raise m.error("NameError", f"no member '{name.name}' in struct")
        return names.index(name)
    place = to.integer(m, index)
    if not -len(names) <= place < len(names):
        how = "large" if place >= 0 else "small"
        raise m.error("IndexError", f"offset {place} too {how} for struct(size:{len(names)})")
    return place


@method(STRUCT, "[]")
def element(m: Machine, self: RubyObject, index: RubyValue) -> RubyValue:
    return _values(self)[_place(m, self, index)]


@method(STRUCT, "[]=")
def set_element(m: Machine, self: RubyObject, index: RubyValue, value: RubyValue) -> RubyValue:
    place = _place(m, self, index)
    changing(m, self)
    _values(self)[place] = value
    return value


@method(STRUCT, "to_a", "values", "deconstruct")
def to_a(m: Machine, self: RubyObject) -> RubyValue:
    return list(_values(self))


@method(STRUCT, "members")
def names_(m: Machine, self: RubyObject) -> RubyValue:
    return list(members(self.cls))


@method(STRUCT, "size", "length")
def size(m: Machine, self: RubyObject) -> int:
    return len(_values(self))


@method(STRUCT, "to_h")
def to_h(m: Machine, self: RubyObject, block: Proc | None = None) -> Hash:
    made = Hash({})
    for name, value in zip(members(self.cls), _values(self), strict=True):
        pair = [name, value] if block is None else to.array(m, called(block, name, value))
        made.put(key(m, pair[0]), pair[1])
    return made


@method(STRUCT, "deconstruct_keys")
def deconstruct_keys(
    m: Machine, self: RubyObject, wanted: RubyValue, block: Proc | None = None
) -> RubyValue:
    if wanted is None:
        return to_h(m, self, block)
    if wanted.__class__ is not list:
        shown = to.named(m, wanted)
        raise m.error("TypeError", f"wrong argument type {shown} (expected Array or nil)")
    names, values, made = members(self.cls), _values(self), Hash({})
    if len(wanted) > len(values):
        return made
    for one in wanted:
        if one.__class__ is Symbol or to.is_string(one):
            named = one if one.__class__ is Symbol else symbol(to.string(m, one))
            place = names.index(named) if named in names else len(values)
        else:
            place = to.integer(m, one)
        if not -len(values) <= place < len(values):
            break
        made.put(key(m, one), values[place])
    return made


@method(STRUCT, "each")
def each(m: Machine, self: RubyObject, block: Proc | None = None) -> RubyValue:
    if block is None:
        return Enumerator(self, "each", [])
    for one in list(_values(self)):
        block.one(one)
    return self


@method(STRUCT, "each_pair")
def each_pair(m: Machine, self: RubyObject, block: Proc | None = None) -> RubyValue:
    if block is None:
        return Enumerator(self, "each_pair", [])
    for name, one in zip(members(self.cls), list(_values(self)), strict=True):
        block.one([name, one])
    return self


@method(STRUCT, "dig")
def dig(m: Machine, self: RubyObject, name: RubyValue, *more: RubyValue) -> RubyValue:
    try:
        found = element(m, self, name)
    except Raised:
        number = to.is_number(name) or name.__class__ is Fraction
        if not (name.__class__ is Symbol or to.is_string(name) or number):
            raise
        found = None  # of a member that is not there nothing is taken
    return dug(m, found, more)


@method(STRUCT, "values_at")
def values_at(m: Machine, self: RubyObject, *indices: RubyValue) -> RubyValue:
    for one in indices:
        if one.__class__ is not Range:
            _place(m, self, one)
    return m.send(_values(self), "values_at", list(indices))


@method(STRUCT, "==")
def equal(m: Machine, self: RubyObject, other: RubyValue) -> bool:
    return (
        other.__class__ is RubyObject
        and other.cls is self.cls
        and m.equal(_values(self), _values(other))
    )


@method(STRUCT, "eql?")
def same(m: Machine, self: RubyObject, other: RubyValue) -> bool:
    return (
        other.__class__ is RubyObject
        and other.cls is self.cls
        and m.truth(m.send(_values(self), "eql?", [_values(other)]))
    )


@method(STRUCT, "initialize_copy")
def copied(m: Machine, self: RubyObject, other: RubyValue) -> RubyValue:
    if not isinstance(other, RubyObject) or other.cls is not self.cls:
        raise m.error("TypeError", "initialize_copy should take same class object")
    self.ivars[MEMBERS] = list(_values(other))
    return self


@method(STRUCT, "inspect", "to_s")
def inspect(m: Machine, self: RubyObject) -> str:
    pairs = zip(members(self.cls), _values(self), strict=True)
    shown = ", ".join(f"{name.name}={m.inspect(value)}" for name, value in pairs)
    return f"#<struct {self.cls.name + ' ' if self.cls.name else ''}{shown}>"


__all__ = ["MEMBERS", "STRUCT"]
