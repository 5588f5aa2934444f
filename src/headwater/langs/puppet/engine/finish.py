"""The end of a compilation: arrows, waiting overrides, tags, checks, inherited metaparameters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from headwater.langs.puppet import codes
from headwater.langs.puppet.catalog.metadata import RELATIONS, inherited_metaparameters
from headwater.langs.puppet.catalog.resource import Param, Resource, flattened
from headwater.langs.puppet.catalog.table import located
from headwater.langs.puppet.engine.classes import check_parameters, parameters_of
from headwater.langs.puppet.fault import Problem
from headwater.langs.puppet.values import Opaque, Sensitive

if TYPE_CHECKING:
    from headwater.langs.puppet.engine.compiler import Compiler

_RELATIONS = frozenset(RELATIONS)


def finish(compiler: Compiler) -> None:
    """Completes the catalog, or refuses it."""
    for relation in compiler.relations:
        relation.evaluate(compiler)
    for resource in compiler.catalog.resources:
        if (resource.type == "Stage" and resource.is_main) or resource.title == "Settings":
            continue
        if compiler.overrides.waiting:
            compiler.overrides.apply_waiting(resource)
        _finish_resource(compiler, resource)
    _inherit(compiler)
    unresolved = [(ref, c) for c in compiler.collectors for ref in c.unresolved()]
    if compiler.undecided:
        _warn_of_missing(compiler, unresolved)
        unresolved = []
    compiler.overrides.refuse_rest()
    if unresolved:
        names = ", ".join(ref for ref, _ in unresolved)
        problem = Problem(codes.NOT_REALIZED, resources=names)
        span = getattr(unresolved[0][1], "span", None)
        raise problem if span is None else problem.at(span)
    for resource in compiler.catalog.resources:
        if not resource.virtual and not _RELATIONS.isdisjoint(resource.params):
            _check_relations(compiler, resource)


def _warn_of_missing(compiler: Compiler, unresolved: list[tuple[str, Any]]) -> None:
    """What is overridden or to be made real and not there may be, where something is unknown."""
    for (type_, title), overrides in compiler.overrides.waiting.items():
        for one in overrides:
            what = f"whether {type_}[{title}] is there"
            compiler.warn(codes.OPAQUE_VALUE, one.unit.span(one.node), what=what)
    compiler.overrides.waiting.clear()
    for ref, realize in unresolved:
        compiler.warn(codes.OPAQUE_VALUE, realize.span, what=f"whether {ref} is there")


def _finish_resource(compiler: Compiler, resource: Resource) -> None:
    resource.finished = True
    resource.take_scope_tags()
    for name, param in resource.params.items():
        if param.value.__class__ is Sensitive:
            resource.sensitive.append(name)
            resource.params[name] = param.written(param.value.value, param.how)
    _validate(compiler, resource)


def _validate(compiler: Compiler, resource: Resource) -> None:
    info = resource.info
    if info is not None:
        if info.open or info.accepted.issuperset(resource.params):
            return
        for name in resource.params:
            if not info.accepts(name):
                raise located(
                    resource,
                    Problem(codes.UNKNOWN_PARAMETER, resource=resource.ref, name=name),
                )
        return
    definition = resource.definition
    if definition is None or definition.kind == "node" or resource.is_main:
        return
    if resource.checked == list(resource.params.values()):
        return
    given = {
        name: Sensitive(param.value) if name in resource.sensitive else param.value
        for name, param in resource.params.items()
    }
    try:
        check_parameters(compiler, resource.ref, parameters_of(definition), given)
    except Problem as problem:
        raise located(resource, problem) from None


def _inherit(compiler: Compiler) -> None:
    """Copies metaparameters and tags down what the top contains, level by level."""
    names = inherited_metaparameters()
    main = compiler.top.resource
    assert main is not None
    data: dict[Resource, dict[str, Param]] = {}
    taken: dict[tuple[str, str], Resource] = {}
    queue = [main]
    seen: set[Resource] = set()
    index = 0
    while index < len(queue):
        source = queue[index]
        index += 1
        if source in seen:
            continue
        seen.add(source)
        for target in source.contents:
            given = data.get(source)
            if given is None:
                params = source.params
                given = (
                    {
                        name: params[name]
                        for name in names
                        if name in params and params[name].value is not None
                    }
                    if params
                    else None
                )
            if given:
                data[source] = given
                for name, param in given.items():
                    if target.value(name) is None:
                        copied = param.written(param.value, "inherited")
                        if copied.when is None:
                            copied.when = source.when
                        target.set(name, copied)
                        if name == "alias":
                            _check_alias(compiler, target, param.value, taken)
                own = target.params
                data[target] = {
                    **given,
                    **{n: own[n] for n in names if n in own and own[n].value is not None},
                }
            target.tags.update(source.tags)
        queue.extend(source.contents)


def _check_alias(
    compiler: Compiler, resource: Resource, value: Any, taken: dict[tuple[str, str], Resource]
) -> None:
    """Refuses an alias from outside that two resources of a type would have."""
    for name in flattened(value):
        key = (resource.type, str(name))
        other = compiler.catalog.table.get(key) or taken.setdefault(key, resource)
        if other is not resource:
            raise Problem(codes.DUPLICATE_NAME, resource=resource.ref, alias=str(name))


def _check_relations(compiler: Compiler, resource: Resource) -> None:
    for name in RELATIONS:
        param = resource.params.get(name)
        if param is None:
            continue
        for value in flattened(param.value):
            if value is None or isinstance(value, Opaque):
                continue
            if compiler.find_reference(str(value)) is None:
                if compiler.undecided:
                    _unsure(compiler, param, value)
                    continue
                problem = Problem(
                    codes.MISSING_RESOURCE, resource=str(value), what=f", but named by {name}"
                )
                if param.unit is not None and param.node is not None:
                    raise problem.at(param.unit.span(param.node))
                raise located(resource, problem)


def _unsure(compiler: Compiler, param: Param, value: Any) -> None:
    """Something nobody here can run may have declared what a relationship names."""
    if param.unit is not None and param.node is not None:
        span = param.unit.span(param.node)
        compiler.warn(codes.OPAQUE_VALUE, span, what=f"whether {value} is there")
