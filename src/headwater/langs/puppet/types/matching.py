"""Is a value of a type: Puppet's ``=~`` with a type on the right."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from headwater.langs.puppet.bytestrings import Bytes
from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.types import model as m
from headwater.langs.puppet.types.aliases import RICH_DATA
from headwater.langs.puppet.types.iterator import PuppetIterator
from headwater.langs.puppet.types.value import Value
from headwater.langs.puppet.values import (
    DEFAULT,
    Binary,
    Deferred,
    LookupContext,
    Regexp,
    SemVer,
    SemVerRange,
    Sensitive,
    Timespan,
    Timestamp,
    Uri,
)
from headwater.text.late import when_called

if TYPE_CHECKING:
    from headwater.langs.puppet.types.assignability import assignable, uri_parts_match
    from headwater.langs.puppet.types.inference import infer, told
    from headwater.langs.puppet.types.regexps import finder
    from headwater.langs.puppet.types.versions import in_range
else:
    when_called(
        globals(), "headwater.langs.puppet.types.assignability", "assignable uri_parts_match"
    )
    when_called(globals(), "headwater.langs.puppet.types.inference", "infer told")
    when_called(globals(), "headwater.langs.puppet.types.versions", "in_range")
    when_called(globals(), "headwater.langs.puppet.types.regexps", "finder")

Guard = frozenset[tuple[str, int]]
NO_GUARD: Guard = frozenset()
_SCALAR_DATA = frozenset({str, Bytes, int, float, bool})
_SCALARS = _SCALAR_DATA | {Regexp, SemVer, SemVerRange, Timespan, Timestamp}
_NUMBERS = frozenset({int, float})


def is_instance(type_: m.Type, value: Value, guard: Guard = NO_GUARD) -> bool:
    """Whether the value belongs to the type."""
    return _MATCH[type_.__class__](type_, value, guard)


def within(size: m.IntegerType, number: float) -> bool:
    """Whether a number lies between the bounds."""
    return (size.low is None or number >= size.low) and (size.high is None or number <= size.high)


_PLAIN: dict[str, Callable[[Any], bool]] = {
    "Any": lambda value: True,
    "Unit": lambda value: True,
    "Undef": lambda value: value is None,
    "Default": lambda value: value is DEFAULT,
    "Scalar": lambda value: value.__class__ in _SCALARS,
    "ScalarData": lambda value: value.__class__ in _SCALAR_DATA,
    "Numeric": lambda value: value.__class__ in _NUMBERS,
    "Binary": lambda value: value.__class__ is Binary,
    "SemVerRange": lambda value: value.__class__ is SemVerRange,
    "CatalogEntry": lambda value: False,
    "TypeSet": lambda value: False,
}


def _plain(type_: m.Plain, value: Value, guard: Guard) -> bool:
    return _PLAIN[type_.name](value)


def _integer(type_: m.IntegerType, value: Value, guard: Guard) -> bool:
    return (
        value.__class__ is int
        and (type_.low is None or value >= type_.low)
        and (type_.high is None or value <= type_.high)
    )


def _float(type_: m.FloatType, value: Value, guard: Guard) -> bool:
    return (
        value.__class__ is float
        and (type_.low is None or value >= type_.low)
        and (type_.high is None or value <= type_.high)
    )


def _boolean(type_: m.BooleanType, value: Value, guard: Guard) -> bool:
    return value.__class__ is bool and (type_.value is None or type_.value is value)


def _string(type_: m.StringType, value: Value, guard: Guard) -> bool:
    if value.__class__ is not str and value.__class__ is not Bytes:
        return False
    if type_.size is not None:
        return within(type_.size, len(value))
    return type_.value is None or type_.value == value


def _enum(type_: m.EnumType, value: Value, guard: Guard) -> bool:
    if value.__class__ is not str and value.__class__ is not Bytes:
        return False
    if type_.ignore_case:
        folded = ascii_lower(value)
        return any(ascii_lower(item) == folded for item in type_.values)
    return value in type_.values


def ascii_lower(text: str) -> str:
    """Lower case of the letters of ASCII only, as Ruby's casecmp sees them."""
    return "".join(chr(ord(c) + 32) if "A" <= c <= "Z" else c for c in text)


