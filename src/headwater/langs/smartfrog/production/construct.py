"""The phase *function*: components that describe functions become applications.

A component with the attribute ``phase.function`` is one: of a function (``APPLY``), of
assertions or of a schema (``ASSERT``).  Inner ones come first.
"""

from __future__ import annotations

from itertools import chain

from headwater.langs.smartfrog import codes
from headwater.langs.smartfrog.production.attributes import Attr
from headwater.langs.smartfrog.production.components import (
    Application,
    Comp,
    Key,
    Value,
    Vec,
    Wrong,
    components,
    held_in,
)
from headwater.langs.smartfrog.production.raw import CLASS, FUNCTIONS, PHASE
from headwater.langs.smartfrog.production.text import Unshown, key_text
from headwater.langs.smartfrog.production.words import DATA, LAZY
from headwater.why import Trace

SF = "org.smartfrog.sfcore.languages.sf."
CHECK = FUNCTIONS + "CheckAssertions"
ASIDE = frozenset(["sfAssertionPhase", CLASS])
"""Attributes of a schema that describe no attribute."""

CHANGING = frozenset([Application, Vec])
"""Kinds of values with another text after this phase, if they hold what describes a function."""


def describes(value: Value) -> bool:
    """Whether a value is a component that describes a function."""
    return isinstance(value, Comp) and is_function(value)


def is_function(comp: Comp) -> bool:
    """Whether a component describes a function."""
    return comp.function or PHASE in comp.settled


def changes(comp: Comp) -> bool:
    """Whether a component is shown in another way after this phase."""
    if comp.base is not None:
        return comp.function
    return PHASE in comp.settled or any(describes(attr.value) for attr in comp.settled.values())


def as_written(comp: Comp) -> Unshown:
    """How a component is shown at present, once somebody asks."""
    values = {key: attr.value for key, attr in comp.attrs.items()}
    found = Unshown(values)
    for value in values.values():
        if value.__class__ in CHANGING:
            found.show()
    return found


def kept_for_heirs(found: list[Comp]) -> list[Comp]:
    """What prototypes once were, kept for heirs; they are not part of the specification."""
    known = {*found}
    kept: list[Comp] = []
    for comp in chain(found, kept):  # which grows meanwhile
        if comp.base is not None and comp.base.source not in known:
            known.add(comp.base.source)
            kept.append(comp.base.source)
    return kept


def holding(root: Comp) -> tuple[list[Comp], list[Comp]]:
    """All settled components, outer ones first; and those of them that hold others."""
    found: list[Comp] = []
    holders: list[Comp] = []
    todo = [root]
    while todo:
        comp = todo.pop()
        found.append(comp)
        below = held_in(comp, comp.settled)
        if below:
            holders.append(comp)
            todo += below
    return found, holders


def all_holding(root: Comp) -> tuple[list[Comp], list[Comp]]:
    """The settled components that hold others, outer ones first; and all that heirs wait for."""
    found, holders = holding(root)
    kept = [each for comp in kept_for_heirs(found) for each in components(comp, settled=True)]
    return holders, kept


class Constructing:
    """The phase at work; what it has `made` of a component it makes of it for heirs too."""

    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        self.made: dict[Comp, Application] = {}

    def run(self, root: Comp) -> None:
        """Turns every component of a specification that describes a function into one.

        One that is still to take over its prototype is a function if that is
        (`later.is_plain_function`); what it takes over then is no longer a description.
        """
        holders, kept = all_holding(root)
        waited_for = [comp for comp in holders if comp.heirs and any(h.base for h in comp.heirs)]
        noted = False
        for comp in chain(waited_for, kept):
            for attr in comp.settled.values():
                if isinstance(attr.value, Comp) and changes(attr.value):
                    attr.written = as_written(attr.value)
                    noted = True
        if noted:  # to be shown, some have taken over their prototypes
            holders, kept = all_holding(root)
        for comp in chain(reversed(holders), reversed(kept)):
            for key, attr in comp.settled.items():
                held = attr.value
                if held.__class__ is Comp and (held in self.made or is_function(held)):
                    application = self.made.get(held)
                    if application is None:
                        application = self.made[held] = self.application(key, attr, held)
                    attr.value = application

    def application(self, key: Key, attr: Attr, comp: Comp) -> Application:
        """The application that a component describes."""
        if PHASE not in comp.settled:
            comp.applied = True
            return applied(attr, comp)
        phase = comp.described = comp.attrs.pop(PHASE)
        name = phase.value
        match name:
            case "org.smartfrog.sfcore.languages.sf.ConstructFunction":
                return self.function(key, attr, comp)
            case "org.smartfrog.sfcore.languages.sf.ConstructAssertions":
                first: dict[Key, Attr] = {
                    CLASS: Attr(CHECK, phase.given, phase.causes, phase.by, phase.at)
                }
                comp.attrs = {**first, **comp.attrs}
                return Application("ASSERT", comp, attr.at)
            case "org.smartfrog.sfcore.languages.sf.ConstructSchema":
                comp.attrs.pop("sfSchemaDescription", None)
                self.schema(key, attr, comp)
                comp.attrs[CLASS] = Attr(CHECK, phase.given, phase.causes, phase.by, phase.at)
                return Application("ASSERT", comp, attr.at)
        # A class of somebody's own: an error only if its value is ever needed.
        comp.attrs[CLASS] = Attr(name, phase.given, phase.causes, phase.by, phase.at)
        return Application("APPLY", comp, attr.at)

    def function(self, key: Key, attr: Attr, comp: Comp) -> Application:
        """``APPLY``"""
        attrs = comp.attrs
        name = attrs.pop(CLASS, None)
        if name is None:
            raise Wrong(codes.NO_FUNCTION_CLASS.at(attr.at, key=key_text(key)))
        comp.attrs = {CLASS: name, **attrs}
        return applied(attr, comp)

    def schema(self, key: Key, attr: Attr, comp: Comp) -> None:
        """Every attribute of a schema must describe one; it learns its name."""
        for name, element in comp.attrs.items():
            if name in ASIDE or not isinstance(name, str):
                continue
            described = element.value
            if not isinstance(described, Application):
                raise Wrong(codes.NOT_A_SCHEMA_ELEMENT.at(element.at, name=name, key=key_text(key)))
            given = Attr(name, element.given, element.causes, element.by, element.at)
            described.comp.attrs["name"] = given


def applied(attr: Attr, comp: Comp) -> Application:
    """``APPLY`` of a component, which may be still to take over what it applies."""
    lazy, data = (comp.attr(flag) for flag in (LAZY, DATA))
    return Application(
        "APPLY",
        comp,
        attr.at,
        lazy is not None and lazy.value is True,
        data is not None and data.value is True,
    )
