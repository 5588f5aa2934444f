"""Evaluating classes, defines and nodes: scope, parameters, stage, body."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from headwater.langs.puppet import codes
from headwater.langs.puppet.catalog.metadata import metaparameter_names
from headwater.langs.puppet.catalog.resource import Param, Resource
from headwater.langs.puppet.engine.control import make_body
from headwater.langs.puppet.engine.definitions import Definition, Parameter
from headwater.langs.puppet.engine.frames import Frame, Scope, Write, inside, scope_of
from headwater.langs.puppet.engine.lambdas import MOST_CALLS, make_params, type_of
from headwater.langs.puppet.engine.steps import exhausted
from headwater.langs.puppet.fault import Break, Fault, Next, Problem, Return, illegal
from headwater.langs.puppet.types.matching import is_instance
from headwater.langs.puppet.values import Deferred, held, opaque_in

if TYPE_CHECKING:
    from headwater.langs.puppet.engine.compiler import Compiler

_TITLES = ("name", "title")
_new = tuple.__new__  # half the cost of calling the named tuple


def evaluate(compiler: Compiler, resource: Resource) -> None:
    """Evaluates a class, define or node, once."""
    if resource.evaluated:
        return
    resource.evaluated = True
    resource.take_scope_tags()
    definition = resource.definition
    assert definition is not None
    compiler.depth += 1
    if compiler.depth > MOST_CALLS:
        compiler.depth = 0
        raise Problem(codes.TOO_MANY_CALLS, bound=MOST_CALLS)
    _evaluate_code(compiler, definition, resource)
    compiler.depth -= 1


def _evaluate_code(compiler: Compiler, definition: Definition, resource: Resource) -> None:
    base = _parent_scope(compiler, definition, resource)
    scope = scope_of(compiler, base, definition, resource)
    compiler.clock = scope.when = compiler.clock + 1
    if definition.kind != "define":
        compiler.catalog.add_class(definition.name)
    _set_parameters(compiler, definition, resource, scope)
    if definition.kind == "class":
        add_to_stage(compiler, resource)
    run(definition, scope)


def run(definition: Definition, scope: Scope) -> None:
    """Runs a body in its scope."""
    code = definition.code
    if code is None:
        if definition.unit is None:
            return
        unit, body = definition.unit, definition.body
        made = unit.once("body", body, lambda: make_body(unit, body))
        code, definition.steps = made
        definition.code = code
    if definition.match is not None:
        scope.match = definition.match
    compiler = scope.compiler
    compiler.left = left = compiler.left - definition.steps
    if left < 0:
        assert definition.unit is not None
        exhausted(compiler, definition.unit, definition.node)
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


def _parent_scope(compiler: Compiler, definition: Definition, resource: Resource) -> Scope:
    """The scope of the parent class, which is evaluated first, or the declaring scope."""
    if definition.parent is not None:
        parent = compiler.parent_of(definition)
        found = compiler.class_resource(parent.name)
        if found is not None:
            evaluate(compiler, found)
            scope = compiler.class_scopes.get(parent.name)
            if scope is None:
                raise Problem(codes.INHERITS_ITSELF, name=definition.name)
            return scope
    assert resource.scope is not None
    return resource.scope


def _set_parameters(
    compiler: Compiler, definition: Definition, resource: Resource, scope: Scope
) -> None:
    variables, writes = scope.vars, scope.writes
    variables["module_name"] = resource.value("module_name") or definition.module or ""
    if scope.parent is not None:
        variables["caller_module_name"] = scope.parent.source.module or ""
    params = parameters_of(definition)
    if definition.kind == "class":
        compiler.bind_from_data(definition, params, resource, scope)
        variables["title"] = resource.title.lower()
        variables["name"] = str(resource.value("name") or resource.title).lower()
    else:
        title = resource.title if resource.untold is None else resource.untold
        variables["title"] = title
        variables["name"] = resource.value("name") or title
    if definition.kind != "define":
        compiler.class_scopes[definition.name] = scope
    if not params and not resource.params:
        return
    frame = inside(scope)
    given = frame.vars
    written = resource.params
    for name, param in written.items():
        if name not in _TITLES:
            given[name] = param.value
    _add_defaults(compiler, definition, params, resource, frame)
    check_parameters(compiler, resource.ref, params, given)
    if "title" not in written:
        resource.checked = list(written.values())
    names = [each.name for each in params if each.name in given]
    if len(names) < len(given):
        names += [name for name in given if name not in names]
    when = scope.when
    for name in names:
        value = given[name]
        variables[name] = value if value.__class__ is str else held(value, compiler.held)
        param = written[name]
        writes[name] = _new(
            Write, ("parameter", param.unit, param.node, param.frame, param.guard, param, when)
        )


def parameters_of(definition: Definition) -> list[Parameter]:
    """The parameters of a definition, compiled at first use."""
    if definition.params is None:
        nodes = getattr(definition.node, "params", None) or []
        unit = definition.unit
        if unit is None or not nodes:
            definition.params = []
        else:
            definition.params = unit.once("params", nodes, lambda: make_params(unit, nodes))
    return definition.params


def _add_defaults(
    compiler: Compiler,
    definition: Definition,
    params: list[Parameter],
    resource: Resource,
    frame: Frame,
) -> None:
    """Evaluates the defaults of parameters that have no value, from left to right."""
    given, written = frame.vars, resource.params
    unit, source, clock = definition.unit, resource.source, compiler.clock
    for index, param in enumerate(params):
        default, name = param.default, param.name
        if default is None:
            continue
        old = written.get(name)
        if old is not None and old.value is not None:
            continue
        if param.constant:
            value = default(frame)
        else:
            given.pop(name, None)
            frame.pending = _pending(resource, [each.name for each in params], given, index)
            frame.match = None
            value = default(frame)
            frame.pending = None
            clock = compiler.clock
        new = Param(
            value, source, "parameter default", False, unit, param.node.default, frame, None,
            param.node, None, clock,
        )  # fmt: skip
        if old is None and name != "tag":
            written[name] = new
        else:
            resource.set(name, new)
        given[name] = value


def _pending(
    resource: Resource, names: list[str], given: dict[str, Any], index: int
) -> Callable[[str], None]:
    """Refuses reads of parameters that have no value yet."""

    def pending(name: str) -> None:
        if name not in names or name in given:
            return
        if names.index(name) < index:
            raise Problem(codes.MISSING_PARAMETER, resource=resource.ref, name=name)
        raise Problem(codes.PARAMETER_ORDER, resource=resource.ref, name=names[index], other=name)

    return pending


def check_parameters(
    compiler: Compiler, owner: str, params: list[Parameter], given: dict[str, Any]
) -> None:
    """Refuses missing, unknown and mistyped parameters."""
    found = 0
    for param in params:
        name = param.name
        if name not in given:
            if param.default is None:
                raise Problem(codes.MISSING_PARAMETER, resource=owner, name=name)
            continue
        found += 1
        wanted = param.type_value
        if wanted is None:
            if param.type is None:
                continue
            wanted = type_of(param, compiler.top)
        value = given[name]
        if not is_instance(wanted, value) and not opaque_in(value):
            from headwater.langs.puppet.types import infer_set, show_type
            from headwater.langs.puppet.types.description import describe

            # Puppet refuses what it can describe, and takes what the agent computes later.
            if value.__class__ is Deferred or not describe(wanted, infer_set(value), ()):
                continue
            shown = show_type(wanted)
            article = "an" if shown[0] in "AEIOU" else "a"
            raise Problem(
                codes.MISTYPED,
                message=f"{owner}: parameter '{name}' expects {article} {shown} value, "
                f"got {show_type(infer_set(value))}",
            )
    if found == len(given):
        return
    known = {param.name for param in params}
    metaparameters = metaparameter_names()
    for name in given:
        if name not in known and name not in metaparameters and name != "name":
            raise Problem(codes.UNKNOWN_PARAMETER, resource=owner, name=name)


def add_to_stage(compiler: Compiler, resource: Resource) -> None:
    """Puts a class into its run stage: its own, or that of what declared it."""
    name = resource.value("stage")
    if name is None and resource.scope is not None and resource.scope.resource is not None:
        name = resource.scope.resource.value("stage")
    stage = compiler.find_resource("Stage", str(name or "main"))
    if stage is None:
        raise Problem(
            codes.BAD_STAGE, message=f"there is no stage {name}, which {resource.ref} names"
        )
    if stage.title != "main" and resource.value("stage") is None:
        resource.set("stage", Param(stage.title, resource.source, "inherited"))
    compiler.catalog.contain(stage, resource)


__all__ = ["Fault", "add_to_stage", "check_parameters", "evaluate", "parameters_of", "run"]
