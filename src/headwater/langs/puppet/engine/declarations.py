"""Declaring resources: making them, their defaults and tags, putting them into the catalog."""

from __future__ import annotations

from headwater.langs.puppet import codes
from headwater.langs.puppet.catalog.metadata import TypeInfo
from headwater.langs.puppet.catalog.resource import Param, Resource, tags_of_type
from headwater.langs.puppet.engine.classes import evaluate
from headwater.langs.puppet.engine.compilation import Compilation
from headwater.langs.puppet.engine.steps import A_RESOURCE
from headwater.langs.puppet.fault import Fault, Problem
from headwater.langs.puppet.program.definitions import Definition
from headwater.langs.puppet.program.units import Unit
from headwater.langs.puppet.record.acts import Act
from headwater.langs.puppet.record.declarations import Declaration
from headwater.langs.puppet.record.frames import Frame, Scope
from headwater.langs.puppet.types.value import Value
from headwater.langs.puppet.values import ClassRef, Opaque, ResourceRef, capitalised, opaque_in


def declare(
    f: Frame,
    unit: Unit,
    node: object,
    body: object,
    type_name: str,
    title: str,
    params: dict[str, Param],
    virtual: bool,
    exported: bool,
    untold: object = None,
) -> Value:
    """Declares one resource (or class), whose own `params` are, and returns the reference to it."""
    scope = f.scope
    compilation: Compilation = scope.compilation
    if type_name == "class":
        return _declare_class(f, unit, node, title, params)
    types = compilation.services.types
    found = types.resources.get(type_name) or types.resource(type_name)
    ref_type, info, definition = found
    if info is not None and (info.unsure or info.unread or info.open):
        info = _told_by_ruby(f, unit, node, info, title)
    resource = Resource(
        ref_type, title,
        Declaration(scope, scope.source, scope.record.clock, unit, node, body, f, f.guard),
        info, definition,
        params, tags_of_type(ref_type).copy(), virtual, exported, untold,
    )  # fmt: skip
    if "tag" in params:  # which come first
        resource.tags = {}
        resource.tag(params["tag"].value)
        resource.tag_as_declared()
    elif title[:1] != "/":  # paths, of which there are many, are no tags
        resource.tag_by_title()
    if ref_type in compilation.work.defaulted:
        add_defaults(resource, scope)
    add(compilation, scope, resource)
    return ResourceRef(ref_type, title)


def _told_by_ruby(f: Frame, unit: Unit, node: object, info: TypeInfo, title: str) -> TypeInfo:
    """A type of which only Ruby can tell all: as its file tells it, if that can run.

    If it cannot, titles that only Ruby can read are refused; what a scan of the file could tell is
    taken, with any parameter where it saw that Ruby makes some.
    """
    from headwater.langs.puppet.engine.ruby_titles import told

    compilation = f.scope.compilation
    found = told(f, unit, node, info)
    if isinstance(found, TypeInfo):
        return found
    if not info.unread:
        return info
    type_ = capitalised(info.name)
    if compilation.inputs.on_unknown != "opaque":
        raise Problem(codes.RUBY_TITLE, title=title, type=type_, why=found)
    compilation.messages.undecide(unit, node, Opaque(f"title patterns of {type_}"))
    return info


def give(resource: Resource, params: dict[str, Param]) -> None:
    """Sets the parameters that are written with the resource."""
    if "tag" in params:
        resource.tag(params["tag"].value)
    resource.params.update(params)


def add_defaults(resource: Resource, scope: Scope) -> None:
    """Adds the resource defaults in force where it is declared."""
    defaults = scope.resource_defaults(resource.type)
    if not defaults:
        return
    params = resource.params
    for name, param in defaults.items():
        if name not in params:
            params[name] = param
            if name == "tag":
                resource.tag(param.value)
        elif params[name].old is None:
            losing = params[name].again(params[name].value, params[name].how)
            losing.old = param
            params[name] = losing


