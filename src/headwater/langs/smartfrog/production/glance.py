"""Finding values without a word about why.

Linking needs values, and hardly anybody asks for the causes of one.  So a link and a function
without side effects is first tried here, where nothing is noted and nothing waits.  What comes
out is only taken if the way to it was plain: words that lead to attributes whose values are
known.  Everything else, and every error, is left to `Linking`, which notes causes; and it goes
the whole way again when somebody does ask (`Linking.retrace`).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, Final

from headwater.langs.smartfrog.production.attributes import DONE, NEW, Attr
from headwater.langs.smartfrog.production.components import (
    PLAIN,
    Application,
    Comp,
    Key,
    Value,
    Vec,
)
from headwater.langs.smartfrog.production.functions import (
    FUNCTIONS,
    LOGIC,
    NUMBERS,
    Call,
    Failed,
    added_at_once,
    joined_at_once,
)
from headwater.langs.smartfrog.production.functions.apply import META, Applying
from headwater.langs.smartfrog.production.light import looked_through
from headwater.langs.smartfrog.production.raw import CLASS
from headwater.langs.smartfrog.production.raw import FUNCTIONS as PACKAGE
from headwater.langs.smartfrog.production.syntax import Reference
from headwater.langs.smartfrog.production.words import LOCAL
from headwater.why import NOTHING, Node, Trace

SIMPLE = PLAIN | {Comp}
"""Kinds of values that are what they are."""

PURE = {
    PACKAGE + name: FUNCTIONS[name]
    for name in (*LOGIC, *NUMBERS, "Concatenate", "Format", "IfThenElse", "Switch", "Vector")
}
"""Functions that only look at their arguments, by the names of their classes."""

SHORT = {PACKAGE + "Concatenate": joined_at_once, PACKAGE + "Sum": added_at_once}
"""What says for the most usual arguments what the function would."""

MOST_OPERANDS = 12
"""Up to so many arguments a prototype's function is looked at anew for each heir."""


class Unknown:
    """No value: it takes more than a glance."""


UNKNOWN: Final = Unknown()


class Untraced(Trace):
    """A trace that notes nothing."""

    def operation(self, *_: object) -> Node:
        """No node."""
        return NOTHING

    def union(self, *_: Node) -> Node:
        """No node."""
        return NOTHING

    def copy(self, *_: object) -> Node:
        """No node."""
        return NOTHING

    def guard(self, *_: object) -> Node:
        """No node."""
        return NOTHING


