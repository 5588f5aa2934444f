"""The extended dialect: the core's definitions with what §9 and §10.4 ask for.

Forward placement (§9.2.3)   assignments to a path wait for the end of their block; then each is
                             made as soon as the component it goes into is there.
Forward links (§9.2.2)       a link that leads nowhere yet is kept as a `Pending` value; after the
                             last statement every one is settled, on demand.
Deep merge (§9.3)            in ``extends merge P, { … }`` components that both sides have are
                             merged attribute by attribute instead of replaced.
Ordering constraints (Fig. 19)  ``order a < b;`` is inherited and overridden like an attribute;
                             the result is sorted by what is left, see `ordering`.

The semantics is ours; a specification without placements that the core accepts means the
same here.  Evaluation ends: a statement is evaluated once, and settling a pending link makes
no new one, since what it copies has been settled before; links that need each other are
found out by being asked for twice (`Forward links` in NOTES.md has the whole argument).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from headwater.langs.firing import fire
from headwater.langs.smartfrog import codes, syntax
from headwater.langs.smartfrog.order import listing_of_body, order_change
from headwater.langs.smartfrog.paper.domains import (
    EMPTY_REF,
    EMPTY_STORE,
    Constraint,
    Home,
    Ref,
    Store,
    Stuck,
    Undefined,
)
from headwater.langs.smartfrog.paper.merging import merge, new_in
from headwater.langs.smartfrog.paper.ordering import (
    add_constraint,
    asking,
    cycle_stuck,
    in_turn,
    ordered,
    topological,
)
from headwater.langs.smartfrog.paper.references import concat, prefix
from headwater.langs.smartfrog.paper.settling import Pending, Settling
from headwater.langs.smartfrog.paper.stores import (
    Found,
    Proto,
    at_home,
    find,
    hiding,
    inherit,
    resolve,
    seen,
    update,
)
from headwater.langs.smartfrog.paper.valuation import Valuation, home_after, shown_ref
from headwater.text import Span
from headwater.why import NOTHING, Label, Node


@dataclass(slots=True)
class Extended(Valuation):
    """One evaluation of a specification of the extended dialect."""

    merging: bool = False
    copied: set[Ref] = field(default_factory=set)
    """Where components stand that others have inherited from, or that links have copied."""

    def statements(self, body: syntax.Body, way: Node) -> Iterator[tuple[syntax.Statement, Node]]:
        """The statements of a block, those of included files in their places."""
        for statement in body.statements:
            if isinstance(statement, syntax.Included):
                file = self.label(Label("file", statement.at, statement.at.text))
                yield from self.statements(statement.body, self.trace.union(way, file))
            else:
                yield statement, way

    def B(self, body: syntax.Body, ns: Ref, s: Store) -> Store | Stuck:  # noqa: N802
        """Definition 26 with forward placement: what is assigned to a path waits for the end."""
        fire("Definition 26")
        waiting: list[tuple[syntax.Assignment, Node]] = []
        written: dict[tuple[str, str], Constraint] = {}
        outer = self.included
        for statement, way in list(self.statements(body, outer)):
            self.included = way
            match statement:
                case syntax.Order(first=first, second=second, at=at):
                    self.step("Ordering constraints", f"{first} < {second}", at)
                    new = Constraint(first, second, at)
                    clash = written.get((second, first))
                    if clash is not None:
                        return cycle_stuck([clash, new])
                    written.setdefault((first, second), new)
                    s = update(s, ns, lambda store, new=new: add_constraint(store, new))  # type: ignore[misc]
                case syntax.Assignment(target=target) if len(target.parts) > 1:
                    waiting.append((statement, way))
                case syntax.Assignment():
                    result = self.A(statement, ns, s)
                    if isinstance(result, Stuck):
                        return result
                    s = result
        placed = self.place(waiting, ns, s)
        self.included = outer
        return placed

    def place(
        self, waiting: list[tuple[syntax.Assignment, Node]], ns: Ref, s: Store
    ) -> Store | Stuck:
        """Forward placement: passes over what waits, as long as one of them finds its parent."""
        while waiting:
            fire("Forward placement")
            left = []
            for statement, way in waiting:
                self.included = way
                parent = find(self.trace, s, concat(ns, statement.target.parts[:-1]))
                if not (isinstance(parent, Found) and isinstance(parent.value, Store)):
                    left.append((statement, way))
                    continue
                result = self.A(statement, ns, s)
                if isinstance(result, Stuck):
                    return result
                s = result
            if len(left) == len(waiting):
                statement, self.included = left[0]
                return self.A(statement, ns, s)  # which has no parent to be bound in
            waiting = left
        return s

    def P(  # noqa: N802
        self,
        prototypes: tuple[syntax.Prototype, ...],
        ns: Ref,
        r: Ref,
        s: Store,
    ) -> Store | Stuck:
        """Definition 23, with the constraints of prototypes and with deep merge."""
        for prototype in prototypes:
            result: Store | Stuck
            if isinstance(prototype, syntax.Body):
                self.step("Definition 23", "P⟦B P⟧", prototype.at.at_start())
                result = self.B(prototype, r, at_home(s, r, Home(prototype.inside)))
                if isinstance(result, Stuck):
                    return result
                self.listings.append(listing_of_body(prototype))
            else:
                self.step("Definition 23", f"P⟦R P⟧  {prototype}", prototype.at)
                by = self.label(Label("reference", prototype.at, prototype.at.text))
                because = self.trace.union(by, self.included) if self.merging else by
                result = self.inherited(prototype, ns, r, s, because, by)
                if isinstance(result, Stuck):
                    return result
                self.listings.append(self.listing_of_prototype(s, ns, prototype))
            s = result
        return s

    def inherited(
        self,
        prototype: syntax.Reference,
        ns: Ref,
        r: Ref,
        s: Store,
        because: Node,
        by: Node,
    ) -> Store | Stuck:
        """`inherit`, or its deep form, then the prototype's constraints."""
        proto = self.R(prototype)
        at = prototype.at
        nsf, found, searched = resolve(self.trace, s, ns, proto)
        self.copied.add(concat(nsf, proto))
        result: Store | Stuck
        if self.merging and isinstance(found, Found) and isinstance(found.value, Store):
            via = self.trace.union(because, searched, found.exists)
            result = merge(self.trace, s, r, Proto(found.value, via, by, at))
        else:
            result = inherit(self.trace, s, ns, proto, r, because=because, at=at)
        if isinstance(result, Stuck) or not isinstance(found, Found):
            return result
        value = found.value
        if isinstance(value, Store):
            for constraint in in_turn(value):
                result = update(result, r, lambda store, c=constraint: add_constraint(store, c))  # type: ignore[misc]
        return result

    def V(  # noqa: N802
        self, value: syntax.SfValue, ns: Ref, r: Ref, s: Store, statement: syntax.Assignment
    ) -> Store | Stuck:
        """Definition 24, where a link may wait and a component may be there already."""
        match value:
            case syntax.Link():
                nsf, found, _ = resolve(self.trace, s, ns, value.reference.parts)
                if isinstance(found, Undefined):
                    return self.wait(value, ns, r, s, statement)
                self.copied.add(concat(nsf, value.reference.parts))
                return Valuation.V(self, value, ns, r, s, statement)
            case syntax.Extends():
                return self.extends(value, ns, r, s, statement)
            case _:
                return Valuation.V(self, value, ns, r, s, statement)

    def wait(
        self, link: syntax.Link, ns: Ref, r: Ref, s: Store, statement: syntax.Assignment
    ) -> Store | Stuck:
        """Forward links: the value is a `Pending` one for the time being."""
        self.step("Definition 24", f"V⟦LR⟧  {shown_ref(r)} is {link.reference}", link.at)
        self.step("Forward links", f"{link.reference} is not there yet", link.at)
        key = self.key(statement)
        _, found, searched = resolve(self.trace, s, ns, self.LR(link))
        assert isinstance(found, Undefined)
        absent = self.trace.union(key, searched, found.why)
        why = self.trace.guard(self.label(Label("reference", link.at, link.at.text)), absent)
        pending = Pending(None, why, link.reference, len(statement.target.parts))
        # Found at once, it might be a component, and be looked into.
        return self.bound(s, r, self.attribute(statement, pending, why, why), statement)

    def extends(
        self, value: syntax.Extends, ns: Ref, r: Ref, s: Store, statement: syntax.Assignment
    ) -> Store | Stuck:
        """A component, new unless it is being merged into one that is there."""
        at = value.at
        structure = self.label(Label("structure", at, at.text))
        key = self.key(statement)
        there = find(self.trace, s, r)
        merged = self.merging and isinstance(there, Found) and isinstance(there.value, Store)
        outer, way = self.merging, self.included
        if merged:
            self.step("Deep merge", ":".join(r), at)
            # What is written inside is there only because of this statement.
            self.included = self.trace.union(key, structure)
            s = hiding(self.trace, s, r, self.included)
        else:
            self.step("Definition 24", f"V⟦P⟧  {':'.join(r)} is a new component", at)
            # In a merged block, what was there before decides whether this is a new component.
            decided, new = NOTHING, EMPTY_STORE
            if self.merging and isinstance(there, Found):
                decided = there.exists
            elif self.merging:
                new = self.new_at(s, r)
            why = self.trace.guard(structure, self.trace.union(key, decided))
            bound = self.bound(s, r, self.attribute(statement, new, why, why), statement)
            if isinstance(bound, Stuck):
                return bound
            s = bound
        self.merging = outer or value.merge
        written = len(self.listings)
        composed = self.P(value.prototypes, ns, r, s)
        self.merging, self.included = outer, way
        if isinstance(composed, Stuck):
            return composed
        self.compare_order(composed, r, written)
        return at_home(composed, r, home_after(statement))

    def new_at(self, s: Store, r: Ref) -> Store:
        """An empty component that is new in a merged block."""
        parent = find(self.trace, s, prefix(r))
        if isinstance(parent, Found) and isinstance(parent.value, Store):
            return new_in(self.trace, parent.value, r[-1])
        return EMPTY_STORE

    def compare_order(self, s: Store, r: Ref, written: int) -> None:
        """§10.4, after the constraints have been followed; what they ask for is no surprise."""
        found = find(self.trace, s, r)
        assert isinstance(found, Found)
        assert isinstance(found.value, Store)
        attributes, orders = [*found.value.attributes], in_turn(found.value)
        if orders:
            put_in_order = topological(attributes, orders)
            if isinstance(put_in_order, Stuck):
                return  # which is reported for the result
            attributes = put_in_order
        placed = {a.id: (*a.placed, *a.moved) for a in attributes}
        for listing in self.listings[written:]:
            change = order_change(listing, placed, placed.__getitem__, asking(orders))
            if change:
                self.order_changes.append(change)
        del self.listings[written:]

    def SF(self, specification: syntax.Body) -> tuple[Store, Found] | Stuck:  # noqa: N802
        """Definition 27, after forward links are settled; the result is put in order."""
        self.step("Definition 27", "SF⟦B⟧  the whole specification", specification.at.at_start())
        top = at_home(EMPTY_STORE, EMPTY_REF, Home(specification.inside))
        root = self.B(specification, EMPTY_REF, top)
        if isinstance(root, Stuck):
            return root
        settled = Settling(self.trace, root, self.copied).run()
        if isinstance(settled, Stuck):
            return settled
        found = find(self.trace, settled, ("sfConfig",))
        if isinstance(found, Found) and isinstance(found.value, Store):
            answer = ordered(found.value)
            if isinstance(answer, Stuck):
                return answer
            return answer, replace(found, value=answer)
        return self.no_sf_config(settled, specification)

    def no_sf_config(self, root: Store, specification: syntax.Body) -> Stuck:
        """err7"""
        set_at = [a.placed[0].at for a in root.attributes if a.id == "sfConfig"]
        reason = "it is a plain value" if set_at else "it is not set"
        end = Span(specification.at.source, specification.at.end, specification.at.end)
        at = set_at[0] if set_at else end
        return Stuck(codes.NO_SFCONFIG, at, (("reason", reason),), names=seen(root, ()))
