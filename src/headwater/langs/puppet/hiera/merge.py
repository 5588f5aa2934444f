"""Merge strategies: first, unique, hash, deep."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from headwater.langs.puppet import codes
from headwater.langs.puppet.catalog.resource import flattened
from headwater.langs.puppet.engine.arithmetic import same
from headwater.langs.puppet.fault import Problem

NOT_FOUND = object()
_OPTIONS = frozenset(
    ["strategy", "knockout_prefix", "merge_debug", "merge_hash_arrays", "sort_merged_arrays"]
)
T = TypeVar("T")


class Strategy:
    """How values of several levels become one."""

    __slots__ = ("name", "options")

    def __init__(self, name: str, options: dict[str, Any]) -> None:
        self.name = name
        self.options = options

    def search(self, variants: Iterable[T], find: Callable[[T], Any]) -> Any:
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
            return _unique(value) if self.name == "unique" and isinstance(value, list) else value
        result: Any = NOT_FOUND
        for variant in every:
            value = find(variant)
            if value is NOT_FOUND:
                continue
            if result is NOT_FOUND:
                result = flattened(value) if self.name == "unique" else value
            else:
                result = self.merge(result, value)
        return result

    def merge(self, high: Any, low: Any) -> Any:
        """A value of higher priority with one of lower."""
        match self.name:
            case "unique":
                if isinstance(high, dict) or isinstance(low, dict):
                    raise _unfit("unique", "arrays and scalars")
                return _unique([*flattened(high), *flattened(low)])
            case "hash":
                if not isinstance(high, dict) or not isinstance(low, dict):
                    raise _unfit("hash", "hashes")
                return {**low, **high}
            case _:
                return deep(high, low, self.options)


def _unfit(strategy: str, wanted: str) -> Problem:
    return Problem(
        codes.LOOKUP_FAILED, message=f"the strategy {strategy} merges {wanted}, and finds others"
    )


def strategy_of(merge: Any) -> Strategy:
    """The strategy that ``merge`` names."""
    options: dict[str, Any] = {}
    name = merge
    if isinstance(merge, dict):
        name = merge.get("strategy")
        options = {key: value for key, value in merge.items() if key != "strategy"}
        unknown = [key for key in merge if key not in _OPTIONS]
        if name is None or (unknown and name == "deep") or (options and name != "deep"):
            raise Problem(codes.LOOKUP_FAILED, message=f"not options of a merge strategy: {merge}")
    if name is None or name == "default":
        name = "first"
    if name not in ("first", "unique", "hash", "deep"):
        raise Problem(codes.LOOKUP_FAILED, message=f"there is no merge strategy {name}")
    return Strategy(str(name), options)


def _unique(values: list[Any]) -> list[Any]:
    result: list[Any] = []
    for value in values:
        if not any(type(value) is type(other) and same(value, other) for other in result):
            result.append(value)
    return result


def deep(source: Any, dest: Any, options: dict[str, Any]) -> Any:
    """The deep merge of a value of higher priority into one of lower."""
    if source is None:
        return dest
    if dest is None or dest is False:
        return source
    prefix = options.get("knockout_prefix")
    if isinstance(source, dict):
        if not isinstance(dest, dict):
            return source
        result = dict(dest)
        for key, value in source.items():
            old = result.get(key)
            known = old is not None and old is not False
            result[key] = deep(value, old, options) if known else value
        return result
    if isinstance(source, list):
        if not isinstance(dest, list):
            return source
        return _deep_lists(source, dest, options)
    if prefix and isinstance(source, str) and source.startswith(prefix):
        return ""
    return source


def _deep_lists(source: list[Any], dest: list[Any], options: dict[str, Any]) -> list[Any]:
    prefix = options.get("knockout_prefix")
    if prefix:
        if source and source[-1] == prefix:
            source, dest = source[:-1], []
        knocked = [v for v in source if isinstance(v, str) and v.startswith(prefix)]
        gone = {v[len(prefix) :] for v in knocked}
        dest = [v for v in dest if not (isinstance(v, str) and (v in gone or v in knocked))]
        source = [v for v in source if v not in knocked]
    if options.get("merge_hash_arrays") and all(isinstance(v, dict) for v in [*source, *dest]):
        merged = [
            deep(source[i], dest[i], options) if i < len(source) and i < len(dest)
            else (source[i] if i < len(source) else dest[i])
            for i in range(max(len(source), len(dest)))
        ]  # fmt: skip
    else:
        merged = _unique([*dest, *source])
    if options.get("sort_merged_arrays"):
        merged = sorted(merged)
    return merged
