"""The parser of SmartFrog: Appendix A, with recovery.

It keeps its own stack of open components instead of calling itself, so nesting is
bounded by memory only.  After an error it goes on at the next statement, so that one
run reports all of them; whoever calls it decides not to evaluate then.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise

from headwater.langs.smartfrog import codes
from headwater.langs.smartfrog.lexer import KEYWORDS, lexer_errors, number, string, tokens
from headwater.langs.smartfrog.syntax import (
    Assignment,
    BasicValue,
    Body,
    Data,
    Extends,
    Included,
    Link,
    Literal,
    Order,
    Prototype,
    Reference,
    Statement,
    Vector,
)
from headwater.report import Diagnostic, Note
from headwater.text import Cursor, Source, Span, Token

Include = Callable[[str, Span], Body | Diagnostic]
"""What finds and parses an included file."""


@dataclass(slots=True)
class _Open:
    """A component whose block is being read: what it will be assigned to, and what came before."""

    target: Reference
    keyword: Span
    merge: bool
    prototypes: list[Prototype]
    brace: int
    outer: list[Statement]


@dataclass(slots=True)
class Parsed:
    """A syntax tree with the errors found on the way to it."""

    body: Body
    errors: list[Diagnostic] = field(default_factory=list)


SAID = ("unknown", "open_comment")
"""Tokens that the lexer has reported and the parser need not see."""


class _Skip(Exception):
    """The statement cannot be read further; go on at the next one."""


def parse(source: Source, include: Include, *, extended: bool = False) -> Parsed:
    """The statements of a source and every syntax error in it."""
    parser = _Parser(source, include, extended)
    parser.file()
    body = Body(tuple(parser.statements), source.span(0, len(source.text)))
    return Parsed(body, parser.errors)


class _Parser:
    def __init__(self, source: Source, include: Include, extended: bool) -> None:
        found = tokens(source, extended=extended)
        self.extended = extended
        self.errors: list[Diagnostic] = lexer_errors(source, found)
        self.cursor = Cursor(source, [token for token in found if token.kind not in SAID])
        self.include = include
        self.statements: list[Statement] = []
        self.open: list[_Open] = []

    def file(self) -> None:
        """All statements up to the end of the file."""
        while True:
            try:
                if self.statement():
                    return
            except _Skip:
                self.recover()

    def statement(self) -> bool:
        """Reads a statement, or the end of a block; whether the file has ended."""
        cursor = self.cursor
        match cursor.token.kind:
            case "word" if self.extended and self.at_order():
                self.order()
            case "word":
                self.assignment()
            case "close":
                self.close()
            case "include":
                self.inclusion()
            case "end":
                self.end()
                return True
            case _:
                self.unexpected("a name" + (" or }" if self.open else ""))
        return False

    def at_order(self) -> bool:
        """Whether an ``order`` constraint begins here."""
        cursor = self.cursor
        return cursor.token.text == "order" and cursor.ahead(2).kind == "less"

    def order(self) -> None:
        """``order a < b < c;``"""
        cursor = self.cursor
        start = cursor.next().start
        names = [cursor.next().text]
        while cursor.accept("less"):
            if not cursor.at("word"):
                self.unexpected("a name after <")
            names.append(cursor.next().text)
        if not cursor.accept("semicolon"):
            self.unexpected("; after the constraint")
        at = cursor.span_from(start)
        for first, second in pairwise(names):
            self.statements.append(Order(first, second, at))

    def end(self) -> None:
        for unclosed in reversed(self.open):
            at = self.cursor.source.span(unclosed.brace, unclosed.brace + 1)
            self.errors.append(codes.UNCLOSED_BLOCK.at(at, help=f"{unclosed.target} needs a }}"))
        while self.open:
            self.close()

    def plain(self) -> bool:
        """Reads the commonest statement, ``name literal;``, at once (bench/smartfrog.py)."""
        cursor = self.cursor
        index, tokens = cursor.index, cursor.tokens
        if index + 2 >= len(tokens) or tokens[index + 2].kind != "semicolon":
            return False
        name, written, end = tokens[index : index + 3]
        at = Span(cursor.source, written.start, written.end)
        value: None | bool | int | float | str
        match written.kind:
            case "number":
                value = number(at, self.errors)
            case "string":
                value = string(at, self.errors)
            case "true" | "false":
                value = written.kind == "true"
            case _:
                return False
        target = Reference((name.text,), Span(cursor.source, name.start, name.end))
        whole = Span(cursor.source, name.start, end.end)
        self.statements.append(Assignment(target, Literal(value, at), whole))
        cursor.index = index + 3
        return True

    def assignment(self) -> None:
        """``R V``"""
        if self.plain():
            return
        target = self.reference()
        token = self.cursor.token
        if token.kind == "extends":
            self.cursor.next()
            merge = self.extended and self.at_merge()
            self.prototypes(target, self.cursor.span(token), merge, [])
            return
        value: BasicValue | Link
        if token.kind == "word":
            value = Link(self.reference())
        else:
            value = self.basic("a value")
        end = self.semicolon(target)
        self.statements.append(Assignment(target, value, Span(*target.at[:2], end)))

    def at_merge(self) -> bool:
        """Reads ``merge`` before a prototype."""
        cursor = self.cursor
        if cursor.token.text == "merge" and cursor.ahead().kind in ("word", "open"):
            cursor.next()
            return True
        return False

    def semicolon(self, target: Reference) -> int:
        """The offset after the ``;``, which is supplied if it is missing."""
        if self.cursor.accept("semicolon"):
            return self.cursor.previous.end
        end = self.cursor.previous.end
        if self.cursor.previous.kind == "open_string":
            return end
        if self.cursor.at("word", "close", "include", "end"):
            at = self.cursor.source.span(end, end)
            self.errors.append(codes.MISSING_SEMICOLON.at(at, name=target))
            return end
        self.unexpected("; after the value")
        raise AssertionError

    def prototypes(
        self, target: Reference, keyword: Span, merge: bool, found: list[Prototype]
    ) -> None:
        """``P, P, …``: up to the next block, which `close` comes back from."""
        cursor = self.cursor
        while True:
            token = cursor.token
            if token.kind == "word":
                found.append(self.reference())
            elif token.kind == "open":
                cursor.next()
                self.open.append(_Open(target, keyword, merge, found, token.start, self.statements))
                self.statements = []
                return
            else:
                self.unexpected("a prototype: a name or {", lost=target)
            if not cursor.accept("comma"):
                break
        if cursor.at("open"):
            at = cursor.source.span(cursor.previous.end, cursor.previous.end)
            self.errors.append(codes.SYNTAX.at(at, expected=", before the block", found="{"))
            self.prototypes(target, keyword, merge, found)
            return
        self.component(target, keyword, merge, found)

    def component(
        self, target: Reference, keyword: Span, merge: bool, found: list[Prototype]
    ) -> None:
        value = Extends(tuple(found), keyword, merge)
        at = self.cursor.span_from(target.at.start)
        self.statements.append(Assignment(target, value, at))
        if self.cursor.at("semicolon"):
            help = "a component needs no ; after its last prototype"
            self.errors.append(
                codes.SYNTAX.at(
                    self.cursor.span(self.cursor.next()), expected="a name", found=";", help=help
                )
            )

    def close(self) -> None:
        """``}``: the end of the innermost open block."""
        token = self.cursor.next()
        if not self.open:
            help = "no block is open here"
            at = self.cursor.span(token)
            self.errors.append(codes.SYNTAX.at(at, expected="a name", found="}", help=help))
            return
        ended = self.open.pop()
        at = self.cursor.source.span(ended.brace, token.end)
        ended.prototypes.append(Body(tuple(self.statements), at))
        self.statements = ended.outer
        if self.cursor.accept("comma"):
            self.prototypes(ended.target, ended.keyword, ended.merge, ended.prototypes)
        else:
            self.component(ended.target, ended.keyword, ended.merge, ended.prototypes)

    def reference(self) -> Reference:
        """``I:I:…``"""
        cursor = self.cursor
        start = cursor.token.start
        parts = [cursor.next().text]
        while cursor.accept("colon"):
            if not cursor.at("word"):
                self.unexpected("a name after :")
            parts.append(cursor.next().text)
        return Reference(tuple(parts), cursor.span_from(start))

    def basic(self, expected: str) -> BasicValue:
        """A literal, ``DATA R`` or a vector; vectors are read without recursion."""
        open_vectors: list[tuple[Token, list[BasicValue]]] = []
        while True:
            token = self.cursor.token
            value: BasicValue
            if token.kind == "left":
                self.cursor.next()
                open_vectors.append((token, []))
                if not self.cursor.at("right"):
                    expected = "a value or ]"
                    continue
                value = self.vector(open_vectors)
            else:
                value = self.scalar(expected, open_vectors)
            while open_vectors:
                open_vectors[-1][1].append(value)
                if self.cursor.accept("comma"):
                    expected = "a value"
                    break
                if not self.cursor.at("right"):
                    self.unclosed(open_vectors[-1][0])
                value = self.vector(open_vectors)
            else:
                return value

    def vector(self, open_vectors: list[tuple[Token, list[BasicValue]]]) -> Vector:
        """Closes the innermost vector."""
        self.cursor.next()
        opening, items = open_vectors.pop()
        return Vector(tuple(items), self.cursor.span_from(opening.start))

    def unclosed(self, opening: Token) -> None:
        if self.cursor.at("semicolon", "close", "end"):
            at = self.cursor.span(opening)
            self.errors.append(codes.UNCLOSED_VECTOR.at(at))
            raise _Skip
        self.unexpected(", or ] in the vector")

    def scalar(self, expected: str, inside: list[tuple[Token, list[BasicValue]]]) -> BasicValue:
        token = self.cursor.token
        at = self.cursor.span(token)
        match token.kind:
            case "string":
                value: bool | int | float | str | None = string(at, self.errors)
            case "number":
                value = number(at, self.errors)
            case "true" | "false":
                value = token.kind == "true"
            case "null":
                value = None
            case "data":
                self.cursor.next()
                if not self.cursor.at("word"):
                    self.unexpected("a reference after DATA")
                return Data(self.reference(), self.cursor.span_from(token.start))
            case "open_string" | "bad_number":
                value = None  # said already; read on as if it were a value
            case "word" if inside:
                self.unexpected(expected, help="a vector holds plain values; write DATA for a path")
                raise AssertionError
            case _:
                self.unexpected(expected)
                raise AssertionError
        self.cursor.next()
        return Literal(value, at)

    def inclusion(self) -> None:
        """``#include "file"`` with or without ``;``"""
        start = self.cursor.next().start
        if not self.cursor.at("string"):
            self.unexpected("a file name in quotes")
        name = string(self.cursor.span(self.cursor.next()), self.errors)
        at = self.cursor.span_from(start)
        self.cursor.accept("semicolon")
        match self.include(name, at):
            case Body() as body:
                self.statements.append(Included(name, body, at))
            case problem:
                self.errors.append(problem)

    def unexpected(
        self, expected: str, *, help: str | None = None, lost: Reference | None = None
    ) -> None:
        """Reports the next token and gives the statement up."""
        token = self.cursor.token
        labels = (Note("in this component", lost.at),) if lost else ()
        if token.kind not in ("open_string", "bad_number"):
            at = self.cursor.span(token)
            found = "the end of the file" if token.kind == "end" else token.text[:40]
            if token.text in KEYWORDS and help is None:
                help = f"{token.text} is a reserved word"
            self.errors.append(
                codes.SYNTAX.at(at, expected=expected, found=found, help=help, labels=labels)
            )
        raise _Skip

    def recover(self) -> None:
        """Skips to where a statement may begin: after ``;``, or at a brace's end."""
        depth = 0
        while not self.cursor.at("end"):
            kind = self.cursor.token.kind
            if kind == "open":
                depth += 1
            elif kind == "close":
                if depth == 0:
                    return
                depth -= 1
                if depth == 0:
                    self.cursor.next()
                    return
            elif kind == "semicolon" and depth == 0:
                self.cursor.next()
                return
            self.cursor.next()
