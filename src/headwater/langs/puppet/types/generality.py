"""Generalised types (without sizes, ranges and values) and normal forms of types."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from headwater.langs.puppet.types import model as m
from headwater.langs.puppet.types.assignability import assignable
from headwater.langs.puppet.types.build import array, element, enum, flat, hash_of, variant
from headwater.langs.puppet.types.versions import merged
from headwater.langs.puppet.values import Timespan, Timestamp

Bound = TypeVar("Bound", int, float, Timespan, Timestamp)


def generalize(t: m.Type) -> m.Type:
    """The type without its values, ranges and sizes."""
    match t:
        case m.IntegerType():
            return m.INTEGER
        case m.FloatType():
            return m.FLOAT
        case m.BooleanType():
            return m.BOOLEAN
        case m.StringType():
            return m.STRING
        case m.EnumType(values=values):
            if not values:
                return m.STRING
            sizes = [len(value) for value in values]
            return m.StringType(m.IntegerType(min(sizes), max(sizes)))
        case m.CollectionType():
            return m.CollectionType()
        case m.ArrayType():
            return m.ARRAY if t.element == m.ANY else array(generalize(t.element))
        case m.HashType():
            if t in (m.HASH, m.EMPTY_HASH):
                return t
            return hash_of(generalize(t.key), generalize(t.value))
        case m.TupleType():
            return m.TupleType(tuple(generalize(item) for item in t.types), t.size)
        case m.StructType():
            return m.StructType(
                tuple(element(item.key, generalize(item.value)) for item in t.elements)
            )
        case m.VariantType():
            if not t.types:
                return t
            general = [generalize(item) for item in t.types]
            changed = any(a is not b for a, b in zip(general, t.types, strict=True))
            return variant(general) if changed else t
        case (
            m.OptionalType() | m.NotUndefType() | m.TypeType() | m.IterableType() | m.IteratorType()
        ):
            return t if t.type is None else t.__class__(generalize(t.type))
        case m.SensitiveType():
            return m.SensitiveType(generalize(t.type))
        case m.CallableType():
            params = None if t.params is None else generalize(t.params)
            assert params is None or isinstance(params, m.TupleType)
            return m.CallableType(
                params,
                None if t.block is None else generalize(t.block),
                None if t.returns is None else generalize(t.returns),
            )
        case m.TimestampType():
            return m.TimestampType()
        case m.TimespanType():
            return m.TimespanType()
        case m.UriType():
            return m.UriType()
    return t


def normalize(t: m.Type) -> m.Type:
    """The type in normal form: choices merged, wrappers that say nothing dropped."""
    match t:
        case m.ArrayType():
            return m.ARRAY if t.element == m.ANY else array(normalize(t.element), t.size)
        case m.HashType():
            if t in (m.HASH, m.EMPTY_HASH):
                return t
            return hash_of(normalize(t.key), normalize(t.value), t.size)
        case m.CollectionType():
            return m.CollectionType()
        case m.TupleType():
            return m.TupleType(tuple(normalize(item) for item in t.types), t.size)
        case m.StructType():
            return m.StructType(
                tuple(element(item.key, normalize(item.value)) for item in t.elements)
            )
        case m.CallableType():
            params = None if t.params is None else normalize(t.params)
            assert params is None or isinstance(params, m.TupleType)
            return m.CallableType(
                params,
                None if t.block is None else normalize(t.block),
                None if t.returns is None else normalize(t.returns),
            )
        case m.TypeType() | m.IterableType() | m.IteratorType():
            return t if t.type is None else t.__class__(normalize(t.type))
        case m.SensitiveType():
            return m.SensitiveType(normalize(t.type))
        case m.OptionalType():
            if t.type is None:
                return t
            inner = normalize(t.type)
            if isinstance(inner, m.NotUndefType):
                return normalize(m.OptionalType(inner.type))
            return inner if assignable(inner, m.UNDEF) else m.OptionalType(inner)
        case m.NotUndefType():
            if t.type is None:
                return t
            inner = normalize(t.type)
            if isinstance(inner, m.OptionalType):
                return normalize(m.NotUndefType(inner.type))
            return m.NotUndefType(inner) if assignable(inner, m.UNDEF) else inner
        case m.VariantType():
            return _normal_variant(t)
    return t


def _normal_variant(t: m.VariantType) -> m.Type:
    if not t.types:
        return t
    types = [normalize(item) for item in t.types]
    changed = any(a is not b for a, b in zip(types, t.types, strict=True))
    if len(types) == 1:
        return types[0]
    if any(item == m.UNDEF or isinstance(item, m.OptionalType) for item in types):
        rest: list[m.Type] = []
        for item in types:
            if isinstance(item, m.OptionalType):
                if item.type is not None:
                    rest.append(item.type)
            elif item != m.UNDEF:
                rest.append(item)
        if not rest and m.OptionalType(None) in types:
            return m.OptionalType(None)
        return normalize(m.OptionalType(variant(rest)))
    types = flat(types)
    before = len(types)
    types = _merge_not_undefs(types)
    types = _merge_enums(types)
    types = _merge_patterns(types)
    types = _merge_versions(types)
    types = _merge_ranges(m.IntegerType, types)
    types = _merge_ranges(m.FloatType, types)
    types = _merge_ranges(m.TimespanType, types)
    types = _merge_ranges(m.TimestampType, types)
    if len(types) == 1:
        return types[0]
    return variant(types) if changed or len(types) != before else t


def _split(types: list[m.Type], wanted: Callable[[m.Type], bool]) -> tuple[list[Any], list[m.Type]]:
    return [t for t in types if wanted(t)], [t for t in types if not wanted(t)]


def _merge_not_undefs(types: list[m.Type]) -> list[m.Type]:
    some, others = _split(types, lambda t: isinstance(t, m.NotUndefType))
    if len(some) < 2:
        return types
    inner = [item.type for item in some if item.type is not None]
    return [*others, m.NotUndefType(normalize(variant(inner)) if inner else None)]


def _merge_enums(types: list[m.Type]) -> list[m.Type]:
    some, others = _split(
        types,
        lambda t: (
            (isinstance(t, m.EnumType) and bool(t.values) and not t.ignore_case)
            or (isinstance(t, m.StringType) and t.value is not None)
        ),
    )
    if len(some) > 1:
        values: list[Any] = []
        for item in some:
            values.extend([item.value] if isinstance(item, m.StringType) else item.values)
        types = [*others, enum(values)]
    some, others = _split(
        types, lambda t: isinstance(t, m.EnumType) and bool(t.values) and t.ignore_case
    )
    if len(some) > 1:
        return [*others, enum([value.lower() for item in some for value in item.values], True)]
    return types


def _merge_patterns(types: list[m.Type]) -> list[m.Type]:
    some, others = _split(types, lambda t: isinstance(t, m.PatternType))
    if len(some) < 2:
        return types
    patterns = dict.fromkeys(pattern for item in some for pattern in item.patterns)
    return [*others, m.PatternType(tuple(patterns))]


def _merge_versions(types: list[m.Type]) -> list[m.Type]:
    some, others = _split(types, lambda t: isinstance(t, m.SemVerType))
    if len(some) < 2:
        return types
    return [m.SemVerType(merged([item for t in some for item in t.ranges])), *others]


def _merge_ranges(class_: type[m.Range], types: list[m.Type]) -> list[m.Type]:
    ranges: list[m.Range] = [t for t in types if isinstance(t, class_)]
    if len(ranges) < 2:
        return types
    others = [t for t in types if not isinstance(t, class_)]
    result: list[m.Type] = []
    while ranges:
        unmerged: list[m.Range] = []
        memo = ranges.pop()
        for item in ranges:
            joined = _joined(memo, item)
            if joined is None:
                unmerged.append(item)
            else:
                memo = joined
        result.append(memo)
        ranges = unmerged
    return result + others


def _joined(a: m.Range, b: m.Range) -> m.Range | None:
    """One range for two that meet."""
    apart = _below(a.high, b.low) or _below(b.high, a.low)
    if apart and not _adjacent(a, b):
        return None
    low = None if a.low is None or b.low is None else min(a.low, b.low)
    high = None if a.high is None or b.high is None else max(a.high, b.high)
    return a.__class__(low, high)


def _below(high: Bound | None, low: Bound | None) -> bool:
    return high is not None and low is not None and high < low


def _adjacent(a: m.Type, b: m.Type) -> bool:
    if not isinstance(a, m.IntegerType) or not isinstance(b, m.IntegerType):
        return False
    return (a.high is not None and a.high + 1 == b.low) or (
        b.high is not None and b.high + 1 == a.low
    )
