"""The catalog as functions see it: ``findresource``, resources and their parameters."""

from __future__ import annotations

import re
from typing import Final

from headwater.langs.puppet.catalog.resource import Resource
from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.ruby.classes import OBJECT, OF_TYPE, define, module
from headwater.langs.puppet.ruby.exchange import Reference, Wrapped, to_ruby
from headwater.langs.puppet.ruby.functions import compiler_of, top_of
from headwater.langs.puppet.ruby.library import RESOURCE, SCOPE
from headwater.langs.puppet.ruby.machine import Machine
from headwater.langs.puppet.ruby.methods import conversions as to
from headwater.langs.puppet.ruby.methods.registry import method, own_method
from headwater.langs.puppet.ruby.refusals import Beyond
from headwater.langs.puppet.ruby.surroundings import ScopeObject
from headwater.langs.puppet.ruby.values import Native, RubyValue, Symbol, Text, symbol
from headwater.langs.puppet.types.value import Value
from headwater.langs.puppet.values import ClassRef, ResourceRef, capitalised

_REFERENCE: Final = re.compile(r"([^\[\]]+)\[(.+)\]", re.DOTALL)
_DECLARED: Final = define("Puppet::Parser::Resource", RESOURCE)
_CATALOG: Final = define("Puppet::Resource::Catalog", OBJECT)
_COMPILER: Final = define("Puppet::Parser::Compiler", OBJECT)
_TYPE: Final = define("Puppet::Resource::Type", OBJECT)
_PARAMETER: Final = define("Puppet::Parser::Resource::Param", OBJECT)
module("Puppet::Pops::Evaluator")
_SUPPORT: Final = module("Puppet::Pops::Evaluator::Runtime3ResourceSupport")


class Declared(Wrapped):
    """A resource of the catalog."""

    __slots__ = ("resource",)

    def __init__(self, resource: Resource) -> None:
        self.resource = resource

    def unwrapped(self) -> Value:
        found = self.resource
        if found.type == "Class":
            return ClassRef(found.title.lower(), True)
        return ResourceRef(found.type, found.title, True)

    def __eq__(self, other: object) -> bool:
        return other.__class__ is Declared and self.resource is other.resource

    def __hash__(self) -> int:
        return hash(id(self.resource))


class ParameterObject(Native):
    """One parameter of a resource of the catalog."""

    __slots__ = ("name", "value")

    def __init__(self, name: str, value: RubyValue) -> None:
        self.name = name
        self.value = value


class CatalogObject(Native):
    """``catalog``, and ``compiler`` with it."""


class CompilerObject(Native):
    """``compiler``"""


class TypeObject(Native):
    """A type of resources, or a class, by its name; of a definition its kind is known too."""

    __slots__ = ("kind", "name")

    def __init__(self, name: str, kind: str | None = None) -> None:
        self.name = name
        self.kind = kind


OF_TYPE.update(
    {
        Declared: _DECLARED,
        CatalogObject: _CATALOG,
        CompilerObject: _COMPILER,
        TypeObject: _TYPE,
        ParameterObject: _PARAMETER,
    }
)


def type_and_title(m: Machine, type_: RubyValue, title: RubyValue) -> tuple[str, str]:
    """The two halves of a reference that was given as one text or as two."""
    if type_.__class__ is TypeObject:
        type_ = type_.name
    if title is None and to.is_string(type_):
        found = _REFERENCE.fullmatch(m.text(type_))
        if found is None:
            raise m.error(
                "ArgumentError",
                f"No title provided and {m.inspect(type_)} is not a valid resource reference",
            )
        type_, title = found[1], found[2]
    elif type_ is None and to.is_string(title):
        found = _REFERENCE.fullmatch(m.text(title))
        if found is not None:
            type_, title = found[1], found[2]
    elif title is None:
        raise m.error(
            "ArgumentError",
            f"No title provided and {m.inspect(type_)} is not a valid resource reference",
        )
    name = m.text(type_)
    kind = "Class" if not name or name.lower() == "component" else capitalised(name)
    text = m.text(title)
    if kind == "Class":
        text = "main" if text in ("", "main") else capitalised(text)
    return kind, text


