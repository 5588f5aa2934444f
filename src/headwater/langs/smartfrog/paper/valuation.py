"""The valuation functions: Definitions 19 to 27.

Each method is one function of the paper under the paper's name, each `case` one equation;
the arguments are the paper's: namespace `ns`, target `r`, store `s`.  ``A``, ``B``, ``P``
and ``V`` take a store to a store, or to `Stuck`.  The state of a `Valuation` is only what
is noted on the way: the trace, the steps, and the order in which prototypes write.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from headwater.langs.firing import fire
from headwater.langs.protocol import Step
from headwater.langs.smartfrog import codes, syntax
from headwater.langs.smartfrog.order import (
    Listing,
    OrderChange,
    listing_of_body,
    order_change,
)
from headwater.langs.smartfrog.paper.domains import (
    EMPTY_REF,
    EMPTY_STORE,
    Attribute,
    Basic,
    Home,
    Ref,
    Store,
    Stuck,
    Undefined,
    Vector,
)
from headwater.langs.smartfrog.paper.references import concat
from headwater.langs.smartfrog.paper.stores import (
    Found,
    at_home,
    bind,
    find,
    inherit,
    resolve,
    seen,
)
from headwater.report import Note
from headwater.text import Span
from headwater.tree import DataReference
from headwater.why import NOTHING, Label, Node, Reason, Trace


@dataclass(slots=True)
class Valuation:
    """One evaluation of a specification."""

    trace: Trace = field(default_factory=Trace)
    steps: list[Step] = field(default_factory=list)
    listings: list[Listing] = field(default_factory=list)
    order_changes: list[OrderChange] = field(default_factory=list)
    included: Node = NOTHING
    depth: int = 0

    def step(self, rule: str, text: str, at: Span) -> None:
        """Notes the application of a rule."""
        fire(rule)
        self.steps.append(Step(rule, text, at, self.depth))

    def label(self, label: Label) -> Node:
        """The node of an input."""
        return self.trace.label(label)

    # Definition 19: Bool, Num, Str and Null come evaluated from the parser; `I` is the name.

    def terminal(self, literal: syntax.Literal) -> Basic:
        """Definition 19: a terminal is its value."""
        fire("Definition 19")
        return Basic(literal.value, self.label(Label("literal", literal.at, literal.at.text)))

    def R(self, reference: syntax.Reference) -> Ref:  # noqa: N802
        """Definition 20: a reference is the list of its identifiers."""
        fire("Definition 20")
        return reference.parts

    def DR(self, data: syntax.Data) -> Basic:  # noqa: N802
        """Definition 20: a data reference is a reference, kept as a value."""
        value = DataReference(self.R(data.reference))
        return Basic(value, self.label(Label("reference", data.at, data.at.text)))

    def LR(self, link: syntax.Link) -> Ref:  # noqa: N802
        """Definition 20: a link reference is a reference."""
        return self.R(link.reference)

    def Vec(self, vector: syntax.Vector) -> Vector:  # noqa: N802
        """Definition 21: a vector is evaluated element by element."""
        fire("Definition 21")
        items = tuple(self.BV(item) for item in vector.items)
        structure = self.label(Label("structure", vector.at, "[…]"))
        causes = self.trace.union(*(item.why for item in items))
        return Vector(items, self.trace.guard(structure, causes), structure)

    def BV(self, value: syntax.BasicValue) -> Basic | Vector:  # noqa: N802
        """Definition 22: a basic value is one of the basic kinds."""
        fire("Definition 22")
        match value:
            case syntax.Literal():
                return self.terminal(value)
            case syntax.Data():
                return self.DR(value)
            case syntax.Vector():
                return self.Vec(value)

    def P(  # noqa: N802
        self,
        prototypes: tuple[syntax.Prototype, ...],
        ns: Ref,
        r: Ref,
        s: Store,
    ) -> Store | Stuck:
        """Definition 23: prototypes are composed from left to right, later over earlier."""
        for prototype in prototypes:
            match prototype:
                case syntax.Body() as body:
                    self.step("Definition 23", f"P⟦B P⟧  into {shown_ref(r)}", body.at.at_start())
                    store = self.B(body, r, at_home(s, r, Home(body.inside)))
                    if isinstance(store, Stuck):
                        return store
                    self.listings.append(listing_of_body(body))
                case syntax.Reference() as reference:
                    text = f"P⟦R P⟧  {reference} into {shown_ref(r)}"
                    self.step("Definition 23", text, reference.at)
                    because = self.label(Label("reference", reference.at, reference.at.text))
                    proto = self.R(reference)
                    store = inherit(self.trace, s, ns, proto, r, because=because, at=reference.at)
                    if isinstance(store, Stuck):
                        return store
                    self.listings.append(self.listing_of_prototype(s, ns, reference))
            s = store
        fire("Definition 23")
        return s

    def V(  # noqa: N802
        self, value: syntax.SfValue, ns: Ref, r: Ref, s: Store, statement: syntax.Assignment
    ) -> Store | Stuck:
        """Definition 24: basic values are bound, prototypes composed, links resolved."""
        key = self.key(statement)
        at = value.at
        match value:
            case syntax.Literal() | syntax.Data() | syntax.Vector():
                self.step("Definition 24", f"V⟦BV⟧  {shown_ref(r)}", at)
                basic = self.BV(value)
                exists = (
                    self.trace.union(key, basic.structure) if isinstance(basic, Vector) else key
                )
                why = self.trace.guard(basic.why, key)
                return self.bound(s, r, self.attribute(statement, basic, why, exists), statement)
            case syntax.Extends(prototypes=prototypes):
                self.step("Definition 24", f"V⟦P⟧  {shown_ref(r)} is a new component", at)
                structure = self.label(Label("structure", at, at.text))
                why = self.trace.guard(structure, key)
                attribute = self.attribute(statement, EMPTY_STORE, why, why)
                store = self.bound(s, r, attribute, statement)
                if isinstance(store, Stuck):
                    return store
                written = len(self.listings)
                composed = self.P(prototypes, ns, r, store)
                if isinstance(composed, Stuck):
                    return composed
                self.compare_order(composed, r, written)
                return at_home(composed, r, home_after(statement))
            case syntax.Link():
                self.step("Definition 24", f"V⟦LR⟧  {shown_ref(r)} is {value.reference}", at)
                _, found, searched = resolve(self.trace, s, ns, self.LR(value))
                if isinstance(found, Undefined):
                    name = (("name", str(value.reference)),)
                    return Stuck(codes.UNRESOLVED_LINK, at, name, names=seen(s, ns))
                reference = self.label(Label("reference", at, at.text))
                via = self.trace.union(key, reference, searched)
                why = self.trace.copy(found.why, via)
                exists = self.trace.union(via, found.exists)
                attribute = self.attribute(statement, found.value, why, exists)
                return self.bound(s, r, attribute, statement)

    def A(self, statement: syntax.Assignment, ns: Ref, s: Store) -> Store | Stuck:  # noqa: N802
        """Definition 25: the target is relative to the namespace."""
        r = concat(ns, self.R(statement.target))
        self.step("Definition 25", f"A⟦R V⟧  {shown_ref(r)}", statement.target.at)
        self.depth += 1
        store = self.V(statement.value, ns, r, s, statement)
        self.depth -= 1
        return store

    def B(self, body: syntax.Body, ns: Ref, s: Store) -> Store | Stuck:  # noqa: N802
        """Definition 26: assignments are evaluated in order, each in the store of the last."""
        fire("Definition 26")
        for statement in body.statements:
            match statement:
                case syntax.Assignment():
                    result = self.A(statement, ns, s)
                case syntax.Included(body=included):
                    outer = self.included
                    file = self.label(Label("file", statement.at, statement.at.text))
                    self.included = self.trace.union(outer, file)
                    result = self.B(included, ns, s)
                    self.included = outer
                case syntax.Order():
                    raise AssertionError("the core language has no order constraints")
            if isinstance(result, Stuck):
                return result
            s = result
        return s

    def SF(self, specification: syntax.Body) -> tuple[Store, Found] | Stuck:  # noqa: N802
        """Definition 27: the value of a specification is its sfConfig, a store."""
        self.step("Definition 27", "SF⟦B⟧  the whole specification", specification.at.at_start())
        top = at_home(EMPTY_STORE, EMPTY_REF, Home(specification.inside))
        root = self.B(specification, EMPTY_REF, top)
        if isinstance(root, Stuck):
            return root
        found = find(self.trace, root, ("sfConfig",))
        if isinstance(found, Found) and isinstance(found.value, Store):
            return found.value, found
        set_at = [a.placed[0].at for a in root.attributes if a.id == "sfConfig"]
        reason = "it is a plain value" if set_at else "it is not set"
        end = Span(specification.at.source, specification.at.end, specification.at.end)
        at = set_at[0] if set_at else end
        return Stuck(codes.NO_SFCONFIG, at, (("reason", reason),), names=seen(root, ()))

    # What is noted besides.

    def key(self, statement: syntax.Assignment) -> Node:
        """Why the statement is there: its left side, and the include it came by."""
        target = statement.target
        return self.trace.union(self.label(Label("key", target.at, target.at.text)), self.included)

    def attribute(
        self,
        statement: syntax.Assignment,
        value: Basic | Vector | Store,
        why: Node,
        exists: Node,
    ) -> Attribute:
        """The attribute that a statement writes."""
        parts = statement.target.parts
        how: Reason = "assignment" if len(parts) == 1 else "placement"
        placed = (Note("first set here", statement.target.at),)
        return Attribute(parts[-1], value, why, exists, how=how, placed=placed)

    def bound(
        self, s: Store, r: Ref, attribute: Attribute, statement: syntax.Assignment
    ) -> Store | Stuck:
        """`bind`, with its errors placed at the statement's left side."""
        result = bind(self.trace, s, r, attribute, because=self.key(statement))
        if isinstance(result, Stuck):
            target = (("target", str(statement.target)),)
            return replace(result, at=statement.target.at, fields=result.fields + target)
        return result

    def compare_order(self, s: Store, r: Ref, written: int) -> None:
        """§10.4: whether the component at `r` keeps the order of each of its prototypes."""
        found = find(self.trace, s, r)
        assert isinstance(found, Found)
        assert isinstance(found.value, Store)
        placed = {a.id: a.placed for a in found.value.attributes}
        for listing in self.listings[written:]:
            change = order_change(listing, placed, placed.__getitem__)
            if change:
                self.order_changes.append(change)
        del self.listings[written:]

    def listing_of_prototype(self, s: Store, ns: Ref, reference: syntax.Reference) -> Listing:
        """The order in which a named prototype lists its attributes."""
        _, found, _ = resolve(self.trace, s, ns, reference.parts)
        assert isinstance(found, Found)
        assert isinstance(found.value, Store)
        ids = tuple((a.id, a.placed[0].at) for a in found.value.attributes)
        return Listing(str(reference), reference.at, ids)


def home_after(statement: syntax.Assignment) -> Home:
    """Where one more attribute of a component without a block could be written."""
    end = statement.at.end
    return Home(Span(statement.at.source, end, end), statement.target.parts)


def shown_ref(r: Ref) -> str:
    """A reference as steps print it."""
    return ":".join(r) or "the root"
