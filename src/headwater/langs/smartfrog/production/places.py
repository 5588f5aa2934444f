"""The phase *place*: an attribute written as ``a:b:c`` moves into the component ``a:b``.

The first part is looked for in the component the attribute is written in, nowhere else; a
part may be a link, and what is placed lands in the component the link means.  Passes go on
as long as something moves; what is left over is an error.
"""

from __future__ import annotations

from headwater.langs.smartfrog import codes
from headwater.langs.smartfrog.driving import drive
from headwater.langs.smartfrog.production.components import Comp, Wrong, inner, win
from headwater.langs.smartfrog.production.references import Found, Missing, Resolver
from headwater.langs.smartfrog.production.syntax import Part, Reference
from headwater.langs.smartfrog.production.text import key_text, shown
from headwater.langs.smartfrog.production.types import FINAL, final_overridden
from headwater.report import Diagnostic, nearest
from headwater.why import NOTHING, Node


class Placing(Resolver):
    """The phase at work.

    `loose` is why things were placed through links: another link would place them elsewhere,
    over anything.
    """

    loose: Node = NOTHING

    def run(self) -> None:
        """Places everything."""
        pending = self.pending(self.root)
        while pending:
            left: list[tuple[Comp, tuple[str, ...]]] = []
            more: list[tuple[Comp, tuple[str, ...]]] = []
            for comp, key in pending:
                placed = self.place(comp, key)
                if placed is False:
                    left.append((comp, key))
                elif placed is not True:
                    more += self.pending(placed)
            if len(left) == len(pending) and not more:
                raise Wrong(self.unplaced(*left[0]))
            pending = left + more

    def pending(self, root: Comp) -> list[tuple[Comp, tuple[str, ...]]]:
        """What is to be placed, in the order of the tree; not what waits inside such a value."""
        found: list[tuple[Comp, tuple[str, ...]]] = []
        todo = [root]
        while todo:
            comp = todo.pop()
            below = []
            for key, attr in comp.attrs.items():
                if isinstance(key, tuple):
                    found.append((comp, key))
                elif (value := inner(attr.value)) is not None:
                    below.append(value)
            todo.extend(reversed(below))
        return found

    def place(self, comp: Comp, key: tuple[str, ...]) -> bool | Comp:
        """Moves an attribute; whether it could be, or the component that has moved."""
        self.followed = False
        answer = drive(self.resolve(comp, self.way(comp, key)))
        if not isinstance(answer, Found) or not isinstance(answer.value, Comp):
            return False
        if self.followed:
            causes = comp.attrs[key].causes
            self.loose = self.trace.union(self.loose, causes, answer.via, answer.exists)
        target = answer.value
        attr = comp.attrs.pop(key)
        old = target.attrs.get(key[-1])
        if old is not None:
            if old.tags and FINAL in old.tags:
                raise Wrong(final_overridden(key, attr, old))
            win(self.trace, attr, old, shown(old.value))
            attr.placed = old.placed
        attr.causes = self.trace.union(attr.causes, answer.via, answer.exists)
        target.attrs[key[-1]] = attr
        below = inner(attr.value)
        if below is None:
            return True
        below.parent = target
        return below

    def way(self, comp: Comp, key: tuple[str, ...]) -> Reference:
        """The reference to the component that something goes into."""
        at = comp.attrs[key].at
        parts = tuple(Part("HERE", name) for name in key[:-1])
        return Reference(parts, at=at)

    def unplaced(self, comp: Comp, key: tuple[str, ...]) -> Diagnostic:
        """That the component an attribute goes into is not there."""
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
