"""Where variables live: frames of lambdas inside scopes of classes, defines, nodes and the top.

A frame keeps, beside each value, how it was bound (by which expression, under which guards,
when), from which provenance is replayed; see `headwater.langs.puppet.why`.
"""

from __future__ import annotations

from enum import Enum
from typing import Any, Final, Protocol

import msgspec

from headwater.langs.puppet.catalog.resource import Param, Resource
from headwater.langs.puppet.program.definitions import Definition
from headwater.langs.puppet.program.units import Unit
from headwater.langs.puppet.types.value import Value


class Guard(msgspec.Struct, frozen=True, eq=False):
    """A condition that was decided one way, inside others, at a time of the record's clock."""

    unit: Unit
    node: Any
    frame: Frame
    taken: Any
    outer: Guard | None
    when: int = 0


class Binding(msgspec.Struct, frozen=True, eq=False):
    """How a variable got its value.

    `kind`: ``assigned`` (`node` is the expression), ``given``, ``default``, ``hiera``,
    ``fact``, ``classified`` (by a classifier), ``set`` (on the command line), ``argument`` (of a
    lambda), ``builtin``; `detail` depends on the kind.
    """

    kind: str
    unit: Unit | None
    node: Any
    frame: Frame | None
    guard: Guard | None
    detail: Any = None
    when: int = 0


class Body(Protocol):
    """What runs in a frame of its own: the body of a lambda or of a function."""

    unit: Unit
    node: Any
    names: list[str]
    params: list[Any]
    does: bool


class Entered(msgspec.Struct, frozen=True, eq=False):
    """The call by which a function (or, without a body, a template) was entered, and when."""

    body: Body | None
    unit: Unit
    node: Any
    frame: Frame
    when: int

    @property
    def does(self) -> bool:
        """As of a `Body`: its frames are kept."""
        return True


class Frame(msgspec.Struct, eq=False):
    """Variables of a lambda, and of what encloses it.  Made by `inside`; see also `Scope`.

    `bindings` is read by `binding_of`: a parameter is there as it was given.

    `origin` is the `Body` of a lambda, or how a function or template was `Entered`; `pending`
    refuses reads of parameters that have no value yet.
    """

    up: Frame | None
    scope: Scope
    guard: Guard | None
    vars: dict[str, Any]
    bindings: dict[str, Binding | Param] = {}
    match: Any = None
    origin: Any = None
    pending: Any = None


def binding_of(frame: Frame, name: str) -> Binding | None:
    """How a variable of a frame was bound; of a parameter its `Param` says it."""
    found = frame.bindings.get(name)
    if isinstance(found, Param):
        when = frame.when if isinstance(frame, Scope) else 0
        return Binding("parameter", found.unit, found.node, found.frame, found.guard, found, when)
    return found


def inside(up: Frame) -> Frame:
    """A new frame inside another."""
    return Frame(up, up.scope, up.guard, {})


def is_kept(origin: Body | Entered) -> bool:
    """Whether the record keeps frames of an origin: of all but lambdas that only give a value."""
    return origin.does


def lasting(frame: Frame) -> Frame:
    """A frame for who keeps it: a copy, if later runs of a lambda may have the same frame."""
    if frame.origin is None or is_kept(frame.origin):
        return frame
    values = frame.vars.copy()
    return Frame(frame.up, frame.scope, frame.guard, values, {}, frame.match, frame.origin)


class Guesses:
    """What hangs on unknown values."""

    __slots__ = ("computed", "guessed", "unsettled")

    def __init__(self) -> None:
        self.unsettled: list[Guard] = []
        """What was done, or not, by an unknown value that is no condition: a title, a name."""
        self.computed: list[Guard] = []
        """Titles, names and ends of arrows that are computed, once something is unknown: what
        they come from may hang on a guess."""
        self.guessed = False
        """Whether anything but a value hangs on an unknown value."""


