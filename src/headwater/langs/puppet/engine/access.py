"""``value[keys]``: elements, slices, references, parameters of resources and of types."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeAlias

from headwater.langs.puppet import codes
from headwater.langs.puppet.catalog.resource import flattened
from headwater.langs.puppet.catalog.table import is_parameter
from headwater.langs.puppet.engine.collections import Items, make_list
from headwater.langs.puppet.engine.compilation import Compilation
from headwater.langs.puppet.engine.expressions import (
    Code,
    constant,
    make,
    maker,
    unwound,
    variable_name,
)
from headwater.langs.puppet.engine.steps import spend_unplaced
from headwater.langs.puppet.engine.weights import COMPARED, size_with_parts
from headwater.langs.puppet.fault import Problem
from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.program.units import Unit
from headwater.langs.puppet.record.acts import Read
from headwater.langs.puppet.record.declarations import declared
from headwater.langs.puppet.record.frames import Frame, lasting
from headwater.langs.puppet.syntax import ast
from headwater.langs.puppet.types.equality import _shown
from headwater.langs.puppet.types.model import is_type
from headwater.langs.puppet.types.value import Value
from headwater.langs.puppet.values import (
    Binary,
    ClassRef,
    Opaque,
    ResourceRef,
    capitalised,
    held,
    opaque_in,
)
from headwater.text.late import when_called
from headwater.text.named import NamedTuple
from headwater.text.patterns import LatePattern

if TYPE_CHECKING:
    from headwater.langs.puppet.types.arithmetic import Coerced, number_of, numeric
else:
    when_called(globals(), "headwater.langs.puppet.types.arithmetic", "Coerced number_of numeric")

_TYPE_NAME = LatePattern(r"(?:::)?[A-Z]\w*+(?>(?:::[A-Z]\w*+)*)", re.ASCII)
_NAME = LatePattern(r"(?:(?:::)?[a-z]\w*)(?:::[a-z]\w*)*", re.ASCII)


Coercing: TypeAlias = "Callable[[int], Coerced]"
"""What is to be done when a text is taken for a number, by the place of the key."""


def access(value: object, keys: list[Any], compilation: Compilation, coercing: Coercing) -> Value:
    """The value at the keys."""
    if isinstance(value, Hash):
        if keys[0].__class__ is list or keys[0].__class__ is Hash:
            work = compilation.work
            spend_unplaced(work, size_with_parts(work.weights, keys[0]) * COMPARED)
        return _of_hash(value, keys)
    if isinstance(value, list):
        return _of_array(value, flattened(keys), compilation, coercing)
    if isinstance(value, str):
        return _of_text(value, flattened(keys))
    if isinstance(value, ResourceRef):
        return _of_reference(value, keys, compilation)
    if isinstance(value, ClassRef):
        return _of_class(value, keys, compilation)
    if isinstance(value, Binary):
        text = value.data.decode("latin-1")
        return Binary(_of_text(text, flattened(keys)).encode("latin-1"))
    if is_type(value):
        many = sum(len(key) if key.__class__ is list else 1 for key in keys)
        compilation.work.left -= 4 * many
        return compilation.services.types.parameterized(value, keys)
    raise Problem(codes.NOT_APPLICABLE, part=0, operator="[]", value=_shown(value))


def _of_hash(value: Hash, keys: list[Any]) -> Value:
    if len(keys) == 1:
        return value.get(keys[0])
    found = (value.get(key) for key in keys)
    return [item for item in found if item is not None]


def _of_array(
    value: list[Any], keys: list[Any], compilation: Compilation, coercing: Coercing
) -> Value:
    given = [numeric(key, coercing(index), 1) for index, key in enumerate(keys)]
    numbers = [number for number in given if number.__class__ is int]
    if not 1 <= len(numbers) <= 2 or len(numbers) < len(given):
        raise Problem(
            codes.BAD_ACCESS, part=1, message="an array is indexed with one or two integers"
        )
    if len(numbers) == 1:
        index = numbers[0]
        return value[index] if -len(value) <= index < len(value) else None
    start, count = _stretch(len(value), *numbers)
    found = [] if start > len(value) or count < 0 else value[start : start + count]
    compilation.work.left -= len(found) >> 4
    return found


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


def _of_reference(ref: ResourceRef, keys: list[Any], compilation: Compilation) -> Value:
    if not keys:
        raise Problem(codes.BAD_ACCESS, message="a reference needs a title")
    type_ = ref.type
    if type_ is None:
        type_, keys = _type_name(keys[0]), keys[1:]
        if not keys:
            return ResourceRef(type_)
    several, known = _several(keys)
    if known and ref.title is not None:
        return _one_or_all(_parameters(ref, known, compilation), several)
    found: list[Any] = []
    for index, key in enumerate(known):
        if not isinstance(key, str):
            part = 1 + index + (len(known) != len(keys))
            message = f"a title is a string, not {_shown(key)}"
            raise Problem(codes.BAD_ACCESS, part=part, message=message)
        found.append(ResourceRef(type_, key))
    return _one_or_all(found, several)


def _several(keys: list[Any]) -> tuple[bool, list[Any]]:
    """Whether the result is an array, and the keys that are not undef."""
    several = len(keys) > 1 or isinstance(keys[0], list)
    return several, [key for key in flattened(keys) if key is not None]


def _one_or_all(found: list[Any], several: bool) -> Value:
    if several:
        return found
    return found[-1] if found else None


def _type_name(first: object) -> str:
    """The type in ``Resource[file, '/x']`` or ``Resource[File]``."""
    if isinstance(first, ResourceRef) and first.title is None and first.type is not None:
        return first.type
    name = first
    if isinstance(first, str) and not re.match("[A-Z]", first):
        name = "::".join(part.capitalize() for part in first.split("::"))
    if not isinstance(name, str) or not _TYPE_NAME.fullmatch(name):
        raise Problem(codes.BAD_ACCESS, part=1, message="Resource[] takes a type and titles")
    return name


def _parameters(ref: ResourceRef, keys: list[Any], compilation: Compilation) -> list[Any]:
    assert ref.type is not None
    assert ref.title is not None
    resource = compilation.catalog.find(ref.type, ref.title)
    if resource is None:
        raise Problem(codes.MISSING_RESOURCE, part=0, resource=str(ref), what="")
    found = []
    for key in keys:
        if not isinstance(key, str) or not is_parameter(resource, key):
            raise Problem(codes.UNKNOWN_PARAMETER, part=1, resource=str(ref), name=_shown(key))
        value = resource.value(key)
        scope = declared(resource).scope
        if value is None and scope is not None:
            param = scope.resource_defaults(resource.type).get(key)
            value = None if param is None else param.value
        found.append(held(value, compilation.work.held))
    return found


def _of_class(ref: ClassRef, keys: list[Any], compilation: Compilation) -> Value:
    if not keys:
        raise Problem(codes.BAD_ACCESS, message="Class[] takes the name of a class")
    several, known = _several(keys)
    if known and ref.name is not None:
        of = ResourceRef("Class", capitalised(ref.name))
        return _one_or_all(_parameters(of, known, compilation), several)
    found: list[Any] = []
    for index, key in enumerate(known):
        if isinstance(key, ResourceRef) and key.title is None and key.type is not None:
            key = key.type
        elif isinstance(key, ClassRef) and key.name is not None:
            key = key.name
        if not isinstance(key, str) or not key:
            raise Problem(codes.BAD_ACCESS, part=1 + index, message=f"{_shown(key)} names no class")
        name = key.lower().removeprefix("::")
        if not _NAME.fullmatch(name):
            raise Problem(codes.BAD_ACCESS, part=1 + index, message=f"{_shown(key)} names no class")
        found.append(ClassRef(name))
    return _one_or_all(found, several)


def _class_keys(unit: Unit, nodes: list[Any]) -> Callable[[Frame], list[Any]]:
    """The closure of the keys of ``Class[…]``, in which a type stands for its name."""
    made = [
        constant(key.value) if isinstance(key, ast.TypeName) else make(unit, key) for key in nodes
    ]
    return lambda f: [code(f) for code in made]


def _is_plain(node: ast.Access) -> bool:
    """Whether it says by itself what it asks of which resource: ``File['x']['mode']``."""
    target = unwound(node.left)
    if not isinstance(target, ast.Access) or not isinstance(target.left, ast.TypeName):
        return False
    keys = [*target.keys, *node.keys]
    plain = len(keys) == 2 and all(isinstance(key, ast.String | ast.Name) for key in keys)
    return plain and target.left.value.lower() != "resource"


def _note(
    f: Frame, unit: Unit, node: ast.Access, ref: ResourceRef | ClassRef, keys: list[Any]
) -> None:
    """Notes which parameters were read of a resource that a value names."""
    compilation: Compilation = f.scope.compilation
    if isinstance(ref, ClassRef):
        resource = None if ref.name is None else compilation.catalog.find("Class", ref.name)
    elif ref.type is None or ref.title is None:
        resource = None
    else:
        resource = compilation.catalog.find(ref.type, ref.title)
    if resource is not None:
        for key in _several(keys)[1]:
            read = Read("parameter", str(key), None, lasting(f), unit, node, (resource, key))
            compilation.record.reads.append(read)


class Site(NamedTuple):
    """Where something is accessed; `plain` is whether the text says what of which resource."""

    unit: Unit
    node: ast.Access
    plain: bool


def _found_in(f: Frame, site: Site, value: object, found: list[Any]) -> Value:
    unit, node, plain = site
    if value.__class__ is Opaque:
        return value
    if f.scope.compilation.work.opaque:
        unknown = opaque_in(found)
        if unknown is not None:
            return unknown

    def coercing(index: int) -> Coerced:
        key = node.keys[min(index, len(node.keys) - 1)]
        return f.scope.compilation.messages.coerced_at(unit, key)

    try:
        result = access(value, found, f.scope.compilation, coercing)
        if not plain and isinstance(value, ResourceRef | ClassRef):
            _note(f, unit, node, value, found)
        return result
    except Problem as problem:
        blamed = node.left if problem.part == 0 else node
        if problem.part and node.keys:
            blamed = node.keys[min(problem.part, len(node.keys)) - 1]
        raise problem.at(unit.span(blamed)) from None


@maker(ast.Access)
def _access(unit: Unit, node: ast.Access) -> Code:
    # Every key is made once: to make those of keys in keys twice would take exponential time.
    left = make(unit, node.left)
    of_class = isinstance(node.left, ast.TypeName) and node.left.value.lower() == "class"
    name = variable_name(node.left)
    site = Site(unit, node, _is_plain(node))
    if len(node.keys) == 1 and not of_class and not isinstance(unwound(node.keys[0]), ast.Splat):
        only = make(unit, node.keys[0])
        literal = unwound(node.keys[0])
        if isinstance(literal, ast.String | ast.Name | ast.Integer):
            return _with_key(site, name, left, literal.value)
        return _with_one(site, name, left, only)
    keys = _class_keys(unit, node.keys) if of_class else make_list(unit, node.keys)

    def several(f: Frame, site: Site = site, left: Code = left, keys: Items = keys) -> Value:
        return _found_in(f, site, left(f), keys(f))

    return several


def _with_one(site: Site, name: str | None, left: Code, only: Code) -> Code:
    """Access by one key that is computed."""

    def member(
        f: Frame, site: Site = site, name: str | None = name, left: Code = left, only: Code = only
    ) -> Value:
        value = f.vars[name] if name in f.vars else left(f)
        key = only(f)
        if value.__class__ is Hash:
            if key.__class__ is str or key.__class__ is int:
                return value.entries.get(key)
        elif value.__class__ is list and key.__class__ is int:
            return value[key] if -len(value) <= key < len(value) else None
        elif (
            value.__class__ is ResourceRef
            and value.title is None
            and value.type is not None
            and key.__class__ is str
        ):
            return ResourceRef(value.type, key)
        return _found_in(f, site, value, [key])

    return member


def _with_key(site: Site, name: str | None, left: Code, key: str | int) -> Code:
    """Access by a key that is written out."""

    def entry(
        f: Frame, site: Site = site, name: str | None = name, left: Code = left,
        key: str | int = key,
    ) -> Value:  # fmt: skip
        local = f.vars
        value = local[name] if name in local else left(f)
        if value.__class__ is Hash:
            return value.entries.get(key)
        if value.__class__ is ResourceRef and value.title is None and value.type is not None:
            if key.__class__ is str:
                return ResourceRef(value.type, key)
        elif value.__class__ is list and key.__class__ is int:
            return value[key] if -len(value) <= key < len(value) else None
        return _found_in(f, site, value, [key])

    return entry
