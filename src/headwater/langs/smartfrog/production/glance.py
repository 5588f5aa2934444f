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

from headwater.langs.smartfrog.production.attributes import DONE, Attr
from headwater.langs.smartfrog.production.components import PLAIN, Application, Comp, Value, Vec
from headwater.langs.smartfrog.production.functions import FUNCTIONS, LOGIC, NUMBERS, Call, Failed
from headwater.langs.smartfrog.production.functions.apply import META, Applying
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

    `needed` is an attribute that must be evaluated before one can say more, and its component.
    """

    def __init__(self, trace: Trace, root: Comp, inputs: dict[str, Any]) -> None:
        super().__init__(trace, root, inputs)
        self.needed: tuple[Attr, Comp] | None = None
        self.untraced = Untraced()
        self.linked: tuple[Glancing, Comp] = (self, root)

    @abstractmethod
    def retrace(self, attr: Attr, owner: Comp) -> None:
        """Finds the causes of a value that was found by a glance."""

    def glance(self, value: Value, owner: Comp) -> Value | Unknown:
        """What a value of a component comes to."""
        self.needed = None
        if value.__class__ is Reference:
            return self.at_the_end(value, owner)
        if value.__class__ is Application:
            return self.applied(value)
        return UNKNOWN

    def at_the_end(self, link: Reference, owner: Comp) -> Value | Unknown:
        """What an eager link leads to, if words do."""
        if link.lazy or link.data:
            return UNKNOWN
        scope: Comp | None = owner
        value: Value = owner
        first = True
        for part in link.parts:
            if part.kind or value.__class__ is not Comp:
                return UNKNOWN
            name = part.name
            scope = value
            attr = scope.attr(name)
            while attr is None and first:
                scope = scope.parent
                if scope is None:
                    return UNKNOWN
                attr = scope.attr(name)
            if attr is None or (not first and attr.tags and LOCAL in attr.tags):
                return UNKNOWN
            first = False
            if attr.state != DONE and not self.is_simple(attr):
                self.needed = attr, scope
                return UNKNOWN
            value = attr.result
        return UNKNOWN if isinstance(value, Reference | Application) else value

    def applied(self, application: Application) -> Value | Unknown:
        """The value of a function whose arguments are known, or can be."""
        comp = application.comp
        named = comp.attrs.get(CLASS)
        if named is None or application.lazy or application.data or application.word != "APPLY":
            return UNKNOWN
        function = PURE.get(named.value) if named.value.__class__ is str else None
        if function is None or (named.state != DONE and not self.is_simple(named)):
            return UNKNOWN
        args: dict[str, tuple[Value, Node]] = {}
        for key, attr in comp.settled.items():
            if key in META:
                continue
            if attr.state != DONE and not self.is_simple(attr):
                value = self.glance(attr.value, comp)
                if isinstance(value, Unknown):
                    self.needed = attr, comp
                    return UNKNOWN
                self.finish(attr, comp, value)
            if isinstance(attr.result, Reference | Application):
                return UNKNOWN
            args[str(key)] = (attr.result, NOTHING)
        call = Call(self.untraced, args, comp, application.at, self.counters, self.inputs)
        try:
            found, _ = function(call)
        except Failed:
            return UNKNOWN
        return UNKNOWN if isinstance(found, Comp) else found

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
        if isinstance(value, Vec):
            value.made_for(attr)
