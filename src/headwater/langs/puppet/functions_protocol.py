"""What a built-in function sees of the compiler that calls it.

A function gets a `Context`, its arguments and the lambda after them (or None), and
returns a value.  It fails with `context.fail`, which raises; nothing else may escape.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NoReturn, Protocol

import msgspec

from headwater.langs.puppet.levels import LanguageLevel
from headwater.langs.puppet.types.model import Type
from headwater.langs.puppet.types.value import Value


class Block(Protocol):
    """A lambda: call it with arguments."""

    @property
    def arity(self) -> tuple[int, int | None]:
        """How many arguments it must and may have (None: any number)."""
        ...

    def __call__(self, *args: Value) -> Value: ...

    def one(self) -> Callable[[Value], Value]:
        """It as a function of one argument, to be called many times."""
        ...

    def two(self) -> Callable[[Value, Value], Value]:
        """It as a function of two arguments, to be called many times."""
        ...

    def named(self, arguments: Mapping[str, Value]) -> Value:
        """Calls it with arguments by name."""
        ...


class Context(Protocol):
    """The compiler as a built-in function sees it."""

    def fail(self, message: str) -> NoReturn:
        """Ends the compilation with this message, at the call."""
        ...

    def mistyped(self, message: str) -> NoReturn:
        """Ends the compilation: the arguments do not fit; the message says which and why."""
        ...

    def log(self, level: str, message: str) -> None:
        """Writes to the compiler's log (``notice``, ``warning`` …)."""
        ...

    def variable(self, name: str) -> Value:
        """The value of a variable seen from the call (None if there is none)."""
        ...

    def has_variable(self, name: str) -> bool:
        """Whether a variable can be seen from the call."""
        ...

    def call(self, name: str, args: Sequence[Value], block: Block | None = None) -> Value:
        """Calls another function by name."""
        ...

    def spend(self, steps: int) -> None:
        """Counts work beside that which the sizes of arguments and of the result tell."""
        ...

    def external(self, kind: str, text: str, path: str | None = None) -> None:
        """Records that the result depends on something outside: a file, the clock."""
        ...

    def miss_file(self, kind: str, name: str) -> None:
        """Records that a file of a module was looked for and is not there."""
        ...

    def resolve_type(self, text: str) -> Type:
        """The data type a text spells, aliases of modules included."""
        ...

    def find_file(self, kind: str, name: str) -> str | None:
        """The path of ``module/name`` in ``files`` or ``templates``, or an absolute path."""
        ...

    def module_directory(self, name: str) -> str | None:
        """Where a module lives."""
        ...

    @property
    def level(self) -> LanguageLevel:
        """The language level of the program."""
        ...

    @property
    def strict(self) -> str:
        """The setting `strict`: ``off``, ``warning`` or ``error``."""
        ...


class Function(msgspec.Struct, frozen=True):
    """A built-in function: how to call it and with how many arguments (None: any number)."""

    call: Callable[[Any, Sequence[Value], Block | None], Value]
    least: int = 0
    most: int | None = None
    block: str = "no"
    """Whether a lambda is forbidden (``no``), allowed (``may``) or needed (``must``)."""


class BreakIteration(Exception):
    """``break()`` in a lambda: the iteration that called it stops."""


Table = Mapping[str, Function]
