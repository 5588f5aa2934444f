"""Hash."""

from __future__ import annotations

from typing import Any

from headwater.langs.puppet.hashes import Hash, identity
from headwater.langs.puppet.ruby.classes import HASH, class_of
from headwater.langs.puppet.ruby.keys import key, weigh_keys
from headwater.langs.puppet.ruby.machine import COMPARED, Machine
from headwater.langs.puppet.ruby.methods import conversions as to
from headwater.langs.puppet.ruby.methods.array_changes import changing
from headwater.langs.puppet.ruby.methods.arrays import dug, flattened
from headwater.langs.puppet.ruby.methods.iteration import called
from headwater.langs.puppet.ruby.methods.registry import method, own_method
from headwater.langs.puppet.ruby.methods.splitting import symbol_shown
from headwater.langs.puppet.ruby.refusals import Beyond
from headwater.langs.puppet.ruby.values import (
    UNDEFINED,
    Class,
    DefaultHash,
    Enumerator,
    Given,
    Proc,
    RubyValue,
    Symbol,
    Undefined,
)


def get(m: Machine, self: Hash, name: RubyValue) -> RubyValue:
    """The value of a key, or the default."""
    wanted = key(m, name)
    found = self.get(wanted, UNDEFINED)
    if found is not UNDEFINED:
        return found
    if self.__class__ is DefaultHash:
        if self.procedure is not None:
            return called(self.procedure, self, name)
        return self.default
    return None


def remove(m: Machine, self: Hash, name: RubyValue) -> Given:
    """Takes an entry out; `UNDEFINED` where there is none."""
    inner = identity(key(m, name))
    if inner not in self.entries:
        return UNDEFINED
    changing(m, self)
    if self.odd is not None:
        self.odd.pop(inner, None)
    return self.entries.pop(inner)


def refill(m: Machine, self: Hash, other: Hash) -> bool:
    """Gives a hash other entries; whether anything changed."""
    weigh_keys(m, self)
    if (
        len(self) == len(other)
        and list(self.entries) == list(other.entries)
        and all(a is b for a, b in zip(self.entries.values(), other.entries.values(), strict=True))
    ):
        return False
    changing(m, self)
    self.entries, self.odd = dict(other.entries), None if other.odd is None else dict(other.odd)
    return True


@own_method(HASH, "new")
def new(m: Machine, self: Class, default: RubyValue = None, block: Proc | None = None) -> RubyValue:
    made = DefaultHash({})
    made.default, made.procedure = default, block
    return made


def _pair(m: Machine, place: int, pair: RubyValue) -> tuple[RubyValue, RubyValue]:
    if pair.__class__ is not list:
        message = f"wrong element type {to.named(m, pair)} at {place} (expected array)"
        raise m.error("ArgumentError", message)
    if len(pair) not in (1, 2):
        message = f"invalid number of elements ({len(pair)} for 1..2)"
        raise m.error("ArgumentError", message)
    return key(m, pair[0]), pair[1] if len(pair) > 1 else None


@own_method(HASH, "[]")
def literal(m: Machine, self: Class, *args: RubyValue) -> RubyValue:
    if len(args) == 1 and isinstance(args[0], Hash):
        weigh_keys(m, args[0])
        return Hash.of(args[0].pairs())
    if len(args) == 1 and args[0].__class__ is list:
        return Hash.of(_pair(m, place, pair) for place, pair in enumerate(args[0]))
    if len(args) % 2:
        raise m.error("ArgumentError", "odd number of arguments for Hash")
    return Hash.of((key(m, args[n]), args[n + 1]) for n in range(0, len(args), 2))


@method(HASH, "[]")
def element(m: Machine, self: Hash, name: RubyValue) -> RubyValue:
    return get(m, self, name)


@method(HASH, "[]=", "store")
def set_element(m: Machine, self: Hash, name: RubyValue, value: RubyValue) -> RubyValue:
    changing(m, self)
    self.put(key(m, name), value)
    return value


@method(HASH, "fetch")
def fetch(
    m: Machine, self: Hash, name: RubyValue, absent: Given = UNDEFINED, block: Proc | None = None
) -> RubyValue:
    found = self.get(key(m, name), UNDEFINED)
    if found is not UNDEFINED:
        return found
    if block is not None:
        return block.one(name)
    if not isinstance(absent, Undefined):
        return absent
    raise m.error("KeyError", f"key not found: {m.inspect(name)}", key=name, receiver=self)


