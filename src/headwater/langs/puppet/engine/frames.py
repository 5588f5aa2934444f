"""Where variables live: frames of lambdas inside scopes of classes, defines, nodes and the top.

A frame keeps, beside each value, the record of its writing (who wrote it, under which
guards, when), from which provenance is replayed; see causes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from headwater.langs.puppet.values import Opaque

if TYPE_CHECKING:
    from headwater.langs.puppet.catalog.resource import Param, Resource
    from headwater.langs.puppet.engine.compiler import Compiler
    from headwater.langs.puppet.engine.definitions import Definition, Unit


_new = tuple.__new__  # half the cost of calling the named tuple


class Guard(NamedTuple):
    """A condition that was decided one way, inside others, at a time of the compiler's clock."""

    unit: Unit
    node: Any
    frame: Frame
    taken: Any
    outer: Guard | None
    when: int = 0


class Write(NamedTuple):
    """How a variable got its value.

    `kind`: ``assigned`` (`node` is the expression), ``given``, ``default``, ``hiera``,
    ``fact``, ``argument`` (of a lambda), ``builtin``; `detail` depends on the kind.
    """

    kind: str
    unit: Unit | None
    node: Any
    frame: Frame | None
    guard: Guard | None
    detail: Any = None
    when: int = 0


class Act(NamedTuple):
    """Something that was done: where, under which guards and when.

    `kind`: ``include`` (also contain, require and class {…}), ``tag``, ``contain``; `subject`
    is what it was done to.
    """

    kind: str
    subject: Any
    unit: Unit
    node: Any
    frame: Frame
    guard: Guard | None
    when: int


class Frame(msgspec.Struct, eq=False):
    """Variables of a lambda, and of what encloses it.  Made by `inside`; see also `Scope`."""

    up: Frame | None
    scope: Scope
    guard: Guard | None
    vars: dict[str, Any]
    writes: dict[str, Write] = {}
    match: Any = None
    origin: Any = None
    pending: Any = None


def inside(up: Frame) -> Frame:
    """A new frame inside another."""
    return Frame(up, up.scope, up.guard, {})


class Scope(Frame, eq=False):
    """Variables of a class, define, node or the top, and what is declared there."""

    compiler: Compiler = None  # type: ignore[assignment]  # `scope_of` sets these
    source: Definition = None  # type: ignore[assignment]
    parent: Scope | None = None
    resource: Resource | None = None
    outer: Scope | None = None
    defaults: dict[str, dict[str, Param]] = {}
    when: int = 0

    def _outer(self) -> Scope | None:
        """The scope to look in next: an inherited class, or the node or top around."""
        if self.parent is None:
            return None
        resource = self.resource
        if resource is not None and resource.type == "Class" and self.source.parent is not None:
            inherited = self.compiler.class_scopes.get(self.source.parent)
            if inherited is not None:
                return inherited
        return self.enclosing()

    def enclosing(self) -> Scope | None:
        """The nearest node or top scope among the declaring scopes."""
        scope = self.parent
        while scope is not None and scope.parent is not None and not scope.is_node:
            scope = scope.parent
        return scope

    @property
    def is_node(self) -> bool:
        """Whether it is the scope of a node definition."""
        return self.resource is not None and self.resource.type == "Node"

    def resource_defaults(self, type_: str) -> dict[str, Param]:
        """The defaults in force for a type: those of declaring scopes, nearer ones winning."""
        chain: list[dict[str, Param]] = []
        scope: Scope | None = self
        while scope is not None:
            if scope.defaults:
                table = scope.defaults.get(type_)
                if table:
                    chain.append(table)
            scope = scope.parent
        if not chain:
            return {}
        if len(chain) == 1:
            return chain[0]
        result: dict[str, Param] = {}
        for table in reversed(chain):
            result.update(table)
        return result

    def is_default(self, type_: str, name: str, value: Any) -> bool:
        """Whether a value is that of some default in force."""
        scope: Scope | None = self
        while scope is not None:
            param = scope.defaults.get(type_, {}).get(name)
            if param is not None and param.value == value:
                return True
            scope = scope.parent
        return False


def scope_of(
    compiler: Compiler, parent: Scope | None, source: Definition, resource: Resource | None
) -> Scope:
    """A new scope, declared from another."""
    nobody: Any = None
    scope = Scope(None, nobody, None, {}, compiler=compiler, source=source)
    scope.scope = scope
    scope.parent = parent
    scope.resource = resource
    scope.outer = scope._outer()
    return scope


def decide(f: Frame, unit: Unit, node: Any, taken: Any) -> None:
    """Notes a decision; until it is taken back, what runs in the frame runs because of it."""
    compiler = f.scope.compiler
    compiler.clock = now = compiler.clock + 1
    f.guard = made = _new(Guard, (unit, node, f, taken, f.guard, now))
    compiler.decisions.append(made)


COMPUTED = object()
"""In the place of what a guard took: nothing was decided, something was computed."""


def under_unknown(guard: Guard | None, scope: Scope | None) -> Opaque | None:
    """The unknown condition that something runs because of, if there is one."""
    while scope is not None:
        while guard is not None:
            if isinstance(guard.taken, Opaque):
                return guard.taken
            guard = guard.outer
        resource = scope.resource
        if resource is None or resource.scope is scope:
            return None
        guard, scope = resource.guard, resource.scope
    return None


UNBOUND = object()
"""What a look-up gives when there is no such variable."""


def find(frame: Frame, name: str) -> Any:
    """The value of an unqualified variable, or `UNBOUND`."""
    local: Frame | None = frame
    while local is not None:
        if name in local.vars:
            return local.vars[name]
        if local.pending is not None:
            local.pending(name)
        local = local.up
    scope = frame.scope.outer
    while scope is not None:
        if name in scope.vars:
            return scope.vars[name]
        scope = scope.outer
    return UNBOUND


def find_write(frame: Frame, name: str) -> tuple[Frame, Write] | None:
    """Where an unqualified variable was written, and how."""
    local: Frame | None = frame
    while local is not None:
        if name in local.vars:
            write = local.writes.get(name)
            return (local, write) if write is not None else None
        local = local.up
    scope = frame.scope.outer
    while scope is not None:
        if name in scope.vars:
            write = scope.writes.get(name)
            return (scope, write) if write is not None else None
        scope = scope.outer
    return None


def captured(frame: Frame, index: int) -> Any:
    """The group of the last successful match that can be seen from a frame."""
    local: Frame | None = frame
    while local is not None:
        if local.match is not None:
            return local.match.group(index)
        local = local.up
    scope = frame.scope.outer
    while scope is not None:
        if scope.match is not None:
            return scope.match.group(index)
        scope = scope.outer
    return None
