"""``value[keys]``: elements, slices, references, parameters of resources and of types."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from headwater.langs.puppet import codes
from headwater.langs.puppet.catalog.resource import flattened
from headwater.langs.puppet.engine.arithmetic import number_of, numeric
from headwater.langs.puppet.engine.equality import _shown
from headwater.langs.puppet.fault import Problem
from headwater.langs.puppet.types.model import is_type
from headwater.langs.puppet.values import Binary, ClassRef, ResourceRef, capitalised

if TYPE_CHECKING:
    from headwater.langs.puppet.engine.compiler import Compiler


def access(value: Any, keys: list[Any], compiler: Compiler) -> Any:
    """The value at the keys."""
    if isinstance(value, dict):
        return _of_hash(value, keys)
    if isinstance(value, list):
        return _of_array(value, flattened(keys), compiler)
    if isinstance(value, str):
        return _of_text(value, flattened(keys))
    if isinstance(value, ResourceRef):
        return _of_reference(value, keys, compiler)
    if isinstance(value, ClassRef):
        return _of_class(value, keys, compiler)
    if isinstance(value, Binary):
        text = value.data.decode("latin-1")
        return Binary(_of_text(text, flattened(keys)).encode("latin-1"))
    if is_type(value):
        return compiler.types.parameterized(value, keys)
    raise Problem(codes.NOT_APPLICABLE, part=0, operator="[]", value=_shown(value))


def _of_hash(value: dict[Any, Any], keys: list[Any]) -> Any:
    if len(keys) == 1:
        key = keys[0]
        return None if isinstance(key, dict) else value.get(_hashed(key))
    found = (value.get(_hashed(key)) for key in keys if not isinstance(key, dict))
    return [item for item in found if item is not None]


def _hashed(key: Any) -> Any:
    return tuple(_hashed(item) for item in key) if isinstance(key, list) else key


def _of_array(value: list[Any], keys: list[Any], compiler: Compiler) -> Any:
    numbers = [numeric(key, compiler.coerced, 1) for key in keys]
    if not 1 <= len(numbers) <= 2 or not all(n.__class__ is int for n in numbers):
        raise Problem(
            codes.BAD_ACCESS, part=1, message="an array is indexed with one or two integers"
        )
    if len(numbers) == 1:
        index = numbers[0]
        return value[index] if -len(value) <= index < len(value) else None
    start, count = _stretch(len(value), *numbers)
    return [] if start > len(value) or count < 0 else value[start : start + count]


def _stretch(size: int, start: int, count: int) -> tuple[int, int]:
    """Start and length of a slice; negative ones count from the end."""
    start = size + start if start < 0 else start
    count = size - start + count + 1 if count < 0 else count
    return (start, count) if start >= 0 else (0, count + start)


def _of_text(value: str, keys: list[Any]) -> str:
    numbers: list[Any] = [number_of(key) if isinstance(key, str) else key for key in keys]
    if not 1 <= len(numbers) <= 2 or not all(n.__class__ is int for n in numbers):
        raise Problem(
            codes.BAD_ACCESS, part=1, message="a string is indexed with one or two integers"
        )
    if len(numbers) == 1:
        index = numbers[0] + len(value) if numbers[0] < 0 else numbers[0]
        return value[index] if 0 <= index < len(value) else ""
    start, count = _stretch(len(value), *numbers)
    return "" if count < 0 else value[start : start + count]


def _of_reference(ref: ResourceRef, keys: list[Any], compiler: Compiler) -> Any:
    keys = flattened(keys)
    if ref.title is not None:
        return _parameters(ref, keys, compiler)
    if not keys:
        raise Problem(codes.BAD_ACCESS, message="a reference needs a title")
    if ref.type is None:
        return _resource_of(keys, compiler)
    found = [ResourceRef(ref.type, _title(key)) for key in keys]
    return found[0] if len(found) == 1 else found


def _resource_of(keys: list[Any], compiler: Compiler) -> Any:
    """``Resource[file, '/x']``, ``Resource[File]``"""
    first, *titles = keys
    if isinstance(first, ResourceRef) and first.title is None:
        type_: str | None = first.type
    elif isinstance(first, str) and first:
        type_ = "::".join(part.capitalize() for part in first.split("::") if part)
    else:
        raise Problem(codes.BAD_ACCESS, part=1, message="Resource[] takes a type and titles")
    if not titles:
        return ResourceRef(type_)
    found = [ResourceRef(type_, _title(key)) for key in titles]
    return found[0] if len(found) == 1 else found


def _title(key: Any) -> str:
    if not isinstance(key, str):
        raise Problem(codes.BAD_ACCESS, part=1, message=f"a title is a string, not {_shown(key)}")
    if not key:
        raise Problem(codes.BAD_ACCESS, part=1, message="a title cannot be empty")
    return key


def _parameters(ref: ResourceRef, keys: list[Any], compiler: Compiler) -> Any:
    assert ref.type is not None
    assert ref.title is not None
    resource = compiler.find_resource(ref.type, ref.title)
    if resource is None:
        raise Problem(codes.MISSING_RESOURCE, part=0, resource=str(ref), what="")
    found = []
    for key in keys:
        if not isinstance(key, str) or not compiler.is_parameter(resource, key):
            raise Problem(codes.UNKNOWN_PARAMETER, part=1, resource=str(ref), name=_shown(key))
        value = resource.value(key)
        if value is None and resource.scope is not None:
            param = resource.scope.resource_defaults(resource.type).get(key)
            value = None if param is None else param.value
        found.append(value)
    return found[0] if len(found) == 1 else found


def _of_class(ref: ClassRef, keys: list[Any], compiler: Compiler) -> Any:
    keys = flattened(keys)
    if ref.name is not None:
        return _parameters(ResourceRef("Class", capitalised(ref.name)), keys, compiler)
    found = []
    for key in keys:
        if isinstance(key, ResourceRef) and key.title is None and key.type is not None:
            key = key.type
        elif isinstance(key, ClassRef) and key.name is not None:
            key = key.name
        if not isinstance(key, str) or not key:
            raise Problem(codes.BAD_ACCESS, part=1, message=f"{_shown(key)} names no class")
        name = key.lower().removeprefix("::")
        found.append(ClassRef(name))
    return found[0] if len(found) == 1 else found
