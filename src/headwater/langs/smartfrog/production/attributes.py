"""Attributes of components, which know their causes.

An attribute keeps apart what its value is (`value`, `given`), why it is there (`causes`) and
what it won over (`contests`), so that a later phase can replace the value and leave the rest as
it is.  Of most attributes nobody asks why, so causes are kept in the form in which they come
for nothing, and become nodes of the trace when somebody asks:

=========== ================================ ==============================================
cause       is                               as long as nobody asks
=========== ================================ ==============================================
`given`     the label of what is written     the `Setting` that it was written as, the place of
                                             an operand, or a component
`by`        the label of the left side       the same
`causes`    that, and the files it came by   the same, and its `Origin`; `Taken` for a copy,
                                             `Built` where a component stands
`contests`  what it won over                 `Lost`: the losing attribute itself
`inner`     the value's node, once linked    who linked it, and where (`link.Linking`)
=========== ================================ ==============================================

What a cause is made of does not change from then on; so the answer is the same whenever the
question comes.
"""

from __future__ import annotations

from typing import Any, Protocol, TypeAlias

from headwater.langs.smartfrog.production.origins import (
    Causes,
    Moved,
    Origin,
    Step,
    Structured,
    Taken,
    Where,
    key_label,
    node_of_causes,
    span_of,
)
from headwater.langs.smartfrog.production.syntax import Reference, Setting
from headwater.text import Span
from headwater.why import NOTHING, Label, Loser, Node, Reason, Trace

Value: TypeAlias = Any
"""What an attribute holds: a `Value` of `components`, which know of attributes."""
Comp: TypeAlias = Any
"""A component, for the same reason."""

NEW, BUSY, DONE = range(3)

MOST_UNTOLD = 40
"""How many attributes may have won over each other before it is noted for good."""


class Retracing(Protocol):
    """What linked an attribute, and can tell how."""

    def retrace(self, attr: Attr, owner: Comp) -> None:
        """Sets the `inner` and `exists` of an attribute."""


class Attr:
    """An attribute of a component.

    `where` is how it was written, or where.  `by` is what brought it here (its left side, or the
    prototype's name); `hidden` is what it replaced.  After linking, `result` is its value and
    `inner` that value's node; `exists` then is why there is such a value, whatever it is.
    `written` is how a component is shown that the phase *function* changes, if something may
    still take it over.
    """

    __slots__ = ("_by", "_causes", "_exists", "_given", "_inner", "contests", "how", "node",
                 "origin", "overrides", "placed", "result", "state", "tags", "value", "where",
                 "written")  # fmt: skip

    def __init__(
        self,
        value: Value,
        given: Node | Structured | None,
        causes: Causes,
        by: Node | Structured | None,
        where: Where,
        origin: Origin | None = None,
    ) -> None:
        self.value = value
        self._given = given
        self._causes = causes
        self._by = by
        self.where = where
        self.origin = origin
        self.contests: tuple[Lost, ...] = ()
        self.how: Reason = "assignment"
        self.overrides = False
        self.placed: Taken | Where | None = None
        self.tags: dict[str, Span] | None = None
        self.written: Any = None
        self.state = NEW
        self.result: Value = None
        self._inner: Node | tuple[Retracing, Comp] | None = None
        self._exists: Node | None = None
        self.node: Node = NOTHING

    def clone(self) -> Attr:
        """The same attribute for another component."""
        made = Attr.__new__(Attr)
        made.value = self.value
        made._given = self._given
        made._causes = self._causes
        made._by = self._by
        made.where = self.where
        made.origin = self.origin
        made.contests = self.contests
        made.how = self.how
        made.overrides = self.overrides
        made.placed = self.placed
        made.tags = self.tags
        made.written = self.written
        made.state = NEW
        made.result = made._inner = made._exists = None
        made.node = NOTHING
        return made

    def stand_in(self) -> Attr:
        """Its value for another component, as long as nobody asks more (`light`)."""
        made = Attr.__new__(Attr)
        made.value = self.value
        made.where = self.where
        made.tags = self.tags
        made.state = NEW
        made.result = made._inner = made._exists = None
        return made

    def become(self, made: Attr) -> Attr:
        """Is what it stood in for; what linking has found stays."""
        self._given = made._given
        self._causes = made._causes
        self._by = made._by
        self.where = made.where
        self.origin = made.origin
        self.contests = made.contests
        self.how = made.how
        self.overrides = made.overrides
        self.placed = made.placed
        self.tags = made.tags
        self.written = made.written
        self.node = NOTHING
        return self

    def is_plain(self) -> None:
        """Notes that the value is what it is."""
        self.result = self.value
        self.state = DONE

    @property
    def at(self) -> Span:
        """The left side."""
        return span_of(self.where)

    @property
    def given(self) -> Node:
        """The node of the value as it is written."""
        given = self._given
        if isinstance(given, int):
            return given
        if given is not None:
            self._given = given.structure
        else:
            assert self.origin is not None
            at, value = span_of(self.where), self.value  # an operand has no left side
            if isinstance(self.where, Setting):
                at, value = self.where.value_at, self.where.value
            label = Label("reference" if isinstance(value, Reference) else "literal", at, at.text)
            self._given = self.origin.trace.label(label)
        return self._given

    @property
    def by(self) -> Node:
        """What brought it here."""
        by = self._by
        if isinstance(by, int):
            return by
        if by is not None:
            self._by = by.structure
        else:
            assert self.origin is not None
            self._by = key_label(self.origin.trace, self.where)
        return self._by

    @property
    def causes(self) -> Node:
        """Why it is here."""
        causes = self._causes
        if causes.__class__ is int:
            return causes
        found = self._causes = node_of_causes(causes, self.where, self.origin)
        return found

    @property
    def written_causes(self) -> Causes:
        """The same in the form in which they are kept."""
        return self._causes

    def take(self, step: Moved, name: str = "") -> None:
        """Notes that it is here because of more."""
        self._causes = Taken(self._causes, step, name, None)

    def inherit(self, by: Node, step: Moved, name: str) -> None:
        """Notes that it came through a prototype, which is named by a node."""
        self._by = by
        self.how = "prototype"
        self._causes = self.placed = Taken(self._causes, step, name, self.placed)

    @property
    def inner(self) -> Node:
        """The node of the value that linking found."""
        made = self._inner
        if made is None:
            return self.given
        if made.__class__ is tuple:
            linking, owner = made
            linking.retrace(self, owner)
            made = self._inner
        return made  # type: ignore[return-value]

    @property
    def exists(self) -> Node:
        """Why there is such a value as linking found."""
        if self._exists is None:
            if self._inner.__class__ is not tuple:
                return self.causes
            linking, owner = self._inner
            linking.retrace(self, owner)
        assert self._exists is not None
        return self._exists

    def found(self, inner: Node, exists: Node) -> None:
        """Notes the causes of what linking found."""
        self._inner = inner
        self._exists = exists

    def found_by(self, linked: tuple[Retracing, Comp]) -> None:
        """Notes who knows the causes of what linking found, and in which component it did."""
        self._inner = linked

    @property
    def linked_in(self) -> Comp | None:
        """The component it was linked in, if how is still to be told."""
        return self._inner[1] if isinstance(self._inner, tuple) else None

    @property
    def hidden(self) -> Node:
        """What it replaced."""
        whole = NOTHING
        for lost in self.contests:
            whole = lost.trace.union(whole, lost.hidden)
        return whole


