"""Array: what changes it in place."""

from __future__ import annotations

from typing import Any

from headwater.langs.puppet.ruby.classes import ARRAY
from headwater.langs.puppet.ruby.machine import Machine
from headwater.langs.puppet.ruby.methods import conversions as to
from headwater.langs.puppet.ruby.methods.arrays import (
    compact,
    element,
    first,
    flatten,
    last,
    rotate,
)
from headwater.langs.puppet.ruby.methods.enumerable import uniq
from headwater.langs.puppet.ruby.methods.ordering import ordered, sort_by
from headwater.langs.puppet.ruby.methods.registry import method
from headwater.langs.puppet.ruby.methods.strings import bounds
from headwater.langs.puppet.ruby.values import (
    UNDEFINED,
    Enumerator,
    Given,
    Proc,
    Range,
    RubyValue,
)


@method(ARRAY, "<<")
def append(m: Machine, self: list[Any], value: RubyValue) -> RubyValue:
    changing(m, self)
    m.check_count(len(self) + 1)
    self.append(value)
    return self


@method(ARRAY, "push", "append")
def push(m: Machine, self: list[Any], *values: RubyValue) -> RubyValue:
    changing(m, self)
    m.check_count(len(self) + len(values))
    self.extend(values)
    return self


@method(ARRAY, "unshift", "prepend")
def unshift(m: Machine, self: list[Any], *values: RubyValue) -> RubyValue:
    m.spend(len(self) >> 11)
    changing(m, self)
    m.check_count(len(self) + len(values))
    self[:0] = values
    return self


@method(ARRAY, "concat")
def concat(m: Machine, self: list[Any], *others: RubyValue) -> RubyValue:
    changing(m, self)
    more = [one for other in others for one in to.array(m, other)]
    m.check_count(len(self) + len(more))
    m.spend(len(more) >> 3)
    self.extend(more)
    return self


@method(ARRAY, "insert")
def insert(m: Machine, self: list[Any], index: RubyValue, *values: RubyValue) -> RubyValue:
    m.spend(len(self) >> 11)
    changing(m, self)
    place = to.integer(m, index)
    if not values:
        return self
    if place < 0:
        if place + len(self) + 1 < 0:
            shown = f"index {place + 1} too small for array; minimum: -{len(self)}"
            raise m.error("IndexError", shown)
        place += len(self) + 1
    if place > len(self):
        m.check_count(place)
        self.extend([None] * (place - len(self)))
    self[place:place] = values
    return self


@method(ARRAY, "pop")
def pop(m: Machine, self: list[Any], size: Given = UNDEFINED) -> RubyValue:
    changing(m, self)
    if size is UNDEFINED:
        return self.pop() if self else None
    made = to.array(m, last(m, self, size))
    del self[len(self) - len(made) :]
    return made


@method(ARRAY, "shift")
def shift(m: Machine, self: list[Any], size: Given = UNDEFINED) -> RubyValue:
    m.spend(len(self) >> 11)
    changing(m, self)
    if size is UNDEFINED:
        return self.pop(0) if self else None
    made = to.array(m, first(m, self, size))
    del self[: len(made)]
    return made


@method(ARRAY, "[]=")
def set_element(m: Machine, self: list[Any], *args: RubyValue) -> RubyValue:
    if not 2 <= len(args) <= 3:
        raise m.wrong_count(len(args), 2, 3)
    changing(m, self)
    *where, value = args
    at = where[0]
    if len(where) == 2 or at.__class__ is Range:
        if at.__class__ is Range and len(where) == 1:
            low = at.low
            found = bounds(m, at, max(len(self), low if low.__class__ is int and low > 0 else 0))
            if found is None:
                raise m.error("RangeError", f"{m.inspect(at)} out of range")
            start, count = found
        else:
            start, count = to.integer(m, at), to.integer(m, where[1])
            start += len(self) if start < 0 else 0
        m.check_count(start)
        if start > len(self):
            self.extend([None] * (start - len(self)))
        self[start : start + count] = value if value.__class__ is list else [value]
        return value
    place = to.integer(m, at)
    if place < -len(self):
        raise m.error("IndexError", f"index {place} too small for array; minimum: -{len(self)}")
    if place >= len(self):
        m.check_count(place)
        self.extend([None] * (place - len(self) + 1))
    self[place] = value
    return value


