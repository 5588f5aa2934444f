"""``defined``, ``tagged``, ``tag`` and ``fail``: functions that ask the catalog, or refuse it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from headwater.langs.puppet import codes
from headwater.langs.puppet.engine.compilation import Compilation
from headwater.langs.puppet.engine.functions import Call, own
from headwater.langs.puppet.engine.unfit_titles import check_title
from headwater.langs.puppet.fault import Problem
from headwater.langs.puppet.types.equality import _shown
from headwater.langs.puppet.types.model import TypeType, is_type
from headwater.langs.puppet.types.text import text_of
from headwater.langs.puppet.types.value import Value
from headwater.langs.puppet.values import ClassRef, ResourceRef, opaque_in


@own("tag", 1)
def tag(call: Call, args: Sequence[Any], block: object) -> None:
    resource = call.frame.scope.resource
    assert resource is not None
    if None in args:
        raise Problem(codes.BAD_TAG, name="")
    resource.tag(list(args))
    if call.compilation.work.opaque and opaque_in(list(args)) is not None:
        call.compilation.record.guesses.guessed = True
    call.compilation.record.acts.append(call.act("tag", resource))


@own("tagged", 1)
def tagged(call: Call, args: Sequence[Any], block: object) -> Value:
    resource = call.frame.scope.resource
    assert resource is not None
    call.external("query", "tagged()")
    unknown = opaque_in(list(args))
    if unknown is not None:
        return unknown
    catalog = call.compilation.catalog.tags
    return all(
        text_of(item).lower() in catalog or resource.has_tag([text_of(item).lower()])
        for item in args
    )


@own("defined", 1)
def defined(call: Call, args: Sequence[Any], block: object) -> Value:
    call.external("query", "defined()")
    unknown = opaque_in(list(args))
    if unknown is not None:
        return unknown
    for item in args:
        if not isinstance(item, str) and not is_type(item):
            call.mistyped(f"expects strings and types, got {_shown(item)}")
    return any(_is_defined(call, item) for item in args)


def _is_defined(call: Call, item: object) -> bool:
    compilation = call.compilation
    program, catalog = compilation.program, compilation.catalog
    if isinstance(item, TypeType):
        inner = item.type
        if isinstance(inner, ClassRef) and inner.name is not None:
            return program.find_class(inner.name) is not None
        item = inner
    match item:
        case str() if item.startswith("$"):
            return call.has_variable(item[1:])
        case "" | None:
            return False
        case "main":
            return True
        case str():
            return _is_type(compilation, item.removeprefix("::").lower()) or (
                program.find_class(item) is not None
            )
        case ResourceRef(type=str() as type_, title=None):
            return _is_type(compilation, type_.lower())
        case ResourceRef(type=str() as type_, title=str() as title):
            if catalog.find(type_, title) is not None:
                return True
            check_title(call, type_, title)
            return False
        case ClassRef(name=str() as name):
            return catalog.find_class(name) is not None
    raise Problem(codes.MISTYPED, message=f"cannot tell whether {_shown(item)} is defined")


def _is_type(compilation: Compilation, name: str) -> bool:
    try:
        compilation.services.types.resource(name)
    except Problem:
        return False
    return True


@own("fail")
def fail_(call: Call, args: Sequence[Any], block: object) -> Value:
    message = " ".join(text_of(item) for item in args)
    raise Problem(codes.FAILED, message=message or "fail() was called")
