"""The end of a compilation: arrows, waiting overrides, tags, checks, inherited metaparameters."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from headwater.langs.puppet import codes
from headwater.langs.puppet.catalog.metadata import RELATIONS, inherited_metaparameters
from headwater.langs.puppet.catalog.resource import Param, Resource, flattened, is_main
from headwater.langs.puppet.catalog.table import located
from headwater.langs.puppet.engine.classes import check_parameters, parameters_of
from headwater.langs.puppet.engine.compilation import Compilation
from headwater.langs.puppet.engine.unfit_titles import check_references
from headwater.langs.puppet.fault import Problem
from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.record.acts import Realize
from headwater.langs.puppet.record.declarations import declared
from headwater.langs.puppet.values import Opaque, ResourceRef, Sensitive

_RELATIONS = frozenset(RELATIONS)


def finish(compilation: Compilation) -> None:
    """Completes the catalog, or refuses it."""
    if compilation.record.arrows:
        from headwater.langs.puppet.engine.relations import evaluate as write_arrow

        for arrow in compilation.record.arrows:
            write_arrow(compilation, arrow)
    work, table = compilation.work, compilation.catalog.table
    related: list[Resource] = []
    for resource in compilation.catalog.resources:
        title = resource.title
        if title == "Settings" or (title == "main" and resource.type == "Stage"):
            continue
        if work.waiting:
            from headwater.langs.puppet.engine.overrides import apply_waiting

            apply_waiting(compilation, resource)
        resource.take_scope_tags()
        params = resource.params
        for param in params.values():
            if param.value.__class__ is Sensitive:
                _hide(resource)
                break
        if not _RELATIONS.isdisjoint(params) and not _is_there(params, table):
            related.append(resource)
        info = resource.info
        if info is None or not (info.open or info.accepted.issuperset(params)):
            _validate(compilation, resource)
    _inherit(compilation)
    asked = [one for one in compilation.work.collectors if isinstance(one, Realize)]
    unreal = [(ref, one) for one in asked for ref in one.missing]
    if compilation.messages.undecided:
        _warn_of_missing(compilation, unreal)
        unreal = []
    if compilation.work.waiting:
        from headwater.langs.puppet.engine.overrides import refuse_waiting

        refuse_waiting(compilation)
    if unreal:
        names = ", ".join(str(ref) for ref, _ in unreal)
        raise Problem(codes.NOT_REALIZED, resources=names).at(unreal[0][1].span)
    for resource in related:
        if not resource.virtual:
            _check_relations(compilation, resource)
    check_references(compilation)


def _is_there(params: dict[str, Param], table: dict[Any, Resource]) -> bool:
    """Whether each relationship names one resource that is there, as most do."""
    for name in RELATIONS:
        if name in params:
            known = params[name].value
            if known.__class__ is not ResourceRef or (known.type, known.title) not in table:
                return False
    return True


def _warn_of_missing(compilation: Compilation, unreal: list[tuple[Any, Realize]]) -> None:
    """What is overridden or to be made real and not there may be, where something is unknown."""
    warn, waiting = compilation.messages.warn, compilation.work.waiting
    for (type_, title), overrides in waiting.items():
        for one in overrides:
            what = f"whether {type_}[{title}] is there"
            warn(codes.OPAQUE_VALUE, one.unit.span(one.node), what=what)
    waiting.clear()
    for ref, realize in unreal:
        warn(codes.OPAQUE_VALUE, realize.span, what=f"whether {ref} is there")


def _hide(resource: Resource) -> None:
    """Notes which parameters are Sensitive, and puts what they hold in their place."""
    for name, param in resource.params.items():
        if param.value.__class__ is Sensitive:
            resource.sensitive = [*resource.sensitive, name]
            resource.params[name] = param.again(param.value.value, param.how)


def _validate(compilation: Compilation, resource: Resource) -> None:
    info = resource.info
    if info is not None:
        for name in resource.params:
            if not info.accepts(name):
                raise located(
                    resource,
                    Problem(codes.UNKNOWN_PARAMETER, resource=resource.ref, name=name),
                )
        return
    definition = resource.definition
    if definition is None or definition.kind == "node" or is_main(resource):
        return
    own, wanted = resource.params, parameters_of(definition)
    if compilation.work.checked.get(resource) == list(own.values()):
        if not compilation.work.changed:
            return
        # Nothing but arrays and hashes can have been changed by Ruby since.
        own = {name: p for name, p in own.items() if p.value.__class__ in (list, Hash)}
        wanted = [each for each in wanted if each.name in own]
    given = {
        name: Sensitive(param.value) if name in resource.sensitive else param.value
        for name, param in own.items()
    }
    try:
        check_parameters(compilation, resource, wanted, given)
    except Problem as problem:
        raise located(resource, problem) from None


def _inherit(compilation: Compilation) -> None:
    """Copies metaparameters and tags down what the top contains, level by level."""
    names = inherited_metaparameters()
    every = frozenset(names)
    main = compilation.record.top.resource
    assert main is not None
    data: dict[Resource, dict[str, Param]] = {}
    taken: dict[tuple[str, str], Resource] = {}
    queue = [main]
    seen: set[Resource] = set()
    for source in queue:
        contents = source.contents
        if not contents or source in seen:
            continue
        seen.add(source)
        params, tags = source.params, source.tags
        given = data.get(source)
        if given is None and not every.isdisjoint(params):
            given = _told(params, names)
        for target in contents:
            if given:
                for name, param in given.items():
                    if target.value(name) is None:
                        copied = param.again(param.value, "inherited")
                        if copied.when is None:
                            copied.when = declared(source).when
                        target.set(name, copied)
                        if name == "alias":
                            _check_alias(compilation, target, param.value, taken)
                data[target] = {**given, **_told(target.params, names)}
            target.tags.update(tags)
        queue += contents


def _told(params: dict[str, Param], names: Iterable[str]) -> dict[str, Param]:
    """Those of some parameters that have a value."""
    found = ((name, params[name]) for name in names if name in params)
    return {name: param for name, param in found if param.value is not None}


def _check_alias(
    compilation: Compilation,
    resource: Resource,
    value: object,
    taken: dict[tuple[str, str], Resource],
) -> None:
    """Refuses an alias from outside that two resources of a type would have."""
    for name in flattened(value):
        key = (resource.type, str(name))
        other = compilation.catalog.table.get(key) or taken.setdefault(key, resource)
        if other is not resource:
            raise Problem(codes.DUPLICATE_NAME, resource=resource.ref, alias=str(name))


def _check_relations(compilation: Compilation, resource: Resource) -> None:
    table = compilation.catalog.table
    for name in RELATIONS:
        param = resource.params.get(name)
        if param is None:
            continue
        known = param.value
        if known.__class__ is ResourceRef and (known.type, known.title) in table:
            continue  # nearly always
        for value in flattened(known):
            if value is None or isinstance(value, Opaque):
                continue
            if value.__class__ is ResourceRef and (value.type, value.title) in table:
                continue
            if compilation.catalog.find_reference(str(value)) is None:
                if compilation.messages.undecided:
                    _unsure(compilation, param, value)
                    continue
                problem = Problem(
                    codes.MISSING_RESOURCE, resource=str(value), what=f", but named by {name}"
                )
                if param.span is not None:
                    raise problem.at(param.span)
                raise located(resource, problem)


def _unsure(compilation: Compilation, param: Param, value: object) -> None:
    """Something nobody here can run may have declared what a relationship names."""
    if param.span is not None:
        what = f"whether {value} is there"
        compilation.messages.warn(codes.OPAQUE_VALUE, param.span, what=what)
