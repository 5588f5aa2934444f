"""Is every value of one type a value of another: Puppet's ``<=`` on types."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from headwater.langs.puppet.types import model as m
from headwater.langs.puppet.types.aliases import RICH_DATA
from headwater.langs.puppet.types.iterables import is_iterable, iterable_element
from headwater.langs.puppet.types.regexps import matches
from headwater.langs.puppet.types.uris import uri_parts
from headwater.langs.puppet.types.value import Value
from headwater.langs.puppet.types.versions import covered_by
from headwater.langs.puppet.values import Regexp

Guard = frozenset[tuple[int, int]]
NO_GUARD: Guard = frozenset()

_SCALARS = frozenset({"Scalar", "ScalarData", "Numeric", "SemVerRange"})
_SCALAR_DATA = frozenset({"ScalarData", "Numeric"})
_SCALAR_DATA_CLASSES = (
    m.EnumType, m.IntegerType, m.FloatType, m.StringType, m.PatternType, m.BooleanType,
)  # fmt: skip
_SCALAR_CLASSES = (
    *_SCALAR_DATA_CLASSES, m.RegexpType, m.SemVerType, m.TimespanType, m.TimestampType,
)  # fmt: skip


def assignable(t: m.Type, o: m.Type, guard: Guard = NO_GUARD) -> bool:
    """Whether `o` is within `t`."""
    if t is o or t == m.UNIT:
        return True
    if isinstance(t, m.AliasType):
        if t.recursive:
            # A pair met again on the way down: what is assumed of it holds.
            key = (id(t), id(o) if not isinstance(o, m.AliasType) else hash(o.name))
            if key in guard:
                return True
            guard = guard | {key}
        return _dispatch(t, o, guard)
    if isinstance(t, m.VariantType):
        if not t.types and o == m.UNDEF:
            return False
        if isinstance(o, m.VariantType):
            if not t.types:
                return True
            return bool(o.types) and all(_dispatch(t, choice, guard) for choice in o.types)
    return _dispatch(t, o, guard)


def _dispatch(t: m.Type, o: m.Type, guard: Guard) -> bool:
    match o:
        case m.Plain("Unit"):
            return True
        case m.AliasType():
            return assignable(t, o.resolved(), guard)
        case m.VariantType():
            if t == m.ANY:
                return True
            if isinstance(t, m.NotUndefType) and not o.types:
                return _ASSIGN[t.__class__](t, o, guard)
            return bool(o.types) and all(assignable(t, choice, guard) for choice in o.types)
        case m.OptionalType():
            return assignable(t, m.UNDEF) and (o.type is None or assignable(t, o.type))
        case m.NotUndefType():
            if o.type is not None and not assignable(o.type, m.UNDEF):
                return assignable(t, o.type, guard)
    return _ASSIGN[t.__class__](t, o, guard)


def range_covers(t: m.Range, o: m.Range) -> bool:
    """Whether the bounds of `o` lie within those of `t`."""
    return (t.low is None or (o.low is not None and t.low <= o.low)) and (
        t.high is None or (o.high is not None and t.high >= o.high)
    )


def tuple_size(t: m.TupleType) -> m.IntegerType:
    """How many elements a tuple has."""
    if t.size is not None:
        return t.size
    count = len(t.types)
    return m.IntegerType(count, count) if count else m.ANY_SIZE


def _counted(o: m.TupleType) -> m.IntegerType:
    return o.size if o.size is not None else m.IntegerType(len(o.types), len(o.types))


def _plain(t: m.Plain, o: m.Type, guard: Guard) -> bool:
    match t.name:
        case "Any":
            return True
        case "Scalar":
            return (
                (o.name in _SCALARS) if isinstance(o, m.Plain) else isinstance(o, _SCALAR_CLASSES)
            )
        case "ScalarData":
            if isinstance(o, m.Plain):
                return o.name in _SCALAR_DATA
            return isinstance(o, _SCALAR_DATA_CLASSES)
        case "Numeric":
            return isinstance(o, m.IntegerType | m.FloatType) or t == o
        case "CatalogEntry":
            return t == o or isinstance(o, m.ResourceRef | m.ClassRef)
    return t == o


def _number(t: m.Range, o: m.Type, guard: Guard) -> bool:
    return isinstance(o, t.__class__) and range_covers(t, o)


def _boolean(t: m.BooleanType, o: m.Type, guard: Guard) -> bool:
    return isinstance(o, m.BooleanType) and (t.value is None or t.value == o.value)


def _string(t: m.StringType, o: m.Type, guard: Guard) -> bool:
    if t.size is not None:
        match o:
            case m.StringType():
                return range_covers(t.size, string_size(o))
            case m.EnumType(values=values) if values:
                sizes = [len(value) for value in values]
                return range_covers(t.size, m.IntegerType(min(sizes), max(sizes)))
            case m.EnumType() | m.PatternType():
                return range_covers(t.size, m.ANY_SIZE)
        return False
    match o:
        case m.StringType():
            return t.value is None or (t.value == o.value and o.size is None)
        case m.EnumType():
            # Puppet 7.23 accepts any Enum of one string here, whichever the string is.
            return t.value is None or (len(o.values) == 1 and not o.ignore_case)
        case m.PatternType():
            return t.value is None
    return False


def string_size(o: m.StringType) -> m.IntegerType:
    """How long a string of the type is."""
    if o.size is not None:
        return o.size
    return m.ANY_SIZE if o.value is None else m.IntegerType(len(o.value), len(o.value))


def _enum(t: m.EnumType, o: m.Type, guard: Guard) -> bool:
    if t == o:
        return True
    if not t.values and isinstance(o, m.StringType | m.EnumType | m.PatternType):
        return True
    match o:
        case m.StringType():
            return o.value is not None and _in_enum(t, o.value)
        case m.EnumType():
            return (
                bool(o.values)
                and (t.ignore_case or not o.ignore_case)
                and all(_in_enum(t, value) for value in o.values)
            )
    return False


def _in_enum(t: m.EnumType, value: str) -> bool:
    if t.ignore_case:
        return value.lower() in {item.lower() for item in t.values}
    return value in t.values


def _regexp(t: m.RegexpType, o: m.Type, guard: Guard) -> bool:
    return isinstance(o, m.RegexpType) and (t.pattern is None or t.pattern == o.pattern)


def _pattern(t: m.PatternType, o: m.Type, guard: Guard) -> bool:
    if t == o:
        return True

    def fits(value: str) -> bool:
        return any(matches(p.pattern or "", value) for p in t.patterns)

    match o:
        case m.StringType():
            return not t.patterns or (o.value is not None and fits(o.value))
        case m.EnumType():
            return not t.patterns or (bool(o.values) and all(fits(value) for value in o.values))
        case m.PatternType():
            return not t.patterns
    return False


def _collection(t: m.CollectionType, o: m.Type, guard: Guard) -> bool:
    size = t.size or m.ANY_SIZE
    match o:
        case m.CollectionType() | m.ArrayType() | m.HashType():
            return range_covers(size, o.size or m.ANY_SIZE)
        case m.TupleType():
            return range_covers(size, _counted(o))
        case m.StructType():
            count = len(o.elements)
            return range_covers(size, m.IntegerType(count, count))
    return False


def _array(t: m.ArrayType, o: m.Type, guard: Guard) -> bool:
    size = t.size or m.ANY_SIZE
    match o:
        case m.TupleType():
            return range_covers(size, _counted(o)) and all(
                assignable(t.element, item, guard) for item in o.types
            )
        case m.ArrayType():
            return range_covers(size, o.size or m.ANY_SIZE) and assignable(
                t.element, o.element, guard
            )
    return False


def _hash(t: m.HashType, o: m.Type, guard: Guard) -> bool:
    size = t.size or m.ANY_SIZE
    match o:
        case m.HashType():
            if size.low == 0 and o == m.EMPTY_HASH:
                return True
            return (
                assignable(t.key, o.key, guard)
                and assignable(t.value, o.value, guard)
                and range_covers(size, o.size or m.ANY_SIZE)
            )
        case m.StructType():
            count = len(o.elements)
            return range_covers(size, m.IntegerType(count, count)) and all(
                assignable(t.key, m.StringType(value=item.name), guard)
                and assignable(t.value, item.value, guard)
                for item in o.elements
            )
    return False


def _tuple(t: m.TupleType, o: m.Type, guard: Guard) -> bool:
    if t == o:
        return True
    size = tuple_size(t)
    match o:
        case m.TupleType():
            if not range_covers(size, tuple_size(o)):
                return False
            if not t.types:
                return True
            if not o.types:
                return size.low == 0
            return all(
                assignable(_nth(t.types, index), item, guard) for index, item in enumerate(o.types)
            )
        case m.ArrayType():
            other = o.size or m.ANY_SIZE
            if not range_covers(size, other):
                return False
            count = len(t.types) if other.high is None else min(len(t.types), other.high)
            return all(assignable(t.types[index], o.element, guard) for index in range(count))
    return False


def _nth(types: tuple[m.Type, ...], index: int) -> m.Type:
    return types[index] if index < len(types) else types[-1]


def _struct(t: m.StructType, o: m.Type, guard: Guard) -> bool:
    if isinstance(o, m.StructType):
        others = {item.name: item for item in o.elements}
        matched = 0
        for item in t.elements:
            other = others.get(item.name)
            if other is None:
                if not assignable(item.key, m.UNDEF):
                    return False
                continue
            matched += 1
            if not (
                assignable(item.key, other.key, guard)
                and assignable(item.value, other.value, guard)
            ):
                return False
        return matched == len(others)
    if isinstance(o, m.HashType):
        required = 0
        for item in t.elements:
            if assignable(item.key, m.UNDEF):
                continue
            required += 1
            if not (assignable(item.value, o.value, guard) and assignable(m.STRING, o.key)):
                return False
        return range_covers(m.IntegerType(required, len(t.elements)), o.size or m.ANY_SIZE)
    return False


def _variant(t: m.VariantType, o: m.Type, guard: Guard) -> bool:
    return any(assignable(choice, o, guard) for choice in t.types)


def _optional(t: m.OptionalType, o: m.Type, guard: Guard) -> bool:
    return o == m.UNDEF or t.type is None or assignable(t.type, o, guard)


def _not_undef(t: m.NotUndefType, o: m.Type, guard: Guard) -> bool:
    return not assignable(o, m.UNDEF, guard) and (t.type is None or assignable(t.type, o, guard))


def _type(t: m.TypeType, o: m.Type, guard: Guard) -> bool:
    if not isinstance(o, m.TypeType):
        return False
    return t.type is None or (o.type is not None and assignable(t.type, o.type, guard))


def _sensitive(t: m.SensitiveType, o: m.Type, guard: Guard) -> bool:
    return isinstance(o, m.SensitiveType) and assignable(t.type, o.type, guard)


def _iterable(t: m.IterableType, o: m.Type, guard: Guard) -> bool:
    if t.type is None or assignable(t.type, m.ANY, guard):
        return is_iterable(o)
    element = iterable_element(o)
    return element is not None and assignable(t.type, element, guard)


def _iterator(t: m.IteratorType, o: m.Type, guard: Guard) -> bool:
    return isinstance(o, m.IteratorType) and (
        t.type is None or (o.type is not None and assignable(t.type, o.type, guard))
    )


def _init(t: m.InitType, o: m.Type, guard: Guard) -> bool:
    if isinstance(o, m.InitType):
        return t.type is None or (o.type is not None and assignable(t.type, o.type, guard))
    if t.type is None:
        return assignable(RICH_DATA, o, guard)
    single, other, alone = t.parts()
    return (
        assignable(t.type, o, guard)
        or assignable(single, o, guard)
        or (
            other is not None
            and (assignable(other, o, guard) or (alone and assignable(other, m.TupleType((o,)))))
        )
    )


def _callable(t: m.CallableType, o: m.Type, guard: Guard) -> bool:
    if not isinstance(o, m.CallableType):
        return False
    if t.returns is not None and not assignable(t.returns, o.returns or m.ANY, guard):
        return False
    if t.params is None:
        return True
    if o.params is None or not assignable(o.params, t.params, guard):
        return False
    return assignable(o.block or m.UNDEF, t.block or m.UNDEF, guard)


def _semver(t: m.SemVerType, o: m.Type, guard: Guard) -> bool:
    if not isinstance(o, m.SemVerType):
        return False
    if not t.ranges:
        return True
    return bool(o.ranges) and all(
        any(covered_by(theirs, ours) for ours in t.ranges) for theirs in o.ranges
    )


def _uri(t: m.UriType, o: m.Type, guard: Guard) -> bool:
    if not isinstance(o, m.UriType):
        return False
    if t.parts is None:
        return True
    theirs = dict(o.parts or ())
    return all(name in theirs and _part(theirs[name], want) for name, want in t.parts)


def uri_parts_match(parts: tuple[tuple[str, Any], ...], text: str) -> bool:
    """Whether a URI has the parts."""
    have = uri_parts(text, exact=True)
    return all(_part(have.get(name), want) for name, want in parts)


def _part(have: str | int | m.Type | None, want: Value) -> bool:
    match want:
        case Regexp():
            return isinstance(have, str) and matches(want.pattern, have)
        case str():
            return isinstance(have, str) and have.lower() == want.lower()
    if m.is_type(want):
        if m.is_type(have):
            return assignable(want, have)
        if have is None:
            inferred: m.Type = m.UNDEF
        elif isinstance(have, str):
            inferred = m.StringType(value=have)
        else:
            assert isinstance(have, int)
            inferred = m.IntegerType(have, have)
        return assignable(want, inferred)
    return bool(have == want)


def _same(t: m.Type, o: m.Type, guard: Guard) -> bool:
    return t == o


def _object(t: m.ObjectType, o: m.Type, guard: Guard) -> bool:
    if not isinstance(o, m.ObjectType):
        return False
    return t.text == o.text if t.text is not None else t.name in ("Object", o.name)


def _runtime(t: m.RuntimeType, o: m.Type, guard: Guard) -> bool:
    return isinstance(o, m.RuntimeType) and (
        t.runtime is None or (t.runtime == o.runtime and t.name in (None, o.name))
    )


def _alias(t: m.AliasType, o: m.Type, guard: Guard) -> bool:
    return assignable(t.resolved(), o, guard)


def _resource(t: m.ResourceRef, o: m.Type, guard: Guard) -> bool:
    if not isinstance(o, m.ResourceRef):
        return False
    if t.type is None:
        return True
    return (
        o.type is not None
        and t.type.lower() == o.type.lower()
        and (t.title is None or t.title == o.title)
    )


def _class(t: m.ClassRef, o: m.Type, guard: Guard) -> bool:
    return isinstance(o, m.ClassRef) and (t.name is None or t.name == o.name)


_ASSIGN: dict[type, Callable[[Any, m.Type, Guard], bool]] = {
    m.Plain: _plain,
    m.IntegerType: _number,
    m.FloatType: _number,
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
    m.TimestampType: _number,
    m.TimespanType: _number,
    m.SemVerType: _semver,
    m.UriType: _uri,
    m.RuntimeType: _runtime,
    m.ObjectType: _object,
    m.TypeReference: _same,
    m.AliasType: _alias,
    m.ResourceRef: _resource,
    m.ClassRef: _class,
}
