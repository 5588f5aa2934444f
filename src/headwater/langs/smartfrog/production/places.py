"""The phase *place*: an attribute written as ``a:b:c`` moves into the component ``a:b``.

The first part is looked for in the component the attribute is written in, nowhere else; a
part may be a link, and what is placed lands in the component the link means.  A pass goes
through the attributes in order, into each component when its turn comes, so that of two
placements to one name the later one stands, and an outer one over those in components before
it.  Passes go on as long as something moves; what is left over is an error.

Where all that is to be placed stays inside of a component (`contained`), and heirs wait for what
is there or it has itself a prototype to take over, nothing is placed before somebody looks.
"""

from __future__ import annotations

from headwater.langs.smartfrog import codes
from headwater.langs.smartfrog.driving import Work, drive
from headwater.langs.smartfrog.production.attributes import Attr, win
from headwater.langs.smartfrog.production.components import (
    HOLDERS,
    Application,
    Comp,
    Wrong,
    components,
    inner,
)
from headwater.langs.smartfrog.production.contained import keeps_out_placements
from headwater.langs.smartfrog.production.later import keep_for_heirs, let_heirs_take_over
from headwater.langs.smartfrog.production.origins import Step
from headwater.langs.smartfrog.production.references import Found, Missing, Resolver
from headwater.langs.smartfrog.production.syntax import Part, Reference
from headwater.langs.smartfrog.production.text import key_text, shown
from headwater.langs.smartfrog.production.turns import Turns
from headwater.langs.smartfrog.production.types import final_overridden
from headwater.langs.smartfrog.production.words import FINAL
from headwater.report import Diagnostic, nearest
from headwater.why import NOTHING, Node, Trace


