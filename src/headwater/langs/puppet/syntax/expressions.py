"""Expressions, by binding power (Pratt).

Puppet's grammar has four layers, and each place of the language says which it takes:
`assignment` (``=``) over `relationship` (``->``) over `resource` (braces with a body)
over `expression` (everything below, tightest last).
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from typing import Any

from headwater.langs.puppet import codes
from headwater.langs.puppet.syntax import ast
from headwater.langs.puppet.syntax.ast import (
    Access,
    Array,
    Binary,
    Boolean,
    Call,
    Collect,
    Default,
    Embedded,
    Entry,
    Expr,
    Float,
    Hash,
    Heredoc,
    Integer,
    Interpolated,
    Method,
    Minus,
    Name,
    Not,
    Option,
    Paren,
    Regex,
    Reserved,
    Selector,
    Splat,
    String,
    TypeName,
    Undef,
    Variable,
)  # fmt: skip
from headwater.langs.puppet.syntax.stream import Stream
from headwater.langs.puppet.syntax.strings import number_value

POSTFIX = 100
"""What follows an operand directly; the prefixes bind just below it, above every operator."""

POWERS = {
    "(": POSTFIX, ".": POSTFIX, "[": POSTFIX, "<|": POSTFIX, "<<|": POSTFIX,
    "in": 70, "=~": 65, "!~": 65, "*": 60, "/": 60, "%": 60, "+": 55, "-": 55,
    "<<": 50, ">>": 50, "==": 45, "!=": 45, "<": 40, "<=": 40, ">": 40, ">=": 40,
    "?": 35, "and": 30, "or": 25,
}  # fmt: skip
"""How tightly what follows an operand binds to it; all of them associate to the left."""

MAX_CHAIN = 5000
"""How many operators one expression may have in a row."""


class Expressions(Stream):
    """The layer of expressions; `assignment` belongs to the layer above it."""

    __slots__ = ()

    @abstractmethod
    def assignment(self) -> Expr:
        """An expression with ``=``, arrows and resources."""

    @abstractmethod
    def assignment_from(self, left: Expr) -> Expr:
        """The same, when its first expression has been read."""

    @abstractmethod
    def operations(self) -> list[ast.Operation]:
        """``a => b, …`` up to the closing brace or semicolon."""

    def expression(self, power: int = 0) -> Expr:
        """An operand and all that binds to it at least as tightly as `power`."""
        kinds = self.kinds
        operand = OPERANDS.get(kinds[self.i])
        if operand is None:
            self.refuse("an expression")
        left: Expr = operand(self)
        count = 0
        while True:
            kind = kinds[self.i]
            binding = POWERS.get(kind)
            if binding is None or binding < power:
                return left
            count += 1
            if count > MAX_CHAIN:
                self.refuse_with(codes.TOO_DEEP, self.i, bound=MAX_CHAIN, what="operations")
            after = AFTER.get(kind)
            if after is not None:
                left = after(self, left)
                continue
            at = self.spans[self.i][0]
            self.i += 1
            right = self.expression(binding + 1)
            left = Binary(kind, left, right, at, left.start, right.end)

    # -- operands ---------------------------------------------------------------------------

    def variable(self) -> Expr:
        """``$x``"""
        i = self.i
        self.i = i + 1
        start, end = self.spans[i]
        return Variable(self.values[i], start, end)

    def string(self) -> Expr:
        """``'text'`` or a bare word that is no name"""
        i = self.i
        self.i = i + 1
        start, end = self.spans[i]
        return String(self.values[i], start, end)

    def name(self) -> Expr:
        """``apache::port``"""
        i = self.i
        self.i = i + 1
        start, end = self.spans[i]
        return Name(self.values[i], start, end)

    def type_name(self) -> Expr:
        """``Apache::Port``"""
        i = self.i
        self.i = i + 1
        start, end = self.spans[i]
        return TypeName(self.values[i], start, end)

    def boolean(self) -> Expr:
        """``true``"""
        i = self.i
        self.i = i + 1
        start, end = self.spans[i]
        return Boolean(self.values[i] == "true", start, end)

    def number(self) -> Expr:
        """``42``"""
        i = self.i
        self.i = i + 1
        start, end = self.spans[i]
        word = self.values[i]
        value = number_value(word)
        if isinstance(value, int):
            radix = 10
            if word[0] == "0" and len(word) > 1:
                radix = 16 if word[1] in "xX" else 8
            return Integer(value, radix, start, end)
        return Float(value or 0.0, start, end)

    def regex(self) -> Expr:
        """``/a/``"""
        i = self.i
        self.i = i + 1
        start, end = self.spans[i]
        return Regex(self.values[i], start, end)

    def undef(self) -> Expr:
        """``undef``"""
        start, end = self.spans[self.i]
        self.i += 1
        return Undef(start, end)

    def default(self) -> Expr:
        """``default``"""
        start, end = self.spans[self.i]
        self.i += 1
        return Default(start, end)

    def reserved(self) -> Expr:
        """``attr``, ``private``"""
        start, end = self.spans[self.i]
        self.i += 1
        return Reserved(self.values[self.i - 1], start, end)

    def interpolated(self, quote: int = 1) -> Interpolated:
        """``"a ${e} b"``; its first and last token include the quotes, if there are any"""
        kinds, spans, values = self.kinds, self.spans, self.values
        i = self.i
        first, edge = spans[i]
        segments: list[String | Embedded] = []
        if values[i]:
            segments.append(String(values[i], first + quote, edge))
        while True:
            self.i += 1
            value = self.assignment()
            i = self.i
            kind = kinds[i]
            if kind not in ("DQMID", "DQPOST"):
                self.refuse("} to end the interpolation")
            start, end = spans[i]
            segments.append(Embedded(value, edge, start))
            if kind == "DQPOST":
                self.i = i + 1
                if values[i]:
                    segments.append(String(values[i], start, end - quote))
                return Interpolated(segments, first, end)
            if values[i]:
                segments.append(String(values[i], start, end))
            edge = end

    def heredoc(self) -> Expr:
        """``@(TAG)``"""
        i = self.i
        start, end = self.spans[i]
        self.i = i + 1
        text: String | Interpolated
        if self.kinds[i + 1] == "STR":
            self.i += 1
            text = String(self.values[i + 1], *self.spans[i + 1])
        elif self.kinds[i + 1] == "DQPRE":
            text = self.interpolated(quote=0)
        else:
            self.refuse("the text of the heredoc")
        return Heredoc(self.values[i], text, start, end)

    def paren(self) -> Expr:
        """``(e)``"""
        start = self.spans[self.i][0]
        self.i += 1
        value = self.assignment()
        i = self.expect(")")
        return Paren(value, start, self.spans[i][1])

    def array(self) -> Expr:
        """``[a, k => v, type]``"""
        start = self.spans[self.i][0]
        self.i += 1
        items = self.items("]", keywords=True)
        i = self.expect("]", ", or ]")
        return Array(items, start, self.spans[i][1])

    def items(
        self, closing: str, *, keywords: bool = False, only_expressions: bool = False,
        trailing: bool = True,
    ) -> list[Expr]:  # fmt: skip
        """``a, k => v, …`` up to a closing token; pairs in a row make one bare hash."""
        kinds = self.kinds
        items: list[Expr] = []
        while kinds[self.i] != closing:
            kind = kinds[self.i]
            value: Expr
            if kind in ("type", "function") and (
                kinds[self.i + 1] == "=>" or (keywords and kinds[self.i + 1] in (",", "]"))
            ):
                value = self.string()
            else:
                value = self.expression() if only_expressions else self.assignment()
                if only_expressions and kinds[self.i] in _ABOVE:
                    # only as a key may it be more than an expression: a[$x = 1 => 2]
                    value = self.assignment_from(value)
                    if kinds[self.i] != "=>":
                        self.refuse(", or ]")
            if kinds[self.i] == "=>":
                entry = self.entry(value)
                last = items[-1] if items else None
                if isinstance(last, Hash) and last.bare:
                    last.entries.append(entry)
                    last.end = entry.end
                else:
                    items.append(Hash([entry], True, entry.start, entry.end))
            else:
                items.append(value)
            if kinds[self.i] != ",":
                break
            if kinds[self.i + 1] == closing:
                if trailing:
                    self.i += 1
                break
            self.i += 1
        return items

    def entry(self, key: Expr) -> Entry:
        """The rest of ``key => value``"""
        self.i += 1
        kind = self.kinds[self.i]
        value: Expr
        if kind in ("type", "function") and self.kinds[self.i + 1] in _ENDS_ENTRY:
            value = self.string()
        else:
            value = self.assignment()
        return Entry(key, value, key.start, value.end)

    def hash(self) -> Expr:
        """``{ k => v }``"""
        kinds = self.kinds
        start = self.spans[self.i][0]
        self.i += 1
        entries: list[Entry] = []
        while kinds[self.i] != "}":
            key: Expr
            if kinds[self.i] in ("type", "function") and kinds[self.i + 1] == "=>":
                key = self.string()
            else:
                key = self.assignment()
            if kinds[self.i] != "=>":
                self.refuse("=> and a value")
            entries.append(self.entry(key))
            if kinds[self.i] != ",":
                break
            self.i += 1
            if kinds[self.i] == "}":
                break
        i = self.expect("}", ", or }")
        return Hash(entries, False, start, self.spans[i][1])

    # -- prefixes ---------------------------------------------------------------------------

    def prefix(self) -> Expr:
        """``!e``, ``-e``, ``*e``; a row of them is read without recursion"""
        marks: list[tuple[type[Not] | type[Minus] | type[Splat], int]] = []
        while (node := _PREFIX.get(self.kinds[self.i])) is not None:
            marks.append((node, self.spans[self.i][0]))
            self.i += 1
        if len(marks) > MAX_CHAIN:
            self.refuse_with(codes.TOO_DEEP, self.i, bound=MAX_CHAIN, what="operations")
        value = self.expression(POSTFIX)
        for node, start in reversed(marks):
            value = node(value, start, value.end)
        return value

    # -- what follows an operand ------------------------------------------------------------

    def call(self, left: Expr) -> Expr:
        """``f(a, …)`` with or without a lambda"""
        self.i += 1
        args = self.items(")")
        i = self.expect(")", ", or )")
        block = self.lambda_() if self.kinds[self.i] == "|" else None
        end = block.end if block else self.spans[i][1]
        return Call(left, args, block, False, False, left.start, end)

    def method(self, left: Expr) -> Expr:
        """``e.f`` with or without arguments and lambda"""
        kinds = self.kinds
        i = self.i + 1
        if kinds[i] not in ("NAME", "type"):
            self.i = i
            self.refuse("the name of a function")
        start, end = self.spans[i]
        name = Name(self.values[i], start, end)
        self.i = i + 1
        args: list[Expr] = []
        if kinds[self.i] == "(":
            self.i += 1
            args = self.items(")", trailing=False)
            end = self.spans[self.expect(")", ", or )")][1]
        block = self.lambda_() if kinds[self.i] == "|" else None
        return Method(left, name, args, block, left.start, block.end if block else end)

    def access(self, left: Expr) -> Expr:
        """``e[k, …]``"""
        self.i += 1
        keys = self.items("]", only_expressions=True)
        if not keys:
            self.refuse("a key")
        i = self.expect("]", ", or ]")
        return Access(left, keys, left.start, self.spans[i][1])

    def collect(self, left: Expr) -> Expr:
        """``T <| query |> { … }``"""
        exported = self.kinds[self.i] == "<<|"
        closing = "|>>" if exported else "|>"
        self.i += 1
        query = None if self.kinds[self.i] == closing else self.expression()
        end = self.spans[self.expect(closing)][1]
        operations: list[ast.Operation] = []
        if self.kinds[self.i] == "{":
            self.i += 1
            operations = self.operations()
            end = self.spans[self.expect("}", ", or }")][1]
        return Collect(left, query, exported, operations, left.start, end)

    def selector(self, left: Expr) -> Expr:
        """``e ? { m => v, … }``, or with one option and no braces"""
        kinds = self.kinds
        self.i += 1
        if kinds[self.i] != "{":
            option = self.option()
            return Selector(left, [option], left.start, option.end)
        self.i += 1
        options = [self.option()]
        while kinds[self.i] == ",":
            self.i += 1
            if kinds[self.i] == "}":
                break
            options.append(self.option())
        end = self.spans[self.expect("}", ", or }")][1]
        return Selector(left, options, left.start, end)

    def option(self) -> Option:
        """``m => v`` of a selector"""
        match = self.expression()
        self.expect("=>", "=> and a value")
        value = self.expression()
        return Option(match, value, match.start, value.end)

    @abstractmethod
    def type_keyword(self) -> Expr:
        """``type(…)``, or the definition of a type"""


_ABOVE = frozenset({"=", "+=", "-=", "->", "~>", "<-", "<~", "{"})
_ENDS_ENTRY = frozenset({",", "]", "}", ")", "DQMID", "DQPOST", "END"})
_PREFIX: dict[str, type[Not] | type[Minus] | type[Splat]] = {"!": Not, "*": Splat, "-": Minus}

OPERANDS: dict[str, Callable[[Any], Expr]] = {
    "VAR": Expressions.variable,
    "STR": Expressions.string,
    "WORD": Expressions.string,
    "NAME": Expressions.name,
    "REF": Expressions.type_name,
    "BOOL": Expressions.boolean,
    "NUM": Expressions.number,
    "REGEX": Expressions.regex,
    "undef": Expressions.undef,
    "default": Expressions.default,
    "attr": Expressions.reserved,
    "private": Expressions.reserved,
    "DQPRE": Expressions.interpolated,
    "HEREDOC": Expressions.heredoc,
    "(": Expressions.paren,
    "WSPAREN": Expressions.paren,
    "[": Expressions.array,
    "LIST": Expressions.array,
    "{": Expressions.hash,
    "!": Expressions.prefix,
    "-": Expressions.prefix,
    "*": Expressions.prefix,
}
"""What a token at the start of an expression begins; the other layers add theirs."""

AFTER: dict[str, Callable[[Any, Expr], Expr]] = {
    "(": Expressions.call,
    ".": Expressions.method,
    "[": Expressions.access,
    "<|": Expressions.collect,
    "<<|": Expressions.collect,
    "?": Expressions.selector,
}
