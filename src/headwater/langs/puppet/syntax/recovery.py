"""Going on after a syntax error: read every statement that can be read, complain once each.

A first parse that fails is repeated with this parser, which catches what a statement
refuses, looks for the place where the next one begins, and goes on there.  The next
statement begins after the bracket that closes the failed one, after a semicolon, or at
a line that is indented no deeper than the failed one and looks like a statement.

One mistake should give one message.  So a later error counts only where the parser is
sure of its footing: a statement was read since the last error, or reading went on at
what is plainly the start of one.  A bracket too many after an error and the unclosed
bracket at the end of a file with errors are echoes as well.
"""

from __future__ import annotations

from headwater.langs.puppet import codes
from headwater.langs.puppet.syntax.ast import Expr, Param
from headwater.langs.puppet.syntax.definitions import Definitions
from headwater.langs.puppet.syntax.lexer import Lexer
from headwater.langs.puppet.syntax.messages import CLOSERS, OPENERS
from headwater.langs.puppet.syntax.stream import Refused, TooDeep
from headwater.text import NOWHERE

MAX_ERRORS = 25
"""How many syntax errors of one file are reported."""


MAX_ATTEMPTS = 200
"""How many statements may fail before the rest of the file is given up."""


_AFTER_PARAMS = frozenset({"{", "inherits", ">>"})
_GOES_ON = frozenset({"{", "else", "elsif", "inherits", ".", "->", "~>", "<-", "<~", "|"})
_STARTS = frozenset({"if", "unless", "case", "class", "define", "node", "function"})
_AFTER_START = {
    "VAR": frozenset({"="}),
    "NAME": frozenset({"{", "(", "NAME", "STR", "VAR", "DQPRE", "REF"}),
    "REF": frozenset({"{", "[", "<|", "<<|"}),
    "@": frozenset({"NAME"}),
    "@@": frozenset({"NAME"}),
}


class Echo(Refused):
    """A refusal that has been reported already: it only leads out of a block."""

    def __init__(self, index: int) -> None:
        super().__init__(index, lambda: codes.SYNTAX.at(NOWHERE, expected="", found=""))


class Recovering(Definitions):
    """A parser that reads on after a mistake."""

    __slots__ = ("attempts", "cut", "last_line", "reported", "sure")

    def __init__(self, lexer: Lexer) -> None:
        super().__init__(lexer)
        self.attempts = 0
        self.reported = 0
        self.last_line = 0
        self.sure = True
        self.cut = max((fault.at.first.line for fault in self.faults if fault.is_error), default=0)
        """The line of the last lexical mistake: where the tokens end too early, if they do."""

    def statements(self, closing: str) -> list[Expr]:
        """The statements up to a closing token, mistakes skipped."""
        kinds = self.kinds
        done: list[Expr] = []
        while kinds[self.i] != closing:
            begin = self.i
            depth = len(self.names)
            try:
                self.statement(done)
                self.sure = True
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
                self.sure = self.is_start(self.i)
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
            or (self.reported and (kind == "END" or line == self.last_line or not self.sure))
            or (self.reported and kind in CLOSERS and refused.index == begin)
            or (self.quiet and (kind == "END" or self.reported or line >= self.cut))
        )
        if not echo:
            self.faults.append(refused.say())
            self.reported += 1
            self.last_line = line

    def param_list(self) -> list[Param]:
        """Parameters; after a mistake in them reading goes on at the body."""
        begin = self.i
        try:
            return super().param_list()
        except Refused as refused:
            if isinstance(refused, Echo | TooDeep):
                raise
            self.report(refused, begin)
            j = refused.index
            while self.kinds[j] != "END" and not (j > begin and self.is_start(j)):
                if self.kinds[j] == ")" and self.kinds[j + 1] in _AFTER_PARAMS:
                    self.i = j + 1
                    return []
                j += 1
            raise Echo(refused.index) from None

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
                if kind in CLOSERS:
                    if column < margin and kind == closing:
                        return j
                    depth = 0
                    if kinds[j + 1] not in _GOES_ON:
                        return j + 1
                elif self.is_start(j):
                    if column == margin or closing == "END":
                        return j
                    raise Echo(j)
            elif depth <= 0 and kind == closing and j > begin:
                return j
            elif depth <= 0 and kind == ";":
                return j + 1
            elif kind in CLOSERS:
                depth -= 1
                if depth == 0 and kinds[j + 1] not in _GOES_ON:
                    return j + 1
            elif kind in OPENERS:
                depth += 1
            j += 1
        if closing != "END":
            raise Echo(j)
        return j

    def is_start(self, i: int) -> bool:
        """Whether a token is plainly the first of a statement."""
        kind, following = self.kinds[i], self.kinds[i + 1]
        if not self.first_on_line(i):
            return False
        if kind in _STARTS:
            return following != "=>"
        return following in _AFTER_START.get(kind, ())

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