class Glancing(Applying, ABC):
    """What can be said at once.

    `needed` is an attribute that must be evaluated before one can say more, its component, and the
    arguments that need it, the outer ones first.
    """

    def __init__(self, trace: Trace, root: Comp, inputs: dict[str, Any]) -> None:
        super().__init__(trace, root, inputs)
        self.needed: tuple[Attr, Comp, tuple[Attr, ...]] | None = None
        self.untraced = Untraced()
        self.linked: tuple[Glancing, Comp] = (self, root)

    @abstractmethod
    def retrace(self, attr: Attr, owner: Comp) -> None:
        """Finds the causes of a value that was found by a glance."""

    def glanced(self, attr: Attr, owner: Comp) -> Value | Unknown:
        """What an attribute comes to, also if another has to be glanced at first."""
        known = self.glance(attr.value, owner)
        if self.needed is None:
            return known
        needed, scope, passed = self.needed
        if passed or needed.state != NEW:
            return UNKNOWN
        known = self.glance(needed.value, scope)
        if isinstance(known, Unknown):
            return known
        self.finish(needed, scope, known)
        return self.glance(attr.value, owner)  # it may be more than a stand-in by now

    def glance(self, value: Value, owner: Comp) -> Value | Unknown:
        """What a value of a component comes to."""
        self.needed = None
        if value.__class__ is Reference:
            return self.at_the_end(value, owner)
        if value.__class__ is Application:
            return self.applied(value, owner)
        return UNKNOWN

    def view(self, comp: Comp) -> dict[Key, Attr]:
        """The attributes of a component, as far as names and values go."""
        if comp.seen is not None:
            return comp.seen
        return comp.attrs if comp.base is None else looked_through(comp)

    def at_the_end(
        self, link: Reference, owner: Comp, around: tuple[Comp, ...] = ()
    ) -> Value | Unknown:
        """What an eager link leads to, if words do; it may stand in functions `around` it."""
        if link.lazy or link.data:
            return UNKNOWN
        parts = link.parts
        part = parts[0]
        if part.kind:
            return UNKNOWN
        name = part.name
        for comp in around:
            if name in comp.settled:
                return UNKNOWN
        scope: Comp | None = owner
        while scope is not None:
            seen = scope.seen
            if seen is None:
                plain = scope.base is None and scope.unplaced is None
                seen = scope.settled if plain else self.view(scope)
            attr = seen.get(name)
            if attr is not None:
                break
            scope = scope.parent
        else:
            return UNKNOWN
        if attr.state != DONE and not self.is_simple(attr):
            self.needed = attr, scope, ()
            return UNKNOWN
        value = attr.result
        for part in parts[1:]:
            if part.kind or value.__class__ is not Comp:
                return UNKNOWN
            plain = value.base is None and value.unplaced is None
            attr = (value.settled if plain else self.view(value)).get(part.name)
            if attr is None or (attr.tags and LOCAL in attr.tags):
                return UNKNOWN
            if attr.state != DONE and not self.is_simple(attr):
                self.needed = attr, value, ()
                return UNKNOWN
            value = attr.result
        return UNKNOWN if value.__class__ in (Reference, Application) else value

    def applied(
        self, application: Application, owner: Comp, around: tuple[Comp, ...] = ()
    ) -> Value | Unknown:
        """The value of a function whose arguments are known, or can be.

        It may be that of a prototype still, whose arguments mean what they do in the heir.
        """
        comp = application.comp
        attrs = comp.attrs
        named = attrs.get(CLASS)
        if named is None or application.lazy or application.data or application.word != "APPLY":
            return UNKNOWN
        name = named.value
        function = PURE.get(name) if name.__class__ is str else None
        if function is None or (named.state != DONE and not self.is_simple(named)):
            return UNKNOWN
        if owner.seen is None or (comp.parent is owner and not around):
            values = self.arguments(comp)
        else:
            values = self.arguments_in(owner, attrs, (*around, comp))
        if values is None:
            return UNKNOWN
        short = SHORT.get(name)
        if short is not None:
            at_once = short(values)
            if at_once is not None:
                return at_once
        keys = [str(key) for key in attrs if key not in META]
        args = {key: (value, NOTHING) for key, value in zip(keys, values, strict=True)}
        call = Call(self.untraced, args, comp, application.at, self.counters, self.inputs)
        try:
            found, _ = function(call)
        except Failed:
            return UNKNOWN
        return UNKNOWN if isinstance(found, Comp) else found

    def arguments(self, comp: Comp) -> list[Value] | None:
        """What a function is applied to, if that is known."""
        values: list[Value] = []
        for key, attr in comp.settled.items():
            if key in META:
                continue
            if attr.state != DONE and not self.is_simple(attr):
                value = self.glance(attr.value, comp)
                if isinstance(value, Unknown):
                    self.needed = attr, comp, ()
                    return None
                self.finish(attr, comp, value)
            value = attr.result
            if value.__class__ in (Reference, Application):
                return None
            values.append(value)
        return values

    def arguments_in(
        self, owner: Comp, attrs: dict[Key, Attr], around: tuple[Comp, ...]
    ) -> list[Value] | None:
        """The same where the function is that of a prototype, and nothing is kept but its value."""
        if len(attrs) > MOST_OPERANDS or len(around) > MOST_OPERANDS:
            return None
        values: list[Value] = []
        for key, attr in attrs.items():
            if key in META:
                continue
            value = attr.value
            if value.__class__ not in PLAIN:
                if value.__class__ is Reference:
                    value = self.at_the_end(value, owner, around)
                elif value.__class__ is Application:
                    value = self.applied(value, owner, around)
                    if value.__class__ is Vec:
                        return None  # nothing would know the nodes of its elements
                else:
                    return None
                if isinstance(value, Unknown):
                    if self.needed is not None:
                        needed, scope, passed = self.needed
                        self.needed = needed, scope, (attr, *passed)
                    return None
            values.append(value)
        return values

    def is_simple(self, attr: Attr) -> bool:
        """Whether the value is what it is; then it needs no further look."""
        value = attr.value
        kind = value.__class__
        if kind not in SIMPLE and not (kind is Reference and (value.lazy or value.data)):
            return False
        attr.result = value
        attr.state = DONE
        return True

    def finish(self, attr: Attr, owner: Comp, value: Value) -> None:
        """Notes a value found by a glance; who asks why finds the way again."""
        attr.result = value
        attr.state = DONE
        if self.linked[1] is not owner:
            self.linked = (self, owner)
        attr.found_by(self.linked)
        if value.__class__ is Vec:
            value.made_for(attr)
