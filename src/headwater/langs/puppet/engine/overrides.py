"""Overrides: by reference, from subclasses, and by collectors."""

from __future__ import annotations

from headwater.langs.puppet import codes
from headwater.langs.puppet.catalog.resource import Param, Resource, flattened
from headwater.langs.puppet.engine.attributes import make_attributes, timed
from headwater.langs.puppet.engine.compilation import Compilation
from headwater.langs.puppet.engine.expressions import Code, make, maker
from headwater.langs.puppet.fault import Fault, Problem, fail
from headwater.langs.puppet.program.units import Unit
from headwater.langs.puppet.record.acts import Override
from headwater.langs.puppet.record.declarations import declared
from headwater.langs.puppet.record.frames import Frame, compute, unsettle
from headwater.langs.puppet.syntax import ast
from headwater.langs.puppet.types.equality import _shown
from headwater.langs.puppet.types.value import Value
from headwater.langs.puppet.values import Opaque, ResourceRef, opaque_in
from headwater.report import Note


@maker(ast.Override)
def _override(unit: Unit, node: ast.Override) -> Code:
    target = make(unit, node.target)
    operations = make_attributes(unit, node.operations, node, "override")

    def override(f: Frame) -> Value:
        refs = target(f)
        params = timed(operations(f), f)
        compilation: Compilation = f.scope.compilation
        if compilation.work.opaque:
            compute(f, unit, node)
            _doubt_tags(compilation, params)
        for ref in flattened(refs):
            if isinstance(ref, Opaque):
                compilation.messages.undecide(unit, node, ref)
                unsettle(f, unit, node, ref)
                continue
            if not isinstance(ref, ResourceRef) or ref.type is None or ref.title is None:
                fail(codes.BAD_RESOURCE_TYPE, unit.span(node), value=_shown(ref))
            try:
                _add(compilation, ref.type, ref.title, params, f, unit, node)
            except Problem as problem:
                raise problem.at(unit.span(node)) from None
        return refs

    return override


def _doubt_tags(compilation: Compilation, params: dict[str, Param]) -> None:
    if "tag" in params and opaque_in(params["tag"].value) is not None:
        compilation.record.guesses.guessed = True


def _add(
    compilation: Compilation, type_: str, title: str, params: dict[str, Param], frame: Frame,
    unit: Unit, node: ast.Override,
) -> None:  # fmt: skip
    """Applies an override now, or keeps it until the resource is there."""
    if "tag" in params:
        Resource(type_, title).tag(params["tag"].value)  # refuses what is no tag
    override = Override(params, frame, unit, node, compilation.record.clock)
    compilation.record.overrides.setdefault(type_, []).append(override)
    resource = compilation.catalog.find(type_, title)
    if resource is None:
        compilation.work.waiting.setdefault((type_, title), []).append(override)
    else:
        apply(compilation, resource, override)


def apply_waiting(compilation: Compilation, resource: Resource) -> None:
    """Applies what waited for a resource."""
    for override in compilation.work.waiting.pop((resource.type, resource.title), ()):
        apply(compilation, resource, override)


def refuse_waiting(compilation: Compilation) -> None:
    """Refuses overrides whose resource never came."""
    waiting = compilation.work.waiting
    refs = ", ".join(f"{type_}[{title}]" for type_, title in waiting)
    first = next(iter(waiting.values()))[0]
    labels = [Note("overridden here", first.unit.span(first.node))]
    raise Problem(codes.NO_TARGET, resources=refs, labels=labels)


def apply(compilation: Compilation, resource: Resource, override: Override) -> None:
    """Gives a resource new values, if who gives them may."""
    source, owner = override.frame.scope.source, declared(resource).source
    if owner is not source and not source.child_of(owner):
        raise Fault(
            codes.NOT_A_SUBCLASS.at(override.unit.span(override.node), resource=resource.ref)
        )
    messages = compilation.messages
    if resource in compilation.work.evaluated and messages.strict != "off":
        span = override.unit.span(override.node)
        if messages.strict == "error":
            raise Fault(codes.LATE_OVERRIDE.at(span, severity="error", resource=resource.ref))
        messages.warn(codes.LATE_OVERRIDE, span, resource=resource.ref)
    record = compilation.record
    record.clock = now = record.clock + 1  # who asked before saw what was there
    for name, param in override.params.items():
        _set(resource, name, param, now)


def _set(resource: Resource, name: str, param: Param, now: int) -> None:
    current = resource.params.get(name)
    if current is None:
        new = param.again(param.value, param.how)
        new.applied = now
        resource.set(name, new)
        return
    scope = declared(resource).scope
    assert scope is not None
    if scope.is_default(resource.type, name, param.value):
        return
    source = param.source
    assert source is not None
    allowed = source.child_of(current.source) or (
        source is current.source and scope.is_default(resource.type, name, current.value)
    )
    if not allowed:
        assert param.unit is not None
        labels = [] if current.span is None else [Note("set here", current.span)]
        raise Fault(
            codes.ALREADY_SET.at(
                param.unit.span(param.node), labels=labels, name=name, resource=resource.ref
            )
        )
    value = param.value
    if param.add:
        value = flattened([current.value, value])
    new = param.again(value, param.how)
    new.old, new.applied = current, now
    new.add = param.add
    resource.set(name, new)
