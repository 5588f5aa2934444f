"""Looking references up, in every phase.

A word at the start (or ``ATTRIB``) means the attribute of the nearest enclosing component
that has one of that name, and nothing further out; every other name is looked for in one
component only.  A path leads through links.  What it costs to know (names that were not
there, attributes passed) is part of the answer.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from headwater.langs.smartfrog.driving import Work
from headwater.langs.smartfrog.production.attributes import NEW, Attr
from headwater.langs.smartfrog.production.components import Comp, Value
from headwater.langs.smartfrog.production.syntax import Part, Reference
from headwater.langs.smartfrog.production.words import LOCAL
from headwater.why import NOTHING, Label, Node, Trace

OUTSIDE = ("HOST", "PROCESS")
GIVEN = ("PROPERTY", "IPROPERTY", "ENVPROPERTY", "IENVPROPERTY", "CONSTANT")


@dataclass(slots=True, eq=False)
class Found:
    """A value, why it is what it is, why it is there, and the way to it."""

    value: Value
    why: Node
    exists: Node
    via: Node


@dataclass(slots=True, eq=False)
class Missing:
    """Nothing is there: which part, why, and what there is instead.

    `kind` is ``absent``, ``through`` (a value that is no component), ``parent`` (above the
    root) or ``outside`` (known only where the system runs).
    """

    kind: str
    part: str
    via: Node
    known: list[str] = field(default_factory=list)


@dataclass(slots=True, eq=False)
class Postponed:
    """The way leads over something lazy."""

    via: Node


Answer = Found | Missing | Postponed


class Resolver:
    """Looks references up.  Phases say when a component may be looked into, and follow links."""

    def __init__(self, trace: Trace, root: Comp) -> None:
        self.trace = trace
        self.root = root
        self.following: list[Attr] = []
        self.typing = False
        self.followed = False

    def ready(self, start: Comp, name: str, outwards: bool) -> Work:
        """Makes the components fit that a name is looked for in (for a phase that is `typing`)."""
        return
        yield

    def value_of(self, attr: Attr, owner: Comp) -> Work:
        """The value of an attribute: an `Answer`."""
        value = attr.value
        node = self.trace.guard(attr.given, attr.causes)
        if not isinstance(value, Reference) or value.data:
            return Found(value, node, attr.causes, NOTHING)
        if value.lazy:
            return Postponed(node)
        if attr in self.following:
            return Missing("absent", value.path, node)
        self.followed = True
        self.following.append(attr)
        answer = yield self.resolve(owner, value)
        self.following.pop()
        via = self.trace.union(node, answer.via)
        if isinstance(answer, Found):
            exists = self.trace.union(answer.exists, via)
            return Found(answer.value, self.trace.copy(answer.why, via), exists, NOTHING)
        answer.via = via
        return answer

    def given(self, part: Part, reference: Reference) -> Found | Missing:
        """A property, environment variable or constant."""
        return Missing("outside", str(part), NOTHING)

    def nearby(self, start: Comp, reference: Reference) -> Found | None:
        """The answer where one name is that of a component; None says that it takes `resolve`."""
        part = reference.parts[0]
        if len(reference.parts) > 1 or part.kind not in ("", "ATTRIB", "HERE"):
            return None
        outwards = part.kind != "HERE"
        scope: Comp | None = start if self.typing else None
        while scope is not None:
            if scope.own == NEW:
                return None
            if scope.attr(part.name) is not None:
                break
            scope = scope.parent if outwards else None
        attr, _, way = self.search(start, part.name, reference, 0, outwards)
        if attr is None or attr.contests or not isinstance(attr.value, Comp):
            return None
        node = self.trace.guard(attr.given, attr.causes)
        return Found(attr.value, node, attr.causes, way)

    def resolve(self, start: Comp, reference: Reference) -> Work:
        """What a reference in a component means: an `Answer`."""
        at: Value = start
        via = NOTHING
        found = Found(start, start.structure, NOTHING, NOTHING)
        for index, part in enumerate(reference.parts):
            if part.kind in OUTSIDE:
                return Missing("outside", str(part), via)
            if part.kind in GIVEN:
                answer = self.given(part, reference)
                answer.via = self.trace.union(answer.via, via)
                if isinstance(answer, Missing) or index + 1 == len(reference.parts):
                    return answer
                return Missing("through", str(part), answer.via)
            if not isinstance(at, Comp):
                return Missing("through", str(reference.parts[index - 1]), via)
            if part.kind in ("ROOT", "PARENT", "THIS"):
                moved = self.position(part, at)
                if moved is None:
                    return Missing("parent", str(part), via)
                at = moved
                found = Found(at, at.structure, NOTHING, via)
                continue
            outwards = part.kind == "ATTRIB" or (not part.kind and index == 0)
            if self.typing:
                yield self.ready(at, part.name, outwards)
            attr, owner, way = self.search(at, part.name, reference, index, outwards)
            via = self.trace.union(via, way)
            if attr is None:
                return Missing("absent", part.name, via, list(names(at, outwards)))
            found = yield self.value_of(attr, owner)
            if not isinstance(found, Found):
                found.via = self.trace.union(found.via, via)
                return found
            at = found.value
            if index + 1 < len(reference.parts):
                via = self.trace.union(via, found.exists)
                if isinstance(at, Comp):
                    # A prototype may make it a function; then the path ends there, or waits.
                    via = self.trace.union(via, at.shape)
        return Found(found.value, found.why, found.exists, self.trace.union(via, found.via))

    def position(self, part: Part, at: Comp) -> Comp | None:
        """``ROOT``, ``PARENT`` and ``THIS``"""
        if part.kind == "ROOT":
            return self.root
        return at.parent if part.kind == "PARENT" else at

    def search(
        self, start: Comp, name: str, reference: Reference, index: int, outwards: bool
    ) -> tuple[Attr | None, Comp, Node]:
        """The attribute of that name, its component, and where it was looked for in vain."""
        way = NOTHING
        scope: Comp | None = start
        while scope is not None:
            attr = scope.attr(name)
            if attr is not None and not (index > 0 and attr.tags and LOCAL in attr.tags):
                return attr, scope, way
            rest = tuple(part.name for part in reference.parts[index:] if part.name)
            missed = self.trace.lacks(scope.homes(self.trace), ":".join(rest))
            way = self.trace.union(way, missed, scope.shape)
            if attr is not None:  # it is there, and not for those outside
                assert attr.tags
                tag = self.trace.label(Label("tag", attr.tags[LOCAL], LOCAL))
                way = self.trace.union(way, tag, attr.causes, attr.hidden)
            scope = scope.parent if outwards else None
        return None, start, way


def names(comp: Comp, outwards: bool) -> Iterator[str]:
    """The names that can be seen from a component, for suggestions."""
    scope: Comp | None = comp
    while scope is not None:
        yield from (key for key in scope.attrs if isinstance(key, str))
        scope = scope.parent if outwards else None