@method(ARRAY, "delete")
def delete(m: Machine, self: list[Any], value: RubyValue, block: Proc | None = None) -> RubyValue:
    m.spend(len(self))
    found = [one for one in self if m.equal(one, value)]
    if not found:
        return None if block is None else block.one(value)
    changing(m, self)
    self[:] = [one for one in self if not m.equal(one, value)]
    return found[-1]


@method(ARRAY, "delete_at")
def delete_at(m: Machine, self: list[Any], index: RubyValue) -> RubyValue:
    m.spend(len(self) >> 11)
    place = to.integer(m, index)
    if not -len(self) <= place < len(self):
        return None
    changing(m, self)
    return self.pop(place)


@method(ARRAY, "slice!")
def slice_bang(
    m: Machine, self: list[Any], index: RubyValue, count: Given = UNDEFINED
) -> RubyValue:
    m.spend(len(self) >> 11)
    if count is UNDEFINED and index.__class__ is not Range:
        return delete_at(m, self, index)
    found = element(m, self, index, count)
    if found.__class__ is not list:
        return None
    changing(m, self)
    within = bounds(m, index, len(self)) if index.__class__ is Range else None
    start = to.integer(m, index) if within is None else within[0]
    start += len(self) if start < 0 else 0
    del self[start : start + len(found)]
    return found


def _replaced(m: Machine, self: list[Any], made: list[Any]) -> bool:
    changed = len(made) != len(self) or any(a is not b for a, b in zip(made, self, strict=True))
    if changed:
        changing(m, self)
        self[:] = made
    return changed


def _sifted(m: Machine, self: list[Any], block: Proc, *, keep: bool) -> bool:
    """Leaves those that a block holds for, or not; a block that is left has had its say so far."""
    size, kept, place = len(self), list[Any](), 0
    try:
        while place < len(self):
            one = self[place]
            if m.truth(block.one(one)) is keep:
                kept.append(one)
            place += 1
    finally:
        if len(kept) != place:
            _replaced(m, self, kept + self[place:])
    return len(self) != size


@method(ARRAY, "delete_if")
def delete_if(m: Machine, self: list[Any], block: Proc | None = None) -> RubyValue:
    if block is None:
        return Enumerator(self, "delete_if", [])
    _sifted(m, self, block, keep=False)
    return self


@method(ARRAY, "reject!")
def reject_bang(m: Machine, self: list[Any], block: Proc | None = None) -> RubyValue:
    if block is None:
        return Enumerator(self, "reject!", [])
    return self if _sifted(m, self, block, keep=False) else None


@method(ARRAY, "keep_if")
def keep_if(m: Machine, self: list[Any], block: Proc | None = None) -> RubyValue:
    if block is None:
        return Enumerator(self, "keep_if", [])
    _sifted(m, self, block, keep=True)
    return self


@method(ARRAY, "select!", "filter!")
def select_bang(m: Machine, self: list[Any], block: Proc | None = None) -> RubyValue:
    if block is None:
        return Enumerator(self, "select!", [])
    return self if _sifted(m, self, block, keep=True) else None


@method(ARRAY, "map!", "collect!")
def map_bang(m: Machine, self: list[Any], block: Proc | None = None) -> RubyValue:
    if block is None:
        return Enumerator(self, "map!", [])
    changing(m, self)
    place = 0
    while place < len(self):
        self[place] = block.one(self[place])
        place += 1
    return self


