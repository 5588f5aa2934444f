"""What was done, and what was read, while compiling."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeAlias

import msgspec

from headwater.langs.puppet.catalog.resource import Param, Resource
from headwater.langs.puppet.hashes import Hash
from headwater.langs.puppet.program.units import Unit
from headwater.langs.puppet.record.frames import Frame, Guard
from headwater.langs.puppet.syntax import ast
from headwater.text import Span


class Act(msgspec.Struct, frozen=True, eq=False):
    """Something that was done: where, under which guards and when.

    `kind`: ``include`` (also contain, require and class {…}), ``tag``, ``contain``, ``realize``,
    ``change`` (`Changed`); `subject` is what it was done to.
    """

    kind: str
    subject: Any
    unit: Unit
    node: Any
    frame: Frame
    guard: Guard | None
    when: int


EVERY_VARIABLE: Final = "*"
"""The name of a read of all variables there are: it depends on those that are not, too."""


class Read(msgspec.Struct, frozen=True, eq=False):
    """Something that a call read beside its arguments.

    `kind`: ``variable``, ``file``, ``miss``, ``query``, ``unknown``, ``hiera`` (`detail` is the
    look-up), ``epp`` (`detail` is the template and the frame around it), ``rendering`` (`detail` is
    what a template wrote), ``parameter`` (`detail` is a resource and a name), ``ruby`` (`detail`
    are the pieces of text that a function ran), ``titles`` (the same, of a type that told what its
    titles mean) and ``copied`` (`detail` is the function and the
    place of the argument that it gave back).
    """

    kind: str
    text: str
    path: str | None
    frame: Frame
    unit: Unit
    node: Any
    detail: Any = None


Sieve: TypeAlias = Callable[[list[Resource]], list[Resource]]
"""What lets those resources pass that a query asks for."""


class Result(msgspec.Struct, frozen=True, eq=False):
    """What a call gave: the function, the call in its frame, and the value."""

    name: str
    node: Any
    frame: Frame
    value: Any


class Changed:
    """An array or hash that Ruby changed in place, and what it was before."""

    __slots__ = ("before", "value")

    def __init__(self, value: list[Any] | Hash, before: list[Any] | Hash) -> None:
        self.value = value
        self.before = before


class Secret(msgspec.Struct, frozen=True, eq=False):
    """A call that gave a sensitive value."""

    frame: Frame
    unit: Unit
    node: Any
    value: Any


class Decrypted(msgspec.Struct, frozen=True, eq=False):
    """A text that data hold encrypted."""

    value: str


class Override:
    """New values for a resource, and who gives them."""

    __slots__ = ("frame", "guard", "node", "params", "unit", "when")

    def __init__(
        self,
        params: dict[str, Param],
        frame: Frame,
        unit: Unit,
        node: Any,  # noqa: ANN401
        when: int,
    ) -> None:
        self.params = params
        self.frame = frame
        self.guard = frame.guard
        self.when = when
        self.unit = unit
        self.node = node


class Collector:
    """``File <| query |>``: what is collected, what has been, and the values it sets.

    `alternative` is what stands left of it in a chain of arrows.
    """

    __slots__ = ("alternative", "collected", "exported", "frame", "guard", "node", "overrides",
                 "sieve", "type", "unit", "when")  # fmt: skip

    def __init__(
        self, type_: str, sieve: Sieve | None, frame: Frame, unit: Unit, node: ast.Collect,
        overrides: dict[str, Param] | None, when: int,
    ) -> None:  # fmt: skip
        self.type = type_
        self.sieve = sieve
        self.frame = frame
        self.guard = frame.guard
        self.when = when
        self.unit = unit
        self.node = node
        self.overrides = overrides
        self.exported: bool = node.exported
        self.collected: dict[str, Resource] = {}
        self.alternative: Any = None

    def given(self) -> dict[str, Param]:
        """The values to set; resource defaults where the collector stands come with them."""
        if not self.overrides:
            return {}
        return {**self.frame.scope.resource_defaults(self.type), **self.overrides}


class Realize:
    """``realize(User['a'])``: resources named one by one; `missing` have not been found yet."""

    __slots__ = ("act", "alternative", "collected", "missing")

    def __init__(self, refs: list[Any], act: Act) -> None:
        self.missing = refs
        self.act = act
        self.collected: dict[str, Resource] = {}
        self.alternative: Any = None

    @property
    def span(self) -> Span:
        """Where the call stands."""
        return self.act.unit.span(self.act.node)


class Arrow:
    """One arrow between two ends, each a reference or a collector."""

    __slots__ = ("frame", "guard", "node", "parameter", "source", "target", "unit", "when")

    def __init__(
        self, source: object, target: object, parameter: str, frame: Frame, unit: Unit,
        node: object, when: int,
    ) -> None:  # fmt: skip
        self.source = source
        self.target = target
        self.parameter = parameter
        self.frame = frame
        self.guard = frame.guard
        self.when = when
        self.unit = unit
        self.node = node
