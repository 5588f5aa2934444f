"""The parser of production SmartFrog: attributes and components.

Commas before a block and semicolons after a value are optional, as production has them.
After an error it goes on at the next attribute, so that one run reports all of them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable

from headwater.langs.smartfrog import codes
from headwater.langs.smartfrog.production.lexer import lexer_errors, string, tokens
from headwater.langs.smartfrog.production.reader import Beginning, Opened, Reader
from headwater.langs.smartfrog.production.syntax import (
    Attribute,
    Block,
    Component,
    Included,
    Item,
    Literal,
    Reference,
    Value,
)
from headwater.langs.smartfrog.production.words import RESERVED
from headwater.report import Diagnostic, Note
from headwater.text import Source, Span, Token

Include = Callable[[str, Span, bool], Block | Diagnostic | None]
"""What finds and parses an included file; none for one that is optional and missing."""

MOST_LEVELS = 120
"""How deep blocks, parentheses and vectors may nest."""

NAMES = ("word", "string", "--")


class Skip(Exception):
    """The attribute cannot be read further; go on at the next one."""


class Stop(Exception):
    """Nothing more can be read."""


class Parser(ABC):
    """Reads blocks; `Values` adds what stands on the right side of an attribute."""

    def __init__(self, source: Source, include: Include, *, in_full: bool = False) -> None:
        self.errors: list[Diagnostic] = []
        self.cursor = Reader(source, in_full=in_full)
        self.include = include
        self.depth = 0

    @abstractmethod
    def value(self) -> Value:
        """What stands on the right side."""

    @abstractmethod
    def reference(self) -> Reference:
        """A reference without ``LAZY``, ``DATA`` and ``OPTIONAL``."""

    def file(self) -> Block:
        """A whole file, which one ``extends { … }`` may stand around."""
        items: list[Item] = []
        whole = self.cursor.source.span(0, len(self.cursor.source.text))
        try:
            if self.cursor.wraps() and self.cursor.accept("extends"):
                items += self.wrapped()
            while True:
                self.items(items)
                if self.cursor.at("end"):
                    break
                at = self.cursor.span(self.cursor.next())
                help = "no block is open here"
                problem = codes.SYNTAX.at(at, expected="a name", found="}", help=help)
                self.errors.append(problem)
        except Stop:
            pass
        if self.errors or self.cursor.wrong:
            source = self.cursor.source
            self.errors[:0] = lexer_errors(source, tokens(source))
        return Block(tuple(items), whole)

    def wrapped(self) -> tuple[Item, ...]:
        """What stands in the ``{ … }`` around a whole file; nothing may come after it."""
        cursor = self.cursor
        try:
            if not cursor.at("{"):
                self.unexpected("{: a file begins with a name, or is one extends { … }")
            items = self.block().items
            while cursor.accept(";"):
                pass
            if not cursor.at("end"):
                self.unexpected("the end of the file after extends { … }")
        except Skip:
            cursor.skip_all()
            return ()
        return items

    def block(self) -> Block:
        """``{ … }``"""
        opening = self.cursor.next()
        self.deeper(opening)
        items: list[Item] = []
        self.items(items)
        self.depth -= 1
        if not self.cursor.accept("}"):
            self.errors.append(codes.UNCLOSED_BLOCK.at(self.cursor.span(opening)))
        return Block(tuple(items), self.cursor.span_from(opening.start))

    def deeper(self, token: Token) -> None:
        """Counts a level of nesting against the bound."""
        self.depth += 1
        if self.depth > MOST_LEVELS:
            self.errors.append(codes.NESTED_TOO_DEEP.at(self.cursor.span(token), bound=MOST_LEVELS))
            raise Stop

    def items(self, into: list[Item]) -> None:
        """Attributes up to ``}`` or the end of the file.

        Blocks in the usual form are read here too, without a call for each.
        """
        cursor, around = self.cursor, self.depth
        opened: list[Opened] = []
        while True:
            into = cursor.plain(into, opened, MOST_LEVELS - 1 - around)
            depth = self.depth = around + len(opened)
            try:
                if (including := cursor.including()) is not None:
                    while including is not None:
                        self.included(into, *including)
                        including = cursor.including()
                    continue
                kind = cursor.token.kind
                if kind in ("}", "end"):
                    if not opened:
                        return
                    last = opened.pop()
                    inside, into = into, last.into
                    depth = self.depth = depth - 1
                    into.append(self.ended(last, inside))
                elif kind == ";":
                    cursor.next()
                elif kind in ("include", "codebase"):
                    self.inclusion(into)
                else:
                    into.append(self.attribute())
            except Skip:
                self.depth = depth
                self.recover()

    def ended(self, opened: Opened, inside: list[Item]) -> Attribute:
        """A component of which a block has just been read, from the end of that on."""
        cursor = self.cursor
        if not cursor.accept("}"):
            at = cursor.source.span(opened.brace, opened.brace + 1)
            self.errors.append(codes.UNCLOSED_BLOCK.at(at))
        block = Block(tuple(inside), cursor.span_from(opened.brace))
        read: list[Reference | Block] = [*opened.prototypes, block]
        # Right behind a name only one block may stand.
        behind = opened.prototypes and not opened.comma
        if behind and not cursor.accept(","):
            value = Component(tuple(read), True, opened.at)
        else:
            value = self.composed(opened.at, read, read=not behind)
        start = opened.name_at.start
        return Attribute(opened.parts, value, (), opened.name_at, cursor.span_from(start))

    def attribute(self) -> Attribute:
        """``[tags] name value``"""
        cursor = self.cursor
        start, parts, tags, name_at = cursor.beginning() or self.beginning()
        value: Value
        if (nothing := cursor.accept(";")) is not None:
            value = Literal(None, cursor.span(nothing))
        elif cursor.at("extends"):
            value = self.component()
        else:
            value = self.value()
            cursor.accept(";")
        return Attribute(parts, value, tags, name_at, cursor.span_from(start))

    def beginning(self) -> Beginning:
        """``[tags] name``"""
        cursor = self.cursor
        start = cursor.token.start
        tags: list[tuple[str, Span]] = []
        if cursor.accept("["):
            while not cursor.accept("]"):
                if not cursor.at("word", "string", "multiline"):
                    self.unexpected("a tag or ]")
                at_tag = cursor.span(cursor.token)
                tags.append((self.name(), at_tag))
                cursor.accept(",")
        at_name = cursor.token.start
        parts = self.left_side()
        return Beginning(start, parts, tuple(tags), cursor.span_from(at_name))

    def left_side(self) -> tuple[str, ...]:
        """``a:b:c``, ``"a string"`` or ``--``, which is empty here."""
        parts: list[str] = []
        while True:
            if not self.cursor.at(*NAMES):
                closing = "" if parts else " or }" if self.depth else ""
                self.unexpected(f"the name of an attribute{closing}")
            if self.cursor.accept("--"):
                return (*parts, "--") if parts else ()
            word = self.cursor.at("word")
            parts.append(self.name())
            if not word or not self.cursor.accept(":"):
                return tuple(parts)

    def name(self) -> str:
        """A word, or a string that stands for one."""
        token = self.cursor.next()
        if token.kind == "word":
            return token.text
        return string(self.cursor.span(token), self.errors)

    def component(self) -> Component:
        """``extends`` and what follows it."""
        cursor = self.cursor
        at = cursor.span(cursor.next())
        if cursor.accept(":") and not cursor.accept("word"):
            self.unexpected("the class of the node")
        eager = not cursor.accept("DATA", "LAZY")
        return self.composed(at, [], eager=eager)

    def composed(
        self,
        at: Span,
        prototypes: list[Reference | Block],
        *,
        eager: bool = True,
        read: bool = False,
    ) -> Component:
        """The component of some prototypes and those that follow; the last was `read` just now."""
        cursor = self.cursor
        while True:
            if read:
                read = False
            elif cursor.at("{"):
                prototypes.append(self.block())
            elif not cursor.accept("NULL"):
                if not self.at_part():
                    self.unexpected("a prototype: a name or {")
                prototypes.append(self.reference())
            if cursor.accept(","):
                continue
            if cursor.at("{"):
                prototypes.append(self.block())
                if cursor.at(","):
                    cursor.next()
                    continue
            return Component(tuple(prototypes), eager, at)

    def at_part(self) -> bool:
        """Whether the next token begins a part of a reference."""
        return self.cursor.token.kind in PARTS

    def inclusion(self, into: list[Item]) -> None:
        """``#codebase "…" #include "file"``"""
        cursor = self.cursor
        start = cursor.token.start
        if cursor.accept("codebase"):
            self.text("the codebase in quotes")
        if not cursor.at("include"):
            self.unexpected("#include after #codebase")
        optional = cursor.next().text.endswith("?")
        path = self.text("a file name in quotes")
        self.included(into, cursor.span_from(start), path, optional)

    def included(self, into: list[Item], at: Span, path: str, optional: bool) -> None:
        """The attributes of a file that is named somewhere."""
        found = self.include(path, at, optional)
        if isinstance(found, Block):
            into.append(Included(path, found, at))
        elif found is not None:
            self.errors.append(found)

    def text(self, expected: str) -> str:
        """A string."""
        if not self.cursor.at("string", "multiline"):
            self.unexpected(expected)
        return string(self.cursor.span(self.cursor.next()), self.errors)

    def unexpected(
        self, expected: str, *, help: str | None = None, labels: tuple[Note, ...] = ()
    ) -> None:
        """Reports the next token and gives the attribute up."""
        token = self.cursor.token
        if token.kind not in ("open_string", "open_multiline"):
            found = "the end of the file" if token.kind == "end" else token.text[:40]
            if token.text in RESERVED and help is None:
                help = f"{token.text} is a reserved word; as a name it needs quotes"
            at = self.cursor.span(token)
            self.errors.append(
                codes.SYNTAX.at(at, expected=expected, found=found, help=help, labels=labels)
            )
        raise Skip

    def recover(self) -> None:
        """Skips to where an attribute may begin: after ``;``, or at the end of the block."""
        depth = 0
        cursor = self.cursor
        while not cursor.at("end"):
            kind = cursor.token.kind
            if kind == "{":
                depth += 1
            elif kind == "}":
                if depth == 0:
                    return
                depth -= 1
                if depth == 0:
                    cursor.next()
                    return
            elif (kind == ";" and depth == 0) or kind == "include":
                if kind == ";":
                    cursor.next()
                return
            cursor.next()


PARTS = frozenset(
    ["word", "ROOT", "PARENT", "THIS", "PROCESS", "ATTRIB", "HERE", "HOST", "PROPERTY",
     "IPROPERTY", "ENVPROPERTY", "IENVPROPERTY", "CONSTANT"]
)  # fmt: skip
