"""``T[keys]``: a type given its parameters, refused in Puppet's words."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.types import model as m
from headwater.langs.puppet.types.build import (
    BadType,
    array,
    element,
    enum,
    hash_of,
    integer,
    size_of,
    variant,
)
from headwater.langs.puppet.types.parameter_checks import (
    check_keys,
    class_label,
    flatten,
    key_type,
    label,
    wrong_count,
)
from headwater.langs.puppet.types.refusals import (
    BadRegexp,
    BadTime,
    BadTimespan,
    BadUri,
    BadVersion,
)
from headwater.langs.puppet.types.value import Value
from headwater.langs.puppet.values import DEFAULT
from headwater.text.late import when_called

if TYPE_CHECKING:
    from headwater.langs.puppet.types.assignability import assignable
    from headwater.langs.puppet.types.generality import generalize
    from headwater.langs.puppet.types.inference import infer
    from headwater.langs.puppet.types.quoting import article, ruby_class
    from headwater.langs.puppet.types.references import class_access, resource_access
    from headwater.langs.puppet.types.rich_parameters import rich_type
    from headwater.langs.puppet.types.show import show_type
else:
    when_called(globals(), "headwater.langs.puppet.types.assignability", "assignable")
    when_called(globals(), "headwater.langs.puppet.types.generality", "generalize")
    when_called(globals(), "headwater.langs.puppet.types.inference", "infer")
    when_called(globals(), "headwater.langs.puppet.types.quoting", "article ruby_class")
    when_called(
        globals(), "headwater.langs.puppet.types.references", "class_access resource_access"
    )
    when_called(globals(), "headwater.langs.puppet.types.rich_parameters", "rich_type")
    when_called(globals(), "headwater.langs.puppet.types.show", "show_type")


def parameterise(t: m.Type, keys: list[Any]) -> Value:
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
        made: Value = make(t, list(keys))
        return made
    except BadRegexp as error:
        raise BadType(str(error)) from None
    except (BadTime, BadTimespan, BadVersion, BadUri) as error:
        raise BadType(str(error)) from None


def _types_only(label: str, key: Value) -> BadType:
    return BadType(f"{label}-Type[] arguments must be types. Got {ruby_class(key)}")


def _one_type(label: str) -> Callable[[Any, list[Any]], m.Type]:
    def make(t: Any, keys: list[Any]) -> m.Type:  # noqa: ANN401
        keys = flatten(keys)
        if len(keys) != 1:
            raise wrong_count(f"{label}-Type", 1, None, len(keys))
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
        raise wrong_count("NotUndef-Type", 0, 1, len(keys))
    inner = keys[0]
    if isinstance(inner, str):
        return m.NotUndefType(m.StringType(value=inner))
    if not m.is_type(inner):
        raise BadType(
            f"NotUndef-Type[] argument must be a Type or a String. Got {ruby_class(inner)}"
        )
    return m.NotUndefType(None if inner == m.ANY else inner)


def _is_bound(key: Value) -> bool:
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


def _string(t: m.StringType, keys: list[Any]) -> m.Type:
    keys = flatten(keys)
    if not 1 <= len(keys) <= 2:
        raise BadType(f"String supports [] with one or two arguments. Got {len(keys)}")
    return m.StringType(size_of(_size(keys)))


def _collection(t: m.CollectionType, keys: list[Any]) -> m.Type:
    keys = flatten(keys)
    if not 1 <= len(keys) <= 2:
        raise wrong_count("Collection-Type", 1, 2, len(keys))
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
    raise wrong_count("Array-Type", 1, 3, len(keys))


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
    raise wrong_count("Hash-Type", 2, 4, len(keys))


_TYPE = {"Any-Type": m.is_type}
_TEXT = {"String": lambda key: isinstance(key, str)}


def _tuple(t: m.TupleType, keys: list[Any]) -> m.Type:
    keys = flatten(keys)
    keys, size = _ranged(keys)
    check_keys(t, keys, 1, float("inf"), _TYPE)
    return m.TupleType(tuple(keys), size_of(size))


def _ranged(keys: list[Any]) -> tuple[list[Any], m.IntegerType | None]:
    """The keys without the bounds at their end, and those."""

    def bound(key: Value) -> bool:
        return _is_bound(key) or key == "default"

    def plain(key: Value) -> Value:
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
            raise wrong_count(label(t), 2, 2, len(keys))
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


def _type_of(key: Value) -> m.Type:
    """What stands for a type in a Callable or Struct; a string names a Ruby class."""
    if isinstance(key, str):
        if not key:
            raise BadType(
                "Runtime 'name_or_pattern' has wrong type, expects a value of type String[1] or "
                "Tuple[Regexp, String[1]], got String"
            )
        return m.RuntimeType("ruby", key)
    return key if m.is_type(key) else generalize(infer(key))


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
    check_keys(t, keys, 1, 1, {"Hash": lambda key: isinstance(key, Hash)})
    return struct(keys[0])


def struct(pairs: Hash) -> m.StructType:
    """``Struct[{…}]``"""
    elements: list[m.StructElement] = []
    for key, given in pairs.pairs():
        value = _type_of(given)
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


def _struct_key(key: Value) -> m.Type:
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
    return key


def _variant(t: m.VariantType, keys: list[Any]) -> m.Type:
    keys = flatten(keys)
    check_keys(t, keys, 1, float("inf"), _TYPE)
    return variant(keys)


def _enum(t: m.EnumType, keys: list[Any]) -> m.Type:
    keys = flatten(keys)
    ignore = False
    if keys and keys[-1].__class__ is bool:
        ignore = keys.pop()
    check_keys(t, keys, 1, float("inf"), _TEXT)
    return enum(keys, ignore)


def _boolean(t: m.BooleanType, keys: list[Any]) -> m.Type:
    keys = flatten(keys)
    allowed = {"TrueClass": lambda key: key is True, "FalseClass": lambda key: key is False}
    check_keys(t, keys, 1, 1, allowed)
    return m.BooleanType(keys[0])


_RICH = (
    m.PatternType, m.RegexpType, m.SemVerType, m.TimestampType, m.TimespanType, m.UriType,
    m.InitType, m.RuntimeType, m.TypeReference, m.ObjectType,
)  # fmt: skip
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
    **dict.fromkeys(_RICH, rich_type),
    m.ResourceRef: resource_access,
    m.ClassRef: class_access,
}
_PLAIN: dict[str, Callable[[Any, list[Any]], Any]] = {}