@method(HASH, "dig")
def dig(m: Machine, self: Hash, name: RubyValue, *more: RubyValue) -> RubyValue:
    return dug(m, get(m, self, name), more)


@method(HASH, "key?", "has_key?", "include?", "member?")
def has_key(m: Machine, self: Hash, name: RubyValue) -> bool:
    return key(m, name) in self


@method(HASH, "value?", "has_value?")
def has_value(m: Machine, self: Hash, value: RubyValue) -> bool:
    m.spend(len(self))
    return any(m.equal(one, value) for one in self.values())


@method(HASH, "key")
def key_of(m: Machine, self: Hash, value: RubyValue) -> RubyValue:
    m.spend(len(self))
    return next((name for name, one in self.pairs() if m.equal(one, value)), None)


@method(HASH, "keys")
def keys(m: Machine, self: Hash) -> RubyValue:
    m.spend(len(self) >> 3)
    return list(self)


@method(HASH, "values")
def values(m: Machine, self: Hash) -> RubyValue:
    m.spend(len(self) >> 3)
    return list(self.values())


@method(HASH, "values_at")
def values_at(m: Machine, self: Hash, *names: RubyValue) -> RubyValue:
    return [get(m, self, name) for name in names]


@method(HASH, "fetch_values")
def fetch_values(m: Machine, self: Hash, *names: RubyValue, block: Proc | None = None) -> RubyValue:
    return [fetch(m, self, name, block=block) for name in names]


@method(HASH, "length", "size")
def length(m: Machine, self: Hash) -> int:
    return len(self)


@method(HASH, "empty?")
def is_empty(m: Machine, self: Hash) -> bool:
    return not len(self)


@method(HASH, "default")
def default(m: Machine, self: Hash, name: Given = UNDEFINED) -> RubyValue:
    if self.__class__ is not DefaultHash:
        return None
    if name is not UNDEFINED and self.procedure is not None:
        return m.send(self.procedure, "call", [self, name])
    return self.default


@method(HASH, "default_proc")
def default_proc(m: Machine, self: Hash) -> RubyValue:
    return self.procedure if self.__class__ is DefaultHash else None


@method(HASH, "default=")
def set_default(m: Machine, self: Hash, value: RubyValue) -> RubyValue:
    if self.__class__ is not DefaultHash:
        raise Beyond("Hash#default= of a hash that Hash.new did not make")
    self.default, self.procedure = value, None
    return value


@method(HASH, "default_proc=")
def set_default_proc(m: Machine, self: Hash, value: RubyValue) -> RubyValue:
    if self.__class__ is not DefaultHash:
        raise Beyond("Hash#default_proc= of a hash that Hash.new did not make")
    if value is not None and value.__class__ is not Proc:
        shown = class_of(value).name
        raise m.error("TypeError", f"wrong default_proc type {shown} (expected Proc)")
    self.default, self.procedure = None, value
    return value


@method(HASH, "rehash")
def rehash(m: Machine, self: Hash) -> RubyValue:
    m.spend(len(self))
    return self


@method(HASH, "compare_by_identity?")
def by_identity(m: Machine, self: Hash) -> bool:
    return False


@method(HASH, "rassoc")
def rassoc(m: Machine, self: Hash, value: RubyValue) -> RubyValue:
    m.spend(len(self))
    return next(([n, one] for n, one in self.pairs() if m.equal(one, value)), None)


@method(HASH, "to_proc")
def to_proc(m: Machine, self: Hash) -> RubyValue:
    def call(args: list[Any], block: Proc | None, *_: RubyValue) -> RubyValue:
        if len(args) != 1:
            raise m.wrong_count(len(args), 1, 1)
        return get(m, self, args[0])

    return Proc(call, lambda one: get(m, self, one), 1, True, None)


@method(HASH, "deconstruct_keys")
def deconstruct_keys(m: Machine, self: Hash, names: RubyValue) -> RubyValue:
    return self


@own_method(HASH, "try_convert")
def try_convert(m: Machine, self: Class, value: RubyValue) -> RubyValue:
    if isinstance(value, Hash):
        return value
    return None if m.find(value, "to_hash") is None else m.send(value, "to_hash", [])


