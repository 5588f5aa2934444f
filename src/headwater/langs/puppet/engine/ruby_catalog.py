"""What functions written in Ruby ask of the compiler: the catalog, settings, the stack of calls."""

from __future__ import annotations

from typing import Any

from headwater.langs.puppet.catalog.resource import Resource
from headwater.langs.puppet.engine.compilation import Compilation
from headwater.langs.puppet.engine.functions import Call
from headwater.langs.puppet.engine.ruby_files import RubyFiles
from headwater.langs.puppet.engine.ruby_unknown import known
from headwater.langs.puppet.fault import Problem
from headwater.langs.puppet.record.frames import Entered, Frame
from headwater.langs.puppet.ruby.surroundings import ScopeObject
from headwater.langs.puppet.syntax import ast
from headwater.langs.puppet.types.model import Lookup, Type
from headwater.langs.puppet.types.resolution import parse_type
from headwater.langs.puppet.types.value import Value
from headwater.text import Span


class RubyCatalog(RubyFiles):
    """The compiler as functions in Ruby see it (`ruby.functions.Compiler`)."""

    def __init__(self, compilation: Compilation) -> None:
        super().__init__(compilation)
        self._calls: list[Call] = []
        self.told: set[tuple[str, str]] = set()
        """What is said only once, and was."""

    @property
    def caller(self) -> Call:
        """The call that Ruby runs for."""
        return self._calls[-1]

    def span(self, file: str, offset: int) -> Span | None:
        """A place in a text of Ruby; none if the text is not known."""
        source = self.sources.get(file)
        if source is None:
            return None
        at = min(max(offset, 0), len(source.text))
        return source.span(at, at)

    def parse_type(self, text: str, local: Lookup | None = None) -> Type:
        types = self._compilation.services.types

        def lookup(name: str) -> Type | None:
            self.asked_types += 1
            found = None if local is None else local(name)
            return types.lookup(name) if found is None else found

        return parse_type(text, lookup)

    @property
    def environment(self) -> str:
        return str(self._compilation.inputs.settings.get("environment", "production"))

    def setting(self, name: str) -> Value:
        if name == "strict":
            return self._compilation.messages.strict
        if name == "strict_variables":
            return self._compilation.messages.strict_variables
        if name == "environment":
            return self.environment
        return None

    def ruby_place(self) -> str:
        file, offset = self.machine.at
        span = self.span(file, offset)
        if span is None:
            return file
        method = self.machine.method
        inside = "<top (required)>" if method is None else method.name
        return f"{file}:{span.first.line}:in `{inside}'"

    def stack(self) -> list[tuple[str, int]]:
        return stack_of(self.caller)

    def resource_type(self, name: str) -> str | None:
        try:
            return self._compilation.services.types.resource(name)[0]
        except Problem:
            return self.class_named(name)

    def namevar(self, type_: str) -> str | None:
        try:
            info = self._compilation.services.types.resource(type_.lower())[1]
        except Problem:
            return None
        return None if info is None else info.namevar

    def class_named(self, name: str) -> str | None:
        found = self._compilation.program.find_class(name)
        return None if found is None else found.name

    def resources(self) -> list[Resource]:
        self.caller.external("query", "catalog.resources")
        return self._compilation.catalog.resources

    def find_resource(self, type_: str, title: str) -> Resource | None:
        self.caller.external("query", "findresource()")
        return self._compilation.catalog.find(type_, title)

    def parameter(self, resource: Resource, name: str) -> Value:
        self.caller.read("parameter", f"{resource.ref}[{name}]", None, (resource, name))
        return known(resource.value(name))

    def resource_of(self, scope: ScopeObject) -> Resource | None:
        surroundings: Any = scope.surroundings
        found: Resource | None = surroundings.call.frame.scope.resource
        return found

    def source_of(self, scope: ScopeObject) -> tuple[str, str]:
        surroundings: Any = scope.surroundings
        source = surroundings.call.frame.scope.source
        return source.kind, source.name

    def parent_module_of(self, scope: ScopeObject) -> str | None:
        surroundings: Any = scope.surroundings
        parent = surroundings.call.frame.scope.parent
        return None if parent is None else parent.source.module or ""


def stack_of(call: Call) -> list[tuple[str, int]]:
    """The calls that are inside each other; the program itself is the last of them."""
    found: list[tuple[str, int]] = [(call.unit.name, call.unit.line(call.node))]
    record, frame = call.compilation.record, call.frame
    while True:
        at: Frame | None = frame
        while at is not None and not isinstance(at.origin, Entered):
            at = at.up
        if at is not None:
            entered = at.origin
            found.append((entered.unit.name, entered.unit.line(entered.node)))
            frame = entered.frame
            continue
        scope = frame.scope
        if scope is record.top:
            return [*found, (call.compilation.program.units[0].name, 0)]
        acts = record.declarations.get(scope.source.name, ())
        if scope.source.kind != "class" or not acts or not isinstance(acts[0].node, ast.Call):
            return found
        found.append((acts[0].unit.name, acts[0].unit.line(acts[0].node)))
        frame = acts[0].frame
