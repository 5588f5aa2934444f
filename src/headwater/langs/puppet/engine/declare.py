"""Declaring resources: making them, their defaults and tags, putting them into the catalog."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from headwater.langs.puppet import codes
from headwater.langs.puppet.catalog.resource import Param, Resource
from headwater.langs.puppet.engine.definitions import Definition, Unit
from headwater.langs.puppet.engine.frames import Act
from headwater.langs.puppet.fault import Problem
from headwater.langs.puppet.values import ClassRef, Opaque, ResourceRef, capitalised

if TYPE_CHECKING:
    from headwater.langs.puppet.engine.frames import Frame, Scope


def declare(
    f: Frame,
    unit: Unit,
    node: Any,
    body: Any,
    type_name: str,
    title: str,
    params: dict[str, Param],
    virtual: bool,
    exported: bool,
    untold: Any = None,
) -> Any:
    """Declares one resource (or class), whose own `params` are, and returns the reference to it."""
    scope = f.scope
    compiler = scope.compiler
    if type_name == "class":
        return _declare_class(f, unit, node, title, params)
    ref_type, info, definition = compiler.resource_type(type_name)
    if info is not None and info.unread:
        _title_of_ruby(f, unit, node, ref_type, title)
    resource = Resource(
        ref_type, title, scope, scope.source,
        "defined_type" if info is None else "compilable_type", info, definition, False,
        params, {}, unit.name, unit.line(node), unit, node, body, f, f.guard, compiler.clock,
        virtual, exported, untold=untold,
    )  # fmt: skip
    if "tag" in params:
        resource.tag(params["tag"].value)
    resource.tag_as_declared()
    if ref_type in compiler.defaulted:
        add_defaults(resource, scope)
    add(compiler, scope, resource)
    return ResourceRef(ref_type, title)


def _title_of_ruby(f: Frame, unit: Unit, node: Any, type_: str, title: str) -> None:
    """A title gives parameters that only Ruby can tell."""
    compiler = f.scope.compiler
    if compiler.inputs.on_unknown != "opaque":
        raise Problem(codes.RUBY_TITLE, title=title, type=type_)
    compiler.undecide(unit, node, Opaque(f"title patterns of {type_}"))


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
            losing = params[name].written(params[name].value, params[name].how)
            losing.old = param
            params[name] = losing


def add(compiler: Any, scope: Scope, resource: Resource) -> None:
    """Puts a resource into the catalog and into what declares it."""
    compiler.catalog.add(resource)
    compiler.added(resource)
    type_ = resource.type
    if type_ != "Class":
        if "stage" in resource.params and resource.value("stage") is not None:
            raise Problem(
                codes.BAD_STAGE, message=f"only classes have a stage; {resource.ref} is a resource"
            )
        if type_ != "Stage":
            assert scope.resource is not None
            compiler.catalog.contain(scope.resource, resource)


def _declare_class(
    f: Frame, unit: Unit, node: Any, title: str, params: dict[str, Param]
) -> ClassRef:
    scope = f.scope
    compiler = scope.compiler
    name = title.removeprefix("::").lower()
    definition = compiler.find_class(name)
    if definition is None:
        raise Problem(codes.UNKNOWN_CLASS, name=name)
    resource = make_class(definition, scope, scope.source, kind="class")
    resource.unit, resource.node = unit, node
    resource.file, resource.line = unit.name, unit.line(node)
    resource.frame, resource.guard, resource.when = f, f.guard, compiler.clock
    act = Act("include", None, unit, node, f, f.guard, compiler.clock)
    compiler.declared.setdefault(definition.name, []).append(act)
    give(resource, params)
    resource.tag_as_declared()
    add_defaults(resource, scope)
    instantiate(compiler, definition, scope, resource, act)
    add(compiler, scope, resource)
    evaluate_classes(compiler, [name], scope)
    return ClassRef(definition.name)


def make_class(
    definition: Definition, scope: Scope, source: Definition, *, kind: str = "unknown"
) -> Resource:
    """The resource of a class or node, not yet in the catalog."""
    is_class = definition.kind == "class"
    return Resource(
        "Class" if is_class else "Node",
        capitalised(definition.name) if is_class else definition.name,
        scope, source, kind=kind, definition=definition,
    )  # fmt: skip


def instantiate(
    compiler: Any, definition: Definition, scope: Scope, resource: Resource, act: Act | None
) -> None:
    """Declares the parent of a class first, and notes the tags."""
    if definition.parent is not None:
        parent = compiler.parent_of(definition)
        if compiler.catalog.table.get(("Class", capitalised(parent.name))) is None:
            if act is not None:
                compiler.declared.setdefault(parent.name, []).append(act)
            ensure_class(compiler, parent, scope, act=act)
    compiler.catalog.tags.update(resource.tags)


def ensure_class(
    compiler: Any, definition: Definition, scope: Scope, params: dict[str, Param] | None = None,
    act: Act | None = None,
) -> Resource:  # fmt: skip
    """The resource of a class, added to the catalog if it was not there."""
    type_ = "Class" if definition.kind == "class" else "Node"
    title = capitalised(definition.name) if definition.kind == "class" else definition.name
    if params is None:
        found: Resource | None = compiler.catalog.table.get((type_, title))
        if found is not None:
            return found
    resource = make_class(definition, scope, definition)
    resource.when = compiler.clock
    if params:
        give(resource, params)
    resource.tag_as_declared()
    add_defaults(resource, scope)
    instantiate(compiler, definition, scope, resource, act)
    add(compiler, scope, resource)
    return resource


def evaluate_classes(
    compiler: Any, names: list[str], scope: Scope, act: Act | None = None
) -> list[Resource]:
    """Declares and evaluates classes that are not yet; returns the resources of all."""
    definitions = []
    for name in names:
        definition = compiler.find_class(name)
        if definition is None:
            raise Problem(codes.UNKNOWN_CLASS, name=name)
        definitions.append(definition)
        if act is not None:
            compiler.declared.setdefault(definition.name, []).append(act)
    old: list[Resource] = []
    new: list[Resource] = []
    for definition in definitions:
        known = compiler.class_scopes.get(definition.name)
        if known is not None:
            old.append(known.resource)
        else:
            new.append(ensure_class(compiler, definition, scope, act=act))
    for resource in new:
        compiler.evaluate(resource)
    return old + new
