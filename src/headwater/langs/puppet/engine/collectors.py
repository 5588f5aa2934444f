"""Collectors: ``File <| query |> { … }`` and realize()."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from headwater.langs.puppet import codes
from headwater.langs.puppet.catalog.resource import Param, Resource, flattened
from headwater.langs.puppet.engine.definitions import Unit
from headwater.langs.puppet.engine.equality import _shown, equals, includes
from headwater.langs.puppet.engine.expressions import Code, make, maker, unwound
from headwater.langs.puppet.engine.frames import Act, Frame
from headwater.langs.puppet.engine.overrides import Override, apply
from headwater.langs.puppet.engine.resources import make_operations, timed
from headwater.langs.puppet.engine.steps import spend
from headwater.langs.puppet.fault import Problem, fail
from headwater.langs.puppet.syntax import ast
from headwater.langs.puppet.values import ResourceRef

if TYPE_CHECKING:
    from headwater.langs.puppet.engine.compiler import Compiler

Sieve = Callable[[list[Resource]], list[Resource]]
"""Those of some resources that a query asks for, in order."""
_QUERIED = (
    ast.Access, ast.Variable, ast.Boolean, ast.String, ast.Interpolated, ast.Integer, ast.Float,
    ast.Undef, ast.Name,
)  # fmt: skip


class Collector:
    """What is collected, and what has been."""

    __slots__ = ("alternative", "collected", "exported", "frame", "guard", "node", "overrides",
                 "sieve", "type", "unit", "when")  # fmt: skip

    def __init__(
        self, type_: str, sieve: Sieve | None, frame: Frame, unit: Unit, node: Any,
        overrides: dict[str, Param] | None, exported: bool,
    ) -> None:  # fmt: skip
        self.type = type_
        self.sieve = sieve
        self.frame = frame
        self.guard = frame.guard
        self.when = frame.scope.compiler.clock
        self.unit = unit
        self.node = node
        self.overrides = overrides
        self.exported = exported
        self.collected: dict[str, Resource] = {}
        self.alternative: Any = None

    def evaluate(self, compiler: Compiler) -> bool:
        """Finds resources; whether there is one that was not found before."""
        if self.exported:
            return False
        found = compiler.by_type.get(self.type, [])
        if self.sieve is not None:
            spend(compiler, len(found), self.unit, self.node)
            try:
                found = self.sieve(found)
            except Problem as problem:
                raise problem.at(self.unit.span(self.node)) from None
        if not found:
            return False
        collected = self.collected
        new: list[Resource] = []
        for resource in found:
            resource.virtual = False
            if resource.ref not in collected:
                new.append(resource)
        if self.overrides:
            self.frame.scope.source.overriding = True
            for resource in new:
                override = Override(self._params(resource), self.frame, self.unit, self.node)
                apply(compiler, resource, override)
        for resource in new:
            self.collected[resource.ref] = resource
        return bool(new)

    def _params(self, resource: Resource) -> dict[str, Param]:
        """The values to set; resource defaults where the collector stands come with them."""
        assert self.overrides is not None
        params = dict(self.overrides)
        for name, param in self.frame.scope.resource_defaults(resource.type).items():
            params.setdefault(name, param)
        return params

    def unresolved(self) -> list[str]:
        """A query asks for nothing in particular."""
        return []


class Realize:
    """``realize(User['a'])``: resources named one by one."""

    __slots__ = ("act", "alternative", "collected", "done", "named", "refs", "span")

    def __init__(self, refs: list[Any], act: Act) -> None:
        self.refs = refs
        self.named = refs
        self.act = act
        self.collected: dict[str, Resource] = {}
        self.alternative: Any = None
        self.done = False
        self.span = act.unit.span(act.node)

    def evaluate(self, compiler: Compiler) -> bool:
        """Makes real what is there."""
        found: list[Resource] = []
        rest: list[Any] = []
        for ref in self.refs:
            resource = compiler.find_reference(str(ref))
            if resource is None:
                rest.append(ref)
            else:
                resource.virtual = False
                found.append(resource)
        self.refs = rest
        if not rest:
            self.done = True
        new = [resource for resource in found if resource.ref not in self.collected]
        for resource in new:
            self.collected[resource.ref] = resource
        return bool(new)

    def unresolved(self) -> list[str]:
        """What has not been found."""
        return [str(ref) for ref in self.refs]


@maker(ast.Collect)
def _collect(unit: Unit, node: ast.Collect) -> Code:
    assert isinstance(node.type, ast.TypeName)
    name = node.type.value.removeprefix("::").lower()
    operations = (
        make_operations(unit, node.operations, node, "collector") if node.operations else None
    )
    query = _query(unit, node.query) if node.query is not None else None

    def collect(f: Frame) -> Collector:
        compiler = f.scope.compiler
        if node.exported:
            compiler.warn(codes.EXPORTED_IGNORED, unit.span(node))
        if name == "class":
            fail(codes.CANNOT_COLLECT, unit.span(node), message="classes cannot be collected")
        try:
            ref_type, _, _ = compiler.resource_type(name)
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
        collector = Collector(ref_type, sieve, f, unit, node, overrides, node.exported)
        compiler.collectors.append(collector)
        compiler.collecting.append(collector)
        return collector

    return collect


def _query(unit: Unit, node: Any) -> Callable[[Frame], Any]:
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
    return lambda f: _comparison(left(f), right(f), node.op == "==", f)


def _sieve(found: Any) -> Sieve:
    """A sieve; a value is none, which shows as soon as a resource is to be tested."""
    if callable(found):
        return found  # type: ignore[no-any-return]

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


def _comparison(attribute: Any, value: Any, equal: bool, f: Frame) -> Sieve:
    """The sieve of ``attribute == value`` or ``attribute != value``."""
    if not isinstance(attribute, str):
        return _sieve(None if callable(attribute) else attribute)
    wanted = object() if callable(value) else _plain(value)
    if not equal:
        return lambda resources: [
            resource
            for resource in resources
            if not equals(_plain(resource.value(attribute)), wanted)
        ]
    if attribute == "tag":
        tags = []
        for tag in value if isinstance(value, list) else [value]:
            if isinstance(tag, int | float) and not isinstance(tag, bool):
                raise Problem(codes.BAD_TAG, name=str(tag))
            tags.append(str(tag).lower())
        return lambda resources: _tagged(resources, tags)

    def test(resource: Resource) -> bool:
        have = resource.value(attribute)
        if isinstance(have, list):
            return includes([_plain(item) for item in have], wanted, f)
        return equals(_plain(have), wanted)

    return lambda resources: [resource for resource in resources if test(resource)]


def _tagged(resources: list[Resource], tags: list[str]) -> list[Resource]:
    """The resources that have one of the tags themselves or by what they stand in."""
    # Many stand in the same scope, and each scope is asked once.
    around = {resource.scope for resource in resources}
    asked = [(s, s.resource) for s in around if s is not None]
    outside = {s for s, owner in asked if owner is not None and owner.has_tag(tags)}
    if outside or len(tags) != 1:
        wanted = frozenset(tags)
        return [r for r in resources if r.scope in outside or not wanted.isdisjoint(r.tags)]
    (tag,) = tags
    return [resource for resource in resources if tag in resource.tags]


def _not_queried(f: Frame) -> Sieve:
    """A query is of plain values: no calculation, no collection."""
    raise Problem(codes.CANNOT_COLLECT, message="a query compares plain values")


def _plain(value: Any) -> Any:
    return str(value) if isinstance(value, ResourceRef) else value


def realize(compiler: Compiler, args: list[Any], act: Act) -> None:
    """Notes what is to be made real."""
    made = Realize(flattened(args), act)
    compiler.collectors.append(made)
    compiler.collecting.append(made)
