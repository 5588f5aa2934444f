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
from headwater.langs.puppet.engine.variables import BUILT_IN, reason_for, seen
from headwater.langs.puppet.record.acts import EVERY_VARIABLE, Read
from headwater.langs.puppet.record.frames import UNBOUND, Binding, Frame, Scope, captured
from headwater.langs.puppet.ruby.exchange import from_ruby
from headwater.langs.puppet.ruby.values import RubyValue
from headwater.langs.puppet.types.value import Value

_NONE: Final[frozenset[str]] = frozenset()
_ODD: Final = re.compile(r"\W", re.ASCII)


class RubyScope:
    """Where Ruby was called from (`ruby.surroundings.Surroundings`)."""

    __slots__ = ("_assigned", "_give", "asked", "call")

    def __init__(self, call: Call) -> None:
        self.call = call
        self._give = call.compilation.services.ruby.give
        self.asked: dict[tuple[str, int], Frame] = {}
        """The variables that were asked for, each with the frame it was looked for from."""
        self._assigned: frozenset[str] = _NONE
        """Variables that Ruby has set since: ``@x`` is what ``$x`` was before."""

    def _read(self, name: str, frame: Frame | None = None) -> None:
        frame = self.call.frame if frame is None else frame
        key = (name, id(frame))
        if key not in self.asked:
            self.asked[key] = frame
            self.note(name, frame)

    def note(self, name: str, frame: Frame) -> None:
        """Notes that a variable was looked for from a frame."""
        call = self.call
        call.compilation.record.reads.append(
            Read("variable", name, None, frame, call.unit, call.node)
        )

    def find(self, name: str) -> tuple[bool, Any]:
        """Whether there is a variable ``$name``, and its value."""
        frame = self.call.frame
        if name.isdigit():
            return True, captured(frame, int(name))
        self._read(name)
        value = seen(frame, name)
        if value is UNBOUND:
            return name.removeprefix("::") in BUILT_IN, None
        return True, self._give(value)

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

    def exposed(self, name: str) -> RubyValue:
        """The value of ``@name``."""
        self._read(name)
        if name in self._assigned:
            return None
        frame = self.call.frame
        own = frame.pending is None and name in frame.vars
        value = frame.vars[name] if own else _exposed(frame, name)
        scope = frame.scope
        if scope.outer is not None and scope.outer is not scope.enclosing():
            self._read(name, scope.enclosing())  # which may show through an inherited undef
        if value is None and "_" in name:
            value = self._odd(name)
        return value if value.__class__ is str or value is None else self._give(value)

    def _odd(self, name: str) -> Value:
        """A fact whose name is none of a variable: ``@a_b`` is the fact ``a-b``."""
        host = self.call.compilation.services.ruby
        top = self.call.compilation.record.top.vars
        if host.odd_names is None or host.odd_names[0] != len(top):  # none ever goes
            host.odd_names = (len(top), _odd_names(top))
        other = host.odd_names[1].get(name)
        if other is None:
            return None
        self._read(other)
        return _exposed(self.call.frame, other)

    def assign(self, name: str, value: RubyValue) -> bool:
        """Gives a value to a variable of the innermost scope; whether it had none."""
        call = self.call
        frame: Frame = call.frame
        if name in frame.vars:
            return False
        record = call.compilation.record
        record.clock = now = record.clock + 1
        self._assigned |= {name}
        frame.vars[name] = held = from_ruby(value)
        call.compilation.services.ruby.changes.keep(held, value)
        frame.bindings[name] = Binding(
            "assigned", call.unit, call.node, frame, frame.guard, "by Ruby", now
        )
        return True

    def everything(self, *, around: bool = True, undefined: bool = False) -> dict[str, Any]:
        """All variables by name; those `around` the innermost scope, and those that are undef."""
        found = _everything(self.call.frame, around, undefined)
        self._read(EVERY_VARIABLE)
        for name in found:
            self._read(name)
        return {name: self._give(value) for name, value in found.items()}


class TemplateScope(RubyScope):
    """The scope of a template: what it asks for is noted with what it writes."""

    __slots__ = ()

    def note(self, name: str, frame: Frame) -> None:
        """It is in `asked`."""


def _odd_names(variables: dict[str, Any]) -> dict[str, str]:
    """Names that are none of a variable, by what Ruby makes of them; the first counts."""
    found: dict[str, str] = {}
    for name in variables:
        if _ODD.search(name):
            found.setdefault(_ODD.sub("_", name), name)
    return found


def _exposed(frame: Frame, name: str) -> Value:
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
