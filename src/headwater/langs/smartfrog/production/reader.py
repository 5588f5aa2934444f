"""Reading a text token by token, or a whole plain attribute at once.

Most attributes are ``name value;`` with a text, an integer or a link.  A regular expression
takes such an attribute in, which costs a fifth of cutting it into tokens and looking at each;
others take the beginning of a component and a plain expression.  They may only be tried where
such a thing begins, and take what the tokens would mean: where anything else stands, comments
and reserved words too, the tokens say what it is.
"""

from __future__ import annotations

import re

from headwater.langs.smartfrog.production.lexer import WRONG, token_at
from headwater.langs.smartfrog.production.syntax import (
    Item,
    Literal,
    Part,
    Plain,
    Reference,
    Setting,
)
from headwater.langs.smartfrog.production.words import RESERVED, WORD
from headwater.text import Source, Span, Token
from headwater.text.named import NamedTuple

_BLANK = r"[ \t\n\r\f]"
_PATH = rf"{WORD}+(?>(?::{WORD}+)*)"  # the repetitions become possessive
_SETTING = re.compile(
    rf"(?>(?:{_BLANK}++|//[^\n\r]*+)*)({_PATH}){_BLANK}++"
    rf'(?:"([^"\\\n\r]*+)"|(-?[0-9]{{1,9}}+)|(?:(LAZY){_BLANK}++)?({_PATH})){_BLANK}*+;'
)
_TEXT, _INTEGER, _LAZY = 2, 3, 4
_OPENING = re.compile(
    rf"(?>(?:{_BLANK}++|//[^\n\r]*+)*)({_PATH}){_BLANK}++(extends){_BLANK}++"
    rf"(?:({_PATH})(?={_BLANK}*+,?{_BLANK}*+\{{)|(?=\{{))"
)
_BEGINNING = re.compile(
    rf"(?>(?:{_BLANK}++|//[^\n\r]*+)*)(?:(\[){_BLANK}*+({WORD}+){_BLANK}*+\]{_BLANK}*+)?"
    rf"({_PATH}){_BLANK}++(?=[(\[\"0-9A-Za-z_$-])"
)
_OPERAND = rf'"[^"\\\n\r]*+"|-?[0-9]{{1,9}}+|{_PATH}'
_OPERANDS = re.compile(_OPERAND)
_OPERATION = re.compile(
    rf"\({_BLANK}*+(?:{_OPERAND}){_BLANK}++(\+\+|\+|\*|<>|&&|\|\||->){_BLANK}++(?:{_OPERAND})"
    rf"(?>(?:{_BLANK}++(?=[+*<&|-])\1{_BLANK}++(?:{_OPERAND}))*){_BLANK}*+\)"
)
_CONSTANTS: dict[str, Plain] = {"true": True, "false": False, "NULL": None}

SAID = ("unknown", "open_comment")
"""The kinds of token that are reported and have no other meaning."""


class Opening(NamedTuple):
    """``name extends prototype``, before a block: the name, its place, that of the keyword."""

    parts: tuple[str, ...]
    name_at: Span
    at: Span
    prototype: Reference | None


class Beginning(NamedTuple):
    """``[tag] name``, before a value."""

    start: int
    parts: tuple[str, ...]
    tags: tuple[tuple[str, Span], ...]
    name_at: Span


