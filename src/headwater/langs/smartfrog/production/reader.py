"""Reading a text token by token, or a whole plain attribute at once.

Most attributes are ``name value;`` with a text, an integer or a link.  A regular expression
takes such an attribute in, which costs a fifth of cutting it into tokens and looking at each;
others take the beginning of a component and a plain expression.  They may only be tried where
such a thing begins, and take what the tokens would mean: where anything else stands, comments
and reserved words too, the tokens say what it is.
"""

from __future__ import annotations

import re
from functools import lru_cache

from headwater.langs.smartfrog.production.lexer import WRONG, token_at
from headwater.langs.smartfrog.production.syntax import (
    Attribute,
    Block,
    Component,
    Item,
    Literal,
    Operation,
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
_SKIP = rf"(?>(?:{_BLANK}++|//[^\n\r]*+)*)"
_OPERAND = rf'"[^"\\\n\r]*+"|-?[0-9]{{1,9}}+|{_PATH}'
_OPERANDS = re.compile(_OPERAND)


def _operation(group: int) -> str:
    """What matches ``(a + b + c)``; an operand, the operator, an operand, the rest are groups."""
    return (
        rf"\({_BLANK}*+({_OPERAND}){_BLANK}++(\+\+|\+|\*|<>|&&|\|\||->){_BLANK}++({_OPERAND})"
        rf"((?>(?:{_BLANK}++(?=[+*<&|-])\{group + 1}{_BLANK}++(?:{_OPERAND}))*)){_BLANK}*+\)"
    )


_OPERATION = re.compile(_operation(1))
_PLAIN = re.compile(
    rf"{_SKIP}(?:(?:(\[){_BLANK}*+({WORD}+){_BLANK}*+\]{_BLANK}*+)?({_PATH}){_BLANK}++(?:"
    rf'"([^"\\\n\r]*+)"{_BLANK}*+;|(-?[0-9]{{1,9}}+){_BLANK}*+;'
    rf"|(extends)(?:{_BLANK}++({_PATH})(?:{_BLANK}*+,)?{_BLANK}*+|{_BLANK}++)(\{{)"
    rf"|(?:(LAZY){_BLANK}++)?({_PATH}){_BLANK}*+;|({_operation(12)}){_BLANK}*+;)"
    rf"|(\}})(?:{_BLANK}*+;|(?={_SKIP}(?:[A-Za-z_\"\[}}#-]|\Z))))"
)
"""A plain attribute, the beginning of one that is a component, or the end of that."""
_TAG, _NAME, _TEXT, _INTEGER, _EXTENDS, _BASE, _OPEN, _LAZY, _LINK, _SUM, _FIRST, _SIGN = range(
    2, 14
)
_CLOSE = 16
_ITEM = re.compile(rf"{_SKIP}(?:#|(?!extends){WORD}+{_BLANK})")
_INCLUDING = re.compile(rf'{_SKIP}(#include\??){_BLANK}*+("[^"\\\n\r]*+")')
_BEGINNING = re.compile(
    rf"(?>(?:{_BLANK}++|//[^\n\r]*+)*)(?:(\[){_BLANK}*+({WORD}+){_BLANK}*+\]{_BLANK}*+)?"
    rf"({_PATH}){_BLANK}++(?=[(\[\"0-9A-Za-z_$-])"
)
_TOLD = (Reference, Operation)
"""Values that know their place."""
_CONSTANTS: dict[str, Plain] = {"true": True, "false": False, "NULL": None}

MANY = {"<>": "Append", "++": "Concatenate", "+": "Sum", "*": "Product", "&&": "And",
        "||": "Or", "xor": "Xor", "->": "Implies"}  # fmt: skip
"""Operators of any number of operands."""

SAID = ("unknown", "open_comment")
"""The kinds of token that are reported and have no other meaning."""


class Opened(NamedTuple):
    """A component whose block is being read: into what it goes, and how it began."""

    into: list[Item]
    parts: tuple[str, ...]
    name_at: Span
    at: Span
    prototypes: tuple[Reference, ...]
    brace: int

    @property
    def comma(self) -> bool:
        """Whether a comma stands between the prototype and the block."""
        return "," in self.at.source.text[self.prototypes[-1].at.end : self.brace]


class Beginning(NamedTuple):
    """``[tag] name``, before a value."""

    start: int
    parts: tuple[str, ...]
    tags: tuple[tuple[str, Span], ...]
    name_at: Span


@lru_cache(maxsize=16_384)
def names(path: str) -> tuple[str, ...]:
    """The names in a path of words; none if one is reserved."""
    found = tuple(path.split(":"))
    return found if RESERVED.isdisjoint(found) else ()


@lru_cache(maxsize=16_384)
def parts(path: str) -> tuple[Part, ...] | None:
    """The parts of a reference that is a path of words; None if one is reserved."""
    found = path.split(":")
    return tuple([Part("", name) for name in found]) if RESERVED.isdisjoint(found) else None


class Reader:
    """A place in a source, just after what was read last.  It never gets past ``end``.

    `in_full` every attribute is read by its tokens.  `wrong` says whether a token was seen that
    is an error in itself.
    """

    __slots__ = ("_token", "in_full", "place", "source", "wrong")

    def __init__(self, source: Source, *, in_full: bool = False) -> None:
        self.source = source
        self.in_full = in_full
        self.place = 0
        self.wrong = False
        self._token: Token | None = None

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

    def plain(self, into: list[Item], opened: list[Opened], most: int) -> list[Item]:
        """Reads what is plain; answers what the next attribute goes into.

        Of a component whose block has begun, which is `opened` then, that is a list of its own.
        """
        if self.in_full or len(opened) >= most:
            return into
        source, place, match, new = self.source, self.place, _PLAIN.match, tuple.__new__
        text = source.text
        while (hit := match(text, place)) is not None:
            kind, span = hit.lastindex or 0, hit.span
            if kind == _CLOSE:
                if not opened:
                    break
                around, path, name_at, at, prototypes, brace = opened.pop()
                end = hit.start(_CLOSE) + 1
                block = Block(tuple(into), new(Span, (source, brace, end)))
                component = Component((*prototypes, block), True, at)
                into, whole = around, new(Span, (source, name_at[1], end))
                into.append(Attribute(path, component, (), name_at, whole))
                place = hit.end()
                continue
            tag, name, word = hit.group(_TAG, _NAME, kind)
            key: str | tuple[str, ...] = name
            if ":" in name:
                key = names(name)
            if (
                name in RESERVED
                or not key
                or (tag is not None and (kind == _OPEN or tag in RESERVED))
            ):
                break
            value: Plain | Reference | Operation
            start, end = span(kind)
            if kind == _TEXT:
                value, start, end = word, start - 1, end + 1
            elif kind == _INTEGER:
                value = int(word)
            elif kind == _LINK:
                lazy = hit[_LAZY] is not None
                if word in _CONSTANTS and not lazy:
                    value = _CONSTANTS[word]
                else:
                    if lazy:
                        start = hit.start(_LAZY)
                    linked = parts(word)
                    if linked is None:
                        break
                    at = new(Span, (source, start, end))
                    value = Reference(linked, lazy, False, False, None, at)
            elif kind == _OPEN:
                prototypes = ()
                if hit[_BASE] is not None:
                    linked = parts(hit[_BASE])
                    if linked is None:
                        break
                    at = new(Span, (source, *span(_BASE)))
                    prototypes = (Reference(linked, False, False, False, None, at),)
                name_at = new(Span, (source, *span(_NAME)))
                at = new(Span, (source, *span(_EXTENDS)))
                path = key if key.__class__ is tuple else (name,)
                opened.append(new(Opened, (into, path, name_at, at, prototypes, start)))
                into, place = [], hit.end()
                if len(opened) < most:
                    continue
                break
            else:
                operands = self.operands(hit, _FIRST)
                if operands is None:
                    break
                at = new(Span, (source, *span(_SIGN)))
                value = Operation(MANY[hit[_SIGN]], operands, None, at)
            first, last = span(_NAME)
            place = hit.end()
            if tag is None and kind != _SUM:
                into.append(new(Setting, (key, value, source, first, last, start, end)))
                continue
            name_at = new(Span, (source, first, last))
            tags: tuple[tuple[str, Span], ...] = ()
            if tag is not None:
                tags, first = ((tag, new(Span, (source, *span(_TAG)))),), hit.start(1)
            told: Literal | Reference | Operation
            if isinstance(value, _TOLD):
                told = value
            else:
                told = Literal(value, new(Span, (source, start, end)))
            path = key if key.__class__ is tuple else (name,)
            whole = new(Span, (source, first, place))
            into.append(Attribute(path, told, tags, name_at, whole))
        if place != self.place:
            self.place = place
            self._token = None
        return into

    def wraps(self) -> bool:
        """Whether ``extends`` may come next."""
        return self.in_full or _ITEM.match(self.source.text, self.place) is None

    def including(self) -> tuple[Span, str, bool] | None:
        """Reads ``#include "file"``: where, the name, whether it may be missing."""
        hit = None if self.in_full else _INCLUDING.match(self.source.text, self.place)
        if hit is None:
            return None
        self.place = hit.end()
        self._token = None
        at = Span(self.source, hit.start(1), hit.end())
        return at, hit[2][1:-1], hit[1][-1] == "?"

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

    def operation(self) -> Operation | None:
        """Reads ``(a + 1 + "x")``, if it stands here."""
        hit = None if self.in_full else _OPERATION.match(self.source.text, self.token[2])
        operands = None if hit is None else self.operands(hit, 1)
        if hit is None or operands is None:
            return None
        self.place = hit.end()
        self._token = None
        return Operation(MANY[hit[2]], operands, None, Span(self.source, *hit.span(2)))

    def operands(
        self, hit: re.Match[str], group: int
    ) -> tuple[tuple[str, Literal | Reference], ...] | None:
        """The operands of a plain operation, of which the first is the group of a number."""
        first, second, more = hit.group(group, group + 2, group + 3)
        one = self.operand(first, hit.span(group))
        two = self.operand(second, hit.span(group + 2))
        if one is None or two is None:
            return None
        if not more:
            return ("", one), ("", two)
        found = [("", one), ("", two)]
        for each in _OPERANDS.finditer(self.source.text, *hit.span(group + 3)):
            other = self.operand(each[0], each.span())
            if other is None:
                return None
            found.append(("", other))
        return tuple(found)

    def operand(self, word: str, place: tuple[int, int]) -> Literal | Reference | None:
        """An operand; none if a word of it is reserved."""
        at = tuple.__new__(Span, (self.source, *place))
        first = word[0]
        if first == '"':
            return Literal(word[1:-1], at)
        if first in "-0123456789":
            return Literal(int(word), at)
        linked = parts(word)
        return None if linked is None else Reference(linked, False, False, False, None, at)

    def part(self, word: str) -> Part:
        """The part of a reference that is a word; the same one wherever it is written."""
        found = parts(word) if ":" not in word else None
        return found[0] if found is not None else Part("", word)