def add(compilation: Compilation, scope: Scope, resource: Resource) -> None:
    """Puts a resource into the catalog and into what declares it."""
    catalog, work = compilation.catalog, compilation.work
    if work.opaque and _is_named_by_unknown(resource):
        compilation.record.guesses.guessed = True
    try:
        catalog.add(resource)
    except Fault as fault:
        if fault.diagnostic.code != codes.DUPLICATE_RESOURCE.name:
            raise
        from headwater.langs.puppet.engine.whence import twice

        raise twice(compilation, resource, fault) from None
    type_ = resource.type
    if type_ in catalog.by_type:
        catalog.by_type[type_].append(resource)
    else:
        catalog.by_type[type_] = [resource]
    work.left -= A_RESOURCE
    if resource.info is None:
        work.unevaluated.append(resource)
    if type_ != "Class":
        if "stage" in resource.params and resource.value("stage") is not None:
            raise Problem(
                codes.BAD_STAGE, message=f"only classes have a stage; {resource.ref} is a resource"
            )
        if type_ != "Stage":
            container = scope.resource
            assert container is not None
            container.hold(resource)


def _is_named_by_unknown(resource: Resource) -> bool:
    """Whether an unknown value says how a resource is found, or where it is."""
    info, params = resource.info, resource.params
    names = {"alias", "name", "stage", "tag", *(info.keys if info is not None else ())}
    found = (params[name].value for name in names if name in params)
    return any(opaque_in(value) is not None for value in found)


def _declare_class(
    f: Frame, unit: Unit, node: object, title: str, params: dict[str, Param]
) -> ClassRef:
    scope = f.scope
    compilation: Compilation = scope.compilation
    record = compilation.record
    name = title.removeprefix("::").lower()
    definition = compilation.program.find_class(name)
    if definition is None:
        raise compilation.program.unknown_class(name)
    declared = Declaration(scope, scope.source, record.clock, unit, node, None, f, f.guard)
    resource = make_class(definition, declared)
    act = Act("include", None, unit, node, f, f.guard, record.clock)
    record.declare(definition.name, act)
    give(resource, params)
    resource.tag_as_declared()
    add_defaults(resource, scope)
    _instantiate(compilation, definition, scope, resource, act)
    add(compilation, scope, resource)
    evaluate_classes(compilation, [name], scope)
    return ClassRef(definition.name)


def make_class(definition: Definition, declared: Declaration) -> Resource:
    """The resource of a class or node, not yet in the catalog."""
    is_class = definition.kind == "class"
    return Resource(
        "Class" if is_class else "Node",
        capitalised(definition.name) if is_class else definition.name,
        declared, definition=definition,
    )  # fmt: skip


def _instantiate(
    compilation: Compilation, definition: Definition, scope: Scope, resource: Resource,
    act: Act | None,
) -> None:  # fmt: skip
    """Declares the parent of a class first, and notes the tags."""
    if definition.parent is not None:
        parent = compilation.program.parent_of(definition)
        if compilation.catalog.find_class(parent.name) is None:
            if act is not None:
                compilation.record.declare(parent.name, act)
            ensure_class(compilation, parent, scope, act=act)
    compilation.catalog.tags.update(resource.tags)


def ensure_class(
    compilation: Compilation, definition: Definition, scope: Scope,
    params: dict[str, Param] | None = None, act: Act | None = None,
) -> Resource:  # fmt: skip
    """The resource of a class, added to the catalog if it was not there."""
    type_ = "Class" if definition.kind == "class" else "Node"
    title = capitalised(definition.name) if definition.kind == "class" else definition.name
    if params is None:
        found = compilation.catalog.table.get((type_, title))
        if found is not None:
            return found
    declared = Declaration(scope, definition, compilation.record.clock)
    resource = make_class(definition, declared)
    if params:
        give(resource, params)
    resource.tag_as_declared()
    add_defaults(resource, scope)
    _instantiate(compilation, definition, scope, resource, act)
    add(compilation, scope, resource)
    return resource


def evaluate_classes(
    compilation: Compilation, names: list[str], scope: Scope, act: Act | None = None
) -> list[Resource]:
    """Declares and evaluates classes that are not yet; returns the resources of all."""
    definitions = []
    for name in names:
        definition = compilation.program.find_class(name)
        if definition is None:
            raise compilation.program.unknown_class(name)
        definitions.append(definition)
        if act is not None:
            compilation.record.declare(definition.name, act)
    old: list[Resource] = []
    new: list[Resource] = []
    for definition in definitions:
        known = compilation.record.scopes.get(definition.name)
        if known is not None:
            assert known.resource is not None
            old.append(known.resource)
        else:
            new.append(ensure_class(compilation, definition, scope, act=act))
    for resource in new:
        evaluate(compilation, resource)
    return old + new
