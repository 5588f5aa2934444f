"""Collectors: ``File <| query |> { … }`` and realize()."""

from __future__ import annotations

from typing import Any

from headwater.langs.puppet import codes
from headwater.langs.puppet.catalog.resource import Resource, flattened
from headwater.langs.puppet.engine.attributes import make_attributes, timed
from headwater.langs.puppet.engine.compilation import Compilation
from headwater.langs.puppet.engine.expressions import Code, maker
from headwater.langs.puppet.engine.overrides import apply
from headwater.langs.puppet.engine.sieves import asks_tags_alone, make_query, narrowed, sieve_of
from headwater.langs.puppet.engine.steps import spend
from headwater.langs.puppet.fault import Problem, fail
from headwater.langs.puppet.program.units import Unit
from headwater.langs.puppet.record.acts import Act, Collector, Override, Realize
from headwater.langs.puppet.record.frames import Frame
from headwater.langs.puppet.syntax import ast

FEW = 8
"""So many collectors look at every resource; more of them ask for what they may want."""


def evaluate(compilation: Compilation, one: Collector | Realize) -> bool:
    """Finds resources; whether there is one that was not found before."""
    if isinstance(one, Realize):
        return _realize(compilation, one)
    if one.exported:
        return False
    found = compilation.catalog.by_type.get(one.type, [])
    if len(compilation.work.collectors) > FEW and not compilation.work.opaque:
        population = compilation.catalog.population(one.type)
        if asks_tags_alone(one.sieve):
            asked, news = compilation.work.asked, population.news()
            if asked.get(one) == news:
                return False
            asked[one] = news
        some = narrowed(one.sieve, population)
        found = found if some is None else some
    if one.sieve is not None:
        spend(compilation.work, len(found), one.unit, one.node)
        try:
            found = one.sieve(found)
        except Problem as problem:
            raise problem.at(one.unit.span(one.node)) from None
    if not found:
        return False
    new: dict[str, Resource] = {}
    collected = one.collected
    for resource in found:
        resource.virtual = False
        ref = resource.ref
        if ref not in collected:
            new[ref] = resource
    if one.overrides:
        one.frame.scope.source.overriding = True
        for resource in new.values():
            params = one.given()
            when = compilation.record.clock
            apply(compilation, resource, Override(params, one.frame, one.unit, one.node, when))
    collected.update(new)
    return bool(new)


def _realize(compilation: Compilation, one: Realize) -> bool:
    """Makes real what is there."""
    found: list[Resource] = []
    missing: list[Any] = []
    for ref in one.missing:
        resource = compilation.catalog.find_reference(str(ref))
        if resource is None:
            missing.append(ref)
        else:
            resource.virtual = False
            found.append(resource)
    one.missing = missing
    new = [resource for resource in found if resource.ref not in one.collected]
    for resource in new:
        one.collected[resource.ref] = resource
    return bool(new)


def is_done(one: Collector | Realize) -> bool:
    """Whether nothing more can be found: all that a realize() names is there."""
    return isinstance(one, Realize) and not one.missing


@maker(ast.Collect)
def _collect(unit: Unit, node: ast.Collect) -> Code:
    assert isinstance(node.type, ast.TypeName)
    name = node.type.value.removeprefix("::").lower()
    operations = (
        make_attributes(unit, node.operations, node, "collector") if node.operations else None
    )
    query = make_query(unit, node.query) if node.query is not None else None

    def collect(f: Frame) -> Collector:
        compilation: Compilation = f.scope.compilation
        if node.exported:
            compilation.messages.warn(codes.EXPORTED_IGNORED, unit.span(node))
        if name == "class":
            fail(codes.CANNOT_COLLECT, unit.span(node), message="classes cannot be collected")
        try:
            ref_type, _, _ = compilation.services.types.resource(name)
        except Problem:
            fail(
                codes.CANNOT_COLLECT,
                unit.span(node),
                message=f"no type of resource is called {name}",
            )
        overrides = timed(operations(f), f) if operations is not None else None
        try:
            asked = query(f) if query is not None else None
            sieve = None if asked is None or asked is False else sieve_of(asked)
        except Problem as problem:
            raise problem.at(unit.span(node)) from None
        when = compilation.record.clock
        collector = Collector(ref_type, sieve, f, unit, node, overrides, when)
        _note(compilation, collector)
        return collector

    return collect


def realize(compilation: Compilation, args: list[Any], act: Act) -> None:
    """Notes what is to be made real."""
    _note(compilation, Realize(flattened(args), act))


def _note(compilation: Compilation, one: Collector | Realize) -> None:
    compilation.work.collectors.append(one)
    compilation.record.collectors.append(one)
