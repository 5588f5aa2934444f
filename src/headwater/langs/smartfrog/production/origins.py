"""How attributes came to be where they are: as they are written, or taken over since.

Copies of an attribute share what happened before they were made, or a chain of prototypes would
copy it with every link; and what that comes to is found once for all of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeAlias

from headwater.langs.smartfrog.production.syntax import Setting
from headwater.report import Note
from headwater.text import Span
from headwater.text.named import NamedTuple
from headwater.why import NOTHING, Label, Node, Trace

Where: TypeAlias = Span | Setting
"""The left side of an attribute."""


def span_of(where: Where) -> Span:
    """Where a left side stands."""
    return where.name_at if isinstance(where, Setting) else where


def key_label(trace: Trace, where: Where) -> Node:
    """The node of a left side."""
    at = span_of(where)
    return trace.label(Label("key", at, at.text))


class Origin(NamedTuple):
    """How the attributes of a block came into a specification: the trace, the files included."""

    trace: Trace
    included: Node


class Moved(Protocol):
    """Why attributes were taken over or moved: because of `via`, and `homes` lack their names.

    If they came through prototypes, the notes say through which, the last one first.
    """

    @property
    def trace(self) -> Trace:
        """Where its nodes are."""

    @property
    def via(self) -> Node:
        """Because of what."""

    @property
    def homes(self) -> Node:
        """What lacks their names."""

    @property
    def notes(self) -> Sequence[Note]:
        """Through which prototypes."""


class Step(NamedTuple):
    """The same, where it is known at once."""

    trace: Trace
    via: Node
    homes: Node = NOTHING
    notes: Sequence[Note] = ()


class Structured(Protocol):
    """What has a node for there being it: a component, which may make that when it is asked."""

    @property
    def structure(self) -> Node:
        """The label of what is written there."""


class Built:
    """The causes of an attribute as it is written, and that something is built where it stands."""

    __slots__ = ("built",)

    def __init__(self, built: Structured) -> None:
        self.built = built


class Taken:
    """An attribute was taken over or moved: the causes it had, why, its name, what placed it.

    `node` is all of that, once somebody has asked.
    """

    __slots__ = ("before", "name", "node", "placed", "step")

    def __init__(
        self, before: Causes, step: Moved, name: str, placed: Taken | Where | None
    ) -> None:
        self.before = before
        self.step = step
        self.name = name
        self.placed = placed
        self.node: Node | None = None


Causes: TypeAlias = Node | Taken | Built | Structured | None
"""None for those of an attribute as it is written."""


def placed_by(placed: Taken | Where) -> tuple[Note, ...]:
    """What fixed the place of an attribute, the first one first."""
    found: list[Note] = []
    at: Taken | Where | None = placed
    while isinstance(at, Taken):
        found += at.step.notes
        at = at.placed
    if at is not None:
        found.append(Note("first set here", span_of(at)))
    return tuple(reversed(found))


def node_of_causes(causes: Causes, where: Where, origin: Origin | None) -> Node:
    """Why an attribute is here that is written somewhere, and came into the specification so."""
    taken: list[Taken] = []
    while isinstance(causes, Taken):
        if causes.node is not None:
            causes = causes.node
            break
        taken.append(causes)
        causes = causes.before
    if causes is None or isinstance(causes, Built):
        assert origin is not None
        trace, included = origin
        built = NOTHING if causes is None else causes.built.structure
        causes = trace.union(key_label(trace, where), included, built)
    elif not isinstance(causes, int):
        causes = causes.structure
    for each in reversed(taken):
        step = each.step
        trace = step.trace
        causes = trace.union(causes, step.via, trace.lacks(step.homes, each.name))
        each.node = causes
    return causes
