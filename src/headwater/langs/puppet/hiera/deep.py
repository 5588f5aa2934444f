"""The deep merge of two values of data, as the Ruby library deep_merge 1.1.1 does it.

That library works in place, and where the lower value has no entry it merges the higher one into
itself; what a knock-out prefix leaves of arrays hangs on that, so arrays are changed in place here
too, in copies of what was found.
"""

from __future__ import annotations

from collections.abc import Hashable
from functools import cmp_to_key
from typing import Any, TypeGuard

from headwater.langs.puppet import codes
from headwater.langs.puppet.fault import Problem
from headwater.langs.puppet.hashes import Hash, identity
from headwater.langs.puppet.types.arithmetic import same
from headwater.langs.puppet.types.value import Value


def deep(high: Value, low: Value, options: Hash) -> Value:
    """The deep merge of a value of higher priority into one of lower."""
    return _Merge(options).into(_copy(high), _copy(low))


def union(*lists: list[Any]) -> list[Any]:
    """What is in any of several lists, once: 1 and 1.0 are two."""
    found: dict[Hashable, Any] = {}
    for values in lists:
        for value in values:
            found.setdefault(identity(value), value)
    return list(found.values())


class _Merge:
    """The options of a deep merge, and the merging of values by their kinds."""

    def __init__(self, options: Hash) -> None:
        self.prefix = options.get("knockout_prefix")
        self.keep = bool(options.get("preserve_unmergeables"))
        self.replace_arrays = bool(options.get("overwrite_arrays"))
        self.extend = bool(options.get("extend_existing_arrays"))
        self.separator = options.get("unpack_arrays") or None
        self.pairwise = bool(options.get("merge_hash_arrays"))
        self.sort = bool(options.get("sort_merged_arrays"))
        if self.prefix == "":
            raise _unfit("a knockout_prefix cannot be empty")
        if self.prefix and self.keep:
            raise _unfit("knockout_prefix and preserve_unmergeables exclude each other")

    def into(self, high: Value, low: Value) -> Value:
        """What becomes of the lower value."""
        if high is None:
            return low
        if _nothing(low) and not self.keep:
            return high
        if isinstance(high, Hash):
            return self._hash(high, low)
        if isinstance(high, list):
            return self._list(high, low)
        if isinstance(low, list) and self.extend:
            low.append(high)
            return low
        return self._over(high, low)

    def _hash(self, high: Hash, low: Value) -> Value:
        """A hash into anything; one without entries changes nothing."""
        for key, value in high.pairs():
            if isinstance(low, Hash):
                old = low.get(key)
                if _nothing(old):
                    old = value.copy() if isinstance(value, Hash | list) else value
                low.put(key, self.into(value, old))
            elif isinstance(low, list) and self.extend:
                low.append(high)
            else:
                low = self._over(high, low)
        return low

    def _list(self, high: list[Any], low: Value) -> Value:
        if self.replace_arrays:
            return high
        if self.separator is not None:
            high = self._unpacked(high)
            low = self._unpacked(low) if isinstance(low, list) else low
        if self.prefix and self.prefix in high:
            if isinstance(low, list):
                low.clear()
            _delete(high, self.prefix)
        if not isinstance(low, list):
            return self._over(high, low)
        if self.prefix:
            self._knock_out(high, low)
        if self.pairwise and all(isinstance(item, Hash) for item in [*high, *low]):
            ours = [*high[: len(low)], *(Hash() for _ in low[len(high) :])]
            merged = [self.into(a, b) for a, b in zip(ours, low, strict=True)]
            merged += high[len(low) :]
        else:
            merged = union(low, high)
        return sorted(merged, key=cmp_to_key(_compare)) if self.sort else merged

    def _over(self, high: Value, low: Value) -> Value:
        """A value in the place of one it cannot be merged with."""
        if self.keep:
            return low
        if self.prefix and isinstance(high, list):
            high[:] = [item for item in high if self._bare(item) is item]
        return high if self._bare(high) is high else ""

    def _bare(self, item: Value) -> Value:
        """A text without the knock-out prefix; the item itself if it has none."""
        if not self.prefix or not isinstance(item, str):
            return item
        from headwater.langs.puppet.types.substitution import substitute

        bare = substitute(item, f"^{self.prefix}", "", True)
        return item if bare == item else bare

    def _knock_out(self, high: list[Any], low: list[Any]) -> None:
        """Takes what is knocked out away from both lists, which may be the same one."""
        at = kept = 0
        while at < len(high):
            item = high[at]
            bare = self._bare(item)
            at += 1
            if bare is item:
                high[kept] = item
                kept += 1
            else:
                _delete(low, bare)
                _delete(low, item)
        if kept < at:
            high[kept:] = high[at:]

    def _unpacked(self, values: list[Any]) -> list[Any]:
        """The parts of all texts."""
        separator = self.separator
        if not isinstance(separator, str):
            raise _unfit("unpack_arrays takes a text")
        from headwater.langs.puppet.catalog.resource import flattened
        from headwater.langs.puppet.types.rubytext import to_s

        text = separator.join("" if v is None else to_s(v) for v in flattened(values))
        parts = text.split() if separator == " " else text.split(separator)
        while parts and not parts[-1]:
            parts.pop()
        return list(parts)


def _nothing(value: object) -> bool:
    return value is None or value is False


def _delete(values: list[Any], gone: object) -> None:
    values[:] = [value for value in values if not same(value, gone)]


def _copy(value: Value) -> Value:
    if isinstance(value, Hash):
        return value.map_values(_copy)
    return [_copy(item) for item in value] if isinstance(value, list) else value


def _compare(a: Value, b: Value) -> int:
    """The order of two values that are to be sorted; not all have one."""
    if isinstance(a, list) and isinstance(b, list):
        orders = (_compare(x, y) for x, y in zip(a, b, strict=False))
        return next((order for order in orders if order), len(a) - len(b))
    if _numeric(a) and _numeric(b):
        return (a > b) - (a < b)
    if isinstance(a, str) and isinstance(b, str):
        return (a > b) - (a < b)
    if same(a, b):
        return 0
    from headwater.langs.puppet.types import infer, show_type

    kinds = f"{show_type(infer(a))} and {show_type(infer(b))}"
    raise _unfit(f"sort_merged_arrays: {kinds} have no order")


def _numeric(value: object) -> TypeGuard[int | float]:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _unfit(message: str) -> Problem:
    return Problem(codes.LOOKUP_FAILED, message=message)
