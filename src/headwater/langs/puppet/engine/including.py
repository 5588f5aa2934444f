"""``include``, ``contain`` and ``require``: functions that declare classes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from headwater.langs.puppet import codes
from headwater.langs.puppet.catalog.resource import Param, flattened
from headwater.langs.puppet.engine.declarations import evaluate_classes
from headwater.langs.puppet.engine.functions import Call, own
from headwater.langs.puppet.fault import Problem
from headwater.langs.puppet.record.declarations import declared
from headwater.langs.puppet.record.frames import compute
from headwater.langs.puppet.types.equality import _shown
from headwater.langs.puppet.types.value import Value
from headwater.langs.puppet.values import ClassRef, Opaque, ResourceRef, capitalised, opaque_in


def class_names(args: Sequence[Any]) -> list[str]:
    """The names of the classes that arguments stand for."""
    if len(args) == 1 and args[0].__class__ is str and args[0]:
        return [args[0].lower().removeprefix("::")]
    names: list[str] = []
    for item in flattened(list(args)):
        match item:
            case Opaque():
                continue
            case str() if item:
                name = item
            case ClassRef(name=str() as name):
                pass
            case ResourceRef(type="Class", title=str() as name):
                pass
            case _:
                raise Problem(codes.BAD_CLASS_NAME, value=_shown(item))
        names.append(name.lower().removeprefix("::"))
    return names


def _include(call: Call, args: Sequence[Any]) -> tuple[list[str], list[Any]]:
    names = class_names(args)
    if call.compilation.work.opaque:
        compute(call.frame, call.unit, call.node)
        unknown = opaque_in(list(args))
        if unknown is not None:
            call.undecide(unknown)
    return names, evaluate_classes(call.compilation, names, call.frame.scope, call.act("include"))


@own("include", 1)
def include(call: Call, args: Sequence[Any], block: object) -> Value:
    names, _ = _include(call, args)
    return [ClassRef(name) for name in names]


@own("contain", 1)
def contain(call: Call, args: Sequence[Any], block: object) -> Value:
    names, resources = _include(call, args)
    container = call.frame.scope.resource
    assert container is not None
    for resource in resources:
        call.compilation.catalog.contain(container, resource)
        call.compilation.record.acts.append(call.act("contain", (container, resource)))
    return [ClassRef(name) for name in names]


@own("require", 1)
def require(call: Call, args: Sequence[Any], block: object) -> Value:
    names, _ = _include(call, args)
    resource = call.frame.scope.resource
    assert resource is not None
    source = declared(resource).source
    for name in names:
        old = resource.value("require")
        value = [item for item in flattened(old) if item is not None]
        value.append(ResourceRef("Class", capitalised(name)))
        param = Param(
            value, source, "require", unit=call.unit, node=call.node, frame=call.frame,
            guard=call.frame.guard,
        )  # fmt: skip
        resource.set("require", param)
    return [ClassRef(name) for name in names]
