"""Placements take turns: where something lands depends on what was there when its turn came.

In ``n extends { b extends { } b:m 5; } n:b extends { a 1; }`` the 5 goes into the first ``b``, and
is gone with it.  Without that ``b`` it would wait, and go into the second.  So what is placed over
a component depends on that component if something was placed in it, and on all that was; and
what is placed in the second one depends on what the first one lacks.

An attribute that was written more than once has the turn of the first time.  Without that one it
would come later, and over what is now placed over it.
"""

from __future__ import annotations

from collections.abc import Sequence

from headwater.langs.smartfrog.production.attributes import Attr
from headwater.langs.smartfrog.production.components import Comp, components, inner
from headwater.why import NOTHING, Node, Trace


class Turns:
    """What was placed so far in which component, over which, and why then."""

    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        self._received: dict[Comp, list[tuple[Attr, Comp]]] = {}
        self._replaced: dict[Attr, Comp] = {}
        self._turns: dict[Attr, Node] = {}

    def why(
        self,
        comp: Comp,
        key: tuple[str, ...],
        target: Comp,
        old: Attr | None,
        around: Sequence[Attr],
    ) -> Node:
        """What an attribute depends on because of its turn; it is noted as placed.

        It is written in `comp` as `key`, and placed in `target`, maybe over an `old` attribute;
        `around` are the attributes that hold `comp`.
        """
        attr = comp.attrs[key]
        turn, lacking = self._on_the_way(comp, key)
        for each in (attr, *around):
            if each.contests:
                turn = self.trace.union(turn, each.hidden)
        why = lacking if inner(attr.value) is None else self.trace.union(lacking, turn)
        if turn != NOTHING:
            self._turns[attr] = turn
        if old is not None:
            why = self.trace.union(why, self._turns.get(old, NOTHING), self._over(attr, old))
        self._received.setdefault(target, []).append((attr, comp))
        return why

    def _on_the_way(self, comp: Comp, key: tuple[str, ...]) -> tuple[Node, Node]:
        """Why its turn is when it is, and why it does not go where a component was before."""
        turn = lacking = NOTHING
        scope = comp
        for index, part in enumerate(key[:-1], 1):
            attr = scope.attr(part)
            held = None if attr is None else inner(attr.value)
            if attr is None or held is None:
                break
            if attr.contests:
                turn = self.trace.union(turn, attr.hidden)
            if attr in self._replaced:
                gone = self._lacks(self._replaced[attr], key[index:-1])
                lacking = self.trace.union(lacking, attr.hidden, gone)
            scope = held
        return turn, lacking

    def _lacks(self, gone: Comp, path: tuple[str, ...]) -> Node:
        """Why a path leads to no component from one that was replaced."""
        trace, why = self.trace, NOTHING
        for index, part in enumerate(path):
            attr = gone.attr(part)
            why = trace.union(why, gone.shape)
            if attr is None:
                return trace.union(why, trace.lacks(gone.homes(trace), ":".join(path[index:])))
            why = trace.union(why, attr.given, attr.causes)
            held = inner(attr.value)
            if held is None:
                return why
            gone = held
        return why

    def _over(self, attr: Attr, old: Attr) -> Node:
        """Why what was placed in the component that an attribute replaces is not in the new one."""
        gone = inner(old.value)
        if gone is None:
            return NOTHING
        self._replaced[attr] = gone
        held = dict.fromkeys(components(gone, settled=True))
        nodes = [
            self.trace.union(each.causes, self._turns.get(each, NOTHING))
            for comp in held
            for each, written_in in self._received.get(comp, ())
            if written_in not in held  # or it is gone with what it is written in
        ]
        return self.trace.union(old.causes, old.hidden, *nodes) if nodes else NOTHING
