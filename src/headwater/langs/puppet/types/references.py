"""``File['a', 'b']``, ``Resource['file', 'a']`` and ``Class['a']``: references by their titles."""

from __future__ import annotations

import re
from typing import Any

from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.types.build import BadType
from headwater.langs.puppet.types.generality import generalize
from headwater.langs.puppet.types.inference import infer
from headwater.langs.puppet.types.model import is_type
from headwater.langs.puppet.types.quoting import article
from headwater.langs.puppet.types.show import show_type
from headwater.langs.puppet.types.value import Value
from headwater.langs.puppet.values import (
    DEFAULT,
    Binary,
    ClassRef,
    Regexp,
    ResourceRef,
    SemVer,
    SemVerRange,
    Sensitive,
    Timespan,
    Timestamp,
    capitalised,
)
from headwater.text.patterns import LatePattern

_TYPE_NAME = LatePattern(r"(?:::)?[A-Z]\w*+(?>(?:::[A-Z]\w*+)*)\Z", re.ASCII)
_CLASS_NAME = LatePattern(r"(::)?([a-z_]\w*)(::[a-z]\w*)*\Z", re.ASCII)


def _flat(keys: list[Any]) -> list[Any]:
    result: list[Any] = []
    for key in keys:
        if isinstance(key, list):
            result.extend(_flat(key))
        elif key is not None:
            result.append(key)
    return result


def _named(value: Value) -> str:
    if value is None:
        return "Undef"
    return "Default" if value is DEFAULT else show_type(generalize(infer(value)))


def resource_access(t: ResourceRef, keys: list[Any]) -> Value:
    """A reference, or a list of them; the parameters of a resource are the engine's to read."""
    if not keys:
        raise BadType(f"{show_type(t)}[] accepts 1 or more arguments. Got 0")
    name: Any = t.type
    if name is None:
        name = keys.pop(0)
        if isinstance(name, str) and name and not name[0].isupper():
            name = capitalised(name.removeprefix("::").lower())
        elif isinstance(name, ResourceRef):
            name = name.type
        if not isinstance(name, str):
            raise BadType(
                "First argument to Resource[] must be a resource type or a String. "
                f"Got {_named(name)}."
            )
    if not _TYPE_NAME.match(name):
        raise BadType(
            f"Illegal type reference. The given name '{name}' does not conform to the naming rule"
        )
    several = len(keys) > 1 or (bool(keys) and isinstance(keys[0], list))
    titles = _flat(keys)
    if not titles and keys:
        return [] if several else None
    if not titles:
        return ResourceRef(name)
    for title in titles:
        if not isinstance(title, str):
            raise BadType(
                f"Error creating type specialization of {article(f'{show_type(t)}-Type')}, "
                f"Cannot use {_named(title)} where a resource title String is expected"
            )
    references = [ResourceRef(name, title) for title in titles]
    return references if several else references[-1]


_LABELS = {
    int: "Integer", float: "Float", list: "Array", Hash: "Hash", Regexp: "Regexp",
    Timestamp: "Timestamp", Timespan: "Timespan", SemVer: "Semver", SemVerRange: "SemverRange",
    Binary: "Binary", Sensitive: "Sensitive",
}  # fmt: skip


def class_access(t: ClassRef, keys: list[Any]) -> Value:
    """A reference to a class, or a list of them."""
    if not keys:
        raise BadType(f"{show_type(t)}[] accepts 1 or more arguments. Got 0")
    several = len(keys) > 1 or isinstance(keys[0], list)
    names = _flat(keys)
    if not names:
        return [] if several else None
    result: list[ClassRef] = []
    for name in names:
        if not isinstance(name, str):
            label = f"{show_type(name)}-Type" if is_type(name) else _LABELS.get(name.__class__)
            text = article(label or "Object")
            raise BadType(
                f"Illegal Class name in class reference. {text[0].upper()}{text[1:]} cannot be "
                "used where a String is expected"
            )
        lowered = name.lower().removeprefix("::")
        if not _CLASS_NAME.match(lowered):
            raise BadType(
                f"Illegal name. The given name '{name}' does not conform to the naming rule "
                r"/^((::)?[a-z_]\w*)(::[a-z]\w*)*$/"
            )
        result.append(ClassRef(lowered))
    return result if several else result[-1]