@method(HASH, "to_h")
def to_h(m: Machine, self: Hash, block: Proc | None = None) -> RubyValue:
    if block is None:
        return self
    made = Hash({})
    for name, value in self.pairs():
        pair = called(block, name, value)
        if pair.__class__ is not list:
            raise m.error("TypeError", f"wrong element type {to.named(m, pair)} (expected array)")
        if len(pair) != 2:
            raise m.error(
                "ArgumentError", f"element has wrong array length (expected 2, was {len(pair)})"
            )
        made.put(key(m, pair[0]), pair[1])
    return made


@method(HASH, "to_hash")
def to_hash(m: Machine, self: Hash) -> RubyValue:
    return self


@method(HASH, "to_a")
def to_a(m: Machine, self: Hash) -> list[Any]:
    m.spend(len(self) >> 3)
    return [[name, value] for name, value in self.pairs()]


@method(HASH, "inspect", "to_s")
def inspect(m: Machine, self: Hash) -> str:
    m.spend(len(self) + COMPARED)
    parts = [
        f"{_name(m, name)}=>{'{...}' if value is self else m.inspect(value)}"
        for name, value in self.pairs()
    ]
    return "{" + ", ".join(parts) + "}"


def _name(m: Machine, name: RubyValue) -> str:
    return symbol_shown(m, name.name) if name.__class__ is Symbol else m.inspect(name)


@method(HASH, "==", "eql?")
def equal(m: Machine, self: Hash, other: RubyValue) -> bool:
    m.spend(len(self) + COMPARED)
    if not isinstance(other, Hash) or len(self) != len(other):
        return False
    weigh_keys(m, self)
    for inner, value in self.entries.items():
        if inner not in other.entries or not m.equal(value, other.entries[inner]):
            return False
    return True


@method(HASH, "<=")
def is_part(m: Machine, self: Hash, other: RubyValue) -> bool:
    m.spend(len(self))
    weigh_keys(m, self)
    right = to.hash_(m, other)
    return all(i in right.entries and m.equal(v, right.entries[i]) for i, v in self.entries.items())


@method(HASH, "<")
def is_smaller_part(m: Machine, self: Hash, other: RubyValue) -> bool:
    return len(self) < len(to.hash_(m, other)) and is_part(m, self, other)


@method(HASH, ">")
def has_smaller_part(m: Machine, self: Hash, other: RubyValue) -> bool:
    return is_smaller_part(m, to.hash_(m, other), self)


@method(HASH, ">=")
def has_part(m: Machine, self: Hash, other: RubyValue) -> bool:
    m.spend(len(self))
    return is_part(m, to.hash_(m, other), self)


# iteration


@method(HASH, "each", "each_pair")
def each(m: Machine, self: Hash, block: Proc | None = None) -> RubyValue:
    if block is None:
        return Enumerator(self, "each", [])
    call = block.one
    for name, value in list(self.pairs()):
        call([name, value])
    return self


@method(HASH, "each_key")
def each_key(m: Machine, self: Hash, block: Proc | None = None) -> RubyValue:
    if block is None:
        return Enumerator(self, "each_key", [])
    for name in list(self):
        block.one(name)
    return self


@method(HASH, "each_value")
def each_value(m: Machine, self: Hash, block: Proc | None = None) -> RubyValue:
    if block is None:
        return Enumerator(self, "each_value", [])
    for value in list(self.values()):
        block.one(value)
    return self


def entries_where(m: Machine, self: Hash, block: Proc, wanted: bool) -> Hash:
    weigh_keys(m, self)
    return Hash.of(
        (name, value)
        for name, value in list(self.pairs())
        if m.truth(called(block, name, value)) is wanted
    )


@method(HASH, "select", "filter")
def select(m: Machine, self: Hash, block: Proc | None = None) -> RubyValue:
    if block is None:
        return Enumerator(self, "select", [])
    return entries_where(m, self, block, True)


@method(HASH, "reject")
def reject(m: Machine, self: Hash, block: Proc | None = None) -> RubyValue:
    if block is None:
        return Enumerator(self, "reject", [])
    return entries_where(m, self, block, False)


@method(HASH, "find_all")
def find_all(m: Machine, self: Hash, block: Proc | None = None) -> RubyValue:
    if block is None:
        return Enumerator(self, "find_all", [])
    return [pair for pair in to_a(m, self) if m.truth(block.one(pair))]


@method(HASH, "partition")
def partition(m: Machine, self: Hash, block: Proc | None = None) -> RubyValue:
    if block is None:
        return Enumerator(self, "partition", [])
    yes: list[Any] = []
    no: list[Any] = []
    for name, value in list(self.pairs()):
        (yes if m.truth(block.one([name, value])) else no).append([name, value])
    return [yes, no]


