"""Forward links (§9.2.2): what is done with them after the last statement.

Every link in sfConfig is settled, and every other one but those in components that were
copied: a prototype's links are settled where they were inherited to.  Those in the prototype
itself are settled only if something needs them there.

Settling a pending link means: settle what its path leads through, resolve it, settle what is
inside the value found, copy that value.  A link that is asked for while it is being settled
needs itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from itertools import islice

from headwater.langs.firing import fire
from headwater.langs.smartfrog import codes, syntax
from headwater.langs.smartfrog.driving import Work, drive
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
from headwater.langs.smartfrog.paper.stores import Found, find, resolve, seen, with_attribute
from headwater.report import Code, Note
from headwater.why import Node, Trace
from headwater.why.trace import CHOICE, COPY, GUARD

MOST_PENDING = 10_000
"""How many forward links may wait at the end; copies of a component have their own."""
MOST_STEPS = 100
"""How far from the root a forward link may stand, after all copying."""


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
    copied: set[Ref]
    busy: dict[Ref, None] = field(default_factory=dict)
    clear: dict[int, Store] = field(default_factory=dict)
    """Stores without pending links, by identity: copies of a store are looked into once."""

    def run(self) -> Store | Stuck:
        """The store without pending links in what counts."""
        pending = self.pending_in(self.root, EMPTY_REF, self.counts)
        waiting = list(islice(pending, MOST_PENDING + 1))
        if len(waiting) > MOST_PENDING:
            return self.beyond(waiting[0], codes.TOO_MANY_FORWARD, MOST_PENDING)
        for r in waiting:
            if len(r) > MOST_STEPS:
                return self.beyond(r, codes.TOO_DEEP, MOST_STEPS)
        for r in waiting:
            stuck: Stuck | None = drive(self.settle(r))
            if stuck is not None:
                return stuck
        return self.root

    def counts(self, r: Ref) -> bool:
        """Whether links at or below `r` must lead somewhere."""
        return r[0] == "sfConfig" or r not in self.copied

    def settle(self, r: Ref) -> Work:
        """Settles the link at `r`, if one is still pending there; answers if it is stuck."""
        pending = self.value(r)
        if not isinstance(pending, Pending):
            return None
        if r in self.busy:
            return self.cycle(r)
        fire("Forward links")
        self.busy[r] = None
        reference = pending.reference
        ns = r[: -pending.up]
        stuck = yield self.lead(ns, reference.parts)
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
        inside = self.pending_in(found.value, at) if isinstance(found.value, Store) else iter([at])
        for below in list(inside):
            stuck = yield self.settle(below)
            if stuck is not None:
                return stuck
        found_now = find(self.trace, self.root, at)
        assert isinstance(found_now, Found)
        self.root = self.put(self.root, r, found_now, searched)
        del self.busy[r]
        return None

    def lead(self, ns: Ref, parts: Ref) -> Work:
        """Settles the pending links that a path leads through."""
        while True:
            for length in range(1, len(parts)):
                stuck = yield self.settle(concat(ns, parts[:length]))
                if stuck is not None:
                    return stuck
            if ns == EMPTY_REF or isinstance(find(self.trace, self.root, concat(ns, parts)), Found):
                return None
            ns = prefix(ns)

    def pending_in(
        self, store: Store, at: Ref, counts: Callable[[Ref], bool] = lambda r: True
    ) -> Iterator[Ref]:
        """Where pending links are in a store that is at a reference, in order."""
        todo: list[tuple[Store, Ref, Iterator[Attribute], bool]] = [
            (store, at, iter(store.attributes), True)
        ]
        while todo:
            s, r, attributes, clear = todo.pop()
            for attribute in attributes:
                value = attribute.value
                if not counts((*r, attribute.id)):
                    clear = False
                elif isinstance(value, Pending):
                    clear = False
                    yield concat(r, attribute.id)
                elif isinstance(value, Store) and id(value) not in self.clear:
                    todo.append((s, r, attributes, clear))
                    inner = iter(value.attributes)
                    todo.append((value, concat(r, attribute.id), inner, True))
                    break
            else:
                if clear:
                    self.clear[id(s)] = s
                elif todo:
                    outer = todo.pop()
                    todo.append((*outer[:3], False))

    def beyond(self, r: Ref, code: Code, bound: int) -> Stuck:
        """The error for forward links that break a bound."""
        pending = self.value(r)
        assert isinstance(pending, Pending)
        return Stuck(code, pending.reference.at, (("bound", f"{bound:,}"),))

    def value(self, r: Ref) -> Val | None:
        """The value at a reference, without firing anything."""
        at: Val = self.root
        for id in r:
            if not isinstance(at, Store):
                return None
            attribute = at.attributes.get(id)
            if attribute is None:
                return None
            at = attribute.value
        return at

    def put(self, s: Store, r: Ref, found: Found, searched: Node) -> Store:
        """The store with the value that was found in the place of the pending link."""
        attribute = s.attributes.get(r[0])
        assert attribute is not None
        if len(r) == 1:
            return with_attribute(s, self.settled(attribute, found, searched))
        assert isinstance(attribute.value, Store)
        inner = self.put(attribute.value, r[1:], found, searched)
        return with_attribute(s, replace(attribute, value=inner))

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
        """The error for a link that needs itself."""
        busy = [*self.busy]
        names = [*busy[busy.index(r) :], r] if r in self.busy else [r]
        links = [link for name in names if isinstance(link := self.value(name), Pending)]
        notes = tuple(Note("which needs this", link.reference.at) for link in links[1:-1])
        text = " -> ".join(":".join(name) for name in names)
        return Stuck(codes.FORWARD_CYCLE, links[0].reference.at, (("cycle", text),), notes)


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