def _regexp(type_: m.RegexpType, value: Value, guard: Guard) -> bool:
    return value.__class__ is Regexp and (type_.pattern is None or type_.pattern == value.pattern)


def _pattern(type_: m.PatternType, value: Value, guard: Guard) -> bool:
    if value.__class__ is not str and value.__class__ is not Bytes:
        return False
    short = len(value) < _SHORT and value.__class__ is str
    for one in type_.patterns:
        pattern = one.pattern or ""
        if _fits(pattern, value) if short else finder(pattern)(value) is not None:
            return True
    return not type_.patterns


_SHORT = 100
"""Characters of a text that is worth remembering with the patterns that it fits."""


@lru_cache(maxsize=4096)  # titles, paths and versions are looked at again and again
def _fits(pattern: str, text: str) -> bool:
    return finder(pattern)(text) is not None


def _collection(type_: m.CollectionType, value: Value, guard: Guard) -> bool:
    return isinstance(value, list | Hash) and (type_.size is None or within(type_.size, len(value)))


def _array(type_: m.ArrayType, value: Value, guard: Guard) -> bool:
    if value.__class__ is not list or (
        type_.size is not None and not within(type_.size, len(value))
    ):
        return False
    element = type_.element
    if element is m.ANY:
        return True
    check = _MATCH[element.__class__]
    return all(check(element, item, guard) for item in value)


def _hash(type_: m.HashType, value: Value, guard: Guard) -> bool:
    if not isinstance(value, Hash) or (
        type_.size is not None and not within(type_.size, len(value))
    ):
        return False
    if not value.entries:
        return True
    key, inner = type_.key, type_.value
    if key is m.ANY and inner is m.ANY and value.unnoted:
        return True
    check_key, check = _MATCH[key.__class__], _MATCH[inner.__class__]
    return all(check_key(key, k, guard) for k in value) and all(
        check(inner, v, guard) for v in value.values()
    )


def _tuple(type_: m.TupleType, value: Value, guard: Guard) -> bool:
    if value.__class__ is not list:
        return False
    types = type_.types
    if type_.size is not None:
        if not within(type_.size, len(value)):
            return False
    elif types and len(types) != len(value):
        return False
    if not types:
        return True
    last = len(types) - 1
    return all(is_instance(types[min(i, last)], item, guard) for i, item in enumerate(value))


def _struct(type_: m.StructType, value: Value, guard: Guard) -> bool:
    if not isinstance(value, Hash):
        return False
    matched = 0
    for element in type_.elements:
        if element.name in value:
            matched += 1
            if not is_instance(element.value, value[element.name], guard):
                return False
        elif not assignable(element.key, m.UNDEF):
            return False
    return matched == len(value)


def _variant(type_: m.VariantType, value: Value, guard: Guard) -> bool:
    return any(is_instance(choice, value, guard) for choice in type_.types)


def _optional(type_: m.OptionalType, value: Value, guard: Guard) -> bool:
    return value is None or (type_.type is not None and is_instance(type_.type, value, guard))


def _not_undef(type_: m.NotUndefType, value: Value, guard: Guard) -> bool:
    return value is not None and (type_.type is None or is_instance(type_.type, value, guard))


def _type(type_: m.TypeType, value: Value, guard: Guard) -> bool:
    return m.is_type(value) and (type_.type is None or assignable(type_.type, told(value)))


def _sensitive(type_: m.SensitiveType, value: Value, guard: Guard) -> bool:
    return value.__class__ is Sensitive and is_instance(type_.type, value.value, guard)


