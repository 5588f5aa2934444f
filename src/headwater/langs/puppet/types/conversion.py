"""``T(value, …)``: making a value of a type from others, by the signatures of ``new``."""

from __future__ import annotations

from collections.abc import Sequence

from headwater.langs.puppet.types import model as m
from headwater.langs.puppet.types.assignability import assignable
from headwater.langs.puppet.types.build import variant
from headwater.langs.puppet.types.convert_collections import ARRAY_MAKERS, HASH_MAKERS
from headwater.langs.puppet.types.convert_numbers import (
    BOOLEAN_MAKERS,
    FLOAT_MAKERS,
    INTEGER_MAKERS,
    NUMERIC_MAKERS,
)
from headwater.langs.puppet.types.convert_rich import (
    BINARY_MAKERS,
    DEFERRED_MAKERS,
    REGEXP_MAKERS,
    SEMVER_MAKERS,
    SEMVER_RANGE_MAKERS,
    SENSITIVE_MAKERS,
    STRING_MAKERS,
    TIMESPAN_MAKERS,
    TIMESTAMP_MAKERS,
    UNIT_MAKERS,
    URI_MAKERS,
    type_makers,
)
from headwater.langs.puppet.types.description import mismatch_text
from headwater.langs.puppet.types.inference import infer_set
from headwater.langs.puppet.types.matching import is_instance
from headwater.langs.puppet.types.show import show_type, simple_name
from headwater.langs.puppet.types.signatures import Failed, Parse, Signature, choose
from headwater.langs.puppet.types.value import Value

Makers = tuple[str, list[Signature]]
_BY_CLASS: dict[type, Makers] = {
    m.IntegerType: ("new", INTEGER_MAKERS),
    m.FloatType: ("new_float", FLOAT_MAKERS),
    m.BooleanType: ("new_boolean", BOOLEAN_MAKERS),
    m.StringType: ("new_string", STRING_MAKERS),
    m.RegexpType: ("new_float", REGEXP_MAKERS),
    m.ArrayType: ("new_array", ARRAY_MAKERS),
    m.TupleType: ("new_array", ARRAY_MAKERS),
    m.HashType: ("new_hash", HASH_MAKERS),
    m.StructType: ("new_hash", HASH_MAKERS),
    m.SemVerType: ("new_Version", SEMVER_MAKERS),
    m.SensitiveType: ("new_Sensitive", SENSITIVE_MAKERS),
    m.TimespanType: ("new_timespan", TIMESPAN_MAKERS),
    m.TimestampType: ("new_timestamp", TIMESTAMP_MAKERS),
    m.UriType: ("new_error", URI_MAKERS),
}
_BY_NAME: dict[str, Makers] = {
    "Numeric": ("new_numeric", NUMERIC_MAKERS),
    "Binary": ("new_Binary", BINARY_MAKERS),
    "SemVerRange": ("new_VersionRange", SEMVER_RANGE_MAKERS),
    "Unit": ("new_unit", UNIT_MAKERS),
    "Deferred": ("new_Deferred", DEFERRED_MAKERS),
}


def makers(t: m.Type, parse: Parse) -> Makers:
    """The function that makes values of the type: its name and signatures."""
    match t:
        case m.AliasType():
            return makers(t.resolved(), parse)
        case m.TypeType():
            return "new_type", type_makers(parse)
        case m.OptionalType() if t.type is not None:
            return makers(t.type, parse)
        case m.OptionalType():
            raise Failed("undefined method `new_function' for nil:NilClass")
        case m.NotUndefType():
            return _BY_NAME["Unit"] if t.type is None else makers(t.type, parse)
        case m.Plain() | m.ObjectType():
            known = _BY_NAME.get(t.name)
        case _:
            known = _BY_CLASS.get(t.__class__)
    if known is None:
        raise Failed(f"Creation of new instance of type '{show_type(t)}' is not supported")
    return known


def convert(t: m.Type, args: Sequence[Value], parse: Parse) -> Value:
    """A value of the type from the arguments; raises `Mistyped` or `Failed`."""
    if len(args) == 1 and not isinstance(t, m.InitType) and is_instance(t, args[0]):
        return args[0]
    result = _converted(t, args, parse)
    if not is_instance(t, result):
        raise Failed(
            mismatch_text(
                f"Converted value from {show_type(t)}.new() has wrong type,", t, infer_set(result)
            )
        )
    return result


def _converted(t: m.Type, args: Sequence[Value], parse: Parse) -> Value:
    if isinstance(t, m.InitType):
        return _initialised(t, args, parse)
    name, signatures = makers(t, parse)
    made: Value = choose(name, signatures, args, None, parse).run(*args)
    return made


_INIT_ANY = [Signature("Any value", lambda value: value)]


def _initialised(t: m.InitType, args: Sequence[Value], parse: Parse) -> Value:
    if t.type is None:
        raise Failed("Creation of new instance of type 'Init' is not supported")
    single, other, alone = init_parts(t, parse)
    value = choose("new_Init", _INIT_ANY, args, None, parse).run(*args)
    if t.arguments:
        return convert(t.type, [value, *t.arguments], parse)
    if isinstance(value, list) and not (
        is_instance(single, value)
        or (
            other is not None
            and not is_instance(other, value)
            and alone
            and is_instance(other, [value])
        )
    ):
        return convert(t.type, value, parse)
    return convert(t.type, [value], parse)


def init_parts(t: m.InitType, parse: Parse) -> m.InitParts:
    """What one argument of the type's ``new`` may be, and what several may be."""
    assert t.type is not None
    unsupported = Failed(f"Creation of new instance of type '{show_type(t.type)}' is not supported")
    if isinstance(t.type, m.InitType | m.OptionalType | m.NotUndefType):
        raise unsupported
    try:
        _, signatures = makers(t.type, parse)
    except Failed:
        raise unsupported from None
    tuples: list[m.TupleType] = []
    for signature in signatures:
        if not signature.ready:
            signature.prepare(parse)
        if not signature.complain:
            tuples.append(signature.params())
    if t.arguments:
        given = tuple(infer_set(item) for item in t.arguments)
        fitting = [item for item in tuples if _takes(item, given)]
        if not fitting:
            raise Failed(
                f"The type '{show_type(t)}' does not represent a valid set of parameters for "
                f"{simple_name(t.type)}.new()"
            )
        return variant([t.type, *(item.types[0] for item in fitting)]), None, False
    singles = [item for item in tuples if item.size is None and len(item.types) == 1]
    others = [item for item in tuples if item not in singles]
    single = variant([t.type, *(item.types[0] for item in singles)])
    if not others:
        return single, None, False
    alone = any(_least(item) == 1 for item in others)
    return single, variant(others), alone


def _least(item: m.TupleType) -> int:
    return len(item.types) if item.size is None else item.size.low or 0


def _takes(item: m.TupleType, given: tuple[m.Type, ...]) -> bool:
    count = 1 + len(given)
    most = len(item.types) if item.size is None else item.size.high
    if count < _least(item) or (most is not None and count > most):
        return False
    return assignable(item, m.TupleType((item.types[0], *given)))
