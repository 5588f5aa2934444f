"""Functions that hang on their arguments alone: given the same, they give the same.

Such a function asks plain values (texts, numbers, arrays and hashes of these) what nobody can
change, and changes nothing but what it has made itself.  It calls nothing but methods of its own,
asks the compiler nothing, and leaves nothing that another piece of Ruby would find.  Everything
that is not listed here is not of that kind.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

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
     "match", "match?", "max", "member?", "merge", "merge!", "min", "nil?", "none?", "push", "reject",
     "reverse", "rstrip", "select", "size", "sort", "sort_by", "split", "start_with?", "strip",
     "sub", "to_a", "to_f", "to_i", "to_s", "tr", "uniq", "unshift", "upcase", "values",
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


def key_of(args: list[Any]) -> Any:  # noqa: ANN401
    """What plain arguments have in common with their equals alone; None of all others."""
    return _key(args, [_MOST])


def _key(value: Any, left: list[int]) -> Any:  # noqa: ANN401
    kind = value.__class__
    if kind is list:
        found: list[Any] = [list]
        for one in value:
            found.append(one if one.__class__ is str else _key(one, left))
        left[0] -= len(value)
        return None if left[0] < 0 or None in found else tuple(found)
    if kind is str:
        return value
    if value is None:
        return ()
    if kind is bool or kind is int:
        return (kind, value)
    if kind is not Hash or value.entries.__class__ is not dict or value.odd is not None:
        return None  # who reads of facts is noted, entry by entry
    entries = value.entries
    if not _TEXTS.issuperset(map(type, entries)):
        return None
    found = [Hash, *entries]
    for one in entries.values():
        found.append(one if one.__class__ is str else _key(one, left))
    left[0] -= len(entries)
    return None if left[0] < 0 or None in found else tuple(found)


_TEXTS: Final = frozenset([str])


class Recipe:
    """How a result is made of arguments: what in it is theirs is theirs again, all else is new."""

    __slots__ = ("_made",)

    def __init__(self, result: Any, args: list[Any]) -> None:  # noqa: ANN401
        """Raises `Shared` where that cannot be told, or others may hold parts of the result."""
        places: dict[int, Place] = {}
        for at, one in enumerate(args):
            _note(one, Place((at,)), places)
        self._made = _described(result, places, set())

    def made(self, args: list[Any]) -> Any:  # noqa: ANN401
        """The result for equal arguments."""
        return _make(self._made, args)


class Shared(ValueError):
    """A result is not plain, or something in it has more than one place."""


class Place(tuple[Any, ...]):
    """Where something is among the arguments."""

    __slots__ = ()


def _note(value: Any, way: Place, into: dict[int, Place]) -> None:  # noqa: ANN401
    if value.__class__ is str:
        into.setdefault(id(value), way)
        return
    if value.__class__ is not list and value.__class__ is not Hash:
        return
    if id(value) in into:
        raise Shared
    into[id(value)] = way
    for at, one in enumerate(value) if value.__class__ is list else value.entries.items():
        _note(one, Place((*way, at)), into)


def _described(value: Any, places: dict[int, Place], seen: set[int]) -> Any:  # noqa: ANN401
    kind = value.__class__
    if value is None or kind is bool or kind is int:
        return value
    if id(value) in places:
        return places[id(value)]
    if kind is str:
        return value
    if id(value) in seen or (kind is not list and kind is not Hash):
        raise Shared
    seen.add(id(value))
    if kind is list:
        return [_described(one, places, seen) for one in value]
    if value.odd is not None or not _TEXTS.issuperset(map(type, value.entries)):
        raise Shared
    return {name: _described(one, places, seen) for name, one in value.entries.items()}


def _make(described: Any, args: list[Any]) -> Any:  # noqa: ANN401
    kind = described.__class__
    if kind is Place:
        value: Any = args
        for step in described:
            value = value.entries[step] if value.__class__ is Hash else value[step]
        return value
    if kind is list:
        return [_make(one, args) for one in described]
    if kind is dict:
        return Hash({name: _make(one, args) for name, one in described.items()})
    return described
