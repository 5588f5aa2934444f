"""Going on after a syntax error: read every statement that can be read, complain once each.

A first parse that fails is repeated with this parser, which catches what a statement
refuses, looks for the place where the next one begins, and goes on there.  The next
statement begins after the bracket that closes the failed one, after a semicolon, or at
the first line that is indented no deeper than the failed one.  An error on the same
line as the one before, a bracket too many after an error, and the unclosed bracket at
the end of a file with errors are echoes and are not reported.
"""

from __future__ import annotations

from headwater.langs.puppet import codes
from headwater.langs.puppet.syntax.ast import Expr
from headwater.langs.puppet.syntax.definitions import Definitions
from headwater.langs.puppet.syntax.lexer import Lexer
from headwater.langs.puppet.syntax.messages import CLOSERS, OPENERS
from headwater.langs.puppet.syntax.stream import Refused, TooDeep
from headwater.text import NOWHERE

MAX_ERRORS = 25
"""How many syntax errors of one file are reported."""


MAX_ATTEMPTS = 200
"""How many statements may fail before the rest of the file is given up."""


class Echo(Refused):
    """A refusal that has been reported already: it only leads out of a block."""

    def __init__(self, index: int) -> None:
        super().__init__(index, lambda: codes.SYNTAX.at(NOWHERE, expected="", found=""))


class Recovering(Definitions):
    """A parser that reads on after a mistake."""

    __slots__ = ("attempts", "last_line", "reported")

    def __init__(self, lexer: Lexer) -> None:
        super().__init__(lexer)
        self.attempts = 0
        self.reported = 0
        self.last_line = 0

    def statements(self, closing: str) -> list[Expr]:
        """The statements up to a closing token, mistakes skipped."""
        kinds = self.kinds
        done: list[Expr] = []
        while kinds[self.i] != closing:
            begin = self.i
            depth = len(self.names)
            try:
                self.statement(done)
                if kinds[self.i] == ";":
                    self.i += 1
                    if kinds[self.i] == closing:
                        self.refuse("a statement after ;")
            except Refused as refused:
                del self.names[depth:]
                self.report(refused, begin)
                if kinds[begin] == "END" or self.gives_up(refused):
                    raise Echo(begin) from None
                self.i = self.next_statement(begin, refused.index, closing)
        return done

    def gives_up(self, refused: Refused) -> bool:
        """Whether enough has been said."""
        self.attempts += 1
        return (
            isinstance(refused, TooDeep)
            or self.reported >= MAX_ERRORS
            or self.attempts >= MAX_ATTEMPTS
        )

    def report(self, refused: Refused, begin: int) -> None:
        """Records a refusal unless it is the echo of one before."""
        kind = self.kinds[refused.index]
        line = self.source.position(self.spans[refused.index][0]).line
        echo = (
            isinstance(refused, Echo)
            or kind == "BAD"
            or (self.reported and (kind == "END" or line == self.last_line))
            or (self.reported and kind in CLOSERS and refused.index == begin)
            or (self.quiet and (kind == "END" or self.reported))
        )
        if not echo:
            self.faults.append(refused.say())
            self.reported += 1
            self.last_line = line

    def next_statement(self, begin: int, failed: int, closing: str) -> int:
        """The index at which reading goes on; raises `Echo` to leave the block."""
        kinds = self.kinds
        margin = self.column(begin)
        depth = 0
        for kind in kinds[begin:failed]:
            depth += (kind in OPENERS) - (kind in CLOSERS)
        j = max(failed, begin)
        while (kind := kinds[j]) != "END":
            if j > begin and self.first_on_line(j) and (column := self.column(j)) <= margin:
                if kind not in CLOSERS:
                    if column == margin or closing == "END":
                        return j
                    raise Echo(j)
                if column < margin and kind == closing:
                    return j
                return j + 1
            if depth <= 0 and kind == closing and j > begin:
                return j
            if depth <= 0 and kind == ";":
                return j + 1
            if kind in CLOSERS:
                depth -= 1
                if depth == 0 and kinds[j + 1] != "{":
                    return j + 1
            elif kind in OPENERS:
                depth += 1
            j += 1
        if closing != "END":
            raise Echo(j)
        return j

    def column(self, i: int) -> int:
        """The column of a token."""
        return self.source.position(self.spans[i][0]).column

    def first_on_line(self, i: int) -> bool:
        """Whether a token is the first on its line."""
        return i == 0 or "\n" in self.source.text[self.spans[i - 1][1] : self.spans[i][0]]


def read_on(lexer: Lexer) -> Recovering:
    """A parser that has read all it can; its faults say what it could not."""
    parser = Recovering(lexer)
    try:
        parser.statements("END")
    except Refused as refused:
        parser.report(refused, 0)
    return parser