class Reader:
    """A place in a source, just after what was read last.  It never gets past ``end``.

    `in_full` every attribute is read by its tokens.  `wrong` says whether a token was seen that
    is an error in itself.
    """

    __slots__ = ("_parts", "_token", "in_full", "place", "source", "wrong")

    def __init__(self, source: Source, *, in_full: bool = False) -> None:
        self.source = source
        self.in_full = in_full
        self.place = 0
        self.wrong = False
        self._token: Token | None = None
        self._parts: dict[str, Part] = {}

    @property
    def token(self) -> Token:
        """The token to be read next."""
        return self._token or self._look()

    def _look(self) -> Token:
        self._token = token = self._after(self.place)
        return token

    def _after(self, place: int) -> Token:
        token = token_at(self.source.text, place)
        while token[0] in WRONG:
            self.wrong = True
            if token[0] not in SAID:
                break
            token = token_at(self.source.text, token[3])
        return token

    def ahead(self, count: int) -> Token:
        """The token `count` places after the next one."""
        token = self.token
        for _ in range(count):
            token = self._after(token.end)
        return token

    def next(self) -> Token:
        """Reads a token."""
        token = self._token or self._look()
        if token[0] != "end":
            self.place = token[3]
            self._token = None
        return token

    def at(self, *kinds: str) -> bool:
        """Whether the next token is of one of these kinds."""
        return (self._token or self._look())[0] in kinds

    def accept(self, *kinds: str) -> Token | None:
        """Reads the next token if it is of one of these kinds."""
        token = self._token or self._look()
        if token[0] not in kinds:
            return None
        if token[0] != "end":
            self.place = token[3]
            self._token = None
        return token

    def skip_all(self) -> None:
        """Goes to the end."""
        self.place = len(self.source.text)
        self._token = None

    def span(self, token: Token) -> Span:
        """Where a token stands."""
        return Span(self.source, token.start, token.end)

    def span_from(self, start: int) -> Span:
        """From an offset to the end of what was read last."""
        return Span(self.source, start, max(start, self.place))

    def settings(self, into: list[Item]) -> None:
        """Reads all plain attributes that stand here, one after the other."""
        if self.in_full:
            return
        source = self.source
        text, place = source.text, self.place
        while (hit := _SETTING.match(text, place)) is not None:
            name: str | tuple[str, ...] = hit[1]
            if ":" in name:
                name = tuple(name.split(":"))  # type: ignore[union-attr]
                if not RESERVED.isdisjoint(name):
                    break
            elif name in RESERVED:
                break
            value: Plain | Reference
            kind = hit.lastindex or 0
            start, end = hit.span(kind)
            if kind == _TEXT:
                value = hit[_TEXT]
                start, end = start - 1, end + 1
            elif kind == _INTEGER:
                value = int(hit[_INTEGER])
            elif (path := hit[kind]) in _CONSTANTS and hit[_LAZY] is None:
                value = _CONSTANTS[path]
            else:
                lazy = hit[_LAZY] is not None
                link = self.link(path, hit.start(_LAZY) if lazy else start, end, lazy=lazy)
                if link is None:
                    break
                value, start = link, link.at.start
            place = hit.end()
            into.append(Setting(name, value, source, *hit.span(1), start, end))
        if place != self.place:
            self.place = place
            self._token = None

    def beginning(self) -> Beginning | None:
        """Reads the name of an attribute and a tag before it, up to the value, if words are."""
        hit = None if self.in_full else _BEGINNING.match(self.source.text, self.place)
        if hit is None:
            return None
        _, tag, name = hit.groups()
        parts = tuple(name.split(":"))
        if not RESERVED.isdisjoint(parts) or tag in RESERVED:
            return None
        span, source = hit.span, self.source
        start = hit.start(3)
        tags: tuple[tuple[str, Span], ...] = ()
        if tag is not None:
            start = hit.start(1)
            tags = ((tag, Span(source, *span(2))),)
        self.place = hit.end()
        self._token = None
        return Beginning(start, parts, tags, Span(source, *span(3)))

    def opening(self) -> Opening | None:
        """Reads how an attribute begins that is a component with a block, up to that block."""
        hit = None if self.in_full else _OPENING.match(self.source.text, self.place)
        if hit is None:
            return None
        name, _, named = hit.groups()
        parts = tuple(name.split(":"))
        if not RESERVED.isdisjoint(parts):
            return None
        prototype = None
        if named is not None:
            prototype = self.link(named, *hit.span(3))
            if prototype is None:
                return None
        self.place = hit.end()
        self._token = None
        span, new = hit.span, tuple.__new__
        at, name_at = new(Span, (self.source, *span(2))), new(Span, (self.source, *span(1)))
        return Opening(parts, name_at, at, prototype)

    def operation(self) -> tuple[str, Span, list[Literal | Reference]] | None:
        """Reads ``(a + 1 + "x")``, if it stands here: the operator, its place, the operands."""
        text = self.source.text
        start = self.token[2]
        hit = None if self.in_full else _OPERATION.match(text, start)
        if hit is None:
            return None
        operands: list[Literal | Reference] = []
        for each in _OPERANDS.finditer(text, start, hit.end()):
            word = each[0]
            at = Span(self.source, *each.span())
            if word[0] == '"':
                operands.append(Literal(word[1:-1], at))
            elif word[0] in "-0123456789":
                operands.append(Literal(int(word), at))
            else:
                link = self.link(word, at.start, at.end)
                if link is None:
                    return None
                operands.append(link)
        self.place = hit.end()
        self._token = None
        return hit[1], Span(self.source, *hit.span(1)), operands

    def link(self, path: str, start: int, end: int, *, lazy: bool = False) -> Reference | None:
        """The link that some words are, if none is reserved."""
        names = path.split(":")
        if not RESERVED.isdisjoint(names):
            return None
        parts = tuple([self.part(word) for word in names])
        return Reference(parts, lazy, at=Span(self.source, start, end))

    def part(self, word: str) -> Part:
        """The part of a reference that is a word; the same one wherever it is written."""
        found = self._parts.get(word)
        if found is None:
            found = self._parts[word] = Part("", word)
        return found
