"""The phase *type*: every component takes over the attributes of its prototypes.

The prototypes of a component are merged from right to left, what is there already over what
comes: the values and the order are those of a fold from left to right, but a name is looked
for from the component itself outwards, where attributes of later blocks can be in its way.
A prototype is typed, with everything in it, before it is copied.
"""

from __future__ import annotations

from itertools import chain

from headwater.langs.smartfrog import codes
from headwater.langs.smartfrog.driving import Work, drive
from headwater.langs.smartfrog.production.attributes import BUSY, DONE, NEW, Attr, win
from headwater.langs.smartfrog.production.components import (
    HOLDERS,
    MOST_COPIES,
    Comp,
    Key,
    Value,
    Wrong,
    inner,
)
from headwater.langs.smartfrog.production.construct import is_function
from headwater.langs.smartfrog.production.contained import Containing
from headwater.langs.smartfrog.production.copying import copied
from headwater.langs.smartfrog.production.inheriting import Inheritance, Known, inheritance
from headwater.langs.smartfrog.production.ladders import Ladders
from headwater.langs.smartfrog.production.later import (
    Later,
    Right,
    is_plain_function,
    is_simple,
)
from headwater.langs.smartfrog.production.origins import Step
from headwater.langs.smartfrog.production.raw import CLASS
from headwater.langs.smartfrog.production.references import Found, Missing, Resolver
from headwater.langs.smartfrog.production.syntax import Reference
from headwater.langs.smartfrog.production.text import key_text, shown
from headwater.langs.smartfrog.production.words import FINAL, OVERRIDE
from headwater.report import Diagnostic, Note, nearest
from headwater.text import Span
from headwater.why import NOTHING, Label, Node, Trace


