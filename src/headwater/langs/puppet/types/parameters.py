"""``T[keys]``: a type given its parameters, refused in Puppet's words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from headwater.langs.puppet.types import model as m
from headwater.langs.puppet.types.assignability import assignable
from headwater.langs.puppet.types.build import BadType, array, element, enum, hash_of, integer
from headwater.langs.puppet.types.build import size_of, variant
from headwater.langs.puppet.types.generality import generalize
from headwater.langs.puppet.types.inference import infer
from headwater.langs.puppet.types.matching import is_instance
from headwater.langs.puppet.types.quoting import article, ruby_class
from headwater.langs.puppet.types.regexps import BadRegexp, compiled
from headwater.langs.puppet.types.references import class_access, resource_access
from headwater.langs.puppet.types.show import show_type, simple_name
from headwater.langs.puppet.types.timespans import BadTimespan, parse_timespan
from headwater.langs.puppet.types.timestamps import BadTime, parse_timestamp
from headwater.langs.puppet.types.uris import BadUri, check, uri_parts
from headwater.langs.puppet.types.versions import BadVersion, intervals, merged
from headwater.langs.puppet.values import DEFAULT, Regexp, SemVerRange, Timespan, Timestamp

ARITY_TYPE = "BAD_TYPE_SLICE_ARITY"


def parameterise(t: m.Type, keys: list[Any]) -> Any:
    """The type with parameters; a list of references where several titles are given.

    Raises `BadType` with Puppet's message.
    """
    make = _MAKE.get(t.__class__)
    if make is None and isinstance(t, m.Plain):
        make = _PLAIN.get(t.name)
    if make is None:
        name = t.name if isinstance(t, m.AliasType) else show_type(t)
        raise BadType(f"Operator '[]' is not applicable to {article(f'{name}-Type')}.")
    try:
        return make(t, list(keys))
    except BadRegexp as error:
        raise BadType(str(error)) from None
    except (BadTime, BadTimespan, BadVersion, BadUri) as error:
        raise BadType(str(error)) from None


def flatten(keys: list[Any]) -> list[Any]:
    """The keys with arrays among them taken apart, at any depth."""
    result: list[Any] = []
    stack = list(reversed(keys))
    while stack:
        item = stack.pop()
        if item.__class__ is list:
            stack.extend(reversed(item))
        else:
            result.append(item)
    return result


def _arity(label: str, least: int, most: float | None, got: int) -> BadType:
    if most in (-1, float("inf")):
        return BadType(f"{label}[] accepts {least} or more arguments. Got {got}")
    if most is not None and most != least:
        return BadType(f"{label}[] accepts {least} to {most} arguments. Got {got}")
    return BadType(f"{label}[] accepts {least} argument{'' if least == 1 else 's'}. Got {got}")


def _label(t: m.Type) -> str:
    text = article(f"{show_type(t)}-Type")
    return text[0].upper() + text[1:]


def key_type(value: Any) -> str:
    """How a message names the type of a key."""
    if value is None:
        return "Undef"
    if value is DEFAULT:
        return "Default"
    return show_type(generalize(infer(value)))


def _keys(t: m.Type, keys: list[Any], least: int, most: float, allowed: dict[str, Any]) -> None:
    """Checks how many keys there are and what they are."""
    if not least <= len(keys) <= most:
        raise _arity(_label(t), 1, most, len(keys))
    for key in keys:
        if not any(fits(key) for fits in allowed.values()):
            raise BadType(
                f"Error creating type specialization of {article(f'{show_type(t)}-Type')}, "
                f"Cannot use {key_type(key)} where {' or '.join(allowed)} is expected"
            )


def _types_only(label: str, key: Any) -> BadType:
    return BadType(f"{label}-Type[] arguments must be types. Got {ruby_class(key)}")


def _one_type(label: str) -> Callable[[Any, list[Any]], m.Type]:
    def make(t: Any, keys: list[Any]) -> m.Type:
        keys = flatten(keys)
        if len(keys) != 1:
            raise _arity(f"{label}-Type", 1, None, len(keys))
        inner = keys[0]
        if not m.is_type(inner):
            if label == "Optional" and isinstance(inner, str):
                inner = m.StringType(value=inner)
            else:
                raise _types_only(label, inner)
        if label == "Sensitive":
            inner = generalize(inner)
        result: m.Type = t.__class__(inner)
        return result

    return make


def _not_undef(t: m.NotUndefType, keys: list[Any]) -> m.Type:
    keys = flatten(keys)
    if not keys:
        return m.NotUndefType()
    if len(keys) > 1:
        raise _arity("NotUndef-Type", 0, 1, len(keys))
    inner = keys[0]
    if isinstance(inner, str):
        return m.NotUndefType(m.StringType(value=inner))
    if not m.is_type(inner):
        raise BadType(f"NotUndef-Type[] argument must be a Type or a String. Got {ruby_class(inner)}")
    return m.NotUndefType(None if inner == m.ANY else inner)


def _is_bound(key: Any) -> bool:
    return key is DEFAULT or key.__class__ is int


def _integer(t: m.IntegerType, keys: list[Any]) -> m.Type:
    keys = flatten(keys)
    if not 1 <= len(keys) <= 2:
        raise BadType(
            f"Integer-Type supports [] with one or two arguments (from, to). Got {len(keys)}"
        )
    for key in keys:
        if not _is_bound(key):
            raise BadType(
                "Integer-Type [] requires all arguments to be integers (or default). "
                f"Got {ruby_class(key)}"
            )
    return range_of(keys)


def range_of(keys: list[Any]) -> m.IntegerType:
    """A range from one or two bounds."""
    low = None if keys[0] is DEFAULT else keys[0]
    high = None if len(keys) < 2 or keys[1] is DEFAULT else keys[1]
    return integer(low, high)


def _float(t: m.FloatType, keys: list[Any]) -> m.Type:
    keys = flatten(keys)
    if not 1 <= len(keys) <= 2:
        raise BadType(
            f"Float-Type supports [] with one or two arguments (from, to). Got {len(keys)}"
        )
    for key in keys:
        if not (_is_bound(key) or key.__class__ is float):
            raise BadType(
                "Float-Type [] requires all arguments to be floats, or integers (or default). "
                f"Got {ruby_class(key)}"
            )
    low, high = (None if key is DEFAULT else float(key) for key in [*keys, DEFAULT][:2])
    if low is not None and high is not None and low > high:
        raise BadType(f"'from' must be less or equal to 'to'. Got ({low}, {high}")
    return m.FloatType(low, high)


def _size(keys: list[Any]) -> m.IntegerType:
    if len(keys) == 1 and isinstance(keys[0], m.IntegerType):
        return keys[0]
    for key in keys:
        if not _is_bound(key):
            raise BadType(
                "A Type's size constraint arguments must be a single Integer type, or 1-2 "
                f"integers (or default). Got {article(class_label(key))}"
            )
    return range_of(keys)


def class_label(value: Any) -> str:
    """How a message names the class of a key."""
    if m.is_type(value):
        return f"{simple_name(value)}-Type"
    return ruby_class(value)


def _string(t: m.StringType, keys: list[Any]) -> m.Type:
    keys = flatten(keys)
    if not 1 <= len(keys) <= 2:
        raise BadType(f"String supports [] with one or two arguments. Got {len(keys)}")
    return m.StringType(size_of(_size(keys)))


def _collection(t: m.CollectionType, keys: list[Any]) -> m.Type:
    keys = flatten(keys)
    if not 1 <= len(keys) <= 2:
        raise _arity("Collection-Type", 1, 2, len(keys))
    return m.CollectionType(size_of(_size(keys)))


def _array(t: m.ArrayType, keys: list[Any]) -> m.Type:
    keys = flatten(keys)
    first_is_type = bool(keys) and m.is_type(keys[0])
    match len(keys):
        case 1 if first_is_type:
            return array(keys[0])
        case 2 if first_is_type:
            return array(keys[0], _size(keys[1:]))
        case 2:
            return array(None, _size(keys))
        case 3 if first_is_type:
            return array(keys[0], _size(keys[1:]))
        case 1 | 3:
            raise _types_only("Array", keys[0])
    raise _arity("Array-Type", 1, 3, len(keys))


def _hash(t: m.HashType, keys: list[Any]) -> m.Type:
    keys = flatten(keys)
    if len(keys) == 2 and all(key.__class__ is int for key in keys):
        return hash_of(None, None, integer(keys[0], keys[1]))
    for key in keys[:2]:
        if not m.is_type(key):
            raise _types_only("Hash", key)
    match len(keys):
        case 2:
            return hash_of(keys[0], keys[1])
        case 3:
            size = keys[2]
            if not isinstance(size, m.IntegerType):
                if not _is_bound(size):
                    raise BadType(f"comparison of {ruby_class(size)} with Float::INFINITY failed")
                size = range_of([size])
            return hash_of(keys[0], keys[1], size)
        case 4:
            return hash_of(keys[0], keys[1], _size(keys[2:]))
    raise _arity("Hash-Type", 2, 4, len(keys))


_TYPE = {"Any-Type": m.is_type}
_TEXT = {"String": lambda key: isinstance(key, str)}
_PATTERNS = {
    **_TEXT,
    "Regexp": lambda key: isinstance(key, Regexp),
    "Pattern-Type": lambda key: isinstance(key, m.PatternType),
    "Regexp-Type": lambda key: isinstance(key, m.RegexpType),
}


def _tuple(t: m.TupleType, keys: list[Any]) -> m.Type:
    keys = flatten(keys)
    keys, size = _ranged(keys)
    _keys(t, keys, 1, float("inf"), _TYPE)
    return m.TupleType(tuple(keys), size_of(size))


def _ranged(keys: list[Any]) -> tuple[list[Any], m.IntegerType | None]:
    """The keys without the bounds at their end, and those."""

    def bound(key: Any) -> bool:
        return _is_bound(key) or key == "default"

    def plain(key: Any) -> Any:
        return DEFAULT if key == "default" else key

    if len(keys) > 1 and bound(keys[-2]) and bound(keys[-1]):
        return keys[:-2], range_of([plain(key) for key in keys[-2:]])
    if keys and bound(keys[-1]):
        return keys[:-1], range_of([plain(keys[-1])])
    return keys, None


def _callable(t: m.CallableType, keys: list[Any]) -> m.Type:
    returns = None
    if keys and keys[0].__class__ is list:
        if len(keys) != 2:
            raise _arity(_label(t), 2, 2, len(keys))
        if not m.is_type(keys[1]):
            raise BadType(f"Cannot use {key_type(keys[1])} where Any-Type is expected")
        returns = None if keys[1] == m.ANY else keys[1]
        keys = list(keys[0])
    block = None
    if keys and m.is_type(keys[-1]) and is_callable(keys[-1]):
        block = keys.pop()
    keys, size = _ranged(keys)
    types = [_type_of(key) for key in keys]
    if not types and size is not None and (size.high is None or size.high > 0):
        types = [m.UNIT]
    return m.CallableType(m.TupleType(tuple(types), size_of(size)), block, returns)


def _type_of(key: Any) -> m.Type:
    """What stands for a type among the parameters of a Callable; a string names a Ruby class."""
    if isinstance(key, str):
        return m.RuntimeType("ruby", key)
    result: m.Type = key if m.is_type(key) else generalize(infer(key))
    return result


def is_callable(t: m.Type, optional: bool = True) -> bool:
    """Whether a type is that of a lambda, perhaps an optional one."""
    match t:
        case m.CallableType():
            return True
        case m.OptionalType():
            return optional and t.type is not None and is_callable(t.type, optional)
        case m.VariantType():
            return all(is_callable(item, optional) for item in t.types)
        case m.AliasType():
            return not t.recursive and is_callable(t.resolved(), optional)
    return False


def _struct(t: m.StructType, keys: list[Any]) -> m.Type:
    _keys(t, keys, 1, 1, {"Hash": lambda key: isinstance(key, dict)})
    return struct(keys[0])


def struct(pairs: dict[Any, Any]) -> m.StructType:
    """``Struct[{…}]``"""
    elements: list[m.StructElement] = []
    for key, value in pairs.items():
        if not m.is_type(value):
            raise BadType("Struct element value_type must be a Type")
        if isinstance(key, str):
            if not key:
                raise BadType("Struct element key cannot be an empty String")
            name: m.Type = m.StringType(value=key)
            if assignable(value, m.UNDEF):
                name = m.OptionalType(name)
        else:
            name = _struct_key(key)
        elements.append(element(name, value))
    return m.StructType(tuple(elements))


def _struct_key(key: Any) -> m.Type:
    match key:
        case m.NotUndefType():
            key = key.type
            inner = key
        case m.OptionalType():
            inner = key.type
        case m.StringType():
            inner = key
        case m.EnumType():
            inner = m.StringType(value=key.values[0]) if len(key.values) == 1 else None
            key = inner or key
        case _:
            raise BadType(
                "Illegal Struct member key type. Expected NotUndef, Optional, String, or Enum. "
                f"Got: {ruby_class(key)}"
            )
    if not isinstance(inner, m.StringType) or inner.value is None:
        raise BadType(
            "Unable to extract a non-empty literal string from Struct member key type "
            f"{show_type(key) if key is not None else ''}"
        )
    assert m.is_type(key)
    result: m.Type = key
    return result


def _variant(t: m.VariantType, keys: list[Any]) -> m.Type:
    keys = flatten(keys)
    _keys(t, keys, 1, float("inf"), _TYPE)
    return variant(keys)


def _enum(t: m.EnumType, keys: list[Any]) -> m.Type:
    keys = flatten(keys)
    ignore = False
    if keys and keys[-1].__class__ is bool:
        ignore = keys.pop()
    _keys(t, keys, 1, float("inf"), _TEXT)
    return enum(keys, ignore)


def _boolean(t: m.BooleanType, keys: list[Any]) -> m.Type:
    keys = flatten(keys)
    allowed = {"TrueClass": lambda key: key is True, "FalseClass": lambda key: key is False}
    _keys(t, keys, 1, 1, allowed)
    return m.BooleanType(keys[0])


def _pattern(t: m.PatternType, keys: list[Any]) -> m.Type:
    keys = flatten(keys)
    _keys(t, keys, 1, float("inf"), _PATTERNS)
    found: list[m.RegexpType] = []
    for key in keys:
        match key:
            case str():
                compiled(key)
                found.append(m.RegexpType(key))
            case Regexp():
                found.append(m.RegexpType(key.pattern))
            case m.PatternType():
                found.extend(key.patterns)
            case _:
                found.append(key)
    return m.PatternType(tuple(dict.fromkeys(found)))


def _regexp(t: m.RegexpType, keys: list[Any]) -> m.Type:
    keys = flatten(keys)
    if len(keys) != 1:
        raise _arity(_label(t), 1, None, len(keys))
    _keys(t, keys, 1, 1, {**_TEXT, "Regexp": lambda key: isinstance(key, Regexp)})
    pattern = keys[0].pattern if isinstance(keys[0], Regexp) else keys[0]
    compiled(pattern)
    return m.RegexpType(pattern)


def _semver(t: m.SemVerType, keys: list[Any]) -> m.Type:
    keys = flatten(keys)
    allowed = {**_TEXT, "SemanticPuppet::VersionRange": lambda key: isinstance(key, SemVerRange)}
    _keys(t, keys, 1, float("inf"), allowed)
    ranges = [SemVerRange(key) if isinstance(key, str) else key for key in keys]
    for item in ranges:
        intervals(item.text)
    return m.SemVerType(merged(ranges))


def _time(t: m.TimestampType | m.TimespanType, keys: list[Any]) -> m.Type:
    keys = flatten(keys)
    if len(keys) > 2:
        raise _arity(_label(t), 0, 2, len(keys))
    moment = isinstance(t, m.TimestampType)
    low, high = (_moment(moment, key) for key in [*keys, DEFAULT, DEFAULT][:2])
    if low is not None and high is not None and low > high:
        raise BadType(
            f"'from' must be less or equal to 'to'. Got ({_bare(low)}, {_bare(high)}"
        )
    return t.__class__(low, high)


def _bare(value: Any) -> str:
    kind = m.TimestampType if isinstance(value, Timestamp) else m.TimespanType
    return show_type(kind(value, value)).partition("['")[2].removesuffix("']")


def _moment(stamp: bool, key: Any) -> Any:
    if key is None or key is DEFAULT:
        return None
    class_ = Timestamp if stamp else Timespan
    match key:
        case str():
            return parse_timestamp(key, None, None) if stamp else parse_timespan(key)
        case int() | float() if not isinstance(key, bool):
            return class_(int(key * 1_000_000_000))
        case dict():
            return _moment_of_hash(stamp, key)
    if isinstance(key, class_):
        return key
    raise BadType(
        f"Unable to create a Puppet::Pops::Time::{class_.__name__} from a {ruby_class(key)}"
    )


def _moment_of_hash(stamp: bool, key: dict[Any, Any]) -> Any:
    if stamp:
        return parse_timestamp(key["string"], key.get("format"), key.get("timezone"))
    if "string" in key:
        return parse_timespan(key["string"], key.get("format"))
    return timespan_of_fields(key)


def timespan_of_fields(fields: dict[str, Any]) -> Timespan:
    """A timespan from its days, hours …"""
    total = fields.get("days") or 0
    for name, size in (
        ("hours", 24), ("minutes", 60), ("seconds", 60), ("milliseconds", 1000),
        ("microseconds", 1000), ("nanoseconds", 1000),
    ):  # fmt: skip
        total = total * size + (fields.get(name) or 0)
    return Timespan(-total if fields.get("negative") else total)


def _uri(t: m.UriType, keys: list[Any]) -> m.Type:
    keys = flatten(keys)
    if len(keys) != 1:
        raise _arity("URI-Type", 1, None, len(keys))
    key = keys[0]
    if isinstance(key, str) and key:
        check(key)
        if "scheme" not in uri_parts(key):
            raise BadType("URI-Type parameter has wrong type, expects a match for an absolute URI")
        return m.UriType(tuple(uri_parts(key).items()) or None)
    if isinstance(key, dict) and all(is_instance(m.StringType(m.IntegerType(1)), k) for k in key):
        return m.UriType(tuple(key.items()) or None)
    raise BadType(f"URI-Type[] arguments must be types. Got {ruby_class(key)}")


def _init(t: m.InitType, keys: list[Any]) -> m.Type:
    if not keys or not m.is_type(keys[0]):
        raise _types_only("Init", keys[0] if keys else None)
    return m.InitType(keys[0], tuple(keys[1:]))


def _runtime(t: m.RuntimeType, keys: list[Any]) -> m.Type:
    keys = flatten(keys)
    _keys(t, keys, 2, 2, {"String": lambda key: isinstance(key, str), "String ": lambda key: False})
    return m.RuntimeType(keys[0], keys[1])


def _object(t: m.ObjectType, keys: list[Any]) -> m.Type:
    keys = flatten(keys)
    if len(keys) != 1:
        raise _arity("Object-Type", 1, None, len(keys))
    if keys[0] == {}:
        return m.ObjectType()
    raise BadType("object types with attributes cannot be defined here")


def _reference(t: m.TypeReference, keys: list[Any]) -> m.Type:
    raise BadType(f"Resource type not found: {t.text}")


_MAKE: dict[type, Callable[[Any, list[Any]], Any]] = {
    m.OptionalType: _one_type("Optional"),
    m.SensitiveType: _one_type("Sensitive"),
    m.TypeType: _one_type("Type"),
    m.IterableType: _one_type("Iterable"),
    m.IteratorType: _one_type("Iterator"),
    m.NotUndefType: _not_undef,
    m.IntegerType: _integer,
    m.FloatType: _float,
    m.StringType: _string,
    m.CollectionType: _collection,
    m.ArrayType: _array,
    m.HashType: _hash,
    m.TupleType: _tuple,
    m.CallableType: _callable,
    m.StructType: _struct,
    m.VariantType: _variant,
    m.EnumType: _enum,
    m.BooleanType: _boolean,
    m.PatternType: _pattern,
    m.RegexpType: _regexp,
    m.SemVerType: _semver,
    m.TimestampType: _time,
    m.TimespanType: _time,
    m.UriType: _uri,
    m.InitType: _init,
    m.RuntimeType: _runtime,
    m.TypeReference: _reference,
    m.ObjectType: _object,
    m.ResourceRef: resource_access,
    m.ClassRef: class_access,
}
_PLAIN: dict[str, Callable[[Any, list[Any]], Any]] = {}
