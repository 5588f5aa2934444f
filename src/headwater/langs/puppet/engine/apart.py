"""A compilation set apart: what is evaluated in it leaves no trace in the one it is made from.

Whoever explains a compilation evaluates pieces of its program again.  They find the same
program, catalog and scopes; what they load, warn of and record goes elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from copy import copy

from headwater.langs.puppet.engine.classes import check_definition
from headwater.langs.puppet.engine.compilation import Compilation, Services
from headwater.langs.puppet.engine.compile import in_ruby, open_data
from headwater.langs.puppet.engine.messages import Messages
from headwater.langs.puppet.engine.work import Work
from headwater.langs.puppet.program.definitions import Definition
from headwater.langs.puppet.program.units import Unit
from headwater.langs.puppet.record.frames import Scope
from headwater.langs.puppet.record.record import Record


class Apart:
    """The copy of a compilation in which its program can be evaluated again."""

    def __init__(self, compilation: Compilation) -> None:
        messages = Messages(compilation.messages.strict, compilation.messages.strict_variables)
        record, work = Record(), Work()
        work.opaque = compilation.work.opaque

        def check(unit: Unit, definition: Definition) -> None:
            check_definition(self.compilation, unit, definition)

        program = compilation.program.apart(check, messages.add)
        types = compilation.services.types.apart(program)
        services = Services(
            types,
            lambda: open_data(self.compilation),
            lambda name, path: in_ruby(self.compilation, name, path),
        )
        self.compilation = Compilation(
            compilation.inputs, program, compilation.catalog, record, services, messages, work
        )
        self._scopes: dict[Scope, Scope] = {}
        left = compilation.record
        record.clock = left.clock
        record.top = self.scope(left.top)
        record.node_scope = None if left.node_scope is None else self.scope(left.node_scope)
        record.scopes = {name: self.scope(scope) for name, scope in left.scopes.items()}

    def scope(self, scope: Scope) -> Scope:
        """The scope as it is, in which what runs belongs to the copy."""
        found = self._scopes.get(scope)
        if found is None:
            found = self._scopes[scope] = copy(scope)
            found.scope, found.vars = found, {**scope.vars}
            found.compilation, found.record = self.compilation, self.compilation.record
        return found

    @contextmanager
    def without(self, later: list[tuple[Scope, str]]) -> Iterator[None]:
        """While it lasts, variables of classes that were assigned later are not there."""
        hidden = [(self.scope(scope).vars, name) for scope, name in later]
        values = [(variables, name, variables.pop(name, None)) for variables, name in hidden]
        try:
            yield
        finally:
            for variables, name, value in reversed(values):
                variables[name] = value