class Typing(Resolver):
    """The phase at work."""

    def __init__(self, trace: Trace, root: Comp, *, tagged: bool) -> None:
        super().__init__(trace, root)
        self.typing = True
        self.tagged = tagged
        self.simple: dict[Comp, bool] = {}
        self.chain: list[Reference] = []
        self.copies = 0
        self.ladders = Ladders()
        self.containing = Containing(self.ladders)
        self.orders: dict[Comp, list[list[Key]]] = {}
        """What brought attributes to components that are being merged: the rightmost first."""

    def run(self) -> None:
        """Types the whole specification."""
        drive(self.deep(self.root))

    def ready(self, start: Comp, name: str, outwards: bool) -> Work:
        scope: Comp | None = start
        while scope is not None:
            if scope.own == NEW:
                yield self.own(scope)
            if scope.attr(name) is not None:
                return
            scope = scope.parent if outwards else None

    def deep(self, comp: Comp) -> Work:
        """Types a component and everything in it."""
        if comp.deep == DONE:
            return
        comp.deep = BUSY
        if comp.own == NEW:
            if not comp.types:
                comp.own = DONE
            elif not self.own_at_once(comp):
                yield self.own(comp)
        for below in self.untyped(comp):
            if below.deep == NEW:
                if below.types or below.places or holds_any(below):
                    yield self.deep(below)
                else:
                    below.own = below.deep = DONE
        comp.deep = DONE
        if comp.places and comp is not self.root:
            comp.contained = self.containing.contains(comp)

    def untyped(self, comp: Comp) -> list[Comp]:
        """The components in one that are to be typed, in the order of its attributes.

        All of a prototype is typed already; what overrides something there has its place.
        """
        found: dict[Key, Comp] = {}
        for key, attr in comp.settled.items():
            value = attr.value
            if value.__class__ in HOLDERS:
                below = inner(value)
                if below is not None and below.deep == NEW:
                    found[key] = below
        if comp.base is None or len(found) < 2:
            return [*found.values()]
        source = comp.base.source
        overriding = [key for key in found if self.ladders.as_set(source, key) is not None]
        if len(overriding) > 1:
            overriding.sort(key=lambda key: self.ladders.place(source, key))
        return [*map(found.pop, overriding), *found.values()]

    def own(self, comp: Comp) -> Work:
        """Merges the prototypes of a component."""
        self.begin(comp)
        named = any(isinstance(t, Reference) for t in comp.types)
        while comp.types:
            prototype = comp.types[-1]
            if isinstance(prototype, Comp):
                self.merge(comp, prototype.attrs, NOTHING, Step(self.trace, NOTHING))
            else:
                yield self.inherit(comp, prototype)
            comp.types.pop()
        self.end(comp, named=named)

    def own_at_once(self, comp: Comp) -> bool:
        """The same for a named prototype and at most a block, if that is typed and can wait."""
        types = comp.types
        if len(types) == 2 and isinstance(block := types[1], Comp) and not comp.settled:
            comp.settled = block.settled  # it was written as a part of the component
            types.pop()
        reference = types[0]
        if len(types) != 1 or not isinstance(reference, Reference):
            return False
        how = inheritance(self.trace, comp, reference)
        if how is None or not self.may_wait(comp, how.source):
            return False
        self.wait(comp, how, reference.at, how.source)
        types.pop()
        comp.own = DONE
        return True

    def begin(self, comp: Comp) -> None:
        """Notes that the prototypes of a component are being merged."""
        if comp.own == NEW:
            comp.own = BUSY
            self.orders[comp] = [[*comp.settled]] if comp.settled else []

    def end(self, comp: Comp, *, named: bool) -> None:
        """Notes that they have been."""
        self.put_in_order(comp)
        del self.orders[comp]
        comp.own = DONE
        if named:
            self.check_overrides(comp)

    def put_in_order(self, comp: Comp) -> None:
        """Puts attributes in the order in which they were first set: that of the leftmost first."""
        orders = self.orders.get(comp, ())
        if len(orders) > 1:
            first_set = dict.fromkeys(chain(*reversed(orders)))
            comp.settled = {key: comp.settled[key] for key in first_set}
            self.orders[comp] = [[*comp.settled]]

    def inherit(self, comp: Comp, reference: Reference) -> Work:
        """Merges a prototype that is named."""
        how: Inheritance | Known
        source: Value
        near = inheritance(self.trace, comp, reference)
        if near is not None:
            how, source = near, near.source
        else:
            answer = self.nearby(comp, reference) or (yield self.resolve(comp, reference))
            if not isinstance(answer, Found):
                raise Wrong(self.unresolved(reference, answer))
            source = answer.value
            by = self.trace.label(Label("reference", reference.at, reference.at.text))
            how = Known(by, self.trace.union(by, answer.via, answer.exists))
        if not isinstance(source, Comp):
            shown_value = str(shown(source))[:40]
            raise Wrong(
                codes.TYPE_NOT_COMPONENT.at(reference.at, name=reference.path, value=shown_value)
            )
        if BUSY in (source.own, source.deep) or is_inside(comp, source):
            chain = [Note("through this prototype", r.at) for r in self.chain]
            raise Wrong(codes.TYPE_CYCLE.at(reference.at, labels=chain, name=reference.path))
        self.chain.append(reference)
        yield self.deep(source)
        self.chain.pop()
        self.take(comp, how, reference.at, source)

    def take(self, comp: Comp, how: Inheritance | Known, at: Span, source: Comp) -> None:
        """Merges a prototype that is typed, or has it wait."""
        if self.may_wait(comp, source):
            self.wait(comp, how, at, source)
            return
        if source.places:
            comp.will_place()
        absent = self.trace.union(how.via, source.shape)
        lineage = self.trace.union(comp.lineage, source.homes(self.trace))
        copy, count = copied(source, None, noted=True)
        self.spend(count, at)
        row = (Note("inherited through this prototype", at),)
        self.merge(comp, copy.settled, absent, Step(self.trace, how.via, NOTHING, row), how.by)
        comp.lineage = lineage

    def wait(self, comp: Comp, how: Inheritance | Known, at: Span, source: Comp) -> None:
        """Has a prototype be taken over later."""
        if source.places:
            comp.will_place()
        right = Right(comp.absent, comp.lineage)
        comp.base = Later(self.trace, self.spend, source, how, right, at)
        comp.function = is_function(source)
        source.heirs = source.heirs or []
        source.heirs.append(comp)
        if isinstance(how, Inheritance):
            comp.inherits = how
            return
        absent = self.trace.union(how.via, source.shape)
        comp.absent = self.trace.union(comp.absent, absent)
        comp.shape = self.trace.union(comp.shape, absent)
        comp.lineage = self.trace.union(comp.lineage, source.homes(self.trace))

    def may_wait(self, comp: Comp, source: Comp) -> bool:
        """Whether the prototype, which must be the last to be merged, can be taken over later."""
        return (
            len(comp.types) == 1
            and source.own == source.deep == DONE
            and (source.contained or not source.places)
            and is_simple(comp)
            and self.can_wait(source)
            and not (is_function(source) and CLASS in comp.settled)
            and self.tags_allow(comp, source)
        )

    def can_wait(self, source: Comp) -> bool:
        """Whether a prototype, which is typed, may be taken over later by what it is."""
        found = self.simple.get(source)
        if found is None:
            found = is_plain_function(source) if is_function(source) else is_simple(source)
            self.simple[source] = found
        return found

    def tags_allow(self, comp: Comp, source: Comp) -> bool:
        """Whether no tag forbids to take over a prototype; where one does, the copy says which.

        A prototype that has a base itself has been asked when it got it.
        """
        if not self.tagged:
            return True
        if source.base is None and any(map(overrides_nothing, source.settled.values())):
            return False
        for key, attr in comp.settled.items():
            old = self.ladders.as_set(source, key)
            if old is None and overrides_nothing(attr):
                return False
            if old is not None and old.tags and FINAL in old.tags:
                return False
        return True

    def merge(
        self, comp: Comp, brought: dict[Key, Attr], absent: Node, step: Step, by: Node = NOTHING
    ) -> None:
        """Puts what a prototype, named by a node or not, brings under what is there.

        Its order comes first.
        """
        there, names = comp.settled, [*brought]
        if names:
            self.orders[comp].append(names)
        # It stays because no prototype to the right of this one has it.
        via = self.trace.union(step.via, comp.absent)
        moved = via != NOTHING or comp.lineage != NOTHING
        stays = step._replace(via=via, homes=comp.lineage) if moved else step
        if by == NOTHING and not moved and not there:
            there.update(brought)  # it was written as a part of the component
            brought = {}
        for key, attr in brought.items():
            if attr.value.__class__ in HOLDERS and (below := inner(attr.value)) is not None:
                below.parent = comp
            if key not in there:
                name = key if isinstance(key, str) else ":".join(key)
                if by != NOTHING:
                    attr.inherit(by, stays, name)
                elif moved:
                    attr.take(stays, name)
                there[key] = attr
                continue
            winner = there[key]
            if by != NOTHING:
                attr.inherit(by, step, "")
            if attr.tags and FINAL in attr.tags:
                raise Wrong(final_overridden(key, winner, attr))
            win(self.trace, winner, attr, shown(attr.value))
            winner.placed = attr.placed
        comp.absent = self.trace.union(comp.absent, absent)
        comp.shape = self.trace.union(comp.shape, absent)

    def check_overrides(self, comp: Comp) -> None:
        """``[sfOverride]`` must have something to override."""
        if comp.base is not None or not self.tagged:
            return  # or `tags_allow` has looked
        for key, attr in comp.settled.items():
            if overrides_nothing(attr):
                raise Wrong(codes.OVERRIDES_NOTHING.at(attr.at, name=key_text(key)))

    def spend(self, count: int, at: Span) -> None:
        """Counts copied attributes against the bound."""
        self.copies += count + 5  # an empty component costs something too
        if self.copies > MOST_COPIES:
            raise Wrong(codes.TOO_MUCH_COPYING.at(at, bound=MOST_COPIES))

    def unresolved(self, reference: Reference, answer: object) -> Diagnostic:
        """The error for a prototype that is not there."""
        help = None
        part = reference.path
        if isinstance(answer, Missing):
            part = answer.part
            close = nearest(part, answer.known)
            help = f"did you mean {close}?" if close else None
            if help is None and answer.kind == "absent":
                help = f"define {part}, or #include the file that does"
        return codes.TYPE_UNRESOLVED.at(reference.at, help=help, name=reference.path, part=part)


def holds_any(comp: Comp) -> bool:
    """Whether a component holds others."""
    for attr in comp.settled.values():  # noqa: SIM110 - a generator would be felt
        if attr.value.__class__ in HOLDERS:
            return True
    return False


def is_inside(comp: Comp, other: Comp) -> bool:
    """Whether a component lies in another one, which it can then not inherit from."""
    scope = comp.parent
    while scope is not None and scope is not other:
        scope = scope.parent
    return scope is not None


def overrides_nothing(attr: Attr) -> bool:
    """Whether an attribute with ``[sfOverride]`` has won over nothing so far."""
    return attr.tags is not None and OVERRIDE in attr.tags and not attr.overrides


def final_overridden(key: Key, winner: Attr, final: Attr) -> Diagnostic:
    """The error for an attribute that is overridden and may not be."""
    assert final.tags
    note = Note("tagged sfFinal here", final.tags[FINAL])
    return codes.FINAL_OVERRIDDEN.at(winner.at, labels=(note,), name=key_text(key))
