"""Forward links (§9.2.2): what is done with them after the last statement.

Settling a pending link means: settle what its path leads through, resolve it, settle what is
inside the value found, copy that value.  A link that is asked for while it is being settled
needs itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from headwater.langs.firing import fire
from headwater.langs.smartfrog import codes, syntax
from headwater.langs.smartfrog.paper.domains import (
    EMPTY_REF,
    Attribute,
    Basic,
    Ref,
    Store,
    Stuck,
    Undefined,
    Val,
)
from headwater.langs.smartfrog.paper.references import concat, is_prefix, prefix
from headwater.langs.smartfrog.paper.stores import Found, find, resolve, seen
from headwater.report import Note
from headwater.why import Node, Trace
from headwater.why.trace import CHOICE, COPY, GUARD


@dataclass(frozen=True, slots=True)
class Pending(Basic):
    """A link that led nowhere when it was evaluated; its namespace is `up` steps above it."""

    reference: syntax.Reference = field(default=syntax.Reference(()), compare=False)
    up: int = 1


@dataclass(slots=True)
class Settling:
    """The settling of the links of one store."""

    trace: Trace
    root: Store
    busy: list[Ref] = field(default_factory=list)

    def run(self) -> Store | Stuck:
        """The store without pending links."""
        for r in list(pending_in(self.root, EMPTY_REF)):
            stuck = self.settle(r)
            if stuck is not None:
                return stuck
        return self.root

    def settle(self, r: Ref) -> Stuck | None:
        """Settles the link at `r`, if one is still pending there."""
        pending = self.value(r)
        if not isinstance(pending, Pending):
            return None
        if r in self.busy:
            return self.cycle(r)
        fire("Forward links")
        self.busy.append(r)
        reference = pending.reference
        ns = r[: -pending.up]
        stuck = self.lead(ns, reference.parts)
        if stuck is not None:
            return stuck
        nsf, found, searched = resolve(self.trace, self.root, ns, reference.parts)
        if isinstance(found, Undefined):
            name = (("name", str(reference)),)
            known = seen(self.root, ns)
            return Stuck(codes.UNRESOLVED_LINK, reference.at, name, names=known)
        at = concat(nsf, reference.parts)
        if is_prefix(at, r) and isinstance(found.value, Store):
            return self.cycle(r)
        inside = pending_in(found.value, at) if isinstance(found.value, Store) else iter([at])
        for below in list(inside):
            stuck = self.settle(below)
            if stuck is not None:
                return stuck
        found_now = find(self.trace, self.root, at)
        assert isinstance(found_now, Found)
        self.root = self.put(self.root, r, found_now, searched)
        self.busy.pop()
        return None

    def lead(self, ns: Ref, parts: Ref) -> Stuck | None:
        """Settles the pending links that a path leads through."""
        while True:
            for length in range(1, len(parts)):
                stuck = self.settle(concat(ns, parts[:length]))
                if stuck is not None:
                    return stuck
            if ns == EMPTY_REF or isinstance(find(self.trace, self.root, concat(ns, parts)), Found):
                return None
            ns = prefix(ns)

    def value(self, r: Ref) -> Val | None:
        """The value at a reference, without firing anything."""
        at: Val = self.root
        for id in r:
            if not isinstance(at, Store):
                return None
            inner = next((a.value for a in at.attributes if a.id == id), None)
            if inner is None:
                return None
            at = inner
        return at

    def put(self, s: Store, r: Ref, found: Found, searched: Node) -> Store:
        """The store with the value that was found in the place of the pending link."""
        attributes = []
        for attribute in s.attributes:
            if attribute.id != r[0]:
                attributes.append(attribute)
            elif len(r) > 1:
                assert isinstance(attribute.value, Store)
                inner = self.put(attribute.value, r[1:], found, searched)
                attributes.append(replace(attribute, value=inner))
            else:
                attributes.append(self.settled(attribute, found, searched))
        return replace(s, attributes=tuple(attributes))

    def settled(self, attribute: Attribute, found: Found, searched: Node) -> Attribute:
        """The attribute with its value; what it had overridden stays overridden."""
        pending = attribute.value
        assert isinstance(pending, Pending)
        via = self.trace.union(pending.why, searched)
        copied = self.trace.copy(found.why, via)
        exists = self.trace.union(attribute.exists, via, found.exists)
        why = rewrapped(self.trace, attribute.why, copied)
        return replace(attribute, value=found.value, why=why, exists=exists)

    def cycle(self, r: Ref) -> Stuck:
        """That a link needs itself."""
        names = [*self.busy[self.busy.index(r) :], r] if r in self.busy else [r]
        links = [link for name in names if isinstance(link := self.value(name), Pending)]
        notes = tuple(Note("which needs this", link.reference.at) for link in links[1:-1])
        text = " -> ".join(":".join(name) for name in names)
        return Stuck(codes.FORWARD_CYCLE, links[0].reference.at, (("cycle", text),), notes)


def pending_in(value: Val, r: Ref) -> Iterator[Ref]:
    """Where pending links are in a value that is at `r`."""
    if isinstance(value, Pending):
        yield r
    elif isinstance(value, Store):
        for attribute in value.attributes:
            yield from pending_in(attribute.value, concat(r, attribute.id))


def rewrapped(trace: Trace, old: Node, new: Node) -> Node:
    """A node with the guards and contests of another one."""
    layers: list[Node] = []
    while trace.tags[old] in (COPY, GUARD, CHOICE):
        layers.append(old)
        old = Node(trace.left[old])
    for layer in reversed(layers):
        causes = Node(trace.right[layer])
        if trace.tags[layer] == GUARD:
            new = trace.guard(new, causes)
        elif trace.tags[layer] == COPY:
            new = trace.copy(new, causes)
        else:
            contest = trace.contests[layer]
            new = trace.choice(new, losers=contest.losers, deciding=causes)
    return new