@method(HASH, "filter_map")
def filter_map(m: Machine, self: Hash, block: Proc | None = None) -> RubyValue:
    if block is None:
        return Enumerator(self, "filter_map", [])
    return [v for pair in to_a(m, self) if m.truth(v := block.one(pair))]


@method(HASH, "any?")
def any_(m: Machine, self: Hash, pattern: Given = UNDEFINED, block: Proc | None = None) -> bool:
    if pattern is not UNDEFINED:
        return any(m.truth(m.send(pattern, "===", [pair])) for pair in to_a(m, self))
    if block is None:
        return bool(len(self))
    if block.arity > 1:
        return any(m.truth(called(block, n, v)) for n, v in list(self.pairs()))
    return any(m.truth(block.one([n, v])) for n, v in list(self.pairs()))


@method(HASH, "map", "collect")
def map_(m: Machine, self: Hash, block: Proc | None = None) -> RubyValue:
    if block is None:
        return Enumerator(self, "map", [])
    return [block.one([name, value]) for name, value in list(self.pairs())]


@method(HASH, "transform_values")
def transform_values(m: Machine, self: Hash, block: Proc | None = None) -> RubyValue:
    if block is None:
        return Enumerator(self, "transform_values", [])
    weigh_keys(m, self)
    return Hash.of((name, block.one(value)) for name, value in list(self.pairs()))


@method(HASH, "transform_keys")
def transform_keys(
    m: Machine, self: Hash, names: Given = UNDEFINED, block: Proc | None = None
) -> RubyValue:
    if names is UNDEFINED and block is None:
        return Enumerator(self, "transform_keys", [])
    weigh_keys(m, self)
    made = Hash({})
    renamed = None if names is UNDEFINED else to.hash_(m, names)
    for name, value in list(self.pairs()):
        if renamed is not None and key(m, name) in renamed:
            made.put(key(m, renamed[key(m, name)]), value)
        elif block is not None:
            made.put(key(m, block.one(name)), value)
        else:
            made.put(name, value)
    return made


# new hashes


def merged(m: Machine, self: Hash, others: tuple[Any, ...], block: Proc | None) -> Hash:
    m.spend(len(self))
    made = Hash(dict(self.entries), None if self.odd is None else dict(self.odd))
    if self.__class__ is DefaultHash:
        with_default = DefaultHash(made.entries, made.odd)
        with_default.default, with_default.procedure = self.default, self.procedure
        made = with_default
    for other in others:
        more = to.hash_(m, other)
        weigh_keys(m, more)
        for name, value in more.pairs():
            if block is not None and name in made:
                made.put(name, called(block, name, made[name], value))
            else:
                made.put(name, value)
    return made


@method(HASH, "merge")
def merge(m: Machine, self: Hash, *others: RubyValue, block: Proc | None = None) -> RubyValue:
    return merged(m, self, others, block)


@method(HASH, "slice")
def slice_(m: Machine, self: Hash, *names: RubyValue) -> RubyValue:
    return Hash.of((key(m, n), self[key(m, n)]) for n in names if key(m, n) in self)


@method(HASH, "except")
def except_(m: Machine, self: Hash, *names: RubyValue) -> RubyValue:
    weigh_keys(m, self)
    return self.without([key(m, name) for name in names])


@method(HASH, "invert")
def invert(m: Machine, self: Hash) -> RubyValue:
    m.spend(len(self))
    return Hash.of((key(m, value), name) for name, value in self.pairs())


@method(HASH, "compact")
def compact(m: Machine, self: Hash) -> Hash:
    m.spend(len(self))
    weigh_keys(m, self)
    return self.where(lambda name, value: value is not None)


@method(HASH, "flatten")
def flatten(m: Machine, self: Hash, depth: RubyValue = 1) -> RubyValue:
    m.spend(len(self))
    return flattened(m, to_a(m, self), to.integer(m, depth), set())


@method(HASH, "sort")
def sort(m: Machine, self: Hash, block: Proc | None = None) -> RubyValue:
    from headwater.langs.puppet.ruby.methods.ordering import ordered

    return ordered(m, to_a(m, self), block)


@method(HASH, "assoc")
def assoc(m: Machine, self: Hash, name: RubyValue) -> RubyValue:
    return [name, self[key(m, name)]] if key(m, name) in self else None