class Recorder(Protocol):
    """The record as a scope sees it: the time, the decisions, and the scopes of classes."""

    clock: int
    decisions: list[Guard]
    guesses: Guesses
    scopes: dict[str, Scope]

    def opens(self, frame: Frame) -> None:
        """Notes a scope, or a frame in one that has variables of its own."""
        ...


class Scope(Frame, eq=False):
    """Variables of a class, define, node or the top, and what is declared there.

    `compilation` is what the engine works with in this scope; the record does not look into it.
    `around` is the node or top scope that it is in, however deep.  While defaults of parameters are
    evaluated, `entering` is the frame in which they wait: who reads them by their full names then
    looks there too.
    """

    compilation: Any = None
    record: Recorder = None  # type: ignore[assignment]  # `scope_of` sets these
    source: Definition = None  # type: ignore[assignment]
    parent: Scope | None = None
    resource: Resource | None = None
    outer: Scope | None = None
    around: Scope | None = None
    defaults: dict[str, dict[str, Param]] = {}
    when: int = 0
    entering: Frame | None = None

    def _outer(self) -> Scope | None:
        """The scope to look in next: an inherited class, or the node or top around."""
        if self.parent is None:
            return None
        resource = self.resource
        if resource is not None and resource.type == "Class" and self.source.parent is not None:
            inherited = self.record.scopes.get(self.source.parent)
            if inherited is not None:
                return inherited
        return self.enclosing()

    def enclosing(self) -> Scope | None:
        """The nearest node or top scope among the declaring scopes."""
        parent = self.parent
        if parent is None or parent.parent is None or parent.is_node:
            return parent
        return parent.around

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

    def is_default(self, type_: str, name: str, value: object) -> bool:
        """Whether a value is that of some default in force."""
        scope: Scope | None = self
        while scope is not None:
            param = scope.defaults.get(type_, {}).get(name)
            if param is not None and param.value == value:
                return True
            scope = scope.parent
        return False


def scope_of(
    compilation: object, record: Recorder, parent: Scope | None, source: Definition,
    resource: Resource | None,
) -> Scope:  # fmt: skip
    """A new scope, declared from another."""
    nobody: Any = None
    scope = Scope(
        None, nobody, None, {}, {}, None, None, None, compilation, record, source, parent, resource
    )
    scope.scope = scope
    around = parent  # as `enclosing` has it
    if parent is not None and parent.parent is not None and not parent.is_node:
        around = parent.around
    scope.around = scope.outer = around
    if source.parent is not None:
        scope.outer = scope._outer()
    record.opens(scope)
    return scope


def decide(f: Frame, unit: Unit, node: object, taken: object) -> None:
    """Notes a decision; until it is taken back, what runs in the frame runs because of it."""
    record = f.scope.record
    record.clock = now = record.clock + 1
    f.guard = made = Guard(unit, node, f, taken, f.guard, now)
    record.decisions.append(made)


COMPUTED = object()
"""In the place of what a guard took: nothing was decided, something was computed."""


def unsettle(f: Frame, unit: Unit, node: object, why: object) -> None:
    """Notes that what is done here may be more than was done, by an unknown value."""
    record = f.scope.record
    record.clock += 1
    record.guesses.guessed = True
    record.guesses.unsettled.append(Guard(unit, node, f, why, f.guard, record.clock))


def compute(f: Frame, unit: Unit, node: object) -> None:
    """Notes that what is done here is done to what a value names."""
    record = f.scope.record
    record.clock += 1
    record.guesses.computed.append(Guard(unit, node, f, COMPUTED, f.guard, record.clock))


class Unbound(Enum):
    """What a look-up gives when there is no such variable."""

    UNBOUND = 0


UNBOUND: Final = Unbound.UNBOUND


def find(frame: Frame, name: str) -> Value | Unbound:
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


def captured(frame: Frame, index: int) -> str | None:
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
