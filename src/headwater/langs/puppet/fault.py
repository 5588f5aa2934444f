"""How the engine refuses a program.

A `Problem` knows what is wrong but not where; whoever knows the place makes a `Fault` of
it.  Neither leaves the engine: `adapter` turns a fault into the diagnostics of an outcome.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NoReturn, TypeVar

from headwater.langs.puppet import codes
from headwater.langs.puppet.functions_protocol import BreakIteration
from headwater.report import Code, Diagnostic, Note
from headwater.text import Source, Span

Inside = TypeVar("Inside")
Default = TypeVar("Default")


class Problem(Exception):
    """A refusal whose place is not known yet; `part` names an operand that is to blame."""

    def __init__(
        self,
        code: Code,
        *,
        part: int | None = None,
        labels: Iterable[Note] = (),
        help: str | None = None,
        **fields: Any,  # noqa: ANN401
    ) -> None:
        super().__init__(code.name)
        self.code = code
        self.part = part
        self.labels = tuple(labels)
        self.help = help
        self.fields = fields
        self.input: Span | None = None
        """Where the input is written that is to blame, if it is one: an option and its value."""

    def of(self, option: str, value: str) -> Problem:
        """The same, of an input; it is told where that is written."""
        self.input = Source(option, value).span(0, len(value))
        return self

    def at(self, span: Span) -> Fault:
        """The refusal at a place."""
        at = self.input or span
        return Fault(self.code.at(at, labels=self.labels, help=self.help, **self.fields))


class Unready(Problem):
    """A parameter was read before it had a value: whatever read it, the place is that of what
    evaluates the parameters."""

    left = False
    """Whether the evaluation of the parameters was left."""

    def at(self, span: Span) -> Fault:
        if self.left:
            return super().at(span)
        raise self


def default_of(evaluated: Callable[[Inside], Default], frame: Inside) -> Default:
    """The default of a parameter, evaluated in the frame of all parameters."""
    try:
        return evaluated(frame)
    except Unready as early:
        early.left = True
        raise


class Fault(Exception):
    """A refusal with its place."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(diagnostic.message)
        self.diagnostic = diagnostic
        self.raised: Exception | None = None
        """The error of Ruby's that it comes from, if any: Ruby may rescue it again."""


class Jump(Exception):
    """``next``, ``return`` and ``break`` on their way out."""

    def __init__(self, value: Any, at: Span) -> None:  # noqa: ANN401
        super().__init__("jump")
        self.value = value
        self.at = at


class Next(Jump):
    """``next(value)``: ends a lambda."""


class Return(Jump):
    """``return(value)``: ends a function, class or define."""


class Break(Jump, BreakIteration):
    """``break()``: ends an iteration."""


def illegal(jump: Jump) -> Fault:
    """What a jump is where nothing can catch it."""
    return Fault(codes.BAD_JUMP.at(jump.at, word=type(jump).__name__.lower()))


def fail(code: Code, span: Span, **fields: Any) -> NoReturn:  # noqa: ANN401
    """Refuses the program at a place."""
    raise Fault(code.at(span, **fields))
