"""Where a resource was declared: the evidence behind each resource of a catalog."""

from __future__ import annotations

from typing import Any

import msgspec

from headwater.langs.puppet.catalog.resource import Resource
from headwater.langs.puppet.program.definitions import Definition
from headwater.langs.puppet.program.units import Unit
from headwater.langs.puppet.record.frames import Frame, Guard, Scope
from headwater.langs.puppet.values import Opaque
from headwater.text import NOWHERE, Span


class Declaration(msgspec.Struct, frozen=True, eq=False):
    """How a resource came to be declared.

    `scope` and `source` are the scope and the definition it was declared in; `body` is the part
    of `node` for its titles.  What no text declares has neither unit nor frame.
    """

    scope: Scope | None
    source: Definition | None
    when: int = 0
    unit: Unit | None = None
    node: Any = None
    body: Any = None
    frame: Frame | None = None
    guard: Guard | None = None

    @property
    def around(self) -> Resource | None:
        """The resource in whose body it was declared."""
        return None if self.scope is None else self.scope.resource

    @property
    def span(self) -> Span:
        """Where it is written; nowhere, if no text declares it."""
        if self.unit is None or self.node is None:
            return NOWHERE
        return self.unit.span(self.node)


def under_unknown(guard: Guard | None, scope: Scope | None) -> Opaque | None:
    """The unknown condition that something runs because of, if there is one."""
    while scope is not None:
        while guard is not None:
            if isinstance(guard.taken, Opaque):
                return guard.taken
            guard = guard.outer
        if scope.resource is None:
            return None
        where = declared(scope.resource)
        if where.scope is scope:
            return None
        guard, scope = where.guard, where.scope
    return None


def declared(resource: Resource) -> Declaration:
    """The declaration of a resource of a compilation."""
    found = resource.declared
    assert isinstance(found, Declaration)
    return found
