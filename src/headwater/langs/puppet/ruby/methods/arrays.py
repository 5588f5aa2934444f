"""Array."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable
from typing import Any

from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.ruby.classes import ARRAY, class_of
from headwater.langs.puppet.ruby.machine import Machine
from headwater.langs.puppet.ruby.methods import conversions as to
from headwater.langs.puppet.ruby.methods.enumerable import ordered, sort_by, uniq
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
    key,
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
    if len(self) > 10:
        m.spend(len(self))
    return "[" + ", ".join(m.inspect(one) if one is not self else "[...]" for one in self) + "]"


@method(ARRAY, "length", "size")
def length(m: Machine, self: list[Any]) -> int:
    return len(self)


@method(ARRAY, "empty?")
def is_empty(m: Machine, self: list[Any]) -> bool:
    return not self


@method(ARRAY, "eql?")
def same(m: Machine, self: list[Any], other: RubyValue) -> bool:
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
    return (
        other.__class__ is list
        and len(self) == len(other)
        and all(m.equal(left, right) for left, right in zip(self, other, strict=True))
    )


@method(ARRAY, "<=>")
def order(m: Machine, self: list[Any], other: RubyValue) -> RubyValue:
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
    found = at(m, self, index)
    return found if not more or found is None else m.send(found, "dig", list(more))


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
            found = bounds(m, index, len(self))
            if found is not None:
                start, count = found
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
    return self[:count]


@method(ARRAY, "last")
def last(m: Machine, self: list[Any], size: Given = UNDEFINED) -> RubyValue:
    if size is UNDEFINED:
        return self[-1] if self else None
    count = to.integer(m, size)
    if count < 0:
        raise m.error("ArgumentError", "negative array size")
    return self[max(0, len(self) - count) :]


@method(ARRAY, "index", "find_index")
def index(
    m: Machine, self: list[Any], value: Given = UNDEFINED, block: Proc | None = None
) -> RubyValue:
    if value is UNDEFINED and block is None:
        return Enumerator(self, "index", [])
    for place, one in enumerate(self):
        if (
            (m.truth(block.one(one)) if block is not None else False)
            if value is UNDEFINED
            else m.equal(one, value)
        ):
            return place
    return None


@method(ARRAY, "rindex")
def rindex(
    m: Machine, self: list[Any], value: Given = UNDEFINED, block: Proc | None = None
) -> RubyValue:
    if value is UNDEFINED and block is None:
        return Enumerator(self, "rindex", [])
    for place in range(len(self) - 1, -1, -1):
        if value is UNDEFINED:
            assert block is not None
            if m.truth(block.one(self[place])):
                return place
        elif m.equal(self[place], value):
            return place
    return None


@method(ARRAY, "include?", "member?")
def includes(m: Machine, self: list[Any], value: RubyValue) -> bool:
    return any(m.equal(one, value) for one in self)


# new arrays


@method(ARRAY, "+")
def plus(m: Machine, self: list[Any], other: RubyValue) -> RubyValue:
    more = to.array(m, other)
    m.check_count(len(self) + len(more))
    return self + more


@method(ARRAY, "-", "difference")
def minus(m: Machine, self: list[Any], *others: RubyValue) -> RubyValue:
    gone = Hash.of((key(one), True) for other in others for one in to.array(m, other))
    return [one for one in self if key(one) not in gone]


@method(ARRAY, "*")
def times(m: Machine, self: list[Any], by: RubyValue) -> RubyValue:
    if to.is_string(by):
        return join(m, self, by)
    count = to.integer(m, by)
    if count < 0:
        raise m.error("ArgumentError", "argument must be non-negative")
    m.check_count(len(self) * count)
    return self * count


@method(ARRAY, "&", "intersection")
def intersection(m: Machine, self: list[Any], *others: RubyValue) -> RubyValue:
    found = uniq(m, self) if others else list(self)
    for other in others:
        kept = Hash.of((key(one), True) for one in to.array(m, other))
        found = [one for one in found if key(one) in kept]
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
    _joined(m, self, out, [])
    m.spend(len(out))
    made = mark.join(out)
    m.check_size(len(made))
    return Text(made)


def _joined(m: Machine, self: list[Any], out: list[str], around: list[Any]) -> None:
    if any(one is self for one in around):
        raise m.error("ArgumentError", "recursive array join")
    for one in self:
        if one.__class__ is list:
            inner: list[str] = []
            _joined(m, one, inner, [*around, self])
            out.extend(inner or [""])  # an empty array is an empty text between marks
        else:
            out.append(m.text(one))


@method(ARRAY, "reverse")
def reverse(m: Machine, self: list[Any]) -> RubyValue:
    return self[::-1]


@method(ARRAY, "rotate")
def rotate(m: Machine, self: list[Any], by: RubyValue = 1) -> list[Any]:
    turns = to.integer(m, by)
    if not self:
        return []
    place = turns % len(self)
    return self[place:] + self[:place]


@method(ARRAY, "compact")
def compact(m: Machine, self: list[Any]) -> list[Any]:
    return [one for one in self if one is not None]


@method(ARRAY, "flatten")
def flatten(m: Machine, self: list[Any], depth: RubyValue = -1) -> list[Any]:
    return flattened(m, self, -1 if depth is None else to.integer(m, depth), [])


def flattened(m: Machine, self: list[Any], depth: int, around: list[Any]) -> list[Any]:
    """The elements of arrays in arrays, to a depth."""
    if any(one is self for one in around):
        raise m.error("ArgumentError", "tried to flatten recursive array")
    made: list[Any] = []
    for one in self:
        if one.__class__ is list and depth != 0:
            made.extend(flattened(m, one, depth - 1, [*around, self]))
        else:
            made.append(one)
    m.spend(len(made))
    m.check_count(len(made))
    return made


@method(ARRAY, "assoc")
def assoc(m: Machine, self: list[Any], name: RubyValue) -> RubyValue:
    for one in self:
        if one.__class__ is list and one and m.equal(one[0], name):
            return one
    return None


@method(ARRAY, "transpose")
def transpose(m: Machine, self: list[Any]) -> RubyValue:
    rows = [to.array(m, row) for row in self]
    for row in rows:
        if len(row) != len(rows[0]):
            raise m.error(
                "IndexError", f"element size differs ({len(row)} should be {len(rows[0])})"
            )
    return [list(column) for column in zip(*rows, strict=True)]


@method(ARRAY, "product")
def product(
    m: Machine, self: list[Any], *others: RubyValue, block: Proc | None = None
) -> RubyValue:
    lists = [self, *[to.array(m, other) for other in others]]
    count = 1
    for one in lists:
        count *= len(one)
    m.check_count(count)
    m.spend(count)
    rows = [list(row) for row in itertools.product(*lists)]
    if block is None:
        return rows
    for row in rows:
        block.one(row)
    return self


def _chosen(
    m: Machine, self: list[Any], found: Iterable[tuple[Any, ...]], block: Proc
) -> RubyValue:
    made = []
    for row in found:
        m.spend(1)
        made.append(list(row))
    for one in made:
        block.one(one)
    return self


@method(ARRAY, "combination")
def combination(
    m: Machine, self: list[Any], size: RubyValue, block: Proc | None = None
) -> RubyValue:
    count = to.integer(m, size)
    if block is None:
        return Enumerator(self, "combination", [size])
    fits = 0 <= count <= len(self)
    return _chosen(m, self, itertools.combinations(self, count) if fits else [], block)


@method(ARRAY, "permutation")
def permutation(
    m: Machine, self: list[Any], size: Given = UNDEFINED, block: Proc | None = None
) -> RubyValue:
    if block is None:
        return Enumerator(self, "permutation", [] if size is UNDEFINED else [size])
    count = len(self) if size is UNDEFINED or size is None else to.integer(m, size)
    fits = 0 <= count <= len(self)
    return _chosen(m, self, itertools.permutations(self, count) if fits else [], block)


@method(ARRAY, "repeated_combination")
def repeated_combination(
    m: Machine, self: list[Any], size: RubyValue, block: Proc | None = None
) -> RubyValue:
    count = to.integer(m, size)
    if block is None:
        return Enumerator(self, "repeated_combination", [size])
    m.check_count(count)
    found = itertools.combinations_with_replacement(self, count) if count >= 0 else []
    return _chosen(m, self, found, block)


@method(ARRAY, "repeated_permutation")
def repeated_permutation(
    m: Machine, self: list[Any], size: RubyValue, block: Proc | None = None
) -> RubyValue:
    count = to.integer(m, size)
    if block is None:
        return Enumerator(self, "repeated_permutation", [size])
    m.check_count(count)
    found = itertools.product(self, repeat=count) if count >= 0 else []
    return _chosen(m, self, found, block)


@method(ARRAY, "bsearch")
def bsearch(m: Machine, self: list[Any], block: Proc | None = None) -> RubyValue:
    if block is None:
        return Enumerator(self, "bsearch", [])
    place = searched(m, 0, len(self), lambda at: block.one(self[at]))
    return None if place is None else self[place]


@method(ARRAY, "bsearch_index")
def bsearch_index(m: Machine, self: list[Any], block: Proc | None = None) -> RubyValue:
    if block is None:
        return Enumerator(self, "bsearch_index", [])
    return searched(m, 0, len(self), lambda at: block.one(self[at]))


def searched(m: Machine, low: int, high: int, ask: Callable[[int], Any]) -> int | None:
    """A place between two that a question leads to: by true and false, or by numbers."""
    found: int | None = None
    while low < high:
        middle = low + (high - low) // 2
        answer = ask(middle)
        if answer is True:
            found = high = middle
        elif answer is False or answer is None:
            low = middle + 1
        elif answer.__class__ in (int, float):
            if answer == 0:
                return middle
            low, high = (low, middle) if answer < 0 else (middle + 1, high)
        else:
            shown = class_of(answer).name
            raise m.error(
                "TypeError", f"wrong argument type {shown} (must be numeric, true, false or nil)"
            )
    return found


@method(ARRAY, "rassoc")
def rassoc(m: Machine, self: list[Any], value: RubyValue) -> RubyValue:
    for one in self:
        if one.__class__ is list and len(one) > 1 and m.equal(one[1], value):
            return one
    return None


# changes in place


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
    changing(m, self)
    m.check_count(len(self) + len(values))
    self[:0] = values
    return self


@method(ARRAY, "concat")
def concat(m: Machine, self: list[Any], *others: RubyValue) -> RubyValue:
    changing(m, self)
    more = [one for other in others for one in to.array(m, other)]
    m.check_count(len(self) + len(more))
    self.extend(more)
    return self


@method(ARRAY, "insert")
def insert(m: Machine, self: list[Any], index: RubyValue, *values: RubyValue) -> RubyValue:
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
    found = [one for one in self if m.equal(one, value)]
    if not found:
        return None if block is None else block.one(value)
    changing(m, self)
    self[:] = [one for one in self if not m.equal(one, value)]
    return found[-1]


@method(ARRAY, "delete_at")
def delete_at(m: Machine, self: list[Any], index: RubyValue) -> RubyValue:
    place = to.integer(m, index)
    if not -len(self) <= place < len(self):
        return None
    changing(m, self)
    return self.pop(place)


@method(ARRAY, "slice!")
def slice_bang(
    m: Machine, self: list[Any], index: RubyValue, count: Given = UNDEFINED
) -> RubyValue:
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


@method(ARRAY, "delete_if")
def delete_if(m: Machine, self: list[Any], block: Proc | None = None) -> RubyValue:
    if block is None:
        return Enumerator(self, "delete_if", [])
    _replaced(m, self, [one for one in list(self) if not m.truth(block.one(one))])
    return self


@method(ARRAY, "reject!")
def reject_bang(m: Machine, self: list[Any], block: Proc | None = None) -> RubyValue:
    if block is None:
        return Enumerator(self, "reject!", [])
    made = [one for one in list(self) if not m.truth(block.one(one))]
    return self if _replaced(m, self, made) else None


@method(ARRAY, "keep_if")
def keep_if(m: Machine, self: list[Any], block: Proc | None = None) -> RubyValue:
    if block is None:
        return Enumerator(self, "keep_if", [])
    _replaced(m, self, [one for one in list(self) if m.truth(block.one(one))])
    return self


@method(ARRAY, "select!", "filter!")
def select_bang(m: Machine, self: list[Any], block: Proc | None = None) -> RubyValue:
    if block is None:
        return Enumerator(self, "select!", [])
    made = [one for one in list(self) if m.truth(block.one(one))]
    return self if _replaced(m, self, made) else None


@method(ARRAY, "map!", "collect!")
def map_bang(m: Machine, self: list[Any], block: Proc | None = None) -> RubyValue:
    if block is None:
        return Enumerator(self, "map!", [])
    changing(m, self)
    self[:] = [block.one(one) for one in list(self)]
    return self


@method(ARRAY, "compact!")
def compact_bang(m: Machine, self: list[Any]) -> RubyValue:
    return self if _replaced(m, self, compact(m, self)) else None


@method(ARRAY, "flatten!")
def flatten_bang(m: Machine, self: list[Any], depth: RubyValue = -1) -> RubyValue:
    return self if _replaced(m, self, flatten(m, self, depth)) else None


@method(ARRAY, "uniq!")
def uniq_bang(m: Machine, self: list[Any], block: Proc | None = None) -> RubyValue:
    return self if _replaced(m, self, uniq(m, self, block=block)) else None


@method(ARRAY, "reverse!")
def reverse_bang(m: Machine, self: list[Any]) -> RubyValue:
    changing(m, self)
    self.reverse()
    return self


@method(ARRAY, "rotate!")
def rotate_bang(m: Machine, self: list[Any], by: RubyValue = 1) -> RubyValue:
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
