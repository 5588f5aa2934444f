"""The parser: source text to a `Com`, with located errors and recovery at ``;`` and ``}``.

A path (``n.x``, ``u.n.x``) is one token without blanks; the dot of a pair has a blank
or a bracket on both sides.  Recursive descent over blocks and brackets, bounded by
`MOST_NESTING`, so its own depth and that of everything that walks the tree is bounded.
"""

from __future__ import annotations

import json
from dataclasses import dataclass

from headwater.langs.opal.codes import EXTENSION_OFF, NESTING_TOO_DEEP, SYNTAX
from headwater.langs.opal.lexer import PART, pair_brackets, tokens_of
from headwater.langs.opal.nesting import MOST_NESTING, room_for_nesting
from headwater.langs.opal.syntax import (
    PRESETS,
    RESERVED,
    SUGAR_NAMES,
    And,
    Assign,
    At,
    Atom,
    Bool,
    Com,
    Commit,
    Conflict,
    Cons,
    Empty,
    Eq,
    Handle,
    Hyp,
    If,
    Mem,
    Op,
    Or,
    Place,
    Preset,
    Seq,
    Sexp,
    Skip,
    Truth,
    Var,
    Weight,
    With,
    World,
    WorldVar,
)
from headwater.report import Diagnostic, Note, in_order
from headwater.text import Cursor, Source, Span, Token

MOST_ERRORS = 100

_BESIDE_DOT = frozenset(" \t\r\n()[]{}∅#")
_MEMBER = ("member", "in")


@dataclass(frozen=True, slots=True)
class Parsed:
    """A program, or none, and what is wrong with the text."""

    program: Com | None
    diagnostics: tuple[Diagnostic, ...]
    beyond: Span | None = None
    """The first form that is neither in the paper nor short for something that is."""


class _Bad(Exception):
    """A syntax error: caught where the parser can go on."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        self.diagnostic = diagnostic


class _TooDeep(Exception):
    """The nesting bound: ends the parse."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        self.diagnostic = diagnostic


def parse(source: Source, *, ext: bool = False) -> Parsed:
    """The program in a source; `ext` turns the extensions on."""
    parser = _Parser(source, ext=ext)
    with room_for_nesting():
        try:
            program = parser.program()
        except _TooDeep as stop:
            return Parsed(None, (stop.diagnostic,))
    if parser.errors:
        return Parsed(None, tuple(in_order(parser.errors)[:MOST_ERRORS]))
    return Parsed(program, (), parser.beyond)