@own_method(RESOURCE, "type_and_title")
def split_reference(m: Machine, self: RubyValue, type_: RubyValue, title: RubyValue) -> RubyValue:
    kind, text = type_and_title(m, type_, title)
    return [Text(kind), Text(text)]


@own_method(RESOURCE, "new")
def new_resource(
    m: Machine,
    self: RubyValue,
    type_: RubyValue,
    title: RubyValue = None,
    options: RubyValue = None,
) -> RubyValue:
    kind, text = type_and_title(m, type_, title)
    return Reference(ClassRef(text.lower()) if kind == "Class" else ResourceRef(kind, text))


@method(RESOURCE, "inspect")
def inspect_reference(m: Machine, self: Reference) -> str:
    ref = self.ref
    if isinstance(ref, ClassRef):
        return f"{ref}{{}}"
    name = compiler_of(m).namevar(ref.type or "")
    return f"{ref}{{}}" if name is None else f"{ref}{{:{name}=>{m.inspect(str(ref.title))}}}"


@own_method(_SUPPORT, "find_resource_type_or_class", "find_resource_type")
def find_type(m: Machine, self: RubyValue, scope: RubyValue, name: RubyValue) -> RubyValue:
    found = compiler_of(m).resource_type(m.text(name).lower().removeprefix("::"))
    return None if found is None else TypeObject(found)


# resources


@method(_DECLARED, "type")
def declared_type(m: Machine, self: Declared) -> str:
    return self.resource.type


@method(_DECLARED, "title")
def declared_title(m: Machine, self: Declared) -> str:
    return self.resource.title


@method(_DECLARED, "name")
def declared_name(m: Machine, self: Declared) -> RubyValue:
    value = _parameter(m, self, "name")
    return Text(self.resource.title) if value is None else value


@method(_DECLARED, "to_s", "ref", "inspect")
def declared_text(m: Machine, self: Declared) -> str:
    return self.resource.ref


@method(_DECLARED, "==", "eql?", "equal?")
def same_declared(m: Machine, self: Declared, other: RubyValue) -> bool:
    return bool(self == other)


@method(_DECLARED, "[]")
def declared_parameter(m: Machine, self: Declared, name: RubyValue) -> RubyValue:
    return _parameter(m, self, to.name_of(m, name))


def _parameter(m: Machine, self: Declared, name: str) -> RubyValue:
    return to_ruby(compiler_of(m).parameter(self.resource, name))


@method(_DECLARED, "to_hash", "to_h")
def declared_hash(m: Machine, self: Declared) -> RubyValue:
    found = self.resource
    key = compiler_of(m).namevar(found.type) or "name"
    title = [] if key in found.params else [(symbol(key), Text(found.title))]
    given = [(symbol(name), _parameter(m, self, name)) for name in found.params]
    return Hash.of([*title, *(pair for pair in given if pair[1] is not None)])


@method(_DECLARED, "parameters")
def declared_parameters(m: Machine, self: Declared) -> RubyValue:
    names = self.resource.params
    return Hash.of(
        [(symbol(name), ParameterObject(name, _parameter(m, self, name))) for name in names]
    )


@method(_PARAMETER, "name")
def parameter_name(m: Machine, self: ParameterObject) -> RubyValue:
    return symbol(self.name)


@method(_PARAMETER, "value")
def parameter_value(m: Machine, self: ParameterObject) -> RubyValue:
    return self.value


@method(_DECLARED, "key?", "has_key?")
def declared_has(m: Machine, self: Declared, name: RubyValue) -> bool:
    compiler_of(m).parameter(self.resource, to.name_of(m, name))
    return to.name_of(m, name) in self.resource.params


