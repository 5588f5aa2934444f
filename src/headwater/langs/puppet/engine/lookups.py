"""``lookup()`` and its older forms."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from headwater.langs.puppet.engine.functions import Call, Own, own
from headwater.langs.puppet.functions_protocol import Block
from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.types import model
from headwater.langs.puppet.types.assignability import assignable
from headwater.langs.puppet.types.inference import callable_type
from headwater.langs.puppet.types.matching import is_instance
from headwater.langs.puppet.types.value import Value
from headwater.langs.puppet.values import opaque_in

_NAME = model.VariantType((model.StringType(), model.ArrayType(model.StringType())))
_NAMED = model.CallableType(model.TupleType((_NAME,)))
_TYPE = model.TypeType()
_SCALAR = model.SCALAR
_OPTIONS = frozenset(
    ["value_type", "default_value", "override", "default_values_hash", "merge"]
)  # fmt: skip


def _is_merge(value: object) -> bool:
    if isinstance(value, Hash):
        pairs = value.pairs()
        return all(isinstance(key, str) and is_instance(_SCALAR, item) for key, item in pairs)
    return isinstance(value, str) and value != ""


def _is_options(value: object, *, named: bool) -> bool:
    """Whether a value is a hash of options, with or without the name of a key."""
    if not isinstance(value, Hash):
        return False
    if not all(isinstance(key, str) and (key in _OPTIONS or key == "name") for key in value):
        return False
    if ("name" in value) != named or (named and not is_instance(_NAME, value["name"])):
        return False
    type_, merge = value.get("value_type"), value.get("merge")
    hashes = [value.get("override"), value.get("default_values_hash")]
    return (
        (type_ is None or is_instance(_TYPE, type_))
        and (merge is None or _is_merge(merge))
        and all(
            one is None or (isinstance(one, Hash) and all(isinstance(key, str) for key in one))
            for one in hashes
        )
    )


def _fits(args: Sequence[Any], block: object) -> bool:
    """Whether arguments are those of one of the forms of ``lookup()``."""
    if len(args) == 1 and isinstance(args[0], Hash):
        return _is_options(args[0], named=True)
    if not is_instance(_NAME, args[0]):
        return False
    if len(args) == 2 and isinstance(args[1], Hash):
        return _is_options(args[1], named=False)
    if len(args) == 4:
        type_, merge = args[1:3]
        typed = type_ is None or is_instance(_TYPE, type_)
        return typed and (merge is None or _is_merge(merge)) and block is None
    typed = len(args) < 2 or is_instance(_TYPE, args[1])
    return typed and (len(args) < 3 or _is_merge(args[2]))


@own("lookup", 1, 4)
def lookup(call: Call, args: Sequence[Any], block: Block | None) -> Value:
    if not _fits(args, block) and not opaque_in(list(args)):
        call.mistyped(
            "takes the name of a key, a type, a merge strategy and a default value, or a hash of "
            "these options; only before a default value may the others be undef"
        )
    if block is not None and not assignable(_NAMED, callable_type(block)):
        call.mistyped("the lambda must take a String or an Array of them, whichever is given")
    return call.compilation.services.hiera.function(call, args, block)


def _deprecate(call: Call) -> None:
    """Says once for each function that ``lookup`` is meant to be used instead."""
    compilation = call.compilation
    reading = compilation.inputs.reading
    if reading.strict == "off" or not reading.deprecations:
        return
    version = ".".join(reading.level.version.split(".")[:2])
    message = (
        f"The function '{call.name}' is deprecated in favor of using 'lookup'. "
        f"See https://puppet.com/docs/puppet/{version}/deprecated_language.html"
    )
    compilation.messages.log_once("warning", message, call.span)


def _old(merge: Value) -> Own:
    def hiera(call: Call, args: Sequence[Any], block: Block | None) -> Value:
        _deprecate(call)
        return call.compilation.services.hiera.old_function(call, args, block, merge)

    return hiera


own("hiera", 1, 3)(_old(None))
own("hiera_array", 1, 3)(_old("unique"))
own("hiera_hash", 1, 3)(_old("hash"))


@own("hiera_include", 1, 3)
def hiera_include(call: Call, args: Sequence[Any], block: Block | None) -> Value:
    _deprecate(call)
    found = call.compilation.services.hiera.old_function(call, args, block, "unique")
    if found is None:
        call.fail(f"there is no value for {args[0]}")
    return None if found in ([], Hash(), "") else call.call("include", [found])
