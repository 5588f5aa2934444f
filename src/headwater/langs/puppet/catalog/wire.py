"""Values and parameters in Puppet's wire format."""

from __future__ import annotations

import math
from typing import Any

import msgspec

from headwater.langs.puppet import codes
from headwater.langs.puppet.bytestrings import BINARY, Bytes, as_text, is_broken
from headwater.langs.puppet.catalog.resource import Resource, Unknown, flattened, is_main
from headwater.langs.puppet.catalog.table import located
from headwater.langs.puppet.fault import Fault, Problem
from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.types.model import is_type
from headwater.langs.puppet.values import (
    DEFAULT,
    Binary,
    ClassRef,
    Deferred,
    Opaque,
    Regexp,
    ResourceRef,
    SemVer,
    SemVerRange,
    Sensitive,
    Symbolic,
    Timespan,
    Timestamp,
    Uri,
)

_RELATIONS = frozenset(["before", "subscribe", "notify", "require"])
_PLAIN = frozenset([str, bool])
"""What JSON has as it is."""
_MOST = 1 << 63
"""Integers of Puppet are those of 64 bits."""
MOST_NESTED = 96
"""Arrays and hashes in one another that a value of a catalog may hold: Ruby's JSON writes 100, and
four are around the value."""


def parameters(resource: Resource) -> dict[str, Any]:
    """The parameters that stand in a catalog: no undef, and no name that is the title."""
    info, params, title = resource.info, resource.params, resource.title
    if (
        "name" in params
        or resource.untold is not None
        or resource.unknown is not None
        or (title == "main" and is_main(resource))
        or (info is not None and not info.is_name(title, params))
    ):
        return _with_title(resource)
    # The title is the name, and nothing else is.
    given: dict[str, Any] = {}
    for name, param in params.items():
        value = param.value
        kind = value.__class__
        if kind is str or kind is bool or (kind is int and -_MOST <= value < _MOST):
            given[name] = value
        elif kind is list and _PLAIN.issuperset(map(type, value)):
            given[name] = [*value]
        elif value is not None:
            given[name] = _told(resource, name, value)
    return given


def _told(resource: Resource, name: str, value: Any) -> object:  # noqa: ANN401
    """The value of a parameter as data; refuses one that no catalog can hold."""
    kind = value.__class__
    if kind is str or kind is bool or (kind is int and -_MOST <= value < _MOST):
        return value
    if kind is list and _PLAIN.issuperset(map(type, value)):
        return list(value)
    if name in resource.sensitive:
        value = _as_types(value)
    else:
        if kind is ResourceRef and value.title is not None:
            return str(value) if value.type is None else f"{value.type}[{value.title}]"
        if kind is list and name in _RELATIONS:
            value = [item for item in flattened(value) if item is not None]
        value = _flat_references(value)
    try:
        return to_data(value)
    except Problem:
        raise _misplaced(resource) from None


def _with_title(resource: Resource) -> dict[str, Any]:
    """The parameters of a resource whose title, or name, may be one of them."""
    info, params, title = resource.info, resource.params, as_text(resource.title)
    namevar = "name" if info is None else info.namevar
    told = is_main(resource) or resource.untold is not None
    hides = not told and namevar not in params and "name" not in params
    hides = hides and (info is None or (info.plain and title[-1:] != info.ending))
    given: dict[str, Any]
    if hides:
        given = {}
    else:
        given = {"name": title} if info is None else dict(resource.title_values() or {})
    for name, param in params.items():
        if name == namevar != "name" and resource.value("name") is not None:
            continue  # Puppet has one place for both, and the name comes last
        if param.value is not None:
            told_name = namevar if name == "name" else name
            given[told_name] = _told(resource, name, param.value)
    if not told and not hides and given.get(namevar) == title:
        del given[namevar]
    if resource.unknown is not None:
        _put_unknown(resource.unknown, given, namevar)
    return given


def _put_unknown(unknown: Unknown, given: dict[str, Any], namevar: str) -> None:
    """Puts in the place of parameters that hang on a guess what may be told of them."""
    for name, value in unknown.values.items():
        given[namevar if name == "name" else name] = to_data(value)
    if unknown.existence is not None:
        given.update(dict.fromkeys(given, to_data(Opaque(unknown.existence))))


def _misplaced(resource: Resource) -> Fault | Problem:
    """The refusal of a value that no catalog can hold; a bare reference at its attribute."""
    for param in resource.params.values():
        try:
            to_data(_flat_references(param.value))
        except Problem as problem:
            if problem.part and param.span is not None:
                return problem.at(param.span)
            return located(resource, problem)
    raise AssertionError(f"no value of {resource.ref} is refused")


def _as_types(value: object) -> object:
    """What was Sensitive: its references are types, as Puppet has not looked into it."""
    if isinstance(value, list):
        return [_as_types(item) for item in value]
    if isinstance(value, Hash):
        return value.map_pairs(lambda key, item: (key, _as_types(item)))
    return TypeData(value) if isinstance(value, ResourceRef | ClassRef) else value


