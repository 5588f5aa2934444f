"""Making types whose parts depend on each other."""

from __future__ import annotations

from collections.abc import Iterable

from headwater.langs.puppet.types.model import (
    ANY,
    UNIT,
    ArrayType,
    EnumType,
    HashType,
    IntegerType,
    OptionalType,
    StringType,
    StructElement,
    Type,
    VariantType,
)


class BadType(Exception):
    """A type that cannot be made; the message is Puppet's."""


def integer(low: int | None = None, high: int | None = None) -> IntegerType:
    """A range, whose ends must be in order."""
    if low is not None and high is not None and low > high:
        raise BadType(f"'from' must be less or equal to 'to'. Got ({low}, {high}")
    return IntegerType(low, high)


def size_of(range_: IntegerType | None) -> IntegerType | None:
    """A range made fit to be a size: never below zero."""
    if range_ is None or (range_.low is not None and range_.low >= 0):
        return range_
    high = range_.high
    return IntegerType(0, 0 if high is not None and high < 0 else high)


def empty_range(size: IntegerType | None) -> bool:
    """Whether only nothing fits: the size is exactly zero."""
    return size is not None and size.low == 0 and size.high == 0


def array(element: Type | None = None, size: IntegerType | None = None) -> ArrayType:
    """``Array[element, size]``; an array that must be empty has no type of element."""
    bounded = size_of(size)
    if empty_range(size):
        return ArrayType(UNIT, bounded)
    return ArrayType(ANY if element is None else element, bounded)


def hash_of(
    key: Type | None = None, value: Type | None = None, size: IntegerType | None = None
) -> HashType:
    """``Hash[key, value, size]``"""
    bounded = size_of(size)
    if empty_range(size):
        return HashType(UNIT, UNIT, bounded)
    return HashType(ANY if key is None else key, ANY if value is None else value, bounded)


def enum(values: Iterable[str], ignore_case: bool = False) -> EnumType:
    """``Enum[values]``"""
    return EnumType(tuple(sorted(set(values))), ignore_case)


def flat(types: Iterable[Type]) -> list[Type]:
    """The choices, with those of variants among them in their place."""
    result: list[Type] = []
    for item in types:
        if isinstance(item, VariantType):
            result.extend(item.types)
        else:
            result.append(item)
    return result


def variant(types: Iterable[Type]) -> Type:
    """One of several types; of one, that type."""
    distinct = tuple(dict.fromkeys(flat(types)))
    return distinct[0] if len(distinct) == 1 else VariantType(distinct)


def element(key: Type, value: Type) -> StructElement:
    """``k => T``, named by the string its key stands for."""
    inner = key.type if isinstance(key, OptionalType) else key
    assert isinstance(inner, StringType)
    assert inner.value is not None
    return StructElement(key, value, inner.value)
