"""References by titles that no pattern of their type fits.

Puppet refuses them wherever it looks for the resource, also where nothing of the type is declared
yet; so a type that only Ruby can tell is asked here, as it is for a declaration.
"""

from __future__ import annotations

from headwater.langs.puppet.catalog.metadata import TypeInfo
from headwater.langs.puppet.catalog.resource import Resource, flattened
from headwater.langs.puppet.catalog.table import located, unfit
from headwater.langs.puppet.engine.compilation import Compilation
from headwater.langs.puppet.engine.functions import Call
from headwater.langs.puppet.fault import Problem
from headwater.langs.puppet.program.units import Unit
from headwater.langs.puppet.record.declarations import declared
from headwater.langs.puppet.record.frames import Frame
from headwater.langs.puppet.values import ResourceRef, capitalised

_MAY_REFER = frozenset([ResourceRef, list])
"""The classes of values in which references are looked for."""


def check_title(call: Call, type_: str, title: str) -> None:
    """Refuses a title that no pattern of its type fits."""
    try:
        info = call.compilation.services.types.resource(type_.lower())[1]
    except Problem:
        return
    if info is not None and not info.settled:
        info = _told(call.frame, call.unit, call.node, info)
    if info is not None and info.parse_title(title) is None:
        raise unfit(type_, title)


def check_references(compilation: Compilation) -> None:
    """Refuses a reference by such a title in an attribute, even if it is an alias."""
    types = compilation.services.types
    odd = {capitalised(info.name): info for info in types.natives() if not info.plainly_titled}
    if not odd:
        return
    for resource in compilation.catalog.resources:
        if resource.virtual and not resource.exported:
            continue
        for name, param in resource.params.items():
            if param.value.__class__ not in _MAY_REFER:
                continue
            # Of what is Sensitive Puppet makes no reference: it stays a type.
            for value in () if name in resource.sensitive else flattened(param.value):
                if not isinstance(value, ResourceRef) or value.type not in odd or not value.title:
                    continue
                info = odd[value.type]
                if not info.settled:
                    told = _told_for(resource, info)
                    if told is None:
                        del odd[value.type]
                        continue
                    info = odd[value.type] = told
                if info.parse_title(value.title) is None:
                    assert value.type is not None
                    problem = unfit(value.type, value.title)
                    raise (
                        located(resource, problem) if param.span is None else problem.at(param.span)
                    )


def _told_for(resource: Resource, info: TypeInfo) -> TypeInfo | None:
    by = declared(resource)
    if by.frame is None or by.unit is None:
        return None
    return _told(by.frame, by.unit, by.node, info)


def _told(f: Frame, unit: Unit, node: object, info: TypeInfo) -> TypeInfo | None:
    """The type as its file tells it; None if that cannot run and its titles are not known."""
    from headwater.langs.puppet.engine.ruby_titles import told

    found = told(f, unit, node, info)
    if isinstance(found, TypeInfo):
        return found
    return None if info.unread else info
