"""Deep merge (§9.3, extended dialect): components that both sides have become one.

What is there before decides whether a component is merged or new.  In

    P extends { x 1; }
    sfConfig extends merge P, { d extends { } }

`d` is new, and empty, because `P` has no `d`: an `a` in that would be here too.
So what a new component lacks, it and those in it, it lacks because nothing was there before
(`Absence`).  A component that replaces a plain value does so because that was no component.
"""

from __future__ import annotations

from dataclasses import replace

from headwater.langs.firing import fire
from headwater.langs.smartfrog.paper.domains import (
    EMPTY_STORE,
    NO_ABSENCE,
    NO_LINEAGE,
    Absence,
    Attribute,
    Lineage,
    Ref,
    Store,
    Stuck,
)
from headwater.langs.smartfrog.paper.domains import attributes as listed
from headwater.langs.smartfrog.paper.ordering import add_constraint, in_turn
from headwater.langs.smartfrog.paper.references import concat
from headwater.langs.smartfrog.paper.stores import (
    Found,
    Proto,
    copy,
    find,
    hiding,
    missing,
    taken,
    unmerged,
    update,
    without,
)
from headwater.why import Trace


def merge(trace: Trace, s: Store, r: Ref, proto: Proto) -> Store | Stuck:
    """Deep merge: like `copy`, but a component is merged into the component that is there."""
    fire("Deep merge")
    before = find(trace, s, r)
    assert isinstance(before, Found)
    assert isinstance(before.value, Store)
    s = update(s, r, lambda target: without(trace, target, proto.store, proto.via))
    for attribute in proto.store.attributes:
        result = merged(trace, s, r, proto, attribute, before.value)
        if isinstance(result, Stuck):
            return result
        s = result
    for constraint in in_turn(proto.store):
        s = update(s, r, lambda store, c=constraint: add_constraint(store, c))  # type: ignore[misc]
    return s


def merged(
    trace: Trace, s: Store, r: Ref, proto: Proto, attribute: Attribute, before: Store
) -> Store | Stuck:
    """The store with one attribute of a prototype; `before` is the component without it."""
    there = before.attributes.get(attribute.id)
    value = taken(trace, proto.store, attribute.value)
    if isinstance(value, Store):
        if there is None:
            value = unmerged(trace, value, absence(trace, before, attribute.id))
        elif isinstance(there.value, Store):
            via = trace.union(proto.via, attribute.exists)
            inner = concat(r, attribute.id)
            s = hiding(trace, s, inner, trace.union(via, attribute.hidden))
            return merge(trace, s, inner, Proto(value, via, proto.by, proto.at))
        else:
            why = trace.guard(attribute.why, there.exists)
            exists = trace.union(attribute.exists, there.exists)
            attribute = replace(attribute, why=why, exists=exists)
    one = Store(listed([replace(attribute, value=value)]))
    return copy(trace, s, replace(proto, store=one), r)


def absence(trace: Trace, s: Store, id: str) -> Absence:
    """Why a component has no such attribute yet."""
    return Absence(missing(trace, s, (id,)), trace.union(s.shape, s.absence.shape))


def new_in(trace: Trace, s: Store, id: str) -> Store:
    """An empty component that is written where a component has no such attribute yet."""
    why = absence(trace, s, id)
    if why == NO_ABSENCE:
        return EMPTY_STORE
    return Store(shape=why.shape, lineage=Lineage(prototypes=((why.missed, NO_LINEAGE),)))
