"""Where Ruby was called from: the scope of the compiler, as Ruby sees it."""

from __future__ import annotations

from typing import Any, Protocol

from headwater.langs.puppet.ruby.values import Native, RubyValue


class Surroundings(Protocol):
    """The scope of the compiler that Ruby was called from; values are Ruby's."""

    def find(self, name: str) -> tuple[bool, Any]:
        """Whether there is a variable ``$name``, and its value."""
        ...

    def absent(self, name: str) -> str:
        """Says that a variable is not there, as far as the settings ask for it; why it is not."""
        ...

    @property
    def strict(self) -> bool:
        """Whether a variable that is not there is an error."""
        ...

    def bound(self, name: str) -> bool:
        """Whether a variable is bound in the innermost scope."""
        ...

    def exposed(self, name: str) -> RubyValue:
        """The value of ``@name`` in a template."""
        ...

    def assign(self, name: str, value: RubyValue) -> bool:
        """Gives a value to a variable of the innermost scope; whether it had none."""
        ...

    def everything(self, *, around: bool = True, undefined: bool = False) -> dict[str, Any]:
        """All variables by name; those around the innermost scope, and those that are undef."""
        ...


class ScopeObject(Native):
    """``scope``: where a template or function was called, as it may ask for variables."""

    __slots__ = ("ivars", "surroundings")

    def __init__(self, surroundings: Surroundings) -> None:
        self.surroundings = surroundings
        self.ivars: dict[str, Any] = {}