@method(ARRAY, "compact!")
def compact_bang(m: Machine, self: list[Any]) -> RubyValue:
    m.spend(len(self))
    return self if _replaced(m, self, compact(m, self)) else None


@method(ARRAY, "flatten!")
def flatten_bang(m: Machine, self: list[Any], depth: RubyValue = -1) -> RubyValue:
    return self if _replaced(m, self, flatten(m, self, depth)) else None


@method(ARRAY, "uniq!")
def uniq_bang(m: Machine, self: list[Any], block: Proc | None = None) -> RubyValue:
    return self if _replaced(m, self, uniq(m, self, block=block)) else None


@method(ARRAY, "reverse!")
def reverse_bang(m: Machine, self: list[Any]) -> RubyValue:
    m.spend(len(self) >> 3)
    changing(m, self)
    self.reverse()
    return self


@method(ARRAY, "rotate!")
def rotate_bang(m: Machine, self: list[Any], by: RubyValue = 1) -> RubyValue:
    m.spend(len(self) >> 3)
    changing(m, self)
    self[:] = rotate(m, self, by)
    return self


@method(ARRAY, "sort!")
def sort_bang(m: Machine, self: list[Any], block: Proc | None = None) -> RubyValue:
    changing(m, self)
    self[:] = ordered(m, self, block)
    return self


@method(ARRAY, "sort_by!")
def sort_by_bang(m: Machine, self: list[Any], block: Proc | None = None) -> RubyValue:
    if block is None:
        return Enumerator(self, "sort_by!", [])
    changing(m, self)
    self[:] = sort_by(m, self, block=block)
    return self


@method(ARRAY, "replace")
def replace(m: Machine, self: list[Any], other: RubyValue) -> RubyValue:
    m.spend(len(self) >> 3)
    changing(m, self)
    self[:] = to.array(m, other)
    return self


@method(ARRAY, "clear")
def clear(m: Machine, self: list[Any]) -> RubyValue:
    changing(m, self)
    self.clear()
    return self


@method(ARRAY, "fill")
def fill(m: Machine, self: list[Any], *args: RubyValue, block: Proc | None = None) -> RubyValue:
    least = 0 if block is not None else 1
    if not least <= len(args) <= least + 2:
        raise m.wrong_count(len(args), least, least + 2)
    changing(m, self)
    given = list(args)
    value = None if block is not None else given.pop(0)
    start, count = _filled(m, self, *given)
    m.check_count(start + count)
    m.spend(start + count >> 3)
    if start + count > len(self) and (count > 0 or len(given) > 1):
        self.extend([None] * (start + count - len(self)))
    for place in range(start, start + count):
        self[place] = block.one(place) if block is not None else value
    return self


def _filled(
    m: Machine, self: list[Any], first: RubyValue = None, size: RubyValue = None
) -> tuple[int, int]:
    """Where ``fill`` begins, and how many elements it fills."""
    if first.__class__ is Range and size is None:
        low = 0 if first.low is None else to.integer(m, first.low)
        found = bounds(m, first, max(len(self), low))
        if found is None:
            raise m.error("RangeError", f"{m.inspect(first)} out of range")
        if first.high is None:
            return found[0], max(0, len(self) - found[0])
        high = to.integer(m, first.high)
        end = (high + len(self) if high < 0 else high) + (not first.exclusive)
        return found[0], max(0, end - found[0])
    start = 0 if first is None else to.integer(m, first)
    start = max(0, start + len(self)) if start < 0 else start
    return start, max(0, len(self) - start if size is None else to.integer(m, size))


def changing(m: Machine, self: RubyValue) -> None:
    """Says that an array or hash is about to change: whoever shares it may want to know."""
    if m.frozen and id(self) in m.frozen:
        name = "Array" if self.__class__ is list else "Hash"
        raise m.error(
            "FrozenError", f"can't modify frozen {name}: {m.inspect(self)}", receiver=self
        )
    watch = m.watch
    if watch is not None:
        watch(self)
