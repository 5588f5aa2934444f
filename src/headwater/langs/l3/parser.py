"""The parser: one pass over the tokens with a stack of open brackets, so depth costs nothing.

Grammar (a new line may stand for a comma; operators and annotations may begin a line)::

    file    = members | "{" members "}" note*
    members = [label ":" expr {"," label ":" expr} [","]]
    expr    = operand {"<+>" operand} | operand {"+>" operand}
    operand = (literal | "undef" | "{" members "}" | "$" path | "(" expr ")") note*
    note    = "#tag" | "#tag" (">" | "<") "#tag" …

A mistake is reported where it stands; reading goes on at the next member, so one run
reports several.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias

from headwater.langs.l3 import codes, lexer
from headwater.langs.l3.lists import plain
from headwater.langs.l3.syntax import (
    Annotated,
    Block,
    Compose,
    Expr,
    File,
    Literal,
    Member,
    Order,
    Reference,
    Specialise,
    Tag,
    Undef,
)
from headwater.langs.l3.values import MOST_LEVELS, list_key, scalar_key
from headwater.report import Diagnostic, Note, in_order
from headwater.text import Cursor, Source, Span, Token

MOST_ERRORS = 100
"""After so many errors in one file reading stops."""

_WORDS = {"true": True, "false": False, "none": None}
_SPELLINGS = {"true": "true", "false": "false", "null": "none", "nil": "none", "none": "none"}
"""How values are written that are known by other names, or in other letters."""
_CLOSERS = {"close": "open", "right": "left", "unparen": "paren"}
_SIGNS = {"open": "{", "left": "[", "paren": "(", "close": "}", "right": "]", "unparen": ")"}


@dataclass(slots=True)
class _Frame:
    """An open bracket, and the expression being read inside it."""

    kind: str
    """``members`` (a file without braces), ``whole`` (one with), ``open``, ``left``, ``paren``."""
    start: int
    members: dict[str, Member] = field(default_factory=dict)
    elements: list[Expr] = field(default_factory=list)
    label: tuple[str, Span] | None = None
    operands: list[Expr] = field(default_factory=list)
    operators: list[Token] = field(default_factory=list)
    begun: int = 0


class _TooMany(Exception):
    """Reading stops here."""


@dataclass(frozen=True, slots=True)
class Parsed:
    """A file's tree and what is wrong with it."""

    file: File
    errors: list[Diagnostic]


def parse(source: Source, *, json: bool = False) -> Parsed:
    """The tree of an L3 text; `json` reads a JSON text, where ``null`` is ``none``."""
    return _Parser(source, json=json).file()


_MOST_IDLE = 10
"""How many states may follow each other at one token; three do in a text without errors."""


