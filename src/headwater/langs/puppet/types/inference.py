"""The type of a value, in three degrees: reduced, detailed, and common to several."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, cast

from headwater.langs.puppet.bytestrings import Bytes
from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.types import model as m
from headwater.langs.puppet.types.aliases import DATA, RICH_DATA
from headwater.langs.puppet.types.assignability import assignable
from headwater.langs.puppet.types.build import array, element, enum, hash_of, variant
from headwater.langs.puppet.types.generality import generalize
from headwater.langs.puppet.types.iterator import PuppetIterator
from headwater.langs.puppet.types.uris import uri_parts
from headwater.langs.puppet.types.value import Value
from headwater.langs.puppet.types.versions import version_text
from headwater.langs.puppet.values import (
    Binary,
    Default,
    Deferred,
    LookupContext,
    Opaque,
    Regexp,
    SemVer,
    SemVerRange,
    Sensitive,
    Timespan,
    Timestamp,
    Uri,
    capitalised,
)

if TYPE_CHECKING:
    from headwater.langs.puppet.types.lambdas import Lambda


def infer(value: Value | Lambda) -> m.Type:
    """The reduced type: one element type for all elements of a collection."""
    known = _INFER.get(value.__class__)
    if known is not None:
        return known(value)
    if m.is_type(value):
        return m.TypeType(told(value))
    if callable(value):
        return callable_type(cast("Lambda", value))
    return m.RuntimeType("ruby", value.__class__.__name__)


def told(type_: m.Type) -> m.Type:
    """A type as a type speaks of it: of a reference that a parameter holds, the resource."""
    if isinstance(type_, m.ResourceRef) and type_.held:
        return m.ResourceRef(type_.type, type_.title)
    if isinstance(type_, m.ClassRef) and type_.held:
        return m.ResourceRef("Class", capitalised(type_.name or ""))
    return type_


def infer_set(value: Value) -> m.Type:
    """The detailed type: a tuple or struct with the type of every element."""
    if value.__class__ is list:
        if not value:
            return m.EMPTY_ARRAY
        return m.TupleType(tuple(infer_set(item) for item in value))
    if isinstance(value, Hash):
        return _detailed_hash(value)
    if value.__class__ is SemVer:
        text = version_text(value)
        return m.SemVerType((SemVerRange(f"{text} - {text}"),))
    return infer(value)


def _detailed_hash(value: Hash) -> m.Type:
    if not value:
        return m.EMPTY_HASH
    if all(isinstance(key, str) and key for key in value):
        return m.StructType(
            tuple(element(m.StringType(value=key), infer_set(item)) for key, item in value.pairs())
        )
    size = m.IntegerType(len(value), len(value))
    keys = variant(infer_set(key) for key in value)
    return hash_of(keys, variant(infer_set(item) for item in value.values()), size)


def reduced(values: Iterable[Any]) -> m.Type | None:
    """The type that all the values have in common."""
    memo: m.Type | None = None
    for value in values:
        memo = common_type(memo, infer(value))
        if memo == m.ANY:
            break
    return memo


def _array(value: list[Any]) -> m.Type:
    if not value:
        return m.EMPTY_ARRAY
    return array(_or_undef(reduced(value)), m.IntegerType(len(value), len(value)))


def _hash(value: Hash) -> m.Type:
    if not value:
        return m.EMPTY_HASH
    size = m.IntegerType(len(value), len(value))
    return hash_of(_or_undef(reduced(value)), _or_undef(reduced(value.values())), size)


def _or_undef(t: m.Type | None) -> m.Type:
    return m.UNDEF if t is None else t


def callable_type(block: Lambda) -> m.CallableType:
    """The type of a lambda: its own, or what the number of its parameters says."""
    known = getattr(block, "callable_type", None)
    if isinstance(known, m.CallableType):
        return known
    least, most = block.arity
    if most == 0:
        return m.CallableType(m.TupleType((), m.IntegerType(0, 0)))
    count = max(least, 1) if most is None else most
    size = m.IntegerType(least, most)
    if least == most:
        return m.CallableType(m.TupleType((m.ANY,) * count))
    return m.CallableType(m.TupleType((m.ANY,) * count, size))


_INFER: dict[type, Callable[[Any], m.Type]] = {
    type(None): lambda v: m.UNDEF,
    bool: m.BooleanType,
    int: lambda v: m.IntegerType(v, v),
    float: lambda v: m.FloatType(v, v),
    str: lambda v: m.StringType(value=v),
    Bytes: lambda v: m.StringType(value=v),
    list: _array,
    Hash: _hash,
    Default: lambda v: m.DEFAULT_TYPE,
    Regexp: lambda v: m.RegexpType(v.pattern),
    Sensitive: lambda v: m.SensitiveType(generalize(infer(v.value))),
    Timestamp: lambda v: m.TimestampType(v, v),
    Timespan: lambda v: m.TimespanType(v, v),
    SemVer: lambda v: m.SemVerType(),
    SemVerRange: lambda v: m.SEMVER_RANGE,
    Binary: lambda v: m.BINARY,
    Uri: lambda v: m.UriType(tuple(uri_parts(v.text).items()) or None),
    Deferred: lambda v: m.ObjectType("Deferred"),
    LookupContext: lambda v: m.ObjectType("Puppet::LookupContext"),
    Opaque: lambda v: m.RuntimeType("headwater", "Opaque"),
    PuppetIterator: lambda v: m.IteratorType(v.element or m.ANY),
}


def common_type(a: m.Type | None, b: m.Type | None) -> m.Type | None:
    """The narrowest type Puppet names that holds both."""
    if a is None or a == m.UNDEF:
        return b
    if b is None or b == m.UNDEF:
        return a
    if a == m.UNIT:
        return b
    if b == m.UNIT:
        return a
    if assignable(a, b):
        return a
    if assignable(b, a):
        return b
    return _common(a, b)


def _common(a: m.Type, b: m.Type) -> m.Type:
    match a, b:
        case m.ArrayType(), m.ArrayType():
            return array(common_type(a.element, b.element))
        case m.HashType(), m.HashType():
            return hash_of(common_type(a.key, b.key), common_type(a.value, b.value))
        case m.ClassRef(), m.ClassRef():
            return m.ClassRef(None)
        case m.ResourceRef(), m.ResourceRef():
            return m.ResourceRef(a.type) if a.type == b.type else m.ResourceRef(None)
        case m.IntegerType(), m.IntegerType():
            return _spanning(a, b)
        case m.FloatType(), m.FloatType():
            return _spanning(a, b)
        case m.StringType(), m.EnumType():
            return m.EnumType() if a.value is None else enum([*b.values, a.value])
        case m.StringType(), m.StringType():
            if a.size is None or b.size is None:
                if a.value is None or b.value is None:
                    return m.STRING
                return enum([a.value, b.value])
            size = common_type(a.size, b.size)
            assert isinstance(size, m.IntegerType)
            return m.StringType(size)
        case m.PatternType(), m.PatternType():
            return m.PatternType(tuple(dict.fromkeys(a.patterns + b.patterns)))
        case m.EnumType(), m.EnumType():
            return enum(a.values + b.values)
        case m.EnumType(), m.StringType():
            return m.EnumType() if b.value is None else enum([*a.values, b.value])
        case m.VariantType(), m.VariantType():
            return variant(a.types + b.types)
        case m.RegexpType(), m.RegexpType():
            return m.RegexpType()
        case m.CallableType(), m.CallableType():
            return m.CALLABLE
    for wide in (m.NUMERIC, m.SCALAR_DATA, m.SCALAR, DATA):
        if assignable(wide, a) and assignable(wide, b):
            return wide
    if isinstance(a, m.TypeType) and isinstance(b, m.TypeType):
        return m.TypeType(common_type(a.type, b.type))
    if assignable(RICH_DATA, a) and assignable(RICH_DATA, b):
        return RICH_DATA
    return m.ANY


def _spanning(a: m.Range, b: m.Range) -> m.Range:
    low = None if a.low is None or b.low is None else min(a.low, b.low)
    high = None if a.high is None or b.high is None else max(a.high, b.high)
    return a.__class__(low, high)