@method(_DECLARED, "virtual", "virtual?")
def is_virtual(m: Machine, self: Declared) -> bool:
    return self.resource.virtual


@method(_DECLARED, "exported", "exported?")
def is_exported(m: Machine, self: Declared) -> bool:
    return self.resource.exported


@method(_DECLARED, "tags")
def declared_tags(m: Machine, self: Declared) -> RubyValue:
    return [Text(tag) for tag in self.resource.tags]


@method(_DECLARED, "class?")
def declares_class(m: Machine, self: Declared) -> bool:
    return self.resource.type == "Class"


@method(_DECLARED, "[]=", "set_parameter", "tag", "add_parameters", "delete")
def change_declared(m: Machine, self: Declared, *args: RubyValue) -> RubyValue:
    raise Beyond("a resource that a function changes")


# the catalog


@method(_CATALOG, "resources")
def resources(m: Machine, self: RubyValue) -> RubyValue:
    return [Declared(one) for one in compiler_of(m).resources()]


@method(_CATALOG, "resource")
@method(SCOPE, "findresource")
@method(_COMPILER, "findresource")
def findresource(
    m: Machine, self: RubyValue, type_: RubyValue, title: RubyValue = None
) -> RubyValue:
    kind, text = type_and_title(m, type_, title)
    found = compiler_of(m).find_resource(kind, text)
    return None if found is None else Declared(found)


@method(_CATALOG, "resource_refs")
def references(m: Machine, self: RubyValue) -> RubyValue:
    return [Text(one.ref) for one in compiler_of(m).resources()]


@method(_CATALOG, "classes")
def classes(m: Machine, self: RubyValue) -> RubyValue:
    return [Text(one.title.lower()) for one in compiler_of(m).resources() if one.type == "Class"]


@method(SCOPE, "catalog")
@method(_COMPILER, "catalog")
def catalog(m: Machine, self: RubyValue) -> RubyValue:
    return CatalogObject()


@method(SCOPE, "compiler")
def compiler(m: Machine, self: RubyValue) -> RubyValue:
    return CompilerObject()


@method(_COMPILER, "topscope")
@method(SCOPE, "find_global_scope")
def top(m: Machine, self: RubyValue) -> RubyValue:
    return top_of(m)


@method(SCOPE, "resource")
def resource(m: Machine, self: ScopeObject) -> RubyValue:
    found = compiler_of(m).resource_of(self)
    return None if found is None else Declared(found)


@method(SCOPE, "find_hostclass")
def find_hostclass(m: Machine, self: ScopeObject, name: RubyValue) -> RubyValue:
    found = compiler_of(m).class_named(m.text(name))
    return None if found is None else TypeObject(found)


@method(SCOPE, "find_definition")
def find_definition(m: Machine, self: ScopeObject, name: RubyValue) -> RubyValue:
    return find_type(m, self, self, name)


@method(_TYPE, "name", "to_s")
def type_name(m: Machine, self: TypeObject) -> str:
    return self.name


@method(SCOPE, "source")
def source(m: Machine, self: ScopeObject) -> RubyValue:
    """The class, define or node whose body the call stands in."""
    kind, name = compiler_of(m).source_of(self)
    return TypeObject("" if name == "main" else name, kind)


@method(SCOPE, "parent_module_name")
def parent_module_name(m: Machine, self: ScopeObject) -> RubyValue:
    return compiler_of(m).parent_module_of(self)


@method(_TYPE, "type")
def type_kind(m: Machine, self: TypeObject) -> RubyValue:
    kind = {"class": "hostclass", "define": "definition", "node": "node"}.get(self.kind or "")
    if kind is None:
        raise Beyond("Puppet::Resource::Type#type")
    return symbol(kind)


@method(_TYPE, "==")
def same_type(m: Machine, self: TypeObject, other: RubyValue) -> bool:
    return other.__class__ is TypeObject and other.name == self.name


__all__ = ["Symbol", "type_and_title"]
