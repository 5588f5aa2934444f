"""The stream of tokens that the parser reads, and the one way it has to say no."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from typing import Any, NoReturn

from headwater.langs.puppet import codes
from headwater.langs.puppet.syntax.ast import Expr, Lambda
from headwater.langs.puppet.syntax.lexer import Lexer
from headwater.langs.puppet.syntax.messages import syntax_error
from headwater.report import Code, Diagnostic
from headwater.text import Source, Span


class Refused(Exception):  # private to the parser: caught where it can go on
    """The text does not follow the grammar: the token it is about, and how to say so.

    The diagnostic is made on demand: most refusals after the first are echoes.
    """

    def __init__(self, index: int, say: Callable[[], Diagnostic]) -> None:
        super().__init__(index)
        self.index = index
        self.say = say


class TooDeep(Refused):
    """A bound was passed: there is no point in going on."""


class Stream:
    """A place in the lists of tokens.  The layers of the parser build on one another:
    `Expressions`, `Resources`, `Definitions`, `Parser`."""

    __slots__ = ("faults", "i", "kinds", "names", "quiet", "source", "spans", "values")

    def __init__(self, lexer: Lexer) -> None:
        self.source: Source = lexer.source
        self.kinds = lexer.kinds
        self.values = lexer.values
        self.spans = lexer.spans
        self.faults = list(lexer.faults)
        self.i = 0
        self.names: list[str] = []
        """The classes that are open, whose names a nested one is put after."""
        self.quiet = lexer.stopped
        """Whether the end of the tokens is not the end of the text."""

    @abstractmethod
    def statements(self, closing: str) -> list[Expr]:
        """The statements up to a closing token, which is not read."""

    @abstractmethod
    def lambda_(self) -> Lambda:
        """``|$x| { … }``"""

    def expect(self, kind: str, what: str | None = None) -> int:
        """Reads a token of a kind; its index."""
        i = self.i
        if self.kinds[i] != kind:
            self.refuse(what or kind)
        self.i = i + 1
        return i

    def refuse(self, *expected: str) -> NoReturn:
        """Says what was expected instead of the next token."""
        i = self.i
        raise Refused(
            i,
            lambda: syntax_error(self.source, self.kinds, self.values, self.spans, i, expected),
        )

    def refuse_with(self, code: Code, i: int, **fields: Any) -> NoReturn:  # noqa: ANN401
        """Says what is wrong with the token at an index."""
        kind = TooDeep if code is codes.TOO_DEEP else Refused
        raise kind(i, lambda: code.at(self.span_of(i), **fields))

    def fault(self, code: Code, start: int, end: int, **fields: Any) -> None:  # noqa: ANN401
        """Records a mistake that does not stop the parser."""
        self.faults.append(code.at(Span(self.source, start, end), **fields))

    def span_of(self, i: int) -> Span:
        """Where a token stands."""
        start, end = self.spans[i]
        return Span(self.source, start, end)
