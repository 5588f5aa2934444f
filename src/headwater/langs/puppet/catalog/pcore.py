"""Data types in catalogs: ``{"__ptype": "Pcore::IntegerType", "from": 1}``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from headwater.langs.puppet import codes
from headwater.langs.puppet.fault import Problem
from headwater.langs.puppet.types import model as m
from headwater.langs.puppet.values import ClassRef, ResourceRef

Data = Callable[[Any], Any]
"""What makes data of a value."""

_FIELDS: dict[type[Any], tuple[str, tuple[tuple[str, str], ...]]] = {
    m.IntegerType: ("Integer", (("low", "from"), ("high", "to"))),
    m.FloatType: ("Float", (("low", "from"), ("high", "to"))),
    m.TimestampType: ("Timestamp", (("low", "from"), ("high", "to"))),
    m.TimespanType: ("Timespan", (("low", "from"), ("high", "to"))),
    m.CollectionType: ("Collection", (("size", "size_type"),)),
    m.RegexpType: ("Regexp", (("pattern", "pattern"),)),
    m.OptionalType: ("Optional", (("type", "type"),)),
    m.NotUndefType: ("NotUndef", (("type", "type"),)),
    m.TypeType: ("Type", (("type", "type"),)),
    m.IterableType: ("Iterable", (("type", "type"),)),
    m.IteratorType: ("Iterator", (("type", "type"),)),
    m.BooleanType: ("Boolean", ()),
    m.SensitiveType: ("Sensitive", ()),
    m.SemVerType: ("SemVer", (("ranges", "ranges"),)),
}
"""The name of a type, and its parts with the names they have in a catalog."""


def _deferred(data: Data) -> dict[str, Any]:
    """What Puppet says of its own type Deferred."""
    name = m.PatternType((m.RegexpType(r"\A[$]?[a-z][a-z0-9_]*(?:::[a-z][a-z0-9_]*)*\z"),))
    arguments = {"type": type_data(m.OptionalType(m.ArrayType(m.ANY)), data), "value": None}
    return {
        "name": "Deferred",
        "attributes": {"name": type_data(name, data), "arguments": arguments},
    }


_OBJECTS: dict[str, Callable[[Data], dict[str, Any]]] = {
    "Object": lambda data: {},
    "Deferred": _deferred,
}


def type_data(type_: object, data: Data) -> dict[str, Any]:
    """A data type as data; `data` makes data of the values in it."""
    entry = _FIELDS.get(type(type_))
    if entry is not None:
        name, parts = entry
        pairs = ((label, getattr(type_, part)) for part, label in parts)
        found = {k: _part(v, data) for k, v in pairs if v is not None and v != ()}
        return _typed(name, **({"from": None, **found} if list(found) == ["to"] else found))
    match type_:
        case m.Plain():
            return _typed(type_.name)
        case m.StringType():
            value = type_.value if type_.value is not None else type_.size
            return _typed(
                "String", **({} if value is None else {"size_type_or_value": _part(value, data)})
            )
        case m.EnumType():
            case = {"case_insensitive": True} if type_.ignore_case else {}
            return _typed("Enum", values=list(type_.values), **case)
        case ResourceRef(type=str() as name, title=title):
            whole = {} if title is None else {"title": title}
            return _typed("Resource", type_name=name, **whole)
        case ClassRef(name=class_):
            return _typed("Class", **({} if class_ is None else {"class_name": class_}))
        case m.ObjectType() if type_.name in _OBJECTS:
            return _typed("Object", _pcore_init_hash=_OBJECTS[type_.name](data))
        case m.PatternType():
            return _typed("Pattern", patterns=_part(type_.patterns, data))
        case m.ArrayType():
            keep = type_.size is not None
            return _typed(
                "Array", **_sized(data, type_.size, keep=keep, element_type=type_.element)
            )
        case m.HashType():
            keep = type_.size is not None or type_.value != m.ANY
            parts_ = {"key_type": type_.key, "value_type": type_.value}
            return _typed("Hash", **_sized(data, type_.size, keep=keep, **parts_))
        case m.TupleType():
            size = {} if type_.size is None else {"size_type": _part(type_.size, data)}
            return _typed("Tuple", types=_part(type_.types, data), **size)
        case m.VariantType():
            return _typed("Variant", types=_part(type_.types, data))
        case m.StructType():
            return _typed(
                "Struct",
                elements=[
                    {
                        "__ptype": "Pcore::StructElement",
                        "key_type": type_data(element.key, data),
                        "value_type": type_data(element.value, data),
                    }
                    for element in type_.elements
                ],
            )
        case m.CallableType():
            return _typed(
                "Callable",
                param_types=_part(type_.params, data),
                block_type=_part(type_.block, data),
                return_type=_part(type_.returns, data),
            )
        case m.InitType() if not type_.arguments:
            return _typed(
                "Init", **({} if type_.type is None else {"type": _part(type_.type, data)})
            )
        case m.UriType() if type_.parts is None:
            return _typed("URI")
        case m.RuntimeType() if type_.runtime is None:
            return _typed("Runtime")
        case m.AliasType() if not type_.recursive and type_.target is not None:
            return _typed(
                "TypeAlias",
                name=type_.name,
                type_expr=None,
                resolved_type=_part(type_.target, data),
            )
    raise Problem(codes.NOT_YET, what="this data type as a value in a catalog")


def _typed(name_: str, /, **parts: object) -> dict[str, Any]:
    return {"__ptype": f"Pcore::{name_}Type", **parts}


def _sized(data: Data, size: object, *, keep: bool = False, **parts: object) -> dict[str, Any]:
    found = {k: _part(v, data) for k, v in parts.items() if keep or v != m.ANY}
    return found if size is None else {**found, "size_type": _part(size, data)}


def _part(value: object, data: Data) -> object:
    if isinstance(value, tuple):
        return [_part(item, data) for item in value]
    return type_data(value, data) if m.is_type(value) else data(value)
