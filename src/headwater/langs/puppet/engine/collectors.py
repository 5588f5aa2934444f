"""Collectors: ``File <| query |> { … }`` and realize()."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from headwater.langs.puppet import codes
from headwater.langs.puppet.catalog.resource import Resource, flattened
from headwater.langs.puppet.engine.attributes import make_attributes, timed
from headwater.langs.puppet.engine.compilation import Compilation
from headwater.langs.puppet.engine.expressions import Code, make, maker, unwound
from headwater.langs.puppet.engine.overrides import apply
from headwater.langs.puppet.engine.steps import spend
from headwater.langs.puppet.fault import Problem, fail
from headwater.langs.puppet.program.units import Unit
from headwater.langs.puppet.record.acts import Act, Collector, Override, Realize, Sieve
from headwater.langs.puppet.record.frames import Frame
from headwater.langs.puppet.syntax import ast
from headwater.langs.puppet.types.equality import _shown, equals, includes
from headwater.langs.puppet.types.value import Value
from headwater.langs.puppet.values import Opaque, ResourceRef, opaque_in

"""Those of some resources that a query asks for, in order."""
_QUERIED = (
    ast.Access, ast.Variable, ast.Boolean, ast.String, ast.Interpolated, ast.Integer, ast.Float,
    ast.Undef, ast.Name,
)  # fmt: skip


def evaluate(compilation: Compilation, one: Collector | Realize) -> bool:
    """Finds resources; whether there is one that was not found before."""
    if isinstance(one, Realize):
        return _realize(compilation, one)
    if one.exported:
        return False
    catalog = compilation.catalog
    every: list[Resource] | None = None
    if isinstance(one.sieve, ByTitle):
        every = catalog.titled(one.type, one.sieve.title)
    elif isinstance(one.sieve, ByTag):
        every = catalog.tagged(one.type, one.sieve.tag)
    found = catalog.by_type.get(one.type, []) if every is None else every
    if one.sieve is not None:
        spend(compilation.work, len(found), one.unit, one.node)
        try:
            found = one.sieve(found)
        except Problem as problem:
            raise problem.at(one.unit.span(one.node)) from None
    if not found:
        return False
    new: list[Resource] = []
    for resource in found:
        resource.virtual = False
        if resource.ref not in one.collected:
            new.append(resource)
    if one.overrides:
        one.frame.scope.source.overriding = True
        for resource in new:
            params = one.given()
            when = compilation.record.clock
            apply(compilation, resource, Override(params, one.frame, one.unit, one.node, when))
    for resource in new:
        one.collected[resource.ref] = resource
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
    query = _query(unit, node.query) if node.query is not None else None

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
            sieve = query(f) if query is not None else None
            if sieve is not None:
                sieve = None if sieve is False else _sieve(sieve)
        except Problem as problem:
            raise problem.at(unit.span(node)) from None
        when = compilation.record.clock
        collector = Collector(ref_type, sieve, f, unit, node, overrides, when)
        _note(compilation, collector)
        return collector

    return collect


def _query(unit: Unit, node: object) -> Callable[[Frame], Any]:
    """The closure that makes the sieve of a query, or gives the value that stands there."""
    node = unwound(node)
    if not isinstance(node, ast.Binary):
        return make(unit, node) if isinstance(node, _QUERIED) else _not_queried
    if node.op not in ("and", "or", "==", "!="):
        return _not_queried
    left, right = _query(unit, node.left), _query(unit, node.right)
    if node.op in ("and", "or"):
        combined = _both if node.op == "and" else _either
        return lambda f: combined(_sieve(left(f)), _sieve(right(f)))
    return lambda f: _comparison(left(f), right(f), node.op == "==", f, unit, node)


def _sieve(found: Value | Sieve) -> Sieve:
    """A sieve; a value is none, which shows as soon as a resource is to be tested."""
    if callable(found):
        return found

    def broken(resources: list[Resource]) -> list[Resource]:
        if not resources:
            return []
        what = "undef" if found is None else _shown(found)
        raise Problem(codes.CANNOT_COLLECT, message=f"{what} is no question about a resource")

    return broken


def _both(left: Sieve, right: Sieve) -> Sieve:
    return lambda resources: right(left(resources))


def _either(left: Sieve, right: Sieve) -> Sieve:
    def either(resources: list[Resource]) -> list[Resource]:
        found = set(left(resources))
        found.update(right([resource for resource in resources if resource not in found]))
        return [resource for resource in resources if resource in found]

    return either


def _comparison(
    attribute: Value | Sieve, value: Value | Sieve, equal: bool, f: Frame, unit: Unit, node: object
) -> Sieve:
    """The sieve of ``attribute == value`` or ``attribute != value``."""
    if isinstance(attribute, Opaque):
        _doubts(f, unit, node, attribute)
        return lambda resources: []
    if not isinstance(attribute, str):
        return _sieve(None if callable(attribute) else attribute)
    wanted: Any = object() if callable(value) else _plain(value)
    doubt = _doubts(f, unit, node, wanted)
    if not equal:
        return lambda resources: [
            resource
            for resource in resources
            if not doubt(resource.value(attribute))
            and not equals(_plain(resource.value(attribute)), wanted)
        ]
    if attribute == "tag":
        tags = []
        for tag in value if isinstance(value, list) else [value]:
            if isinstance(tag, Opaque):
                continue
            if isinstance(tag, int | float) and not isinstance(tag, bool):
                raise Problem(codes.BAD_TAG, name=str(tag))
            tags.append(str(tag).lower())
        if len(tags) == 1:
            return ByTag(tags[0])
        return lambda resources: _tagged(resources, tags)

    def test(resource: Resource) -> bool:
        have = resource.value(attribute)
        if doubt(have):
            return False
        if isinstance(have, list):
            return includes([_plain(item) for item in have], wanted, f)
        return equals(_plain(have), wanted)

    def sieve(resources: list[Resource]) -> list[Resource]:
        return [resource for resource in resources if test(resource)]

    if attribute == "title" and isinstance(value, str):
        return ByTitle(value, sieve)
    return sieve


class ByTag:
    """The sieve of ``tag == 'text'``, which most often need not look at every resource."""

    def __init__(self, tag: str) -> None:
        self.tag = tag

    def __call__(self, resources: list[Resource]) -> list[Resource]:
        return _tagged(resources, [self.tag])


class ByTitle:
    """The sieve of ``title == 'text'``, which need not look at every resource."""

    def __init__(self, title: str, sieve: Sieve) -> None:
        self.title = title
        self._sieve = sieve

    def __call__(self, resources: list[Resource]) -> list[Resource]:
        return self._sieve(resources)


def _doubts(f: Frame, unit: Unit, node: object, wanted: object) -> Callable[[Any], bool]:
    """Whether it is unknown if an attribute is what is wanted; it is then taken not to be."""
    compilation = f.scope.compilation

    def doubt(have: object) -> bool:
        unknown = opaque_in([wanted, have]) if compilation.work.opaque else None
        if unknown is not None:
            compilation.messages.undecide(unit, node, unknown)
        return unknown is not None

    doubt(None)
    return doubt


def _tagged(resources: list[Resource], tags: list[str]) -> list[Resource]:
    """The resources that have one of the tags themselves or by what they stand in."""
    # Many stand in the same scope, and each scope is asked once.
    around = {resource.declared.scope for resource in resources}
    asked = [(s, s.resource) for s in around if s is not None]
    outside = {s for s, owner in asked if owner is not None and owner.has_tag(tags)}
    if outside or len(tags) != 1:
        wanted = frozenset(tags)
        return [
            resource
            for resource in resources
            if resource.declared.scope in outside or not wanted.isdisjoint(resource.tags)
        ]
    (tag,) = tags
    return [resource for resource in resources if tag in resource.tags]


def _not_queried(f: Frame) -> Sieve:
    """A query is of plain values: no calculation, no collection."""
    raise Problem(codes.CANNOT_COLLECT, message="a query compares plain values")


def _plain(value: Value) -> Value:
    return str(value) if isinstance(value, ResourceRef) else value


def realize(compilation: Compilation, args: list[Any], act: Act) -> None:
    """Notes what is to be made real."""
    _note(compilation, Realize(flattened(args), act))


def _note(compilation: Compilation, one: Collector | Realize) -> None:
    compilation.work.collectors.append(one)
    compilation.record.collectors.append(one)
