"""How a component came by a prototype, told when somebody asks.

Of most components nobody asks what they would have looked like without their prototype.  So what
finds a prototype notes which attribute that is, and which components were passed on the way to it
and did not have the name; all of these are finished, so that the answer stays the same.
"""

from __future__ import annotations

from headwater.langs.smartfrog.production.attributes import DONE, Attr
from headwater.langs.smartfrog.production.components import Comp
from headwater.langs.smartfrog.production.origins import Built
from headwater.langs.smartfrog.production.syntax import Reference
from headwater.text.named import NamedTuple
from headwater.why import NOTHING, Label, Node, Trace


class Known(NamedTuple):
    """The same, where it is told at once: the node of its name, and why it is there."""

    by: Node
    via: Node


class Inheritance:
    """A prototype that one name leads to, past the component itself and some others."""

    __slots__ = ("_attr", "_by", "_passed", "_reference", "_via", "heir", "source", "trace")

    def __init__(
        self, trace: Trace, reference: Reference, attr: Attr, heir: Comp, passed: tuple[Comp, ...]
    ) -> None:
        self.trace = trace
        self.source: Comp = attr.value
        self.heir = heir
        self._reference = reference
        self._attr = attr
        self._passed = passed
        self._by: Node | None = None
        self._via: Node | None = None

    @property
    def by(self) -> Node:
        """The node of its name."""
        if self._by is None:
            at = self._reference.at
            self._by = self.trace.label(Label("reference", at, at.text))
        return self._by

    @property
    def via(self) -> Node:
        """Why it is there."""
        if self._via is None:
            trace, name = self.trace, self._reference.parts[0].name
            way = trace.lacks(self.heir.own_home(trace), name)
            for scope in self._passed:
                way = trace.union(way, trace.lacks(scope.homes(trace), name), scope.shape)
            self._via = trace.union(self.by, way, self._attr.causes)
        return self._via

    def rests_on(self) -> tuple[Comp, ...]:
        """The components by which that is told."""
        return (self.source, *self._passed)


def inheritance(trace: Trace, heir: Comp, reference: Reference) -> Inheritance | None:
    """How a component without any comes by a prototype, if it can be told as well later."""
    part = reference.parts[0]
    if len(reference.parts) > 1 or part.kind or heir.settled.get(part.name) is not None:
        return None
    if heir.inherits is not None or heir.lineage != NOTHING or heir.shape != NOTHING:
        return None
    passed: list[Comp] = []
    scope = heir.parent
    while scope is not None:
        if scope.own != DONE:
            return None
        attr = scope.attr(part.name)
        if attr is not None:
            causes = attr.written_causes
            plain = causes is None or causes.__class__ is Built
            if not plain or attr.contests or attr.value.__class__ is not Comp:
                return None
            return Inheritance(trace, reference, attr, heir, tuple(passed))
        passed.append(scope)
        scope = scope.parent
    return None