def _iterable(type_: m.IterableType, value: Value, guard: Guard) -> bool:
    if type_.type is not None and not assignable(type_.type, m.ANY):
        return assignable(type_, infer(value))
    match value:
        case bool():
            return False
        case str() | Hash() | list() | m.EnumType() | PuppetIterator():
            return True
        case int():
            return value >= 0
        case m.IntegerType():
            return value.low is not None and value.high is not None
        case m.AliasType():
            return _iterable(type_, value.resolved(), guard)
    return False


def _iterator(type_: m.IteratorType, value: Value, guard: Guard) -> bool:
    return value.__class__ is PuppetIterator and (
        type_.type is None or assignable(type_.type, value.element or m.ANY)
    )


def _init(type_: m.InitType, value: Value, guard: Guard) -> bool:
    if type_.type is None:
        return is_instance(RICH_DATA, value, guard)
    single, other, alone = type_.parts()
    return (
        is_instance(type_.type, value, guard)
        or is_instance(single, value, guard)
        or (
            other is not None
            and (is_instance(other, value, guard) or (alone and is_instance(other, [value], guard)))
        )
    )


def _callable(type_: m.CallableType, value: Value, guard: Guard) -> bool:
    return callable(value) and not m.is_type(value) and assignable(type_, infer(value))


def _timestamp(type_: m.TimestampType, value: Value, guard: Guard) -> bool:
    return (
        value.__class__ is Timestamp
        and (type_.low is None or value >= type_.low)
        and (type_.high is None or value <= type_.high)
    )


def _timespan(type_: m.TimespanType, value: Value, guard: Guard) -> bool:
    return (
        value.__class__ is Timespan
        and (type_.low is None or value >= type_.low)
        and (type_.high is None or value <= type_.high)
    )


def _semver(type_: m.SemVerType, value: Value, guard: Guard) -> bool:
    return value.__class__ is SemVer and (
        not type_.ranges or any(in_range(item, value) for item in type_.ranges)
    )


def _uri(type_: m.UriType, value: Value, guard: Guard) -> bool:
    return value.__class__ is Uri and (
        type_.parts is None or uri_parts_match(type_.parts, value.text)
    )


def _object(type_: m.ObjectType, value: Value, guard: Guard) -> bool:
    if type_.text is not None:
        return False
    if value.__class__ is Deferred:
        return type_.name in ("Object", "Deferred")
    if value.__class__ is LookupContext:
        return type_.name in ("Object", "Puppet::LookupContext")
    # Types are objects of Puppet's own too.
    return type_.name == "Object" and m.is_type(value)


def _never(type_: Value, value: Value, guard: Guard) -> bool:
    return False


def _alias(type_: m.AliasType, value: Value, guard: Guard) -> bool:
    if not type_.recursive:
        return is_instance(type_.resolved(), value, guard)
    # The same alias on the same value again: no structure was consumed in between.
    key = (type_.name, id(value))
    return key not in guard and is_instance(type_.resolved(), value, guard | {key})


_MATCH: dict[type, Callable[[Any, Any, Guard], bool]] = {
    m.Plain: _plain,
    m.IntegerType: _integer,
    m.FloatType: _float,
    m.BooleanType: _boolean,
    m.StringType: _string,
    m.EnumType: _enum,
    m.RegexpType: _regexp,
    m.PatternType: _pattern,
    m.CollectionType: _collection,
    m.ArrayType: _array,
    m.HashType: _hash,
    m.TupleType: _tuple,
    m.StructType: _struct,
    m.VariantType: _variant,
    m.OptionalType: _optional,
    m.NotUndefType: _not_undef,
    m.TypeType: _type,
    m.SensitiveType: _sensitive,
    m.IterableType: _iterable,
    m.IteratorType: _iterator,
    m.InitType: _init,
    m.CallableType: _callable,
    m.TimestampType: _timestamp,
    m.TimespanType: _timespan,
    m.SemVerType: _semver,
    m.UriType: _uri,
    m.RuntimeType: _never,
    m.ObjectType: _object,
    m.TypeReference: _never,
    m.AliasType: _alias,
    m.ResourceRef: _never,
    m.ClassRef: _never,
}
