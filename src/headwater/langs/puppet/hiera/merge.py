"""Merge strategies: first, unique, hash, deep and its variants."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import Enum
from typing import TYPE_CHECKING, Final, TypeAlias, TypeVar

from headwater.langs.puppet import codes
from headwater.langs.puppet.catalog.resource import flattened
from headwater.langs.puppet.fault import Problem
from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.types.value import Value
from headwater.text.late import when_called

if TYPE_CHECKING:
    from headwater.langs.puppet.hiera.deep import deep, union
else:
    when_called(globals(), "headwater.langs.puppet.hiera.deep", "deep union")


class Missing(Enum):
    """What a look-up gives when there is no value."""

    NOT_FOUND = 0


NOT_FOUND: Final = Missing.NOT_FOUND

Found: TypeAlias = "Value | Missing"

_NAMES = frozenset(["first", "unique", "hash", "deep", "unconstrained_deep", "reverse_deep"])
_FREE = frozenset(["unconstrained_deep", "reverse_deep"])
"""Strategies that take any option."""
_OPTIONS = {
    "knockout_prefix": str, "merge_debug": bool, "merge_hash_arrays": bool,
    "sort_merged_arrays": bool,
}  # fmt: skip
T = TypeVar("T")


class Strategy:
    """How values of several levels become one."""

    __slots__ = ("name", "options")

    def __init__(self, name: str, options: Hash) -> None:
        self.name = name
        self.options = options

    def search(self, variants: Iterable[T], find: Callable[[T], Found]) -> Found:
        """The value that the variants give together, or `NOT_FOUND`."""
        if self.name == "first":
            for variant in variants:
                value = find(variant)
                if value is not NOT_FOUND:
                    return value
            return NOT_FOUND
        every = list(variants)
        if len(every) == 1:
            value = find(every[0])
            return union(value) if self.name == "unique" and isinstance(value, list) else value
        result: Found = NOT_FOUND
        for variant in every:
            value = find(variant)
            if value is NOT_FOUND:
                continue
            if result is NOT_FOUND:
                result = flattened(value) if self.name == "unique" else value
            else:
                result = self.merge(result, value)
        return result

    def merge(self, high: Value, low: Value) -> Value:
        """A value of higher priority with one of lower."""
        match self.name:
            case "unique":
                for value in (high, low):
                    if value is None or isinstance(value, Hash) or not _is_data(value):
                        raise _unfit("unique", "arrays and scalars")
                return union(flattened(high), flattened(low))
            case "hash":
                if not (isinstance(high, Hash) and isinstance(low, Hash)):
                    raise _unfit("hash", "hashes with keys that are strings")
                if not (_is_data(high) and _is_data(low)):
                    raise _unfit("hash", "hashes with keys that are strings")
                return low.merged(high)
            case "reverse_deep":
                return deep(low, high, self.options)
            case _:
                return deep(high, low, self.options)


_FIRST = Strategy("first", Hash())


def _is_data(value: Value) -> bool:
    """Whether a value is one of ``Data``, or holds what nobody here knows."""
    from headwater.langs.puppet.types.aliases import DATA
    from headwater.langs.puppet.types.matching import is_instance
    from headwater.langs.puppet.values import opaque_in

    return is_instance(DATA, value) or opaque_in(value) is not None


def _unfit(strategy: str, wanted: str) -> Problem:
    return Problem(
        codes.LOOKUP_FAILED, message=f"the strategy {strategy} merges {wanted}, and finds others"
    )


def strategy_of(merge: object) -> Strategy:
    """The strategy that ``merge`` names."""
    if merge is None or merge is False:
        return _FIRST
    options = Hash()
    name = merge
    if isinstance(merge, Hash):
        name = merge.get("strategy")
        options = merge.without(["strategy"])
        if name is None:
            raise Problem(codes.LOOKUP_FAILED, message=f"no name of a merge strategy in {merge}")
    if name == "default":
        name = "first"
    if not isinstance(name, str) or name not in _NAMES:
        raise Problem(codes.LOOKUP_FAILED, message=f"there is no merge strategy {name}")
    wrong = next((key for key in options if not _takes(name, key, options[key])), None)
    if wrong is not None:
        message = f"the merge strategy {name} does not take {wrong}: {options[wrong]}"
        raise Problem(codes.LOOKUP_FAILED, message=message)
    return Strategy(name, options)


def _takes(name: str, key: object, value: object) -> bool:
    """Whether an option is one of a strategy."""
    if name in _FREE:
        return isinstance(key, str) and key != ""
    kind = _OPTIONS.get(key) if name == "deep" and isinstance(key, str) else None
    return kind is not None and (value is None or isinstance(value, kind))
