"""Overrides: by reference, from subclasses, and by collectors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from headwater.langs.puppet import codes
from headwater.langs.puppet.catalog.resource import Param, Resource, flattened
from headwater.langs.puppet.fault import Fault, Problem
from headwater.langs.puppet.program.definitions import Unit
from headwater.langs.puppet.record.frames import Frame
from headwater.langs.puppet.syntax import ast
from headwater.report import Note

if TYPE_CHECKING:
    from headwater.langs.puppet.engine.compiler import Compiler


class Override:
    """New values for a resource, and who gives them."""

    __slots__ = ("frame", "guard", "node", "params", "source", "unit", "when")

    def __init__(self, params: dict[str, Param], frame: Frame, unit: Unit, node: Any) -> None:
        self.params = params
        self.frame = frame
        self.guard = frame.guard
        self.when = frame.scope.compiler.clock
        self.source = frame.scope.source
        self.unit = unit
        self.node = node


class Overrides:
    """Overrides that wait for their resource."""

    def __init__(self, compiler: Compiler) -> None:
        self.compiler = compiler
        self.waiting: dict[tuple[str, str], list[Override]] = {}
        self.all: dict[str, list[Override]] = {}
        """Those that are written by reference, by type, whether they apply or not."""

    def add(
        self, type_: str, title: str, params: dict[str, Param], frame: Frame, unit: Unit, node: Any
    ) -> None:
        """Applies an override now, or keeps it until the resource is there."""
        if "tag" in params:
            Resource(type_, title, None, None).tag(params["tag"].value)  # refuses what is no tag
        override = Override(params, frame, unit, node)
        if isinstance(node, ast.Override):
            self.all.setdefault(type_, []).append(override)
        resource = self.compiler.find_resource(type_, title)
        if resource is None:
            self.waiting.setdefault((type_, title), []).append(override)
        else:
            apply(self.compiler, resource, override)

    def apply_waiting(self, resource: Resource) -> None:
        """Applies what waited for a resource."""
        for override in self.waiting.pop((resource.type, resource.title), ()):
            apply(self.compiler, resource, override)

    def refuse_rest(self) -> None:
        """Refuses overrides whose resource never came."""
        if self.waiting:
            refs = ", ".join(f"{type_}[{title}]" for type_, title in self.waiting)
            first = next(iter(self.waiting.values()))[0]
            labels = [Note("overridden here", first.unit.span(first.node))]
            raise Problem(codes.NO_TARGET, resources=refs, labels=labels)


def apply(compiler: Compiler, resource: Resource, override: Override) -> None:
    """Gives a resource new values, if who gives them may."""
    source = override.source
    if resource.source is not source and not source.child_of(resource.source):
        raise Fault(
            codes.NOT_A_SUBCLASS.at(override.unit.span(override.node), resource=resource.ref)
        )
    if resource.evaluated and compiler.strict != "off":
        span = override.unit.span(override.node)
        if compiler.strict == "error":
            raise Fault(codes.LATE_OVERRIDE.at(span, severity="error", resource=resource.ref))
        compiler.warn(codes.LATE_OVERRIDE, span, resource=resource.ref)
    for name, param in override.params.items():
        _override(resource, name, param)


def _override(resource: Resource, name: str, param: Param) -> None:
    current = resource.params.get(name)
    if current is None:
        resource.set(name, param.written(param.value, param.how))
        return
    scope = resource.scope
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
        labels = []
        if current.unit is not None and current.node is not None:
            labels = [Note("set here", current.unit.span(current.node))]
        raise Fault(
            codes.ALREADY_SET.at(
                param.unit.span(param.node), labels=labels, name=name, resource=resource.ref
            )
        )
    value = param.value
    if param.add:
        value = flattened([current.value, value])
    written = param.written(value, param.how)
    written.old = current
    written.add = param.add
    resource.set(name, written)