class Placing(Resolver):
    """The phase at work.

    `loose` is why things were placed through links, or were not: another link would place them
    elsewhere, over anything.  `around` are the attributes that hold the component which is
    looked through, the outer ones first; of those that were `put_off` they are kept.
    """

    loose: Node = NOTHING

    def __init__(self, trace: Trace, root: Comp) -> None:
        super().__init__(trace, root)
        self.moved = False
        self.left: list[tuple[Comp, tuple[str, ...]]] = []
        self.around: list[Attr] = []
        self.put_off: dict[Comp, tuple[Attr, ...]] = {}
        self.fresh = {root}
        self.visit = {root}
        self.over = False
        self.turns = Turns(trace)

    def run(self) -> None:
        """Places everything."""
        again = True
        while again:
            self.moved, self.left = False, []
            drive(self.walk(self.root, every=False))
            again = self.moved and bool(self.left or self.fresh)
        if self.left:
            raise Wrong(self.unplaced(*self.left[0]))
        for comp in components(self.root, settled=True):
            for attr in comp.settled.values():
                if attr.contests and any(map(keeps_out_placements, attr.contests)):
                    self.loose = self.trace.union(self.loose, attr.causes, attr.hidden)
        self.over = True

    def value_of(self, attr: Attr, owner: Comp) -> Work:
        if any(isinstance(lost.value, Reference) for lost in attr.contests):
            self.followed = True  # or would be, without this attribute
        return super().value_of(attr, owner)

    def walk(self, comp: Comp, *, every: bool) -> Work:
        """One pass over a component: attributes in order, inner components in their turn.

        A component that is `fresh` is looked through to the bottom, as far as something is to be
        placed there; later passes `visit` only those in which something waits.
        """
        every = every or comp in self.fresh
        self.fresh.discard(comp)
        if not comp.places or comp.unplaced is not None:
            return
        if comp.contained and (comp.base is not None or waited_for(comp)):
            comp.unplaced = self
            self.put_off[comp] = (*self.around,)
            self.moved = True
            return
        placed: list[tuple[str, ...]] = []
        seen = 0
        while seen < len(comp.attrs):  # what is placed in here meanwhile comes last
            for key in list(comp.attrs)[seen:]:
                seen += 1
                if isinstance(key, tuple):
                    if self.place(comp, key):
                        placed.append(key)
                    else:
                        self.left.append((comp, key))
                        self.mark(comp)
                    continue
                attr = comp.settled[key]
                below = inner(attr.value) if attr.value.__class__ in HOLDERS else None
                if below is not None and below.places and (every or below in self.visit):
                    self.around.append(attr)
                    yield self.walk(below, every=every)
                    self.around.pop()
        for key in placed:
            del comp.attrs[key]
        self.moved = self.moved or bool(placed)

    def mark(self, comp: Comp) -> None:
        """Has the passes look into a component."""
        scope: Comp | None = comp
        while scope is not None and scope not in self.visit:
            self.visit.add(scope)
            scope = scope.parent

    def place(self, comp: Comp, key: tuple[str, ...]) -> bool:
        """Gives an attribute to the component it is for, if there is one."""
        self.followed = False
        way = self.way(comp, key)
        answer = self.nearby(comp, way) or drive(self.resolve(comp, way))
        if not isinstance(answer, Found):
            return False
        target = answer.value
        if self.over and isinstance(target, Application):
            target = target.comp  # it was a component when placements were due
        if not isinstance(target, Comp):
            return False
        attr = comp.attrs[key]
        if self.followed:
            # It may end up outside of where it is written, so that nothing else tells why.
            around = [each.causes for each in self.around]
            self.loose = self.trace.union(
                self.loose, *around, attr.causes, attr.hidden, answer.via, answer.exists
            )
        below = inner(attr.value)
        if target.contained and below is not None and below.places:
            no_longer_contained(target)
        old = target.attr(key[-1])
        why = self.turns.why(comp, key, target, old, self.around)
        if old is None:
            keep_for_heirs(target)
        else:
            no_longer_contained(target)
            if old.tags and FINAL in old.tags:
                raise Wrong(final_overridden(key, attr, old))
            if (gone := inner(old.value)) is not None:
                for each in components(gone, settled=True):
                    let_heirs_take_over(each)
            win(self.trace, attr, old, shown(old.value))
            attr.placed = old.placed
        attr.take(Step(self.trace, self.trace.union(answer.via, answer.exists, why)))
        target.settled[key[-1]] = attr
        if below is not None:
            below.parent = target
            if below.places:
                target.will_place()
                self.fresh.add(below)
                self.mark(below)
        return True

    def settle(self, comp: Comp) -> None:
        """Places what was put off in a component; its heirs take over what they waited for."""
        comp.unplaced = None
        no_longer_contained(comp)
        around, followed, left = self.around, self.followed, len(self.left)
        self.around = [*self.put_off.pop(comp, ())]
        drive(self.walk(comp, every=True))
        self.around, self.followed = around, followed
        assert len(self.left) == left

    def way(self, comp: Comp, key: tuple[str, ...]) -> Reference:
        """The reference to the component that something goes into."""
        at = comp.attrs[key].at
        parts = tuple([Part("HERE", name) for name in key[:-1]])
        return Reference(parts, at=at)

    def unplaced(self, comp: Comp, key: tuple[str, ...]) -> Diagnostic:
        """The error for an attribute whose component is not there."""
        answer = drive(self.resolve(comp, self.way(comp, key)))
        attr = comp.attrs[key]
        part, help = key[0], None
        reason = "is not a component"
        if isinstance(answer, Missing):
            part = answer.part.removeprefix("HERE ")
            if answer.kind == "absent":
                reason = "is not there"
                close = nearest(part, answer.known)
                help = f"did you mean {close}?" if close else None
        elif isinstance(answer, Found):
            part = key[-2]
        return codes.PLACE_UNRESOLVED.at(
            attr.at, help=help, target=key_text(key), part=part, reason=reason
        )


def waited_for(comp: Comp) -> bool:
    """Whether heirs are still to take over what is in a component."""
    for heir in comp.heirs or ():  # noqa: SIM110 - a generator would be felt
        if heir.base is not None:
            return True
    return False


def no_longer_contained(comp: Comp) -> None:
    """Notes that something changes in a component; its heirs take over what was there."""
    _ = comp.attrs  # what was put off comes first
    comp.contained = False
    let_heirs_take_over(comp)