class _Parser:
    def __init__(self, source: Source, *, json: bool) -> None:
        self.source = source
        self.cursor = Cursor(source, lexer.tokens(source))
        self.errors: list[Diagnostic] = lexer.lexer_errors(self.cursor)
        self.words = {"true": True, "false": False, "null": None} if json else _WORDS
        self.json = json
        self.stack: list[_Frame] = []
        self.current: Expr = Undef(Span(source, 0, 0))
        self.notes: tuple[Tag | Order, ...] = ()

    # -- errors ------------------------------------------------------------------------

    def report(self, diagnostic: Diagnostic) -> None:
        """Keeps an error, unless a token at the same place is already known to be bad."""
        if all(diagnostic.at.start != known.at.start for known in self.errors[-50:]):
            self.errors.append(diagnostic)
        if len(self.errors) >= MOST_ERRORS:
            raise _TooMany

    def expected(self, what: str) -> None:
        """Notes an error: the next token is not what the grammar wants."""
        token = self.cursor.token
        self.report(codes.SYNTAX.at(self.cursor.span(token), expected=what, found=shown(token)))

    def new_line(self) -> bool:
        """Whether the next token begins a line."""
        return "\n" in self.source.text[self.cursor.previous.end : self.cursor.token.start]

    def at_member(self) -> bool:
        """Whether a label with its colon comes next."""
        return self.cursor.at("name", "string") and self.cursor.ahead().kind == "colon"

    def skip(self) -> None:
        """Past whatever stands before the next separator, bracketed parts as a whole."""
        depth = 0
        while not self.cursor.at("end"):
            kind = self.cursor.token.kind
            if depth == 0 and (kind == "comma" or kind in _CLOSERS):
                return
            if depth == 0 and self.at_member() and self.new_line():
                return
            if kind in ("open", "left", "paren"):
                depth += 1
            elif kind in _CLOSERS:
                depth -= 1
            self.cursor.next()

    # -- the loop ----------------------------------------------------------------------

    def file(self) -> Parsed:
        """The whole text."""
        whole = self.json or self.cursor.at("open", "paren")
        root = _Frame("whole" if whole else "members", 0)
        self.stack.append(root)
        try:
            state = self.operand if whole else self.member
            idle = 0
            while True:
                token, depth = self.cursor.token, len(self.stack)
                following = state()
                if following is None:
                    break
                state = following
                moved = self.cursor.token is not token or len(self.stack) != depth
                idle = 0 if moved else idle + 1
                if idle > _MOST_IDLE:  # recovery goes in a circle: the token is given up
                    self.cursor.next()
        except _TooMany:
            pass
        return Parsed(self.finished(root), in_order(self.errors))

    def finished(self, root: _Frame) -> File:
        """The file, once everything has been read."""
        everything = Span(self.source, 0, len(self.source.text))
        if root.kind == "members":
            return File(self.source, Block(root.members, everything))
        expr = root.elements[0] if root.elements else None
        notes: tuple[Tag | Order, ...] = ()
        while isinstance(expr, Annotated):
            notes = expr.annotations + notes
            expr = expr.value
        if isinstance(expr, Block):
            return File(self.source, expr, notes)
        if not self.errors and expr is not None:
            what = "an operation" if not isinstance(expr, Literal) else "a value"
            self.errors.append(codes.NOT_A_BLOCK.at(expr.at, what=what))
        return File(self.source, Block({}, everything))

    def member(self) -> _State | None:
        """Before a label: reads it, or closes the block."""
        cursor, frame = self.cursor, self.stack[-1]
        if not self.json:
            self.plain_members(frame)
        token = cursor.token
        if token.kind in ("name", "string") and cursor.ahead().kind == "colon":
            cursor.next()
            cursor.next()
            at = Span(self.source, token.start, token.end)
            name = token.text if token.kind == "name" else lexer.string(at, self.errors)
            frame.label = (name, at)
            frame.begun = cursor.token.start
            return self.operand
        if token.kind in ("close", "right", "unparen"):
            return self.close()
        if token.kind == "end":
            return self.end()
        match token.kind:
            case "tag":
                self.report(codes.TAG_ON_NOTHING.at(cursor.span(token), tag=token.text))
            case "above" | "below":
                self.report(codes.CONSTRAINT_WITHOUT_TAGS.at(cursor.span(token), sign=token.text))
            case "name" | "string":
                cursor.next()
                self.expected(f": after the label {token.text}")
            case _:
                self.expected("a label")
        self.skip()
        cursor.accept("comma")
        return self.member

    def plain_members(self, frame: _Frame) -> None:
        """``label: 42`` and the like, which is most of what is written, read at once.

        What is not as plain is left to the other states; bench/l3.py is read a quarter faster.
        """
        tokens, source, members, text = (
            self.cursor.tokens, self.source, frame.members, self.source.text,
        )  # fmt: skip
        at, last = self.cursor.index, len(self.cursor.tokens) - 4
        while at <= last:
            label, colon, value, after = tokens[at : at + 4]
            if colon.kind != "colon" or label.kind != "name" or label.text in members:
                break
            kind = after.kind
            if kind != "comma" and kind != "close":
                between = text[value.end : after.start]
                if (kind != "name" and kind != "string") or "\n" not in between:
                    break
            span = Span(source, value.start, value.end)
            if value.kind == "number":
                key = scalar_key(lexer.number(span, self.errors))
            elif value.kind == "string":
                key = scalar_key(lexer.string(span, self.errors))
            else:
                break
            place = Span(source, label.start, label.end)
            members[label.text] = Member(label.text, place, Literal(key, span), span)
            at += 4 if kind == "comma" else 3
        self.cursor.index = at

    def operand(self) -> _State | None:
        """Before a value: reads it, or opens the bracket it begins with."""
        cursor = self.cursor
        token = cursor.token
        at = Span(self.source, token.start, token.end)
        frame = self.stack[-1]
        if not frame.operands and frame.kind != "open" and frame.kind != "members":
            frame.begun = token.start
        match token.kind:
            case "number":
                self.current = Literal(scalar_key(lexer.number(at, self.errors)), at)
            case "string":
                self.current = Literal(scalar_key(lexer.string(at, self.errors)), at)
            case "name" if token.text in self.words and not self.starts_member():
                self.current = Literal(scalar_key(self.words[token.text]), at)
            case "name" if token.text == "undef" and not self.json and not self.starts_member():
                self.current = Undef(at)
            case "reference" if not self.json:
                self.current = Reference(lexer.reference_path(at, self.errors), at)
            case "open" | "left" | "paren":
                return self.open(token)
            case "bad_number" | "open_string" | "unknown" | "open_comment":
                self.current = Undef(at)
                self.skip()
                return self.after
            case _:
                return self.missing(token)
        cursor.next()
        return self.after

    def starts_member(self) -> bool:
        """Whether a word is the label of a next member: ``a:`` and then ``true: 1``."""
        return self.at_member() and self.new_line()

    def missing(self, token: Token) -> _State | None:
        """There is no value where one must be."""
        at = self.cursor.span(token)
        self.current = Undef(at.at_start())
        match token.kind:
            case "tag" if self.cursor.ahead().kind not in ("above", "below"):
                self.report(codes.TAG_ON_NOTHING.at(at, tag=token.text))
                self.skip()
            case "above" | "below":
                self.report(codes.CONSTRAINT_WITHOUT_TAGS.at(at, sign=token.text))
                self.skip()
            case "name" if not self.at_member():
                help = _instead(token.text, json=self.json)
                self.report(codes.SYNTAX.at(at, expected="a value", found=token.text, help=help))
                self.cursor.next()
            case _:
                self.expected("a value")
                if token.kind not in ("compose", "specialise", "comma", "end", *_CLOSERS) and not (
                    self.at_member()
                ):
                    self.skip()
        return self.after

    def open(self, token: Token) -> _State | None:
        """An opening bracket."""
        if len(self.stack) > MOST_LEVELS:
            self.errors.append(codes.TOO_DEEP.at(self.cursor.span(token), bound=MOST_LEVELS))
            raise _TooMany
        self.cursor.next()
        self.stack.append(_Frame(token.kind, token.start))
        if token.kind == "open":
            return self.member
        if token.kind == "left" and self.cursor.at("right"):
            return self.close()
        return self.operand

    def after(self) -> _State | None:
        """After a value: annotations, operators, separators, closing brackets."""
        cursor = self.cursor
        kind = cursor.token.kind
        if (kind == "tag" or kind == "above" or kind == "below") and not self.json:
            return self.annotations()
        frame = self.stack[-1]
        if (kind == "compose" or kind == "specialise") and not self.json:
            frame.operands.append(self.current)
            frame.operators.append(cursor.next())
            return self.operand
        self.deliver(frame)
        return self.separator(frame)

    def annotations(self) -> _State | None:
        """``#a #b > #c`` after a value."""
        cursor, value = self.cursor, self.current
        notes: list[Tag | Order] = []
        while cursor.at("tag", "above", "below"):
            if not cursor.at("tag"):
                sign = cursor.next()
                self.report(codes.CONSTRAINT_WITHOUT_TAGS.at(cursor.span(sign), sign=sign.text))
                self.skip()
                break
            left = cursor.next()
            if not cursor.at("above", "below"):
                notes.append(Tag(left.text[1:], cursor.span(left)))
            while cursor.at("above", "below"):
                sign = cursor.next()
                right = cursor.accept("tag")
                if right is None:
                    self.report(codes.CONSTRAINT_WITHOUT_TAGS.at(cursor.span(sign), sign=sign.text))
                    self.skip()
                    break
                at = Span(self.source, left.start, right.end)
                hi, lo = (left, right) if sign.kind == "above" else (right, left)
                notes.append(Order(hi.text[1:], lo.text[1:], at))
                left = right
        if notes:
            at = Span(self.source, value.at.start, notes[-1].at.end)
            self.current = Annotated(value, tuple(notes), at)
        return self.after

    def deliver(self, frame: _Frame) -> None:
        """A whole expression: to the member or element that it is the value of."""
        expr = self.current
        if frame.operands:
            expr = self.operation(frame, expr)
        if frame.label is not None:
            name, key = frame.label
            frame.label = None
            at = Span(self.source, frame.begun, max(self.cursor.previous.end, frame.begun))
            if name in frame.members:
                first = Note("first defined here", frame.members[name].key)
                self.report(codes.DUPLICATE_LABEL.at(key, label=name, labels=(first,)))
            else:
                frame.members[name] = Member(name, key, expr, at)
        else:
            frame.elements.append(expr)

    def operation(self, frame: _Frame, last: Expr) -> Expr:
        """``a <+> b`` or ``a +> b``; the two do not mix."""
        operands = (*frame.operands, last)
        operators = frame.operators
        frame.operands, frame.operators = [], []
        at = Span(self.source, operands[0].at.start, operands[-1].at.end)
        other = next((o for o in operators if o.kind != operators[0].kind), None)
        if other is not None:
            first = operators[0]
            label = Note(f"{first.text} stands here", self.cursor.span(first))
            self.report(codes.MIXED_OPERATORS.at(self.cursor.span(other), labels=(label,)))
        if operators[0].kind == "compose":
            return Compose(operands, at)
        return Specialise(operands, tuple(self.cursor.span(o) for o in operators), at)

    def separator(self, frame: _Frame) -> _State | None:
        """Between two members or elements, or at the end of what a bracket holds."""
        cursor = self.cursor
        kind = cursor.token.kind
        if kind in _CLOSERS:
            return self.close()
        if kind == "end":
            return self.end()
        if frame.kind in ("paren", "left") and self.at_member() and self.new_line():
            return self.unclosed(frame, "the next label begins here")
        if frame.kind == "whole":
            self.expected("the end of the file")
            while not cursor.at("end"):
                cursor.next()
            return self.end()
        if frame.kind == "paren":
            self.expected(")")
            before = cursor.token
            self.skip()
            if cursor.accept("comma") is None and cursor.token is before:
                cursor.next()
            return self.separator_again
        if kind == "comma":
            cursor.next()
            if self.json and cursor.at(*_CLOSERS):
                self.expected("a value" if frame.kind == "left" else "a label")
        elif self.json or not self.new_line():
            at = cursor.span(cursor.token)
            if self.at_member() or frame.kind == "left":
                self.report(codes.MISSING_SEPARATOR.at(at, found=shown(cursor.token)))
                if frame.kind == "left" and self.at_member():
                    cursor.next()
                    cursor.next()
                elif kind in ("compose", "specialise"):
                    cursor.next()
            else:
                self.expected("a comma or a new line")
                self.skip()
                cursor.accept("comma")
        if frame.kind == "left":
            return self.close() if cursor.at(*_CLOSERS) else self.operand
        return self.member

    def separator_again(self) -> _State | None:
        """`separator`, as a state of its own."""
        return self.separator(self.stack[-1])

    def close(self) -> _State | None:
        """A closing bracket: of the innermost frame, of an outer one, or of none."""
        cursor = self.cursor
        token = cursor.token
        frame = self.stack[-1]
        wanted = _CLOSERS[token.kind]
        if frame.kind == wanted:
            cursor.next()
            self.pop()
            return self.after
        if any(open_frame.kind == wanted for open_frame in self.stack):
            return self.unclosed(frame, f"{token.text} comes first")
        what = f"this {token.text} closes nothing"
        self.report(codes.UNBALANCED.at(cursor.span(token), what=what))
        cursor.next()
        if frame.kind == "whole" or frame.kind == "paren":
            return self.separator_again
        if frame.kind == "left":
            return self.operand
        cursor.accept("comma")
        return self.member

    def unclosed(self, frame: _Frame, because: str) -> _State | None:
        """The innermost bracket is left open: what follows belongs outside."""
        at = Span(self.source, frame.start, frame.start + 1)
        note = Note(because, self.cursor.span(self.cursor.token))
        what = f"this {_SIGNS[frame.kind]} is not closed"
        self.report(codes.UNBALANCED.at(at, what=what, labels=(note,)))
        self.pop()
        return self.after

    def end(self) -> _State | None:
        """The end of the text: brackets that are still open are not closed."""
        if len(self.stack) == 1:
            return None
        frame = self.stack[-1]
        at = Span(self.source, frame.start, frame.start + 1)
        what = f"this {_SIGNS[frame.kind]} is never closed"
        self.report(codes.UNBALANCED.at(at, what=what))
        self.pop()
        return self.after

    def pop(self) -> None:
        """The value of the innermost bracket, now that it is closed."""
        frame = self.stack.pop()
        at = Span(self.source, frame.start, max(self.cursor.previous.end, frame.start))
        if frame.kind == "open":
            self.current = Block(frame.members, at)
        elif frame.kind == "left":
            parts = plain(frame.elements, self.report)
            self.current = Literal(list_key(tuple(part.key for part in parts)), at, parts)
        elif frame.elements:
            self.current = frame.elements[-1]
        else:
            self.current = Undef(at)


_State: TypeAlias = Callable[[], "_State | None"]


def shown(token: Token) -> str:
    """A token as a message names it."""
    return "the end of the file" if token.kind == "end" else token.text[:40]


def _instead(word: str, *, json: bool) -> str:
    """What may have been meant by a word that is no value."""
    spelled = _SPELLINGS.get(word.lower())
    if spelled is not None:
        return f"it is written {'null' if json and spelled == 'none' else spelled}"
    return f'a text is written "{word}"' + ("" if json else f", a reference ${word}")
