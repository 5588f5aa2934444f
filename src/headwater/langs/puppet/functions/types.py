"""Functions on types and conversions: type, assert_type, new, convert_to, unwrap …"""

from __future__ import annotations

from typing import Any

from headwater.langs.puppet.functions.registry import Call, dispatch
from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.types import model as m
from headwater.langs.puppet.types.conversion import convert
from headwater.langs.puppet.types.description import mismatch_text
from headwater.langs.puppet.types.generality import generalize
from headwater.langs.puppet.types.inference import infer, infer_set
from headwater.langs.puppet.types.matching import is_instance
from headwater.langs.puppet.types.resolution import parse_type
from headwater.langs.puppet.types.signatures import Failed
from headwater.langs.puppet.types.value import Value
from headwater.langs.puppet.values import Deferred, Sensitive


@dispatch("type", "Any value, Enum[detailed] inference_method?")
def _type(call: Call, value: Value, method: str | None = None) -> m.Type:
    return infer_set(value)


@dispatch("type", "Any value, Enum[reduced] inference_method")
def _type_reduced(call: Call, value: Value, method: str) -> m.Type:
    return infer(value)


@dispatch("type", "Any value, Enum[generalized] inference_method")
def _type_generalized(call: Call, value: Value, method: str) -> m.Type:
    return generalize(infer(value))


@dispatch("assert_type", "Type type, Any value", block="Callable[Type, Type]?")
def _assert(call: Call, type_: m.Type, value: Value) -> Value:
    if is_instance(type_, value):
        return value
    actual = infer_set(value)
    if call.block is not None:
        return call.run(type_, actual)
    raise Failed(mismatch_text("assert_type():", type_, actual))


@dispatch("assert_type", "String type_string, Any value", block="Callable[Type, Type]?")
def _assert_text(call: Call, text: str, value: Value) -> Value:
    return _assert(call, call.context.resolve_type(text), value)


@dispatch("new", "Type type, Any *args", block="Callable?")
def _new(call: Call, type_: m.Type, *args: Value) -> Value:
    if isinstance(type_, m.TimestampType) and not args:
        call.context.external("clock", "Timestamp()")
    if isinstance(type_, m.TypeType) and len(args) == 1 and isinstance(args[0], str) and args[0]:
        result: Any = call.context.resolve_type(args[0])
        if not is_instance(type_, result):
            result = convert(type_, args, parse_type)
    else:
        result = convert(type_, args, parse_type)
    plain = len(args) == 1 and not isinstance(type_, m.InitType) and is_instance(type_, args[0])
    return result if call.block is None or plain else call.run(result)


@dispatch("convert_to", "Any value, Type type, Any *args", block="Callable[1,1]?")
def _convert_to(call: Call, value: Value, type_: m.Type, *args: Value) -> Value:
    result = _new(Call(call.context, None), type_, value, *args)
    return result if call.block is None else call.run(result)


@dispatch("unwrap", "Sensitive arg", block="Callable?")
def _unwrap(call: Call, value: Sensitive) -> Value:
    return value.value if call.block is None else call.run(value.value)


@dispatch("unwrap", "Any arg", block="Callable?")
def _unwrap_any(call: Call, value: Value) -> Value:
    return value if call.block is None else call.run(value)


@dispatch("call", "String function_name, Any *arguments", block="Callable?")
def _call(call: Call, name: str, *args: Value) -> Value:
    return call.context.call(name, args, call.block)


@dispatch("call", "Deferred deferred")
def _call_deferred(call: Call, deferred: Deferred) -> Value:
    return _resolved(call, deferred)


def _resolved(call: Call, value: Value) -> Value:
    """A deferred call made now, its arguments first; ``$name`` reads a variable."""
    match value:
        case Deferred():
            args = [_resolved(call, item) for item in value.arguments]
            if value.name.startswith("$"):
                found = call.context.variable(value.name[1:])
                return found if not args else call.context.call("dig", [found, *args])
            return call.context.call(value.name, args)
        case list():
            return [_resolved(call, item) for item in value]
        case Hash():
            return value.map_pairs(lambda k, item: (_resolved(call, k), _resolved(call, item)))
        case Sensitive():
            return Sensitive(_resolved(call, value.value))
    return value