class TypeData(msgspec.Struct, frozen=True):
    """A reference that is written as the type it is, not as its text."""

    type: ResourceRef | ClassRef


def _flat_references(value: object) -> object:
    """A list with references in it is flat in a catalog."""
    if isinstance(value, list):
        flat = flattened(value)
        if any(isinstance(item, ResourceRef | ClassRef) for item in flat):
            return flat
    return value


def to_data(value: object, room: int = MOST_NESTED) -> Any:  # noqa: ANN401
    """A value as JSON data, rich values spelled with ``__ptype``; `room` is for what is in it."""
    if value.__class__ is int:
        if not -_MOST <= value < _MOST:
            raise Problem(codes.VALUE_TOO_LARGE, part=1, bound="64 bits for an integer")
        return value
    if value is None or value.__class__ in _PLAIN:
        return value
    if value.__class__ is float:
        if not math.isfinite(value):
            raise Problem(codes.VALUE_TOO_LARGE, part=1, bound="the numbers of JSON")
        return value
    if not room:
        bound = f"{MOST_NESTED} values in one another"
        raise Problem(codes.VALUE_TOO_LARGE, part=1, bound=bound)
    room -= 1
    if value.__class__ is list:
        return [to_data(item, room) for item in value]
    if value.__class__ is Hash:
        if value.odd is not None:
            # A reference as a key is its text before anything else is asked, as in Puppet.
            value = value.map_pairs(lambda key, item: (_named(key), item))
        entries = value.entries
        if all(isinstance(inner, str) for inner in entries) and "__ptype" not in entries:
            return {_key(key): to_data(item, room) for key, item in entries.items()}
        pairs = [to_data(part, room) for entry in value.pairs() for part in entry]
        return {"__ptype": "Hash", "__pvalue": pairs}
    if isinstance(value, ResourceRef | ClassRef):
        return _reference(value)
    if value.__class__ is Bytes:
        return _of_bytes(value)
    return _rich(value, room)


def _of_bytes(value: Bytes) -> object:
    """A string of bytes: what has no encoding is a Binary, all else must be text."""
    if value.encoding == BINARY:
        import base64

        return {"__ptype": "Binary", "__pvalue": base64.b64encode(value.data).decode()}
    return _in_utf8(value, "a string")


def _in_utf8(value: str, what: str) -> str:
    text = as_text(value)
    if is_broken(text):
        raise Problem(codes.NOT_UTF8, part=1, what=what)
    return str(text)


def _key(key: str) -> str:
    return _in_utf8(key, "a key of a hash") if key.__class__ is Bytes else key


def _named(key: object) -> object:
    return _reference(key) if isinstance(key, ResourceRef | ClassRef) else key


def _reference(value: ResourceRef | ClassRef) -> str:
    whole = value.name if isinstance(value, ClassRef) else value.title
    if whole is not None:
        return str(value)
    if isinstance(value, ResourceRef) and value.type is not None:
        return f"{value.type}[]"
    raise Problem(codes.MISTYPED, part=1, message=f"{value} names nothing a catalog could hold")


def _rich(value: object, room: int) -> Any:  # noqa: ANN401
    import base64

    from headwater.langs.puppet.types.timespans import timespan_text
    from headwater.langs.puppet.types.timestamps import timestamp_text
    from headwater.langs.puppet.types.versions import version_text

    match value:
        case Sensitive():
            return {"__ptype": "Sensitive", "__pvalue": to_data(value.value, room)}
        case Regexp():
            return {"__ptype": "Regexp", "__pvalue": value.pattern}
        case Timespan():
            return {"__ptype": "Timespan", "__pvalue": timespan_text(value)}
        case Timestamp():
            return {"__ptype": "Timestamp", "__pvalue": timestamp_text(value)}
        case SemVer():
            return {"__ptype": "SemVer", "__pvalue": version_text(value)}
        case SemVerRange():
            return {"__ptype": "SemVerRange", "__pvalue": value.text}
        case Uri():
            return {"__ptype": "URI", "__pvalue": value.text}
        case Binary():
            return {"__ptype": "Binary", "__pvalue": base64.b64encode(value.data).decode()}
        case Deferred():
            return {
                "__ptype": "Deferred",
                "name": value.name,
                **({"arguments": to_data(value.arguments, room)} if value.arguments else {}),
            }
        case TypeData(type=type_):
            from headwater.langs.puppet.catalog.pcore import type_data

            return type_data(type_, to_data)
        case Symbolic():
            return value.name
        case Opaque():
            return {"__ptype": "Headwater::Opaque", "__pvalue": value.why}
    if value is DEFAULT:
        return {"__ptype": "Default"}
    if is_type(value):
        from headwater.langs.puppet.catalog.pcore import type_data

        return type_data(value, to_data)
    raise Problem(codes.NOT_YET, what=f"a value of {type(value).__name__} in a catalog")
