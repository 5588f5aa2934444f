"""What look-ups see of the compilation that asks: a few questions, answered by the engine.

A frame is whatever the engine hands in and takes back; Hiera does not look into it.
"""

from __future__ import annotations

from typing import Any, NoReturn, Protocol

from headwater.langs.puppet.hiera.evidence import LookupRecord
from headwater.langs.puppet.levels import LanguageLevel
from headwater.langs.puppet.program.units import Unit
from headwater.langs.puppet.syntax import ast
from headwater.langs.puppet.types.model import Type
from headwater.langs.puppet.types.value import Value
from headwater.langs.puppet.values import Opaque
from headwater.report import Code
from headwater.text import Span

Frame = Any


class NotFound(Exception):
    """``$context.not_found``: the function has no value for the key."""


class Host(Protocol):
    """The compilation, as look-ups see it."""

    @property
    def strict(self) -> str:
        """The setting `strict`: ``off``, ``warning`` or ``error``."""
        ...

    @property
    def level(self) -> LanguageLevel:
        """The language level of the program."""
        ...

    def warn(self, code: Code, span: Span, **fields: object) -> None:
        """Tells of something doubtful."""
        ...

    @property
    def hiera_yaml(self) -> str | None:
        """The path of the global hiera.yaml."""
        ...

    @property
    def env(self) -> str | None:
        """The folder of the environment."""
        ...

    @property
    def environment(self) -> str:
        """The name of the environment."""
        ...

    @property
    def base(self) -> Frame:
        """The scope from which a key is looked up that no program asks for."""
        ...

    def spend(self, steps: int) -> None:
        """Counts evaluations; refuses when there are none left."""
        ...

    def module_directory(self, name: str) -> str | None:
        """Where a module lives."""
        ...

    def variable(self, frame: Frame, name: str) -> tuple[Any] | None:
        """The value of a variable, seen from a frame; None if there is no such variable."""
        ...

    def converted(self, frame: Frame, type_: object, value: object, more: list[Any]) -> Value:
        """A value as one of a type (or of what the text of one spells)."""
        ...

    def function(self, name: str) -> tuple[Unit, ast.Function] | None:
        """A function written in Puppet."""
        ...

    def result_type(self, name: str, unit: Unit, node: ast.Function) -> Type | None:
        """The type that a function says its result has; None if it does not say."""
        ...

    def call(
        self, frame: Frame, name: str, unit: Unit, node: ast.Function, args: list[Any]
    ) -> Value:
        """What a function gives."""
        ...

    @property
    def opaque(self) -> bool:
        """Whether one goes on with unknown values."""
        ...

    def keep_secret(self, texts: list[str]) -> None:
        """Notes what may be shown in the catalog alone."""
        ...

    def unknown(self, what: str, at: Span) -> Opaque:
        """What only Ruby can look up: unknown, or refused."""
        ...


class Asking(Protocol):
    """A call of ``lookup()`` or one of its older forms."""

    frame: Frame

    def mistyped(self, message: str) -> NoReturn:
        """Refuses the arguments of the call."""
        ...

    def looked_up(self, key: str, record: LookupRecord) -> None:
        """Notes what a look-up read."""
        ...
