"""The scope that Ruby sees: variables by name, as ``scope['x']`` and as ``@x`` in templates.

The two are not the same.  ``scope['x']`` is what ``$x`` is.  ``@x`` is one of all variables, put
together at once (Puppet's `to_hash`): those that are undef have no place among them, so an undef
of an inherited class does not hide a variable of the node or the top; and parameters are not
there while their defaults are evaluated.
"""

from __future__ import annotations

import re
from typing import Any, Final

from headwater.langs.puppet import codes
from headwater.langs.puppet.engine.functions import Call
from headwater.langs.puppet.engine.ruby_unknown import known
from headwater.langs.puppet.engine.variables import BUILT_IN, reason_for, seen
from headwater.langs.puppet.record.frames import UNBOUND, Frame, Scope, captured

_ODD: Final = re.compile(r"\W", re.ASCII)


class RubyScope:
    """Where Ruby was called from (`ruby.scope.Surroundings`)."""

    def __init__(self, call: Call) -> None:
        self.call = call
        self._noted: set[str] = set()

    def _read(self, name: str) -> None:
        """Notes that a variable was read, once."""
        if name not in self._noted:
            self._noted.add(name)
            self.call.external("variable", name)

    def find(self, name: str) -> tuple[bool, Any]:
        """Whether there is a variable ``$name``, and its value."""
        frame = self.call.frame
        if name.isdigit():
            return True, captured(frame, int(name))
        self._read(name)
        value = seen(frame, name)
        if value is UNBOUND:
            return name.removeprefix("::") in BUILT_IN, None
        return True, known(value)

    def absent(self, name: str) -> str:
        """Says that a variable is not there, as far as the settings ask for it; why it is not."""
        compilation = self.call.compilation
        reason = reason_for(compilation, name)
        messages = compilation.messages
        if messages.strict == "warning":
            messages.warn(codes.UNKNOWN_VARIABLE, self.call.span, name=name, reason=reason)
        return reason

    @property
    def strict(self) -> bool:
        """Whether a variable that is not there is an error."""
        return self.call.strict == "error"

    def bound(self, name: str) -> bool:
        """Whether a variable is bound in the innermost scope."""
        self._read(name)
        frame: Frame = self.call.frame
        return name in frame.vars

    def exposed(self, name: str) -> Any:
        """The value of ``@name``."""
        self._read(name)
        value = _exposed(self.call.frame, name)
        if value is None and "_" in name:
            value = self._odd(name)
        return known(value)

    def _odd(self, name: str) -> Any:
        """A fact whose name is none of a variable: ``@a_b`` is the fact ``a-b``."""
        for other in self.call.compilation.record.top.vars:
            if other != name and _ODD.sub("_", other) == name:
                self._read(other)
                return _exposed(self.call.frame, other)
        return None

    def everything(self, *, around: bool = True, undefined: bool = False) -> dict[str, Any]:
        """All variables by name; those `around` the innermost scope, and those that are undef."""
        found = _everything(self.call.frame, around, undefined)
        for name in found:
            self._read(name)
            known(found[name])
        return found


def _exposed(frame: Frame, name: str) -> Any:
    local: Frame | None = frame
    while local is not None:
        if name in local.vars and local.pending is None:
            return local.vars[name]
        local = local.up
    scope = frame.scope
    inherited, enclosing = scope.outer, scope.enclosing()
    if inherited is not None and inherited is not enclosing:
        value = _exposed(inherited, name)
        if value is not None:
            return value
    return None if enclosing is None else _exposed(enclosing, name)


def _everything(frame: Frame, around: bool, undefined: bool) -> dict[str, Any]:
    found: dict[str, Any] = {}
    scope: Scope = frame.scope
    if around:
        inherited, enclosing = scope.outer, scope.enclosing()
        if enclosing is not None:
            found.update(_everything(enclosing, True, False))
        if inherited is not None and inherited is not enclosing:
            found.update(_everything(inherited, True, False))
    frames: list[Frame] = []
    local: Frame | None = frame
    while local is not None:
        frames.append(local)
        local = local.up
    for one in reversed(frames):
        if one.pending is not None:
            continue
        for name, value in one.vars.items():
            if value is None and not undefined:
                found.pop(name, None)
            else:
                found[name] = value
    return found
