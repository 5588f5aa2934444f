"""Composed values, operations, calls and conditions."""

from __future__ import annotations

from headwater.langs.puppet.syntax.ast.literals import Name, String
from headwater.langs.puppet.syntax.ast.record import Expr, Record

# -- composed values -----------------------------------------------------------------------------


class Embedded(Record):
    """``${e}`` or ``$x`` within a string; the place includes the dollar and the braces."""

    value: Expr
    start: int = 0
    end: int = 0


class Interpolated(Record):
    """``"a ${e} b"``: chunks of text (never empty) and embedded expressions."""

    segments: list[String | Embedded]
    start: int = 0
    end: int = 0


class Heredoc(Record):
    """``@("END":json)``; the place is that of the tag, the text has a place of its own."""

    syntax: str
    text: String | Interpolated
    start: int = 0
    end: int = 0


class Array(Record):
    """``[a, b]``"""

    items: list[Expr]
    start: int = 0
    end: int = 0


class Entry(Record):
    """``k => v`` of a hash"""

    key: Expr
    value: Expr
    start: int = 0
    end: int = 0


class Hash(Record):
    """``{ k => v }``; `bare` when written without braces, as an argument or element."""

    entries: list[Entry]
    bare: bool = False
    start: int = 0
    end: int = 0


# -- operations ----------------------------------------------------------------------------------


class Paren(Record):
    """``(e)``"""

    value: Expr
    start: int = 0
    end: int = 0


class Not(Record):
    """``!e``"""

    value: Expr
    start: int = 0
    end: int = 0


class Minus(Record):
    """``-e``"""

    value: Expr
    start: int = 0
    end: int = 0


class Splat(Record):
    """``*e``"""

    value: Expr
    start: int = 0
    end: int = 0


class Binary(Record):
    """``l op r`` for ``+ - * / % << >> == != < <= > >= =~ !~ in and or``; `at` is the operator."""

    op: str
    left: Expr
    right: Expr
    at: int = 0
    start: int = 0
    end: int = 0


class Relation(Record):
    """``l -> r``, ``~>``, ``<-``, ``<~``"""

    op: str
    left: Expr
    right: Expr
    at: int = 0
    start: int = 0
    end: int = 0


class Assignment(Record):
    """``l = r``; the retired ``+=`` and ``-=`` parse and are refused by validation."""

    op: str
    left: Expr
    right: Expr
    at: int = 0
    start: int = 0
    end: int = 0


class Access(Record):
    """``e[k, …]``"""

    left: Expr
    keys: list[Expr]
    start: int = 0
    end: int = 0


class Option(Record):
    """``match => value`` of a selector"""

    match: Expr
    value: Expr
    start: int = 0
    end: int = 0


class Selector(Record):
    """``e ? { m => v, … }``"""

    value: Expr
    options: list[Option]
    start: int = 0
    end: int = 0


# -- calls ---------------------------------------------------------------------------------------


class Param(Record):
    """``Type *$name = default``; the name has a place of its own, with its dollar."""

    name: str
    type: Expr | None = None
    default: Expr | None = None
    splat: bool = False
    name_start: int = 0
    name_end: int = 0
    start: int = 0
    end: int = 0


class Lambda(Record):
    """``|$a, $b| >> Type { … }``"""

    params: list[Param]
    returns: Expr | None
    body: list[Expr]
    start: int = 0
    end: int = 0


class Call(Record):
    """``f(a) |$x| { … }``, or as a statement ``include a``.

    `statement` is true where the value is not wanted; `bare` where it was written
    without parentheses.
    """

    function: Expr
    args: list[Expr]
    block: Lambda | None = None
    statement: bool = False
    bare: bool = False
    start: int = 0
    end: int = 0


class Method(Record):
    """``e.f(a) |$x| { … }``"""

    receiver: Expr
    function: Name
    args: list[Expr]
    block: Lambda | None = None
    start: int = 0
    end: int = 0


# -- conditions ----------------------------------------------------------------------------------


class If(Record):
    """``if t { … } else { … }``; an ``elsif`` is an `If` alone in `otherwise`."""

    test: Expr
    then: list[Expr]
    otherwise: list[Expr]
    elsif: bool = False
    start: int = 0
    end: int = 0


class Unless(Record):
    """``unless t { … } else { … }``"""

    test: Expr
    then: list[Expr]
    otherwise: list[Expr]
    start: int = 0
    end: int = 0


class When(Record):
    """``a, b: { … }`` of a case"""

    values: list[Expr]
    body: list[Expr]
    start: int = 0
    end: int = 0


class Case(Record):
    """``case e { … }``"""

    test: Expr
    options: list[When]
    start: int = 0
    end: int = 0
