"""Array."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.ruby.classes import ARRAY, class_of
from headwater.langs.puppet.ruby.keys import key
from headwater.langs.puppet.ruby.machine import COMPARED, DEEPEST, Machine
from headwater.langs.puppet.ruby.methods import conversions as to
from headwater.langs.puppet.ruby.methods.enumerable import uniq
from headwater.langs.puppet.ruby.methods.registry import method, own_method
from headwater.langs.puppet.ruby.methods.strings import bounds
from headwater.langs.puppet.ruby.values import (
    UNDEFINED,
    Class,
    Enumerator,
    Given,
    Proc,
    Range,
    RubyValue,
    Text,
)


@own_method(ARRAY, "new")
def new(
    m: Machine, self: Class, size: RubyValue = 0, value: RubyValue = None, block: Proc | None = None
) -> RubyValue:
    if size.__class__ is list:
        return list(size)
    count = to.integer(m, size)
    if count < 0:
        raise m.error("ArgumentError", "negative array size")
    m.check_count(count)
    m.spend(count)
    if block is not None:
        return [block.one(place) for place in range(count)]
    return [value] * count


@own_method(ARRAY, "[]")
def literal(m: Machine, self: Class, *values: RubyValue) -> RubyValue:
    return list(values)


@own_method(ARRAY, "try_convert")
def try_convert(m: Machine, self: Class, value: RubyValue) -> RubyValue:
    return value if value.__class__ is list else None


@method(ARRAY, "to_a", "to_ary", "entries")
def itself(m: Machine, self: list[Any]) -> RubyValue:
    return self


@method(ARRAY, "inspect", "to_s")
def inspect(m: Machine, self: list[Any]) -> str:
    m.spend(len(self) + COMPARED)
    return "[" + ", ".join(m.inspect(one) if one is not self else "[...]" for one in self) + "]"


@method(ARRAY, "length", "size")
def length(m: Machine, self: list[Any]) -> int:
    return len(self)


@method(ARRAY, "empty?")
def is_empty(m: Machine, self: list[Any]) -> bool:
    return not self


@method(ARRAY, "eql?")
def same(m: Machine, self: list[Any], other: RubyValue) -> bool:
    m.spend(len(self) + COMPARED)
    return (
        other.__class__ is list
        and len(self) == len(other)
        and all(
            left is right or m.truth(m.send(left, "eql?", [right]))
            for left, right in zip(self, other, strict=True)
        )
    )


@method(ARRAY, "deconstruct")
def deconstruct(m: Machine, self: list[Any]) -> RubyValue:
    return self


@method(ARRAY, "==")
def equal(m: Machine, self: list[Any], other: RubyValue) -> bool:
    m.spend(len(self) + COMPARED)
    return (
        other.__class__ is list
        and len(self) == len(other)
        and all(m.equal(left, right) for left, right in zip(self, other, strict=True))
    )


@method(ARRAY, "<=>")
def order(m: Machine, self: list[Any], other: RubyValue) -> RubyValue:
    m.spend(len(self) + COMPARED)
    if other.__class__ is not list:
        return None
    for left, right in zip(self, other, strict=False):
        found = m.send(left, "<=>", [right])
        if found != 0:
            return found
    return (len(self) > len(other)) - (len(self) < len(other))


@method(ARRAY, "each")
def each(m: Machine, self: list[Any], block: Proc | None = None) -> RubyValue:
    if block is None:
        return Enumerator(self, "each", [])
    call = block.one
    place = 0
    while place < len(self):
        call(self[place])
        place += 1
    return self


@method(ARRAY, "each_index")
def each_index(m: Machine, self: list[Any], block: Proc | None = None) -> RubyValue:
    if block is None:
        return Enumerator(self, "each_index", [])
    for place in range(len(self)):
        block.one(place)
    return self


# parts


def part(m: Machine, self: list[Any], start: int, count: int) -> RubyValue:
    """Some elements from a place on, or nil where it lies outside."""
    if start < 0:
        start += len(self)
    if start < 0 or start > len(self) or count < 0:
        return None
    m.spend(min(count, len(self)) >> 6)
    return self[start : start + count]


@method(ARRAY, "[]", "slice")
def element(m: Machine, self: list[Any], index: RubyValue, count: Given = UNDEFINED) -> RubyValue:
    if count is not UNDEFINED:
        return part(m, self, to.integer(m, index), to.integer(m, count))
    if index.__class__ is Range:
        found = bounds(m, index, len(self))
        return None if found is None else part(m, self, *found)
    place = to.integer(m, index)
    return self[place] if -len(self) <= place < len(self) else None


@method(ARRAY, "at")
def at(m: Machine, self: list[Any], index: RubyValue) -> RubyValue:
    place = to.integer(m, index)
    return self[place] if -len(self) <= place < len(self) else None


@method(ARRAY, "dig")
def dig(m: Machine, self: list[Any], index: RubyValue, *more: RubyValue) -> RubyValue:
    return dug(m, at(m, self, index), more)


def dug(m: Machine, found: RubyValue, more: Sequence[RubyValue]) -> RubyValue:
    """What `dig` finds in what its first argument found."""
    for number, index in enumerate(more):
        m.spend(1)
        if found.__class__ is list:
            found = at(m, found, index)
        elif found is None:
            return None
        elif found.__class__ is Hash:
            found = m.send(found, "[]", [index])
        elif m.find(found, "dig") is None:
            raise m.error("TypeError", f"{class_of(found).name} does not have #dig method")
        else:
            return m.send(found, "dig", list(more[number:]))
    return found


@method(ARRAY, "fetch")
def fetch(
    m: Machine,
    self: list[Any],
    index: RubyValue,
    absent: Given = UNDEFINED,
    block: Proc | None = None,
) -> RubyValue:
    place = to.integer(m, index)
    if -len(self) <= place < len(self):
        return self[place]
    if block is not None:
        return block.one(index)
    if absent is not UNDEFINED:
        return absent
    raise m.error(
        "IndexError", f"index {place} outside of array bounds: {-len(self) or '-0'}...{len(self)}"
    )


@method(ARRAY, "values_at")
def values_at(m: Machine, self: list[Any], *indices: RubyValue) -> RubyValue:
    made: list[Any] = []
    for index in indices:
        if index.__class__ is Range:
            found = bounds(m, index, len(self), beyond=True)
            if found is None:
                raise m.error("RangeError", f"{m.inspect(index)} out of range")
            start, count = found
            m.check_count(count)
            made.extend(self[n] if n < len(self) else None for n in range(start, start + count))
        else:
            made.append(at(m, self, index))
    return made


@method(ARRAY, "first")
def first(m: Machine, self: list[Any], size: Given = UNDEFINED) -> RubyValue:
    if size is UNDEFINED:
        return self[0] if self else None
    count = to.integer(m, size)
    if count < 0:
        raise m.error("ArgumentError", "negative array size")
    m.spend(min(count, len(self)) >> 6)
    return self[:count]


@method(ARRAY, "last")
def last(m: Machine, self: list[Any], size: Given = UNDEFINED) -> RubyValue:
    if size is UNDEFINED:
        return self[-1] if self else None
    count = to.integer(m, size)
    if count < 0:
        raise m.error("ArgumentError", "negative array size")
    m.spend(min(count, len(self)) >> 6)
    return self[max(0, len(self) - count) :]


# new arrays


@method(ARRAY, "+")
def plus(m: Machine, self: list[Any], other: RubyValue) -> RubyValue:
    more = to.array(m, other)
    m.check_count(len(self) + len(more))
    m.spend(len(self) + len(more) >> 3)
    return self + more


@method(ARRAY, "-", "difference")
def minus(m: Machine, self: list[Any], *others: RubyValue) -> RubyValue:
    m.spend(len(self))
    gone = Hash.of((key(m, one), True) for other in others for one in to.array(m, other))
    return [one for one in self if key(m, one) not in gone]


@method(ARRAY, "*")
def times(m: Machine, self: list[Any], by: RubyValue) -> RubyValue:
    if to.is_string(by):
        return join(m, self, by)
    count = to.integer(m, by)
    if count < 0:
        raise m.error("ArgumentError", "argument must be non-negative")
    m.check_count(len(self) * count)
    m.spend(len(self) * count >> 3)
    return self * count


@method(ARRAY, "&", "intersection")
def intersection(m: Machine, self: list[Any], *others: RubyValue) -> RubyValue:
    m.spend(len(self))
    found = uniq(m, self) if others else list(self)
    for other in others:
        kept = Hash.of((key(m, one), True) for one in to.array(m, other))
        found = [one for one in found if key(m, one) in kept]
    return found


@method(ARRAY, "intersect?")
def intersects(m: Machine, self: list[Any], other: RubyValue) -> bool:
    return bool(intersection(m, self, other))


@method(ARRAY, "|", "union")
def union(m: Machine, self: list[Any], *others: RubyValue) -> RubyValue:
    return uniq(m, [*self, *(one for other in others for one in to.array(m, other))])


@method(ARRAY, "join")
def join(m: Machine, self: list[Any], by: RubyValue = None) -> Text:
    mark = "" if by is None else to.string(m, by)
    out: list[str] = []
    _joined(m, self, out, set())
    made = to.glued_all(m, out, mark)
    m.check_size(len(made))
    return Text(made)


def _enter(m: Machine, self: list[Any], around: set[int], complaint: str) -> None:
    """Notes that an array is gone through, for as long as those in it are."""
    if id(self) in around:
        raise m.error("ArgumentError", complaint)
    if len(around) >= DEEPEST:
        raise m.error("SystemStackError", "stack level too deep")
    around.add(id(self))


def _joined(m: Machine, self: list[Any], out: list[str], around: set[int]) -> None:
    _enter(m, self, around, "recursive array join")
    m.spend(len(self) + COMPARED)
    for one in self:
        if one.__class__ is list:
            inner: list[str] = []
            _joined(m, one, inner, around)
            out.extend(inner or [""])  # an empty array is an empty text between marks
        else:
            out.append(m.text(one))
    around.discard(id(self))


@method(ARRAY, "reverse")
def reverse(m: Machine, self: list[Any]) -> RubyValue:
    m.spend(len(self) >> 3)
    return self[::-1]


@method(ARRAY, "rotate")
def rotate(m: Machine, self: list[Any], by: RubyValue = 1) -> list[Any]:
    m.spend(len(self) >> 3)
    turns = to.integer(m, by)
    if not self:
        return []
    place = turns % len(self)
    return self[place:] + self[:place]


@method(ARRAY, "compact")
def compact(m: Machine, self: list[Any]) -> list[Any]:
    m.spend(len(self) >> 3)
    return [one for one in self if one is not None]


@method(ARRAY, "flatten")
def flatten(m: Machine, self: list[Any], depth: RubyValue = -1) -> list[Any]:
    return flattened(m, self, -1 if depth is None else to.integer(m, depth), set())


def flattened(m: Machine, self: list[Any], depth: int, around: set[int]) -> list[Any]:
    """The elements of arrays in arrays, to a depth."""
    _enter(m, self, around, "tried to flatten recursive array")
    made: list[Any] = []
    for one in self:
        if one.__class__ is list and depth != 0:
            made.extend(flattened(m, one, depth - 1, around))
        else:
            made.append(one)
    around.discard(id(self))
    m.spend(len(made))
    m.check_count(len(made))
    return made


@method(ARRAY, "transpose")
def transpose(m: Machine, self: list[Any]) -> RubyValue:
    m.spend(len(self) >> 3)
    rows = [to.array(m, row) for row in self]
    for row in rows:
        if len(row) != len(rows[0]):
            raise m.error(
                "IndexError", f"element size differs ({len(row)} should be {len(rows[0])})"
            )
    return [list(column) for column in zip(*rows, strict=True)]
