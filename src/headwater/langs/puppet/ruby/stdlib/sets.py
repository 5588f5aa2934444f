"""Set."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final

from headwater.langs.puppet.hashes import Hash, identity
from headwater.langs.puppet.ruby.classes import ENUMERABLE, OBJECT, OF_TYPE, define
from headwater.langs.puppet.ruby.keys import PARTS, key, weigh
from headwater.langs.puppet.ruby.machine import Machine
from headwater.langs.puppet.ruby.methods import conversions as to
from headwater.langs.puppet.ruby.methods.iteration import called, items
from headwater.langs.puppet.ruby.methods.registry import method, own_method
from headwater.langs.puppet.ruby.values import (
    UNDEFINED,
    Class,
    Enumerator,
    Given,
    Native,
    Proc,
    RubyValue,
)

SET: Final = define("Set", OBJECT)
SET.included.append(ENUMERABLE)


class SetValue(Native):
    """A set: elements in the order they came, found by ``eql?``."""

    __slots__ = ("entries", "frozen")

    def __init__(self) -> None:
        self.entries = Hash({})
        self.frozen = False

    def __iter__(self) -> Iterator[Any]:
        return iter(list(self.entries))

    def __len__(self) -> int:
        return len(self.entries)

    def __eq__(self, other: object) -> bool:
        return other.__class__ is SetValue and self.inner() == other.inner()

    def __hash__(self) -> int:
        return hash(self.inner())

    def inner(self) -> frozenset[Any]:
        """The identities of the elements."""
        return frozenset(self.entries.entries)

    def remove(self, one: RubyValue) -> None:
        """Takes out an element, given as a key."""
        inner = identity(one)
        self.entries.entries.pop(inner, None)
        if self.entries.odd is not None:
            self.entries.odd.pop(inner, None)


OF_TYPE[SetValue] = SET
PARTS[SetValue] = lambda value: value.entries.entries


def set_of(m: Machine, found: Iterable[Any]) -> SetValue:
    """A set of elements."""
    made = SetValue()
    for one in found:
        made.entries.put(key(m, one), True)
    return made


def _has(m: Machine, self: SetValue, one: RubyValue) -> bool:
    return key(m, one) in self.entries


def _inner(m: Machine, *sets: SetValue) -> list[frozenset[Any]]:
    """What tells the elements of sets apart, to be compared."""
    for one in sets:
        weigh(m, one)
    return [one.inner() for one in sets]


def elements(m: Machine, value: RubyValue) -> list[Any]:
    """What can be gone through, or an error."""
    if value.__class__ is SetValue:
        return list(value)
    if not isinstance(value, list | Hash) and m.find(value, "each") is None:
        raise m.error("ArgumentError", "value must be enumerable")
    return items(m, value)


def _other(m: Machine, value: RubyValue) -> SetValue:
    if value.__class__ is not SetValue:
        raise m.error("ArgumentError", "value must be a set")
    return value


def changing(m: Machine, self: SetValue) -> None:
    """Refuses the change of a frozen set."""
    if self.frozen:
        raise m.error("FrozenError", f"can't modify frozen Set: {m.inspect(self)}")


@own_method(SET, "new")
def new(m: Machine, self: Class, of: RubyValue = None, block: Proc | None = None) -> RubyValue:
    found = [] if of is None else elements(m, of)
    return set_of(m, found if block is None else [block.one(one) for one in found])


@own_method(SET, "[]")
def literal(m: Machine, self: Class, *found: RubyValue) -> RubyValue:
    return set_of(m, found)


@method(SET, "each")
def each(m: Machine, self: SetValue, block: Proc | None = None) -> RubyValue:
    if block is None:
        return Enumerator(self, "each", [])
    for one in self:
        block.one(one)
    return self


@method(SET, "to_a")
def to_a(m: Machine, self: SetValue) -> RubyValue:
    return list(self)


@method(SET, "to_set")
def to_set(m: Machine, self: SetValue) -> RubyValue:
    return self


@method(SET, "size", "length")
def size(m: Machine, self: SetValue) -> int:
    return len(self)


@method(SET, "count")
def count(m: Machine, self: SetValue, value: Given = UNDEFINED, block: Proc | None = None) -> int:
    if value is UNDEFINED and block is None:
        return len(self)
    return to.integer(m, m.send(list(self), "count", [] if value is UNDEFINED else [value], block))


@method(SET, "empty?")
def is_empty(m: Machine, self: SetValue) -> bool:
    return not len(self)


@method(SET, "include?", "member?", "===")
def includes(m: Machine, self: SetValue, value: RubyValue) -> bool:
    return _has(m, self, value)


@method(SET, "add", "<<")
def add(m: Machine, self: SetValue, value: RubyValue) -> RubyValue:
    changing(m, self)
    m.check_count(len(self) + 1)
    self.entries.put(key(m, value), True)
    return self


@method(SET, "add?")
def add_new(m: Machine, self: SetValue, value: RubyValue) -> RubyValue:
    return None if _has(m, self, value) else add(m, self, value)


@method(SET, "delete")
def delete(m: Machine, self: SetValue, value: RubyValue) -> RubyValue:
    changing(m, self)
    self.remove(key(m, value))
    return self


@method(SET, "delete?")
def delete_present(m: Machine, self: SetValue, value: RubyValue) -> RubyValue:
    return delete(m, self, value) if _has(m, self, value) else None


@method(SET, "merge")
def merge(m: Machine, self: SetValue, other: RubyValue) -> RubyValue:
    changing(m, self)
    for one in elements(m, other):
        self.entries.put(key(m, one), True)
    return self


@method(SET, "subtract")
def subtract(m: Machine, self: SetValue, other: RubyValue) -> RubyValue:
    changing(m, self)
    for one in elements(m, other):
        self.remove(key(m, one))
    return self


@method(SET, "clear")
def clear(m: Machine, self: SetValue) -> RubyValue:
    changing(m, self)
    self.entries = Hash({})
    return self


@method(SET, "replace")
def replace(m: Machine, self: SetValue, other: RubyValue) -> RubyValue:
    changing(m, self)
    self.entries = set_of(m, elements(m, other)).entries
    return self


@method(SET, "reset")
def reset(m: Machine, self: SetValue) -> RubyValue:
    changing(m, self)
    return self


@method(SET, "|", "+", "union")
def union(m: Machine, self: SetValue, other: RubyValue) -> RubyValue:
    return set_of(m, [*self, *elements(m, other)])


@method(SET, "&", "intersection")
def intersection(m: Machine, self: SetValue, other: RubyValue) -> RubyValue:
    return set_of(m, (one for one in elements(m, other) if _has(m, self, one)))


@method(SET, "-", "difference")
def difference(m: Machine, self: SetValue, other: RubyValue) -> RubyValue:
    gone = set_of(m, elements(m, other))
    return set_of(m, (one for one in self if not _has(m, gone, one)))


@method(SET, "^")
def either(m: Machine, self: SetValue, other: RubyValue) -> RubyValue:
    made = set_of(m, [] if other is None else elements(m, other))
    for one in self:
        name = key(m, one)
        if name in made.entries:
            made.remove(name)
        else:
            made.entries.put(name, True)
    return made


@method(SET, "==")
def equal(m: Machine, self: SetValue, other: RubyValue) -> bool:
    if other.__class__ is not SetValue:
        return False
    left, right = _inner(m, self, other)
    return left == right


@method(SET, "eql?")
def same(m: Machine, self: SetValue, other: RubyValue) -> bool:
    return equal(m, self, other)


@method(SET, "<=", "subset?")
def subset(m: Machine, self: SetValue, other: RubyValue) -> bool:
    left, right = _inner(m, self, _other(m, other))
    return left <= right


@method(SET, "<", "proper_subset?")
def proper_subset(m: Machine, self: SetValue, other: RubyValue) -> bool:
    left, right = _inner(m, self, _other(m, other))
    return left < right


@method(SET, ">=", "superset?")
def superset(m: Machine, self: SetValue, other: RubyValue) -> bool:
    left, right = _inner(m, self, _other(m, other))
    return left >= right


@method(SET, ">", "proper_superset?")
def proper_superset(m: Machine, self: SetValue, other: RubyValue) -> bool:
    left, right = _inner(m, self, _other(m, other))
    return left > right


@method(SET, "<=>")
def order(m: Machine, self: SetValue, other: RubyValue) -> int | None:
    if other.__class__ is not SetValue:
        return None
    left, right = _inner(m, self, other)
    return 0 if left == right else -1 if left < right else 1 if left > right else None


@method(SET, "disjoint?")
def is_disjoint(m: Machine, self: SetValue, other: RubyValue) -> bool:
    return not intersects(m, self, other)


@method(SET, "intersect?")
def intersects(m: Machine, self: SetValue, other: RubyValue) -> bool:
    if other.__class__ is not SetValue:
        return any(m.truth(m.send(self, "include?", [one])) for one in elements(m, other))
    left, right = _inner(m, self, other)
    return bool(left & right)


def _filtering(name: str, keeps: bool, says_nothing: bool) -> None:
    """``select!``, ``reject!`` and their like."""

    def call(m: Machine, self: SetValue, block: Proc | None = None) -> RubyValue:
        if block is None:
            return Enumerator(self, name, [])
        changing(m, self)
        before = len(self)
        for one in [one for one in self if m.truth(block.one(one)) is not keeps]:
            self.remove(key(m, one))
        return None if says_nothing and before == len(self) else self

    method(SET, name)(call)


for _name, _keeps, _says in (
    ("select!", True, True), ("filter!", True, True), ("keep_if", True, False),
    ("reject!", False, True), ("delete_if", False, False),
):  # fmt: skip
    _filtering(_name, _keeps, _says)


@method(SET, "map!", "collect!")
def map_bang(m: Machine, self: SetValue, block: Proc | None = None) -> RubyValue:
    if block is None:
        return Enumerator(self, "map!", [])
    changing(m, self)
    self.entries = set_of(m, [block.one(one) for one in self]).entries
    return self


@method(SET, "classify")
def classify(m: Machine, self: SetValue, block: Proc | None = None) -> RubyValue:
    if block is None:
        return Enumerator(self, "classify", [])
    made = Hash({})
    for one in self:
        name = key(m, block.one(one))
        if name not in made:
            made.put(name, SetValue())
        made[name].entries.put(key(m, one), True)
    return made


@method(SET, "divide")
def divide(m: Machine, self: SetValue, block: Proc | None = None) -> RubyValue:
    if block is None:
        return Enumerator(self, "divide", [])
    if block.arity != 2:
        return set_of(m, to.hash_(m, classify(m, self, block)).values())
    return set_of(m, _connected(m, list(self), lambda a, b: m.truth(called(block, a, b))))


def _connected(
    m: Machine, found: list[Any], together: Callable[[Any, Any], bool]
) -> Iterator[SetValue]:
    """The elements in groups, each of those that are with one another, directly or not."""
    left = list(found)
    while left:
        group, pending = [left[0]], [left.pop(0)]
        while pending:
            one = pending.pop()
            m.spend(len(left))
            near = [two for two in left if together(one, two) and together(two, one)]
            left = [two for two in left if not any(two is three for three in near)]
            group += near
            pending += near
        yield set_of(m, group)


@method(SET, "flatten")
def flatten(m: Machine, self: SetValue) -> RubyValue:
    return set_of(m, _flat(m, self))


def _flat(m: Machine, value: SetValue) -> Iterator[Any]:
    for one in value:
        m.spend(1)
        if one.__class__ is SetValue:
            yield from _flat(m, one)
        else:
            yield one


@method(SET, "flatten!")
def flatten_bang(m: Machine, self: SetValue) -> RubyValue:
    if not any(one.__class__ is SetValue for one in self):
        return None
    return replace(m, self, flatten(m, self))


@method(SET, "join")
def join(m: Machine, self: SetValue, by: RubyValue = None) -> RubyValue:
    return m.send(list(self), "join", [by] if self else [])


@method(SET, "inspect", "to_s")
def inspect(m: Machine, self: SetValue) -> str:
    return f"#<Set: {{{', '.join(m.inspect(one) for one in self)}}}>"


@method(SET, "freeze")
def freeze(m: Machine, self: SetValue) -> RubyValue:
    self.frozen = True
    return self


@method(SET, "frozen?")
def is_frozen(m: Machine, self: SetValue) -> bool:
    return self.frozen


@method(SET, "dup")
def dup(m: Machine, self: SetValue) -> RubyValue:
    return set_of(m, self)


@method(SET, "clone")
def clone(m: Machine, self: SetValue, options: Given = UNDEFINED) -> RubyValue:
    made = set_of(m, self)
    made.frozen = self.frozen and not (
        isinstance(options, Hash) and False in list(options.values())
    )
    return made


@method(SET, "first")
def first(m: Machine, self: SetValue, count: Given = UNDEFINED) -> RubyValue:
    return m.send(list(self), "first", [] if count is UNDEFINED else [to.integer(m, count)])


__all__ = ["SET", "SetValue"]
