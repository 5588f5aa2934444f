"""Operations on stores: Definitions 12 to 18.

Functions that may fail return `Stuck`; none raises.  `Semantics` supplies the trace in
which causes are noted: the operations themselves are the paper's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from headwater.langs.firing import fire
from headwater.langs.smartfrog import codes
from headwater.langs.smartfrog.paper.domains import (
    EMPTY_REF,
    NO_ABSENCE,
    Absence,
    Attribute,
    Basic,
    Home,
    Ref,
    Store,
    Stuck,
    Undefined,
    Val,
    Vector,
)
from headwater.langs.smartfrog.paper.references import concat, prefix
from headwater.langs.smartfrog.results import SUB_STORE, first_level
from headwater.report import Note
from headwater.text import Span
from headwater.tree import Value
from headwater.why import NOTHING, Label, Loser, Node, Trace


@dataclass(frozen=True, slots=True)
class Found:
    """A value that `find` or `resolve` came to: why it is what it is, and that it is there."""

    value: Val
    why: Node = NOTHING
    exists: Node = NOTHING
    hidden: Node = NOTHING


@dataclass(frozen=True, slots=True)
class Proto:
    """A prototype that was resolved: its store, and what its choice depends on."""

    store: Store
    via: Node
    by: Node
    at: Span


def put(trace: Trace, s: Store, new: Attribute, *, because: Node) -> Store:
    """Definition 12: the attribute replaces its namesake in place, or comes last."""
    fire("Definition 12")
    old = s.attributes.get(new.id)
    if old is not None:
        lost = Loser(shown(old.value), old.why, old.how, because)
        new = replace(
            new,
            why=trace.choice(new.why, losers=(lost,)),
            hidden=trace.union(new.hidden, old.hidden, old.exists),
            placed=old.placed or new.placed,
        )
    return with_attribute(s, new)


def bind(trace: Trace, s: Store, r: Ref, new: Attribute, *, because: Node) -> Store | Stuck:
    """Definition 13: sets the value of a reference; its parent must be a store."""
    fire("Definition 13")
    match r:
        case ():
            return Stuck(codes.REPLACES_ROOT)
        case (_,):
            return put(trace, s, new, because=because)
    attribute = s.attributes.get(r[0])
    if attribute is None:
        names = tuple(attribute.id for attribute in s.attributes)
        return Stuck(codes.NO_PARENT, fields=(("parent", r[0]),), names=names)
    if not isinstance(attribute.value, Store):
        return Stuck(codes.PARENT_NOT_STORE, fields=(("parent", r[0]),))
    inner = bind(trace, attribute.value, r[1:], new, because=because)
    if isinstance(inner, Stuck):
        return inner
    return with_attribute(s, replace(attribute, value=inner))


def with_attribute(s: Store, new: Attribute) -> Store:
    """The store with an attribute in the place of its namesake, or last."""
    return replace(s, attributes=s.attributes.put(new.id, new))


def hiding(trace: Trace, s: Store, r: Ref, more: Node) -> Store:
    """The store, where an attribute that is there hides more: what would be another without it."""
    attribute = s.attributes.get(r[0])
    assert attribute is not None
    if len(r) == 1:
        return with_attribute(s, replace(attribute, hidden=trace.union(attribute.hidden, more)))
    assert isinstance(attribute.value, Store)
    return with_attribute(s, replace(attribute, value=hiding(trace, attribute.value, r[1:], more)))


def find(trace: Trace, s: Store, r: Ref) -> Found | Undefined:
    """Definition 14: the value of a reference, or ⊥."""
    fire("Definition 14")
    if r == EMPTY_REF:
        return Found(s)
    attribute = s.attributes.get(r[0])
    if attribute is None:
        return Undefined(missing(trace, s, r))
    value = taken(trace, s, attribute.value)
    if len(r) == 1:
        return Found(value, attribute.why, attribute.exists, attribute.hidden)
    if not isinstance(value, Store):
        return Undefined(attribute.exists)
    inner = find(trace, value, r[1:])
    if isinstance(inner, Undefined):
        return Undefined(trace.union(attribute.exists, inner.why))
    return Found(
        inner.value,
        trace.guard(inner.why, attribute.exists),
        trace.union(inner.exists, attribute.exists),
    )


def taken(trace: Trace, s: Store, value: Val) -> Val:
    """A value that leaves the store it was in: what that was not merged with, it was not either."""
    return unmerged(trace, value, s.absence) if isinstance(value, Store) else value


def unmerged(trace: Trace, s: Store, absence: Absence) -> Store:
    """The store, which would have been merged with something that is not there."""
    if absence == NO_ABSENCE:
        return s
    missed = trace.union(s.absence.missed, absence.missed)
    return replace(s, absence=Absence(missed, trace.union(s.absence.shape, absence.shape)))


def missing(trace: Trace, s: Store, r: Ref) -> Node:
    """Why a store has no such attribute: it is written neither there nor in a prototype of it."""
    node = s.absence.missed
    met: set[int] = set()
    todo = [s.lineage]
    while todo:
        at = todo.pop()
        if id(at) in met:
            continue
        met.add(id(at))
        if at.home is not None:
            miss = Label("miss", at.home.at, ":".join((*at.home.path, *r)))
            node = trace.union(node, trace.miss(miss))
        for via, prototype in at.prototypes:
            node = trace.union(node, via)
            todo.append(prototype)
    return node


def is_sub_store(s1: Store, s2: Store) -> bool:
    """Definition 15, s1 ⊂S s2: some reference but the root leads from s2 to s1."""
    fire("Definition 15")
    return any(s1 == found for found in sub_stores(s2))


def sub_stores(s: Store) -> Iterator[Store]:
    """Every store below a store."""
    for attribute in s.attributes:
        if isinstance(attribute.value, Store):
            yield attribute.value
            yield from sub_stores(attribute.value)


def resolve(trace: Trace, s: Store, ns: Ref, r: Ref) -> tuple[Ref, Found | Undefined, Node]:
    """Definition 16: looks a reference up in a namespace and outwards.

    The last part of the answer is what the search itself depends on: an attribute added to
    a namespace that was searched in vain would be found there.
    """
    fire("Definition 16")
    searched = NOTHING
    while ns != EMPTY_REF:
        found = find(trace, s, concat(ns, r))
        if isinstance(found, Found):
            return ns, found, searched
        searched = trace.union(searched, found.why)
        ns = prefix(ns)
    return EMPTY_REF, find(trace, s, r), searched


def copy(trace: Trace, s1: Store, proto: Proto, pfx: Ref) -> Store | Stuck:
    """Definition 17: binds every attribute of a store under `pfx` in another."""
    fire("Definition 17")
    s: Store | Stuck = s1
    note = Note("inherited through this prototype", proto.at)
    for attribute in proto.store.attributes:
        if isinstance(s, Stuck):
            return s
        inherited = replace(
            attribute,
            value=taken(trace, proto.store, attribute.value),
            why=trace.guard(attribute.why, proto.via),
            exists=trace.union(attribute.exists, proto.via),
            how="prototype",
            placed=(*attribute.placed, note),
        )
        s = bind(trace, s, concat(pfx, attribute.id), inherited, because=proto.by)
    return s


def inherit(
    trace: Trace, s: Store, ns: Ref, proto: Ref, r: Ref, *, because: Node, at: Span
) -> Store | Stuck:
    """Definition 18: copies the attributes of a prototype to the store at `r`."""
    fire("Definition 18")
    _, found, searched = resolve(trace, s, ns, proto)
    name = ":".join(proto)
    if isinstance(found, Undefined):
        return Stuck(codes.UNRESOLVED_PROTOTYPE, at, (("name", name),), names=seen(s, ns))
    if not isinstance(found.value, Store):
        return Stuck(codes.NOT_A_PROTOTYPE, at, (("name", name),))
    via = trace.union(because, searched, found.exists)
    shaped = update(s, r, lambda target: without(trace, target, found.value, via))
    return copy(trace, shaped, Proto(found.value, via, because, at), r)


def without(trace: Trace, target: Store, proto: Val, via: Node) -> Store:
    """Notes that what the target has and the prototype has not stays because it has not."""
    assert isinstance(proto, Store)

    def kept(attribute: Attribute) -> Attribute:
        if proto.attributes.get(attribute.id) is not None:
            return attribute
        absent = trace.union(via, missing(trace, proto, (attribute.id,)))
        why = trace.guard(attribute.why, absent)
        return replace(attribute, why=why, exists=trace.union(attribute.exists, absent))

    lineage = target.lineage
    brought = (trace.union(via, proto.absence.missed), proto.lineage)
    return replace(
        target,
        attributes=target.attributes.mapped(kept),
        shape=trace.union(target.shape, via, proto.shape, proto.absence.shape),
        lineage=replace(lineage, prototypes=(*lineage.prototypes, brought)),
    )


def at_home(s: Store, r: Ref, home: Home) -> Store:
    """From now on attributes of the store at `r` could be written at `home`, if it had none."""

    def change(target: Store) -> Store:
        if target.lineage.home is not None:
            return target
        return replace(target, lineage=replace(target.lineage, home=home))

    return update(s, r, change)


def update(s: Store, r: Ref, change: Callable[[Store], Store]) -> Store:
    """The store with the store at `r`, which must be there, changed: causes only, no values."""
    if r == EMPTY_REF:
        return change(s)
    attribute = s.attributes.get(r[0])
    if attribute is None or not isinstance(attribute.value, Store):
        return s
    return with_attribute(s, replace(attribute, value=update(attribute.value, r[1:], change)))


def seen(s: Store, ns: Ref) -> tuple[str, ...]:
    """The names that can be seen from a namespace, for suggestions."""
    names: list[str] = []
    at: Val = s
    for step in (*ns, None):
        if not isinstance(at, Store):
            break
        names += [attribute.id for attribute in at.attributes]
        inner = at.attributes.get(step) if step is not None else None
        at = inner.value if inner is not None else Basic(None)
    return tuple(names)


def shown(value: Val) -> Value:
    """A value without its causes; of a store only the first level."""
    match value:
        case Basic(value=scalar):
            return scalar
        case Vector(items=items):
            return [shown(item) for item in items]
        case Store(attributes=attributes):
            return first_level((a.id, shown_part(a.value)) for a in attributes)


def shown_part(value: Val) -> Value:
    """A value inside a shown store: inner stores are only hinted at."""
    return SUB_STORE if isinstance(value, Store) else shown(value)
