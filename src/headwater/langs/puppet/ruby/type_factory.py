"""``Puppet::Pops::Types::TypeFactory``: data types that functions make."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.ruby.classes import module
from headwater.langs.puppet.ruby.machine import Machine
from headwater.langs.puppet.ruby.methods import conversions as to
from headwater.langs.puppet.ruby.methods.registry import own_method
from headwater.langs.puppet.ruby.values import Pattern, RubyValue, Symbol
from headwater.langs.puppet.types import model
from headwater.langs.puppet.types.build import array, element, enum, hash_of, integer, variant

FACTORY: Final = module("Puppet::Pops::Types::TypeFactory")
_PLAIN: Final[dict[str, model.Type]] = {
    "any": model.ANY, "integer": model.INTEGER, "float": model.FLOAT,
    "numeric": model.NUMERIC, "boolean": model.BOOLEAN, "undef": model.UNDEF,
    "scalar": model.SCALAR, "scalar_data": model.SCALAR_DATA, "default": model.DEFAULT_TYPE,
    "array_of_any": model.ARRAY, "hash_of_any": model.HASH,
}  # fmt: skip
_AROUND: Final[dict[str, Callable[[model.Type | None], model.Type]]] = {
    "optional": model.OptionalType,
    "not_undef": lambda one: model.NotUndefType(None if one == model.ANY else one),
    "type_type": model.TypeType,
    "sensitive": lambda one: model.SensitiveType() if one is None else model.SensitiveType(one),
    "iterable": model.IterableType,
}
"""Types of one other, which may be missing."""


def type_given(m: Machine, value: RubyValue) -> model.Type:
    """An argument that must be a data type."""
    if model.is_type(value):
        found: model.Type = value
        return found
    raise m.error("ArgumentError", f"{m.inspect(value)} is no data type")


def _inner(m: Machine, value: RubyValue) -> model.Type:
    """A type, or a string for the type of that string alone."""
    if to.is_string(value):
        return model.StringType(value=to.string(m, value))
    return type_given(m, value)


def _size(m: Machine, value: RubyValue) -> model.IntegerType | None:
    if value is None:
        return None
    found = type_given(m, value)
    if not isinstance(found, model.IntegerType):
        raise m.error("ArgumentError", "Argument must be a IntegerType")
    return found


def _plain(type_: model.Type) -> Callable[..., RubyValue]:
    def plain(m: Machine, self: RubyValue) -> RubyValue:
        return type_

    return plain


def _around(make: Callable[[model.Type | None], model.Type]) -> Callable[..., RubyValue]:
    def around(m: Machine, self: RubyValue, value: RubyValue = None) -> RubyValue:
        return make(None if value is None else _inner(m, value))

    return around


for _name, _made in _PLAIN.items():
    own_method(FACTORY, _name)(_plain(_made))
for _name, _make in _AROUND.items():
    own_method(FACTORY, _name)(_around(_make))


@own_method(FACTORY, "string")
def string(m: Machine, self: RubyValue, size: RubyValue = None) -> RubyValue:
    if size is None or to.is_string(size):
        return model.STRING
    return model.StringType(_size(m, size))


@own_method(FACTORY, "range")
def range_(m: Machine, self: RubyValue, low: RubyValue, high: RubyValue) -> RubyValue:
    return integer(_end(m, low), _end(m, high))


def _end(m: Machine, value: RubyValue) -> int | None:
    if value.__class__ is Symbol and m.text(value) == "default":
        return None
    return to.integer(m, m.send(value, "to_i", []) if to.is_string(value) else value)


@own_method(FACTORY, "enum")
def enum_of(m: Machine, self: RubyValue, *values: RubyValue) -> RubyValue:
    folds = bool(values) and values[-1].__class__ is bool
    names = values[:-1] if folds else values
    return enum([to.string(m, one) for one in names], folds and values[-1] is True)


@own_method(FACTORY, "tuple")
def tuple_of(
    m: Machine, self: RubyValue, types: RubyValue = None, size: RubyValue = None
) -> RubyValue:
    inner = [] if types is None else to.array(m, types)
    return model.TupleType(tuple(_inner(m, one) for one in inner), _size(m, size))


@own_method(FACTORY, "collection")
def collection(m: Machine, self: RubyValue, size: RubyValue = None) -> RubyValue:
    return model.CollectionType(_size(m, size))


@own_method(FACTORY, "struct")
def struct_of(m: Machine, self: RubyValue, members: RubyValue = None) -> RubyValue:
    given = Hash({}) if members is None else to.hash_(m, members)
    return model.StructType(
        tuple(element(_inner(m, name), _inner(m, value)) for name, value in given.pairs())
    )


@own_method(FACTORY, "pattern")
def pattern(m: Machine, self: RubyValue, *patterns: RubyValue) -> RubyValue:
    return model.PatternType(tuple(_regexp(m, one) for one in patterns))


@own_method(FACTORY, "regexp")
def regexp(m: Machine, self: RubyValue, given: RubyValue = None) -> RubyValue:
    return model.RegexpType() if given is None else _regexp(m, given)


def _regexp(m: Machine, value: RubyValue) -> model.RegexpType:
    if isinstance(value, model.RegexpType):
        return value
    spelled = m.send(value, "source", []) if value.__class__ is Pattern else value
    return model.RegexpType(to.string(m, spelled))


@own_method(FACTORY, "array_of")
def array_of(m: Machine, self: RubyValue, inner: RubyValue, size: RubyValue = None) -> RubyValue:
    return array(_inner(m, inner), _size(m, size))


@own_method(FACTORY, "hash_of")
def hash_type(
    m: Machine,
    self: RubyValue,
    value: RubyValue,
    key: RubyValue = model.SCALAR,
    size: RubyValue = None,
) -> RubyValue:
    return hash_of(_inner(m, key), _inner(m, value), _size(m, size))


@own_method(FACTORY, "hash_kv")
def hash_kv(
    m: Machine, self: RubyValue, key: RubyValue, value: RubyValue, size: RubyValue = None
) -> RubyValue:
    return hash_of(_inner(m, key), _inner(m, value), _size(m, size))


@own_method(FACTORY, "variant")
def variant_of(m: Machine, self: RubyValue, *types: RubyValue) -> RubyValue:
    return variant([_inner(m, one) for one in types])
