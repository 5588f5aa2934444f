"""What the modules of this room ask of each other.

Why a value came about leads to why code ran, that to conditions, and those to values again.
The modules see the whole only as `Replay`; `headwater.langs.puppet.why.replay` puts it together.
"""

from __future__ import annotations

from typing import Any, Protocol

from headwater.langs.puppet.catalog.resource import Resource
from headwater.langs.puppet.record.frames import Frame, Guard
from headwater.langs.puppet.why.here import Here
from headwater.langs.puppet.why.indexes import Indexes
from headwater.langs.puppet.why.inputs import InputLabels
from headwater.langs.puppet.why.labels import Labels
from headwater.langs.puppet.why.left import Left
from headwater.langs.puppet.why.memo import Memo
from headwater.langs.puppet.why.paths import Key as Key
from headwater.langs.puppet.why.paths import Path as Path
from headwater.langs.puppet.why.witnesses import Witnesses
from headwater.why import Node, Trace

FOREVER = 1 << 60
"""A time after everything."""

UNKNOWN = object()
"""The value of an expression that cannot be evaluated again."""


class Absences(Protocol):
    """What did not happen, and because of what: the absence labels A of D+."""

    def variable(self, frame: Frame, name: str, when: int) -> Node:
        """A(α, x): why a variable was not assigned in a frame."""
        ...

    def variables(self, frame: Frame, when: int) -> Node:
        """Why no other variables were assigned in a frame."""
        ...

    def declared(self, name: str, when: int) -> Node:
        """A_κ(a): why a class was not declared before."""
        ...

    def of(self, table: str, name: str, when: int = FOREVER) -> Node:
        """A_t: why nothing was added, defaulted, overridden or collected of a type."""
        ...

    def writing(self, type_: str, name: str) -> Node:
        """Why a parameter of a type was not written by an override or a collector."""
        ...

    def relating(self, parameter: str, resource: Resource) -> Node:
        """Why no arrow points from a resource, or why a class does not require another."""
        ...

    def jumped(self, frame: Frame, when: int) -> Node:
        """Why no jump left the body that a frame belongs to."""
        ...

    def stays(self, frame: Frame) -> bool:
        """Whether nothing could leave the body that a frame belongs to, at any time."""
        ...

    def any(self, table: str, when: int = FOREVER) -> Node:
        """Why no relation, no tag, nothing at all came to be."""
        ...

    def every(self, table: str, when: int = FOREVER) -> Node:
        """The absences of all names of a table."""
        ...


class Replay(Protocol):
    """The explanation of one compilation, as its parts see it."""

    left: Left
    trace: Trace
    labels: Labels
    inputs: InputLabels
    memo: Memo
    indexes: Indexes
    witnesses: Witnesses
    absences: Absences
    strict: bool
    """Whether a variable that is not there is an error."""
    telling: bool
    """Whether what values won over is of interest."""

    # -- values

    def of(self, here: Here, node: object, path: Path = ()) -> Node:
        """How the value of an expression (or what lies in it along a path) came about."""
        ...

    def everything(self, here: Here, *nodes: object) -> Node:
        """All that is written in a piece of program, and all that it could have read."""
        ...

    def value(self, here: Here, node: object) -> Any:  # noqa: ANN401
        """The value of an expression that only gives a value; `UNKNOWN` for others."""
        ...

    def variable(self, here: Here, name: str, path: Path, node: object) -> Node:
        """How a variable that was read got its value."""
        ...

    def undef(self, causes: Node) -> Node:
        """A value that is not there."""
        ...

    # -- why code ran

    def guards(self, guard: Guard | None) -> Node:
        """The conditions around a piece of program."""
        ...

    def deciding(self, guard: Guard, options: int) -> Node:
        """β: what a decision was made by, up to an option of a case."""
        ...

    def epc(self, here: Here) -> Node:
        """Why a piece of program ran."""
        ...

    def tpc(self, here: Here) -> Node:
        """What decided when a piece of program ran."""
        ...

    def entry(self, frame: Frame) -> Node:
        """Why the code of a frame ran at all."""
        ...

    def timing(self, frame: Frame) -> Node:
        """What decided when the code of a frame ran."""
        ...

    def link(self, name: str) -> Node:
        """λ(a): what decided where and when a class was first declared."""
        ...

    # -- what is in the catalog

    def exists(self, resource: Resource) -> Node:
        """Why a resource is there."""
        ...

    def parameter(self, here: Here, resource: Resource, name: str) -> Node:
        """A parameter of a resource as a function saw it."""
        ...

    def declared_until(self, when: int) -> Node:
        """Why all was declared that was there at a time, resources and classes."""
        ...

    def query(self, here: Here, node: object) -> Node:
        """The catalog as a call of defined() or tagged() sees it: what was there, or was not."""
        ...

    def meddle(self, resource: Resource, name: str) -> Node:
        """Who else could have written a parameter."""
        ...

    def size(self, node: Node) -> tuple[Any, ...]:
        """How much something depends on: of several reasons for one thing the smallest is told."""
        ...
