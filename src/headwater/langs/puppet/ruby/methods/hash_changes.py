"""Hash: what changes it in place."""

from __future__ import annotations

from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.ruby.classes import HASH
from headwater.langs.puppet.ruby.machine import Machine
from headwater.langs.puppet.ruby.methods import conversions as to
from headwater.langs.puppet.ruby.methods.hashes import (
    compact,
    entries_where,
    merged,
    refill,
    remove,
    transform_keys,
    transform_values,
)
from headwater.langs.puppet.ruby.methods.registry import method
from headwater.langs.puppet.ruby.values import (
    UNDEFINED,
    Enumerator,
    Given,
    Proc,
    RubyValue,
)


@method(HASH, "transform_values!")
def transform_values_bang(m: Machine, self: Hash, block: Proc | None = None) -> RubyValue:
    if block is None:
        return Enumerator(self, "transform_values!", [])
    refill(m, self, to.hash_(m, transform_values(m, self, block)))
    return self


@method(HASH, "transform_keys!")
def transform_keys_bang(
    m: Machine, self: Hash, names: Given = UNDEFINED, block: Proc | None = None
) -> RubyValue:
    if names is UNDEFINED and block is None:
        return Enumerator(self, "transform_keys!", [])
    refill(m, self, to.hash_(m, transform_keys(m, self, names, block)))
    return self


@method(HASH, "merge!", "update")
def merge_bang(m: Machine, self: Hash, *others: RubyValue, block: Proc | None = None) -> RubyValue:
    refill(m, self, merged(m, self, others, block))
    return self


@method(HASH, "replace")
def replace(m: Machine, self: Hash, other: RubyValue) -> RubyValue:
    refill(m, self, to.hash_(m, other))
    return self


@method(HASH, "delete")
def delete(m: Machine, self: Hash, name: RubyValue, block: Proc | None = None) -> RubyValue:
    found = remove(m, self, name)
    if found is not UNDEFINED:
        return found
    return None if block is None else block.one(name)


@method(HASH, "delete_if")
def delete_if(m: Machine, self: Hash, block: Proc | None = None) -> RubyValue:
    if block is None:
        return Enumerator(self, "delete_if", [])
    refill(m, self, entries_where(m, self, block, False))
    return self


@method(HASH, "reject!")
def reject_bang(m: Machine, self: Hash, block: Proc | None = None) -> RubyValue:
    if block is None:
        return Enumerator(self, "reject!", [])
    return self if refill(m, self, entries_where(m, self, block, False)) else None


@method(HASH, "keep_if")
def keep_if(m: Machine, self: Hash, block: Proc | None = None) -> RubyValue:
    if block is None:
        return Enumerator(self, "keep_if", [])
    refill(m, self, entries_where(m, self, block, True))
    return self


@method(HASH, "select!", "filter!")
def select_bang(m: Machine, self: Hash, block: Proc | None = None) -> RubyValue:
    if block is None:
        return Enumerator(self, "select!", [])
    return self if refill(m, self, entries_where(m, self, block, True)) else None


@method(HASH, "compact!")
def compact_bang(m: Machine, self: Hash) -> RubyValue:
    return self if refill(m, self, compact(m, self)) else None


@method(HASH, "clear")
def clear(m: Machine, self: Hash) -> RubyValue:
    refill(m, self, Hash({}))
    return self


@method(HASH, "shift")
def shift(m: Machine, self: Hash) -> RubyValue:
    for name, value in self.pairs():
        remove(m, self, name)
        return [name, value]
    return m.send(self, "default", [None])  # as Ruby 3.1 does
