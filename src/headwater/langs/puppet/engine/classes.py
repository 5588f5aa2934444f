"""Evaluating classes, defines and nodes: scope, parameters, stage, body."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from headwater.langs.puppet import codes
from headwater.langs.puppet.catalog.metadata import metaparameter_names
from headwater.langs.puppet.catalog.resource import Param, Resource
from headwater.langs.puppet.catalog.table import Catalog
from headwater.langs.puppet.engine.attributes import own_copy
from headwater.langs.puppet.engine.blocks import make_body
from headwater.langs.puppet.engine.compilation import Compilation
from headwater.langs.puppet.engine.lambdas import MOST_CALLS, make_params, type_of
from headwater.langs.puppet.engine.steps import exhausted
from headwater.langs.puppet.engine.type_names import is_plain
from headwater.langs.puppet.fault import (
    Break,
    Next,
    Problem,
    Return,
    Unready,
    default_of,
    fail,
    illegal,
)
from headwater.langs.puppet.program.definitions import Definition, Parameter
from headwater.langs.puppet.program.units import Unit
from headwater.langs.puppet.record.declarations import declared
from headwater.langs.puppet.record.frames import Frame, Scope, inside, scope_of
from headwater.langs.puppet.types.matching import is_instance
from headwater.langs.puppet.values import SINGLE, Deferred, Opaque, held, opaque_in

_TITLES = ("name", "title")


def evaluate(compilation: Compilation, resource: Resource) -> None:
    """Evaluates a class, define or node, once."""
    work = compilation.work
    if resource in work.evaluated:
        return
    work.evaluated.add(resource)
    resource.take_scope_tags()
    definition = resource.definition
    assert definition is not None
    work.depth += 1
    if work.depth > MOST_CALLS:
        work.depth = 0
        raise Problem(codes.TOO_MANY_CALLS, bound=MOST_CALLS)
    _evaluate_code(compilation, definition, resource)
    work.depth -= 1


def _evaluate_code(compilation: Compilation, definition: Definition, resource: Resource) -> None:
    record = compilation.record
    base = _parent_scope(compilation, definition, resource)
    scope = scope_of(compilation, record, base, definition, resource)
    record.clock = scope.when = record.clock + 1
    if definition.kind != "define":
        compilation.catalog.add_class(definition.name)
    _set_parameters(compilation, definition, resource, scope)
    if definition.kind == "class":
        add_to_stage(compilation.catalog, resource)
    run(definition, scope)


def run(definition: Definition, scope: Scope) -> None:
    """Runs a body in its scope."""
    code = definition.code
    if code is None:
        if definition.unit is None:
            return
        unit, body = definition.unit, definition.body
        made = unit.made.get(("body", id(body)))
        if made is None:
            made = unit.once("body", body, lambda: make_body(unit, body))
        code, definition.steps = made
        definition.code = code
    if definition.match is not None:
        scope.match = definition.match
    work = scope.compilation.work
    work.left = left = work.left - definition.steps
    if left < 0:
        assert definition.unit is not None
        exhausted(work, definition.unit, definition.node)
    try:
        code(scope)
    except Return as jump:
        if not definition.name or definition.kind == "node":
            raise illegal(jump) from None
    except Next as jump:
        if not definition.name:
            raise illegal(jump) from None
    except Break as jump:
        raise illegal(jump) from None


def _parent_scope(compilation: Compilation, definition: Definition, resource: Resource) -> Scope:
    """The scope of the parent class, which is evaluated first, or the declaring scope."""
    if definition.parent is not None:
        parent = compilation.program.parent_of(definition)
        found = compilation.catalog.find_class(parent.name)
        if found is not None:
            evaluate(compilation, found)
            scope = compilation.record.scopes.get(parent.name)
            if scope is None:
                raise Problem(codes.INHERITS_ITSELF, name=definition.name)
            return scope
    around = declared(resource).scope
    assert around is not None
    return around


def _set_parameters(
    compilation: Compilation, definition: Definition, resource: Resource, scope: Scope
) -> None:
    variables, bindings, own = scope.vars, scope.bindings, resource.params
    module = resource.value("module_name") if "module_name" in own else None
    variables["module_name"] = module or definition.module or ""
    if scope.parent is not None:
        variables["caller_module_name"] = scope.parent.source.module or ""
    params = parameters_of(definition)
    if definition.kind == "class":
        if params and compilation.has_data:
            _look_up(compilation, definition, params, resource, scope)
        variables["title"] = resource.title.lower()
        name = resource.value("name") if "name" in own else None
        variables["name"] = str(name or resource.title).lower()
    else:
        title = resource.title if resource.untold is None else resource.untold
        variables["title"] = title
        variables["name"] = (resource.value("name") if "name" in own else None) or title
    if definition.kind != "define":
        compilation.record.scopes[definition.name] = scope
    if not params and not own:
        return
    frame = inside(scope)
    given = frame.vars
    for name, param in own.items():
        given[name] = param.value
    for name in _TITLES:
        if name in own:
            del given[name]
    _add_defaults(compilation, definition, params, resource, frame)
    names: Iterable[str]
    if _fit(params, given):
        names = [each.name for each in params]
    else:
        check_parameters(compilation, resource, params, given)
        names = {**dict.fromkeys(each.name for each in params if each.name in given), **given}
    if "title" not in own:
        compilation.work.checked[resource] = list(own.values())
    known = compilation.work.held
    for name in names:
        value = given[name]
        kind = value.__class__
        variables[name] = value if kind in SINGLE else held(value, known)
        bindings[name] = own[name]


def _fit(params: list[Parameter], given: dict[str, Any]) -> bool:
    """Whether exactly the parameters there are have values, and all of their types."""
    if len(params) != len(given):
        return False
    for param in params:
        name, wanted = param.name, param.type_value
        if name not in given:
            return False
        value = given[name]
        if value is param.fits:
            continue
        if wanted is None:
            if param.type is not None:
                return False
        elif not is_instance(wanted, value):
            return False
        elif value.__class__ in SINGLE:
            param.fits = value
    return True


def parameters_of(definition: Definition) -> list[Parameter]:
    """The parameters of a definition, compiled at first use."""
    found = definition.params
    if found is None:
        nodes = getattr(definition.node, "params", None)
        unit = definition.unit
        if unit is None or not nodes:
            found = []
        else:
            found = unit.made.get(("params", id(nodes)))
            if found is None:
                found = unit.once("params", nodes, lambda: make_params(unit, nodes))
        definition.params = found
    return found


def _add_defaults(
    compilation: Compilation,
    definition: Definition,
    params: list[Parameter],
    resource: Resource,
    frame: Frame,
) -> None:
    """Evaluates the defaults of parameters that have no value, from left to right."""
    given, own = frame.vars, resource.params
    record = compilation.record
    unit, source, clock = definition.unit, declared(resource).source, record.clock
    names: list[str] = []
    for index, param in enumerate(params):
        default, name = param.default, param.name
        if default is None:
            continue
        old = own.get(name)
        if old is not None and old.value is not None:
            continue
        if param.constant:
            value = default(frame)
        else:
            given.pop(name, None)
            names = names or [each.name for each in params]
            frame.pending = _pending(resource, names, given, index)
            frame.match = None
            frame.scope.entering = frame
            try:
                value = default_of(default, frame)
            finally:
                frame.pending = frame.scope.entering = None
            clock = record.clock
            value = own_copy(frame, value)
        new = Param(
            value, source, "parameter default", False, unit, param.node.default, frame, None,
            param.node, None, clock,
        )  # fmt: skip
        if old is None and name != "tag":
            own[name] = new
        else:
            resource.set(name, new)
        given[name] = value
    resource.tell()


def _pending(
    resource: Resource, names: list[str], given: dict[str, Any], index: int
) -> Callable[[str], None]:
    """Refuses reads of parameters that have no value yet."""

    def pending(name: str) -> None:
        if name not in names or name in given:
            return
        if names.index(name) < index:
            raise Unready(codes.MISSING_PARAMETER, resource=resource.ref, name=name)
        raise Unready(codes.PARAMETER_ORDER, resource=resource.ref, name=names[index], other=name)

    return pending


def check_parameters(
    compilation: Compilation,
    owner: Resource | str,
    params: list[Parameter],
    given: dict[str, Any],
) -> None:
    """Refuses missing, unknown and mistyped parameters."""
    found = 0
    for param in params:
        name = param.name
        if name not in given:
            if param.default is None:
                from headwater.langs.puppet.engine.whence import missing

                raise missing(compilation, owner, name, param.node)
            continue
        found += 1
        wanted = param.type_value
        if wanted is None:
            if param.type is None:
                continue
            wanted = type_of(param, compilation.record.top)
        value = given[name]
        if not is_instance(wanted, value) and not opaque_in(value):
            from headwater.langs.puppet.engine.whence import mistyped
            from headwater.langs.puppet.types import infer_set, show_type
            from headwater.langs.puppet.types.description import describe

            # Puppet refuses what it can describe, and takes what the agent computes later.
            if value.__class__ is Deferred or not describe(wanted, infer_set(value), ()):
                continue
            shown = show_type(wanted)
            article = "an" if shown[0] in "AEIOU" else "a"
            of = owner if isinstance(owner, str) else owner.ref
            message = (
                f"{of}: parameter '{name}' expects {article} {shown} value, "
                f"got {show_type(infer_set(value))}"
            )
            raise mistyped(compilation, owner, name, message, param.node)
    if found == len(given):
        return
    known = {param.name for param in params}
    metaparameters = metaparameter_names()
    for name in given:
        if name not in known and name not in metaparameters and name != "name":
            of = owner if isinstance(owner, str) else owner.ref
            raise Problem(codes.UNKNOWN_PARAMETER, resource=of, name=name)


def _look_up(
    compilation: Compilation,
    definition: Definition,
    params: list[Parameter],
    resource: Resource,
    scope: Scope,
) -> None:
    """Automatic lookup of the parameters of a class that are not given."""
    hiera, own = compilation.services.hiera, resource.params
    unit, prefix = definition.unit, definition.name
    assert unit is not None
    keys: dict[str, Parameter] = unit.once(
        "keys", definition.node, lambda: {f"{prefix}::{each.name}": each for each in params}
    )
    if own:
        keys = {
            key: param
            for key, param in keys.items()
            if param.name not in own or own[param.name].value is None
        }
        if not keys:
            return
    source, clock = declared(resource).source, compilation.record.clock
    for key, value, looked_up, apart in hiera.parameters(prefix, keys, scope):
        param = keys[key]
        if value is None and param.default is not None:
            hiera.missed[key] = looked_up
            continue
        if not apart:
            value, clock = own_copy(scope, value), compilation.record.clock
        new = Param(
            value, source, "hiera", False, None, None, scope, None, looked_up, None, clock
        )  # fmt: skip
        if param.name in own or param.name == "tag":
            resource.set(param.name, new)
        else:
            own[param.name] = new
    resource.tell()


def add_to_stage(catalog: Catalog, resource: Resource) -> None:
    """Puts a class into its run stage: its own, or that of what declared it."""
    name = resource.value("stage")
    around = resource.declared.around
    if name is None and around is not None:
        name = around.value("stage")
    if isinstance(name, Opaque):
        name = None
    stage = catalog.find("Stage", str(name or "main"))
    if stage is None:
        raise Problem(
            codes.BAD_STAGE, message=f"there is no stage {name}, which {resource.ref} names"
        )
    if stage.title != "main" and resource.value("stage") is None:
        resource.set("stage", Param(stage.title, declared(resource).source, "inherited"))
    catalog.contain(stage, resource)


def check_definition(compilation: Compilation, unit: Unit, definition: Definition) -> None:
    """Looks at the parameters of a definition as soon as the text it stands in is read."""
    seen = ("seen", id(definition.node))
    if seen in unit.made:
        return  # nothing is said of them, and their types are known
    params = parameters_of(definition)
    for param in params:
        if param.name in metaparameter_names():
            span = unit.span(param.node)
            if param.default is None:
                fail(codes.METAPARAMETER, span, name=param.name)
            compilation.messages.warn(codes.METAPARAMETER, span, name=param.name)
        if param.type is not None and not param.plain:
            _check_type(compilation, unit, param)
    names = metaparameter_names()
    if all((each.type is None or each.plain) and each.name not in names for each in params):
        unit.made[seen] = True


def _check_type(compilation: Compilation, unit: Unit, param: Parameter) -> None:
    try:
        found = type_of(param, compilation.record.top)
    except Problem as problem:
        raise problem.at(unit.span(param.node.type)) from None
    param.plain = is_plain(param.node.type)
    if param.plain:
        param.type_value = found
