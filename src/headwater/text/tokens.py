"""The token core: a `Lexicon` cuts a source into tokens, a `Cursor` reads them.

A lexicon is a list of (kind, regular expression); the first that matches wins.
A character that none matches becomes a token of kind ``unknown``, so a lexer
never stops: what to say about it is the parser's business.  The last token is
always of kind ``end``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from headwater.text.named import NamedTuple
from headwater.text.source import Source, Span

END = "end"
UNKNOWN = "unknown"


class Token(NamedTuple):
    """A kind, the text, and where it stands."""

    kind: str
    text: str
    start: int
    end: int


class Lexicon:
    """The kinds of token of a language, in order of preference."""

    def __init__(self, kinds: Sequence[tuple[str, str]], *, skip: Iterable[str] = ()) -> None:
        every = [*kinds, (UNKNOWN, ".")]
        self._pattern = re.compile(
            "|".join(f"(?P<{kind}>{pattern})" for kind, pattern in every), re.DOTALL
        )
        self._skip = frozenset(skip)

    def tokens(self, source: Source) -> list[Token]:
        """All tokens of a source but the skipped kinds, then ``end``."""
        skip = self._skip
        new = tuple.__new__  # half the cost of calling the named tuple
        found: list[Token] = [
            new(Token, (kind, hit.group(), *hit.span()))
            for hit in self._pattern.finditer(source.text)
            if (kind := hit.lastgroup) not in skip
        ]
        size = len(source.text)
        found.append(Token(END, "", size, size))
        return found


class Cursor:
    """A place in a list of tokens; it never runs past the ``end`` token."""

    __slots__ = ("index", "source", "tokens")

    def __init__(self, source: Source, tokens: Sequence[Token]) -> None:
        self.source = source
        self.tokens = tokens
        self.index = 0

    @property
    def token(self) -> Token:
        """The token to be read next."""
        return self.tokens[self.index]

    @property
    def previous(self) -> Token:
        """The token read last (the first one, before any was read)."""
        return self.tokens[max(self.index - 1, 0)]

    def ahead(self, count: int = 1) -> Token:
        """The token `count` places after the next one."""
        return self.tokens[min(self.index + count, len(self.tokens) - 1)]

    def next(self) -> Token:
        """Reads a token."""
        token = self.tokens[self.index]
        if token.kind != END:
            self.index += 1
        return token

    def at(self, *kinds: str) -> bool:
        """Whether the next token is of one of these kinds."""
        return self.tokens[self.index].kind in kinds

    def accept(self, *kinds: str) -> Token | None:
        """Reads the next token if it is of one of these kinds."""
        return self.next() if self.at(*kinds) else None

    def span(self, token: Token) -> Span:
        """Where a token stands."""
        return Span(self.source, token.start, token.end)

    def span_from(self, start: int) -> Span:
        """From an offset to the end of the token read last."""
        return Span(self.source, start, max(start, self.previous.end))
