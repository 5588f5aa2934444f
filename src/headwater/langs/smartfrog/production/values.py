"""The parser of production SmartFrog: values."""

from __future__ import annotations

from headwater.langs.smartfrog import codes
from headwater.langs.smartfrog.production.blocks import MOST_LEVELS, PARTS, Parser, Skip
from headwater.langs.smartfrog.production.lexer import byte_array, number, string
from headwater.langs.smartfrog.production.reader import MANY
from headwater.langs.smartfrog.production.syntax import (
    Apply,
    Literal,
    Operation,
    Part,
    Primitive,
    Primitives,
    Reference,
    ToBeDefined,
    Value,
    Variable,
)

TWO = {"==": "EQ", "!=": "NE", ">=": "GE", "<=": "LE", ">": "GT", "<": "LT", "-": "Minus",
       "/": "Divide", "%": "Mod"}  # fmt: skip
"""Operators of two operands."""

NAMELESS = ("ROOT", "PARENT", "THIS", "PROCESS")


class Values(Parser):
    """The whole parser."""

    def value(self) -> Value:
        """A simple value: reference, primitive, vector or expression."""
        cursor = self.cursor
        kind = cursor.token.kind
        if kind in PARTS or kind in ("LAZY", "OPTIONAL", "APPLY", "ASSERT"):
            return self.link()
        if kind == "(" and self.depth < MOST_LEVELS - 1:
            plain = cursor.operation()
            if plain is not None:
                return plain
        self.deeper(cursor.token)
        made: Value
        match kind:
            case "(":
                made = self.parenthesis()
            case "IF":
                made = self.condition()
            case "SWITCH":
                made = self.switch()
            case "[":
                made = self.vector()
            case _:
                made = self.primitive("a value")
        self.depth -= 1
        return made

    def link(self) -> Reference | Apply:
        """``LAZY OPTIONAL(v) a:b``, ``LAZY APPLY { … }``"""
        start = self.cursor.token.start
        lazy = self.cursor.accept("LAZY") is not None
        return self.base(start, lazy=lazy)

    def base(self, start: int, *, lazy: bool = False, data: bool = False) -> Reference | Apply:
        """A reference or application, after ``LAZY`` or ``DATA``."""
        cursor = self.cursor
        if cursor.at("APPLY", "ASSERT"):
            word = cursor.next().text
            if not cursor.at("{"):
                self.unexpected(f"{{ after {word}")
            block = self.block()
            return Apply(word, block, lazy, data, cursor.span_from(start))
        optional = cursor.accept("OPTIONAL") is not None
        default: Primitive | None = None
        if optional and cursor.accept("("):
            default = self.primitive("the value to fall back to")
            if not cursor.accept(")"):
                self.unexpected(")")
        if not self.at_part():
            self.unexpected("a reference")
        made = self.reference()
        return Reference(made.parts, lazy, data, optional, default, cursor.span_from(start))

    def reference(self) -> Reference:
        """``PARENT:a:HERE b``"""
        cursor = self.cursor
        start = cursor.token.start
        parts = [self.part()]
        while cursor.accept(":"):
            if not self.at_part():
                self.unexpected("a part of a reference after :")
            parts.append(self.part())
        return Reference(tuple(parts), at=cursor.span_from(start))

    def part(self) -> Part:
        """One part of a reference."""
        token = self.cursor.next()
        if token.kind == "word":
            return self.cursor.part(token.text)
        if token.kind in NAMELESS:
            return Part(token.kind)
        if not self.cursor.at("word", "string", "multiline"):
            self.unexpected(f"a name after {token.text}")
        return Part(token.kind, self.name())

    def parenthesis(self) -> Value:
        """``( v )``, ``( ! v )``, ``( v op v … )``, ``( extends … )``"""
        cursor = self.cursor
        opening = cursor.next()
        made: Value
        if cursor.at("extends"):
            made = self.component()
        elif cursor.at("!"):
            at = cursor.span(cursor.next())
            made = Operation("Not", (("data", self.value()),), at=at)
        else:
            made = self.value()
            if cursor.token.kind in MANY:
                made = self.many(made)
            elif cursor.token.kind in TWO:
                at = cursor.span(cursor.token)
                name = TWO[cursor.next().kind]
                made = Operation(name, (("left", made), ("right", self.value())), at=at)
        if not cursor.accept(")"):
            help = "one operator a parenthesis: write ((a + b) - c)"
            if cursor.token.kind not in MANY and cursor.token.kind not in TWO:
                help = f"the parenthesis at {cursor.span(opening)} is open"
            self.unexpected(")", help=help)
        return made

    def many(self, first: Value) -> Operation:
        """``v op v op v``"""
        kind = self.cursor.token.kind
        at = self.cursor.span(self.cursor.token)
        args = [("", first)]
        while self.cursor.accept(kind):
            args.append(("", self.value()))
        return Operation(MANY[kind], tuple(args), at=at)

    def condition(self) -> Operation:
        """``IF v THEN v ELSE v FI``"""
        at = self.cursor.span(self.cursor.next())
        args = [("if", self.value())]
        for word, name in (("THEN", "then"), ("ELSE", "else")):
            if not self.cursor.accept(word):
                self.unexpected(word)
            args.append((name, self.value()))
        if not self.cursor.accept("FI"):
            self.unexpected("FI")
        return Operation("IfThenElse", tuple(args), at=at)

    def switch(self) -> Operation:
        """``SWITCH { … } IF v THEN v IF v THEN v ENDSWITCH``"""
        cursor = self.cursor
        at = cursor.span(cursor.next())
        block = self.block() if cursor.at("{") else None
        args: list[tuple[str, Value]] = []
        while not (args and cursor.accept("ENDSWITCH")):
            if not cursor.accept("IF"):
                self.unexpected("IF or ENDSWITCH" if args else "IF")
            number = len(args) // 2
            args.append((f"if{number}", self.value()))
            if not cursor.accept("THEN"):
                self.unexpected("THEN")
            args.append((f"then{number}", self.value()))
        return Operation("Switch", tuple(args), block, at)

    def vector(self) -> Operation:
        """``[v, v]``: any values"""
        cursor = self.cursor
        opening = cursor.next()
        args: list[tuple[str, Value]] = []
        while not cursor.accept("]"):
            if args and not cursor.accept(","):
                self.unclosed(opening.start, 1, "]")
            args.append(("", self.value()))
        return Operation("Vector", tuple(args), at=cursor.span_from(opening.start))

    def primitive(self, expected: str) -> Primitive:
        """A value that needs no resolution, or says of itself that it gets none."""
        cursor = self.cursor
        token = cursor.token
        at = cursor.span(token)
        match token.kind:
            case "NULL":
                value: None | bool | int | float | str = None
            case "true" | "false":
                value = token.kind == "true"
            case "string" | "multiline":
                value = string(at, self.errors)
            case "number":
                value = number(at, self.errors)
            case "bytes":
                value = byte_array(at, self.errors)
            case "open_string" | "open_multiline":
                value = None  # said already; read on as if it were a value
            case "[|":
                return self.primitives()
            case "TBD":
                cursor.next()
                return ToBeDefined(at)
            case "VAR":
                return self.variable()
            case "DATA":
                cursor.next()
                if cursor.at("LAZY"):
                    self.unexpected(
                        "a reference after DATA", help="DATA and LAZY exclude each other"
                    )
                return self.base(token.start, data=True)
            case _:
                self.unexpected(expected)
                raise AssertionError
        cursor.next()
        return Literal(value, at)

    def primitives(self) -> Primitives:
        """``[| v, v |]``"""
        cursor = self.cursor
        opening = cursor.next()
        self.deeper(opening)
        items: list[Primitive] = []
        while not cursor.accept("|]"):
            if items and not cursor.accept(","):
                self.unclosed(opening.start, 2, "|]")
            help = None
            if cursor.token.kind == "word":
                help = "[| |] holds primitive values; [ ] may hold references"
                self.unexpected("a primitive value", help=help)
            items.append(self.primitive("a value or |]"))
        self.depth -= 1
        return Primitives(tuple(items), cursor.span_from(opening.start))

    def variable(self) -> Variable:
        """``VAR``, ``VAR range``, ``VAR { range, default }``

        A range is text, a vector or a name; since the semicolon after a value is optional, a
        name or ``[`` is one only if the attribute ends behind it.
        """
        cursor = self.cursor
        start = cursor.next().start
        if cursor.accept("{"):
            while not cursor.accept("}"):
                if cursor.at("end", ";"):
                    self.unexpected("}")
                cursor.next()
        elif cursor.at("string", "multiline", "[|"):
            self.primitive("a range")
        elif self.ends_after_value():
            self.value()
        return Variable(cursor.span_from(start))

    def ends_after_value(self) -> bool:
        """Whether a name or vector comes next, and then the end of the attribute or element."""
        cursor, ahead = self.cursor, 0
        if cursor.at("["):
            depth = 0
            while (kind := cursor.ahead(ahead).kind) not in (";", "end"):
                depth += (kind == "[") - (kind == "]")
                ahead += 1
                if depth == 0:
                    break
        elif cursor.at("word"):
            ahead = 1
            while cursor.ahead(ahead).kind == ":":
                ahead += 2
        return ahead > 0 and cursor.ahead(ahead).kind in (";", "}", ",", "]", ")", "|]")

    def unclosed(self, start: int, size: int, closing: str) -> None:
        if self.cursor.at(";", "}", "end"):
            self.errors.append(
                codes.UNCLOSED_VECTOR.at(self.cursor.source.span(start, start + size))
            )
            raise Skip
        self.unexpected(f", or {closing} in the vector")