class Lost:
    """An attribute that another one keeps out, and how it would be shown.

    `value` is what it held; `anew` says whether its tags ended with it, or those of what it
    kept out itself.
    """

    __slots__ = ("_hidden", "_loser", "anew", "by", "deep", "how", "shown", "trace", "value")

    def __init__(
        self, trace: Trace, winner: Attr, loser: Attr, shown: object, *, anew: bool
    ) -> None:
        self.trace = trace
        self.anew = anew
        self.value: Value = loser.value
        self.shown = shown
        self.how = loser.how
        self.by: Node | Where | Structured = winner.where if winner._by is None else winner._by
        self._loser: Attr | Loser = loser
        self._hidden: Node | None = None
        self.deep: int = 1 + max((lost.deep for lost in loser.contests), default=0)
        if self.deep % MOST_UNTOLD == 0:
            self.loser()  # or a long row of them would be told all at once

    @property
    def hidden(self) -> Node:
        """Why the attribute was there, and all that it had replaced."""
        if self._hidden is None:
            self.loser()
        assert self._hidden is not None
        return self._hidden

    def loser(self) -> Loser:
        """The same as the trace has it."""
        attr = self._loser
        if isinstance(attr, Attr):
            trace = self.trace
            by = self.by
            if isinstance(by, tuple):
                by = key_label(trace, by)
            elif not isinstance(by, int):
                by = by.structure
            self._hidden = trace.union(attr.hidden, attr.causes)
            self._loser = Loser(self.shown, static_node(trace, attr), self.how, by)
        assert isinstance(self._loser, Loser)
        return self._loser


def whole(trace: Trace, attr: Attr, inner: Node) -> Node:
    """The node of an attribute whose value has the node `inner`."""
    node = trace.guard(inner, attr.causes)
    for lost in attr.contests:
        node = trace.choice(node, losers=(lost.loser(),))
    return node


def node_of(trace: Trace, attr: Attr) -> Node:
    """The node of an attribute that has been linked; made when it is first asked for."""
    if attr.node == NOTHING:
        attr.node = whole(trace, attr, attr.inner)
    return attr.node


def static_node(trace: Trace, attr: Attr) -> Node:
    """The node of an attribute as it is before linking."""
    return whole(trace, attr, attr.given)


def win(trace: Trace, winner: Attr, loser: Attr, shown: object) -> None:
    """Notes that an attribute keeps another one out, and takes its tags over."""
    anew = any(lost.anew for lost in loser.contests)
    winner.contests = (*winner.contests, Lost(trace, winner, loser, shown, anew=anew))
    winner.overrides = True
    if anew:
        # Without the loser, the tags that ended there would be taken over.
        winner.take(Step(trace, loser.causes))
    if loser.tags:
        winner.tags = {**loser.tags, **(winner.tags or {})}
