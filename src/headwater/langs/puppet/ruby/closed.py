"""Functions that hang on their arguments alone: given the same, they give the same.

Such a function asks plain values (texts, numbers, arrays and hashes of these) what nobody can
change, and changes nothing but what it has made itself.  It calls nothing but methods of its own,
asks the compiler nothing, and leaves nothing that another piece of Ruby would find.  Everything
that is not listed here is not of that kind.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Any, Final, TypeAlias

from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.ruby import syntax as s
from headwater.langs.puppet.ruby.flow import children

_METHODS: Final = frozenset(
    ["!", "!=", "!~", "%", "&", "*", "+", "-", "/", "<", "<<", "<=", "<=>", "==", "===", "=~", ">",
     ">=", "[]", "[]=", "all?", "any?", "capitalize", "chars", "chomp", "class", "clear", "clone",
     "collect", "compact", "compact!", "concat", "count", "delete", "delete_at", "delete_if",
     "detect", "dig", "downcase", "dup", "each", "each_index", "each_key", "each_pair",
     "each_value", "each_with_index", "empty?", "end_with?", "eql?", "fetch", "find", "first",
     "flat_map", "flatten", "flatten!", "gsub", "has_key?", "include?", "index", "inspect", "is_a?",
     "join", "key?", "keys", "kind_of?", "last", "length", "lines", "lstrip", "map", "map!",
     "match", "match?", "max", "member?", "merge", "merge!", "min", "nil?", "none?", "push",
     "reject", "reverse", "rstrip", "select", "size", "sort", "sort_by", "split", "start_with?",
     "strip", "sub", "to_a", "to_f", "to_i", "to_s", "tr", "uniq", "unshift", "upcase", "values",
     "values_at", "zip", "|"]
)  # fmt: skip
"""Methods of plain values that give the same for the same, and change at most their receiver."""

_OWN: Final = frozenset(["Array", "raise"])
"""What is called without a receiver; what raises gives nothing that is remembered."""

CONSTANTS: Final = frozenset(
    ["ArgumentError", "Array", "Error", "FalseClass", "Float", "Hash", "Integer", "NilClass",
     "Numeric", "ParseError", "Puppet", "String", "Symbol", "TrueClass", "TypeError"]
)  # fmt: skip

_NODES: Final = (
    s.And, s.Array, s.Block, s.Bool, s.Case, s.Float, s.Hash, s.If, s.Index, s.Integer,
    s.Interpolated, s.Jump, s.Local, s.Nil, s.Not, s.Or, s.Pair, s.Parameter, s.Range, s.Regex,
    s.Sequence, s.Splat, s.Str, s.Symbol, s.Targets, s.When,
)  # fmt: skip


Given: TypeAlias = Any
"""An argument, a result, or a part of one."""


def hangs_on_arguments(bodies: Iterable[s.Node], own: frozenset[str]) -> bool:
    """Whether bodies of methods are of that kind; `own`: names of methods among them."""
    todo = [*bodies]
    while todo:
        node = todo.pop()
        match node:
            case s.Call(receiver=None, name=name):
                known = name in own or name in _OWN
            case s.Call(name=name):
                known = name in _METHODS
            case s.Assign(target=target) | s.OperatorAssign(target=target):
                known = isinstance(target, s.Local | s.Index | s.Targets)
            case s.Constant(name=name):
                known = name in CONSTANTS
            case s.BlockPass(value=s.Symbol(name=name)):
                known = name in _METHODS
            case _:
                known = isinstance(node, _NODES)
        if not known:
            return False
        todo += children(node)
    return True


_MOST: Final = 200
"""Parts of values that are told apart from others."""


def key_of(args: list[Given]) -> Hashable:
    """What plain arguments have in common with their equals alone; None of all others."""
    return _key(args, [_MOST])


def _key(value: Given, left: list[int]) -> Hashable:
    if value.__class__ is list:
        found: list[Hashable] = [list]
        for one in value:
            found.append(one if one.__class__ is str else _key(one, left))
        left[0] -= len(value)
        return None if left[0] < 0 or None in found else tuple(found)
    if value.__class__ is str:
        return value
    if value is None:
        return ()
    if value.__class__ is bool or value.__class__ is int:
        return (value.__class__, value)
    if value.__class__ is not Hash or not value.unnoted or value.odd is not None:
        return None  # who reads of facts is noted, entry by entry
    if not _TEXTS.issuperset(map(type, value)):
        return None
    found = [Hash, *value]
    for one in value.values():
        found.append(one if one.__class__ is str else _key(one, left))
    left[0] -= len(value)
    return None if left[0] < 0 or None in found else tuple(found)


_TEXTS: Final = frozenset([str])


class Recipe:
    """How a result is made of arguments: what in it is theirs is theirs again, all else is new."""

    __slots__ = ("_made",)

    def __init__(self, result: Given, args: list[Given]) -> None:
        """Raises `Shared` where that cannot be told, or others may hold parts of the result."""
        whose: dict[int, Way] = {}
        for at, one in enumerate(args):
            _note(one, Way((at,)), whose)
        self._made = _described(result, whose, set())

    def made(self, args: list[Given]) -> Given:
        """The result for equal arguments."""
        return _make(self._made, args)


class Shared(ValueError):
    """A result is not plain, or something in it stands twice."""


class Way(tuple[object, ...]):
    """Where something is among the arguments."""

    __slots__ = ()


class Entries(tuple[tuple[str, object], ...]):
    """The entries of a hash that is new."""

    __slots__ = ()


def _note(value: Given, way: Way, into: dict[int, Way]) -> None:
    if value.__class__ is str:
        into.setdefault(id(value), way)
        return
    if value.__class__ is list:
        parts: Iterable[tuple[object, Given]] = enumerate(value)
    elif value.__class__ is Hash:
        parts = value.pairs()
    else:
        return
    if id(value) in into:
        raise Shared
    into[id(value)] = way
    for at, one in parts:
        _note(one, Way((*way, at)), into)


def _described(value: Given, whose: dict[int, Way], seen: set[int]) -> object:
    if value is None or value.__class__ is bool or value.__class__ is int:
        return value
    if id(value) in whose:
        return whose[id(value)]
    if value.__class__ is str:
        return value
    if id(value) in seen:
        raise Shared
    seen.add(id(value))
    if value.__class__ is list:
        return [_described(one, whose, seen) for one in value]
    if value.__class__ is Hash and value.odd is None and _TEXTS.issuperset(map(type, value)):
        return Entries((name, _described(one, whose, seen)) for name, one in value.pairs())
    raise Shared


def _make(described: object, args: list[Given]) -> Given:
    if described.__class__ is Way:
        value: Given = args
        for step in described:
            value = value[step]
        return value
    if described.__class__ is list:
        return [_make(one, args) for one in described]
    if described.__class__ is Entries:
        return Hash({name: _make(one, args) for name, one in described})
    return described
