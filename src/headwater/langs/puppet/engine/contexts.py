"""Methods of ``Puppet::LookupContext``, which functions of data are given."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NoReturn

from headwater.langs.puppet import codes
from headwater.langs.puppet.engine.functions import Call, own
from headwater.langs.puppet.fault import Problem
from headwater.langs.puppet.files import refused
from headwater.langs.puppet.functions_protocol import Block
from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.hiera.host import NotFound
from headwater.langs.puppet.syntax import ast
from headwater.langs.puppet.types import model
from headwater.langs.puppet.types.matching import is_instance
from headwater.langs.puppet.types.value import Value
from headwater.langs.puppet.values import LookupContext
from headwater.text import Unreadable, read_source

_KEY = model.OptionalType(model.SCALAR)
Member = Callable[[Call, LookupContext, Sequence[Any], Any], Any]


def _member(name: str, count: int) -> Callable[[Member], Member]:
    """Registers a method; without a context before the dot there is no function of its name."""

    def register(member: Member) -> Member:
        @own(name)
        def method(call: Call, args: Sequence[Any], block: object) -> Value:
            context = args[0] if args else None
            if not isinstance(context, LookupContext) or not isinstance(call.node, ast.Method):
                raise Problem(codes.UNKNOWN_FUNCTION, name=name)
            if len(args) != count + 1:
                call.mistyped(f"takes {count} arguments and is given {len(args) - 1}")
            return member(call, context, args[1:], block)

        return member

    return register


@_member("not_found", 0)
def _not_found(call: Call, context: LookupContext, args: Sequence[Any], block: object) -> NoReturn:
    raise NotFound


@_member("explain", 0)
def _explain(call: Call, context: LookupContext, args: Sequence[Any], block: object) -> None:
    """What it would say is asked for only where a look-up is explained."""
    if block is None:
        call.mistyped("takes a block")


@_member("interpolate", 1)
def _interpolate(call: Call, context: LookupContext, args: Sequence[Any], block: object) -> Value:
    return context.interpolate(args[0])


@_member("module_name", 0)
def _module_name(call: Call, context: LookupContext, args: Sequence[Any], block: object) -> Value:
    return context.module_name


@_member("environment_name", 0)
def _environment_name(
    call: Call, context: LookupContext, args: Sequence[Any], block: object
) -> Value:
    return context.environment_name


@_member("cache", 2)
def _cache(call: Call, context: LookupContext, args: Sequence[Any], block: object) -> Value:
    context.cache.put(_key(call, args[0]), args[1])
    return args[1]


@_member("cache_all", 1)
def _cache_all(call: Call, context: LookupContext, args: Sequence[Any], block: object) -> None:
    if not isinstance(args[0], Hash):
        call.mistyped("takes a hash")
    for key, value in args[0].pairs():
        context.cache.put(_key(call, key), value)


@_member("cache_has_key", 1)
def _cache_has_key(call: Call, context: LookupContext, args: Sequence[Any], block: object) -> bool:
    return _key(call, args[0]) in context.cache


@_member("cached_value", 1)
def _cached_value(call: Call, context: LookupContext, args: Sequence[Any], block: object) -> Value:
    return context.cache.get(_key(call, args[0]))


@_member("cached_entries", 0)
def _cached_entries(
    call: Call, context: LookupContext, args: Sequence[Any], block: object
) -> Value:
    entries = context.cache.copy()
    if block is None:
        return entries
    call.call("each", [entries], block)
    return None


@_member("cached_file_data", 1)
def _cached_file_data(
    call: Call, context: LookupContext, args: Sequence[Any], block: Block | None
) -> Value:
    path = args[0]
    if not isinstance(path, str):
        call.mistyped("takes the path of a file")
    call.external("file", path, path)
    source = read_source(path)
    if isinstance(source, Unreadable):
        if source.kind != "missing":
            raise refused(source, path)
        call.fail(f"{path}: {source.reason}")
    if path not in context.files:  # what the first who asked made of it is what all get
        context.files[path] = source.text if block is None else block(source.text)
    return context.files[path]


def _key(call: Call, key: Value) -> Value:
    """A key of the cache, which is a scalar or undef."""
    if not is_instance(_KEY, key):
        call.mistyped("the key of a cache is a scalar or undef")
    return key