class _Parser:
    def __init__(self, source: Source, *, ext: bool) -> None:
        tokens = tokens_of(source)
        self.cursor = Cursor(source, tokens)
        self.source = source
        self.ext = ext
        self.errors: list[Diagnostic] = []
        self.pairs = pair_brackets(tokens)
        self.depth = 0
        self.beyond: Span | None = None

    # --- errors -----------------------------------------------------------------------

    def bad(self, expected: str, token: Token | None = None, *, help: str | None = None,
            labels: tuple[Note, ...] = ()) -> _Bad:  # fmt: skip
        """The error that a token is not what the grammar wants."""
        token = token or self.cursor.token
        if token.kind == "end":
            found = "the end of the text"
        elif token.kind in RESERVED and token.text in RESERVED:
            found = f"the reserved word {token.text}"
        else:
            found = token.text if len(token.text) < 40 else token.text[:39] + "…"
        span = self.cursor.span(token)
        return _Bad(SYNTAX.at(span, found=found, expected=expected, help=help, labels=labels))

    def extension(self, token: Token, what: str) -> None:
        """Refuses an extension unless they are on."""
        if not self.ext:
            raise _Bad(EXTENSION_OFF.at(self.cursor.span(token), what=what))

    def no_rule_for(self, here: Span) -> None:
        """Notes a form that the paper has no rule for."""
        if self.beyond is None:
            self.beyond = here

    def expect(self, kind: str, expected: str | None = None) -> Token:
        """Reads a token of a kind or fails."""
        if self.cursor.token.kind != kind:
            raise self.bad(expected or kind)
        return self.cursor.next()

    def enter(self) -> None:
        """One level deeper."""
        self.depth += 1
        if self.depth > MOST_NESTING:
            at = self.cursor.span(self.cursor.token)
            raise _TooDeep(NESTING_TOO_DEEP.at(at, bound=MOST_NESTING))

    def recover(self) -> None:
        """Skips to the ``;`` or ``}`` that ends the command with the error."""
        open_blocks = 0
        while not self.cursor.at("end"):
            kind = self.cursor.token.kind
            if kind == "{":
                open_blocks += 1
            elif kind == "}":
                if open_blocks == 0:
                    return
                open_blocks -= 1
            elif kind == ";" and open_blocks == 0:
                return
            self.cursor.next()

    # --- Com --------------------------------------------------------------------------

    def program(self) -> Com:
        """``com EOF``"""
        program = self.commands()
        while not self.cursor.at("end"):
            self.errors.append(self.bad("; or the end of the program").diagnostic)
            self.cursor.next()
            if not self.cursor.at("end", "}"):
                self.commands()
        return program

    def commands(self) -> Com:
        """``com1 [ ";" [com] ]``"""
        start = self.cursor.token.start
        found: list[Com] = []
        depth = self.depth
        while True:
            try:
                found.append(self.command())
                if not self.cursor.at(";", "}", "end"):
                    raise self.bad(f"; or the end of the {'block' if depth else 'program'}")
            except _Bad as error:
                self.errors.append(error.diagnostic)
                self.depth = depth
                self.recover()
            if not self.cursor.accept(";") or self.cursor.at("}", "end"):
                break
        if len(found) == 1:
            return found[0]
        return Seq(tuple(found), self.cursor.span_from(start))

    def command(self) -> Com:
        """``com1``"""
        cursor = self.cursor
        token = cursor.token
        start = token.start
        match token.kind:
            case "word":
                cursor.next()
                if cursor.accept("assign"):
                    world = self.world()
                    return Assign(token.text, world, cursor.span_from(start))
                return Op(token.text, Span(self.source, start, token.end))
            case "skip":
                cursor.next()
                return Skip(cursor.span(token))
            case "if":
                cursor.next()
                test = self.bool()
                self.expect("then", "then")
                then = self.block()
                self.expect("else", "else")
                orelse = self.block()
                return If(test, then, orelse, cursor.span_from(start))
            case "with" | "at":
                cursor.next()
                node = self.node()
                self.expect("do", "do")
                body = self.block()
                make = With if token.kind == "with" else At
                return make(node, body, cursor.span_from(start))
            case "commit":
                cursor.next()
                world = self.world()
                return Commit(world, cursor.span_from(start))
            case "handle":
                return self.handle()
            case "path" if cursor.ahead().kind == "assign":
                return self.assignment()
            case _:
                raise self.bad("a command")

    def block(self) -> Com:
        """``{ com }``"""
        opening = self.expect("{", "{")
        self.enter()
        body = self.commands()
        if not self.cursor.at("}"):
            note = Note("this block is not closed", self.cursor.span(opening))
            raise self.bad("}", labels=(note,))
        self.cursor.next()
        self.depth -= 1
        return body

    def node(self) -> str:
        """``NODE``"""
        token = self.cursor.token
        if token.kind not in ("word", "string"):
            raise self.bad("the name of a node")
        self.cursor.next()
        return self.name_of(token.text, token)

    def name(self, expected: str) -> Token:
        """A name that is not reserved."""
        return self.expect("word", expected)

    def name_of(self, text: str, token: Token) -> str:
        """A word, or the text inside quotation marks."""
        if not text.startswith('"'):
            if text in RESERVED:
                raise self.bad(f"a name instead of the reserved word {text}", token)
            return text
        try:
            made = str(json.loads(text))
            made.encode()
        except ValueError:
            # Not an escape of JSON, or half a surrogate pair, which no output could hold.
            raise self.bad("a well-formed string", token) from None
        return made

    def parts(self, token: Token) -> list[str]:
        """The names of a path."""
        return [self.name_of(part, token) for part in PART.findall(token.text)]

    def place(self, token: Token) -> Place:
        """``NODE.VAR``"""
        parts = self.parts(token)
        if len(parts) != 2 or PART.findall(token.text)[1].startswith('"'):
            raise self.bad("node.variable", token, help=_PAIR_HELP)
        return Place(parts[0], parts[1])

    def handle(self) -> Com:
        """``handle n.v := op with s merging o h c to s in { c }``"""
        cursor = self.cursor
        start = cursor.next().start
        target = self.expect("path", "node.variable")
        place = self.place(target)
        self.expect("assign", ":=")
        op = self.name("the name of an operation")
        head = cursor.span_from(start)
        self.expect("with", "with")
        handler = self.sexp()
        self.expect("merging", "merging")
        names, spans, merge = self.merging(place)
        self.expect("in", "in")
        body = self.block()
        return Handle(
            place, op.text, handler, *names, merge, body,
            at=cursor.span_from(start), head=head, place_at=cursor.span(target), names_at=spans,
        )  # fmt: skip

    def merging(self, place: Place) -> tuple[tuple[str, str, str], tuple[Span, Span, Span], Sexp]:
        """``o h c to s``, or one of the extensions ``to s`` and ``PRESET``."""
        cursor = self.cursor
        token = cursor.token
        here = cursor.span(token)
        if token.text in PRESETS and cursor.ahead().kind == "in":
            self.extension(token, f"the merge {token.text}")
            cursor.next()
            self.no_rule_for(here)
            return SUGAR_NAMES, (here, here, here), Preset(token.text, here)
        if cursor.accept("to"):
            self.extension(token, "a merge without names")
            return SUGAR_NAMES, (here, here, here), self.merge_result(place)
        o, h, c = (self.name("the name of a merge variable") for _ in range(3))
        self.expect("to", "to")
        spans = (cursor.span(o), cursor.span(h), cursor.span(c))
        return (o.text, h.text, c.text), spans, self.merge_result(None)

    def merge_result(self, sugar: Place | None) -> Sexp:
        """The expression after ``to``; with `sugar` it may name ORIG, HYP and CURR alone."""
        token = self.cursor.token
        if token.text in PRESETS and self.cursor.ahead().kind == "in":
            self.extension(token, f"the merge {token.text}")
            self.cursor.next()
            here = self.cursor.span(token)
            self.no_rule_for(here)
            return Preset(token.text, here)
        return self.sexp(merging=True, sugar=sugar)

    def assignment(self) -> Com:
        """``n.v := s``, an extension: a handle around its only operation."""
        cursor = self.cursor
        target = cursor.next()
        self.extension(target, "assignment to a variable")
        place = self.place(target)
        cursor.next()
        handler = self.sexp()
        at = cursor.span_from(target.start)
        here = cursor.span(target)
        merge = Var(Place(place.node, "HYP"), here)
        return Handle(
            place, "set", handler, *SUGAR_NAMES, merge, Op("set", at),
            at=at, head=here, place_at=here, names_at=(here, here, here),
        )  # fmt: skip

    # --- World, Sexp ------------------------------------------------------------------

    def world(self) -> World:
        """``u`` or ``hyp { c }``"""
        token = self.cursor.token
        if token.kind == "hyp":
            self.cursor.next()
            return Hyp(self.block(), self.cursor.span_from(token.start))
        name = self.name("a world")
        return WorldVar(name.text, self.cursor.span(name))

    def sexp(self, *, merging: bool = False, sugar: Place | None = None) -> Sexp:
        """``sexp``; inside a merge also ``conflict`` and, with `sugar`, ORIG, HYP and CURR."""
        cursor = self.cursor
        token = cursor.token
        here = Span(self.source, token.start, token.end)
        match token.kind:
            case "empty" | "nil":
                cursor.next()
                if sugar is not None and cursor.at("tail") and cursor.token.text[1:] in SUGAR_NAMES:
                    # The paper's prose has ∅.ORIG, ∅.HYP and ∅.CURR.
                    name = cursor.next().text[1:]
                    return Var(Place(sugar.node, name), cursor.span_from(token.start))
                return Empty(here)
            case "path":
                cursor.next()
                return self.path(token, here)
            case "(":
                return self.pair(merging=merging, sugar=sugar)
            case "hyp":
                world = self.world()
                tail = self.expect("tail", ".node.variable")
                place = self.place(tail)
                return Weight(world, place, cursor.span_from(token.start))
            case "string" | "integer" | "true" | "false":
                self.extension(token, f"the atom {token.text[:40]}")
                cursor.next()
                self.no_rule_for(here)
                return Atom(self.atom(token), here)
            case "[":
                self.extension(token, "list notation")
                return self.bracketed(merging=merging, sugar=sugar)
            case "word" if merging and token.text == "conflict":
                self.extension(token, "conflict")
                cursor.next()
                self.no_rule_for(here)
                return Conflict(here)
            case "word" if sugar is not None and token.text in SUGAR_NAMES:
                cursor.next()
                return Var(Place(sugar.node, token.text), here)
            case _:
                raise self.bad("an S-expression")

    def path(self, token: Token, here: Span) -> Sexp:
        """``n.v`` or ``u.n.v``"""
        parts = self.parts(token)
        quoted = [part.startswith('"') for part in PART.findall(token.text)]
        match parts, quoted:
            case [n, v], [_, False]:
                return Var(Place(n, v), here)
            case [u, n, v], [False, _, False]:
                world = WorldVar(u, Span(self.source, token.start, token.start + len(u)))
                return Weight(world, Place(n, v), here)
            case _:
                raise self.bad("node.variable or world.node.variable", token, help=_PAIR_HELP)

    def atom(self, token: Token) -> str | int | bool:
        """The value an atom spells."""
        match token.kind:
            case "true" | "false":
                return token.kind == "true"
            case "integer":
                if len(token.text) > 4000:
                    raise self.bad("an integer of at most 4,000 digits", token)
                return int(token.text)
            case _:
                return self.name_of(token.text, token)

    def pair(self, *, merging: bool, sugar: Place | None) -> Sexp:
        """``()`` or ``(s1 . s2)``"""
        cursor = self.cursor
        start = cursor.next().start
        if cursor.accept(")"):
            return Empty(cursor.span_from(start))
        self.enter()
        left = self.sexp(merging=merging, sugar=sugar)
        dot = cursor.token
        if self.ext and dot.kind not in ("dot", "tail"):
            self.depth -= 1
            return self.elements(start, ")", [left], merging=merging, sugar=sugar)
        if dot.kind == "tail":
            raise self.bad("a dot with a blank or a bracket on both sides", help=_PAIR_HELP)
        self.expect("dot", "the dot of a pair")
        text = self.source.text
        if text[dot.start - 1] not in _BESIDE_DOT or text[dot.end : dot.end + 1] not in _BESIDE_DOT:
            raise self.bad("a dot with a blank or a bracket on both sides", dot, help=_PAIR_HELP)
        right = self.sexp(merging=merging, sugar=sugar)
        self.expect(")", ")")
        self.depth -= 1
        return Cons(left, right, cursor.span_from(start))

    def bracketed(self, *, merging: bool, sugar: Place | None) -> Sexp:
        """``[s1, s2, …]``: pairs that end in ∅; the commas may be left out."""
        start = self.cursor.next().start
        return self.elements(start, "]", [], merging=merging, sugar=sugar)

    def elements(
        self, start: int, closing: str, parts: list[Sexp], *, merging: bool, sugar: Place | None
    ) -> Sexp:
        """The rest of a list, which may also be written in round brackets."""
        cursor = self.cursor
        depth = self.depth
        cursor.accept(",")
        while not cursor.at(closing):
            self.enter()
            parts.append(self.sexp(merging=merging, sugar=sugar))
            cursor.accept(",")
        cursor.next()
        self.depth = depth
        whole = cursor.span_from(start)
        made: Sexp = Empty(Span(self.source, whole.end - 1, whole.end))
        for part in reversed(parts):
            made = Cons(part, made, whole)
        return made

    # --- Bool -------------------------------------------------------------------------

    def bool(self) -> Bool:
        """``band { or band }``, grouped to the right"""
        return self.chain("or")

    def chain(self, operator: str) -> Bool:
        """Operands parted by ``or``, or by ``and``."""
        start = self.cursor.token.start
        depth = self.depth
        operands: list[tuple[int, Bool]] = []
        while True:
            at = self.cursor.token.start
            operands.append((at, self.chain("and") if operator == "or" else self.batom()))
            if not self.cursor.accept(operator):
                break
            self.enter()
        self.depth = depth
        (start, made), end = operands.pop(), self.cursor.previous.end
        while operands:
            start, left = operands.pop()
            span = Span(self.source, start, end)
            made = Or(left, made, span) if operator == "or" else And(left, made, span)
        return made

    def batom(self) -> Bool:
        """``true``, ``false``, ``s = s``, ``s in s`` or ``( bool )``"""
        cursor = self.cursor
        token = cursor.token
        if token.kind == "(" and cursor.index not in self.pairs:
            cursor.next()
            self.enter()
            inner = self.bool()
            self.expect(")", ")")
            self.depth -= 1
            return inner
        compared = cursor.ahead().kind in ("equals", *_MEMBER)
        if token.kind in ("true", "false") and not (self.ext and compared):
            cursor.next()
            return Truth(token.kind == "true", cursor.span(token))
        left = self.sexp()
        operator = cursor.token
        if operator.kind == "equals":
            cursor.next()
            return Eq(left, self.sexp(), cursor.span_from(token.start))
        if operator.kind in _MEMBER:
            cursor.next()
            return Mem(left, self.sexp(), cursor.span_from(token.start))
        raise self.bad("= or in")


_PAIR_HELP = "a path is written without blanks, a pair with blanks around its dot: (n.x . n.y)"
