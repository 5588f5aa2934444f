"""Composed values, operations, calls and conditions."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from headwater.langs.puppet.syntax.ast.place import place

if TYPE_CHECKING:
    from headwater.langs.puppet.syntax.ast import Expr
    from headwater.langs.puppet.syntax.ast.literals import Name, String


# -- composed values -----------------------------------------------------------------------------


@dataclass(slots=True)
class Embedded:
    """``${e}`` or ``$x`` within a string; the place includes the dollar and the braces."""

    value: Expr
    start: int = place()
    end: int = place()


@dataclass(slots=True)
class Interpolated:
    """``"a ${e} b"``: chunks of text (never empty) and embedded expressions."""

    segments: list[String | Embedded]
    start: int = place()
    end: int = place()


@dataclass(slots=True)
class Heredoc:
    """``@("END":json)``; the place is that of the tag, the text has a place of its own."""

    syntax: str
    text: String | Interpolated
    start: int = place()
    end: int = place()


@dataclass(slots=True)
class Array:
    """``[a, b]``"""

    items: list[Expr]
    start: int = place()
    end: int = place()


@dataclass(slots=True)
class Entry:
    """``k => v`` of a hash"""

    key: Expr
    value: Expr
    start: int = place()
    end: int = place()


@dataclass(slots=True)
class Hash:
    """``{ k => v }``; `bare` when written without braces, as an argument or element."""

    entries: list[Entry]
    bare: bool = field(default=False, compare=False)
    start: int = place()
    end: int = place()


# -- operations ----------------------------------------------------------------------------------


@dataclass(slots=True)
class Paren:
    """``(e)``"""

    value: Expr
    start: int = place()
    end: int = place()


@dataclass(slots=True)
class Not:
    """``!e``"""

    value: Expr
    start: int = place()
    end: int = place()


@dataclass(slots=True)
class Minus:
    """``-e``"""

    value: Expr
    start: int = place()
    end: int = place()


@dataclass(slots=True)
class Splat:
    """``*e``"""

    value: Expr
    start: int = place()
    end: int = place()


@dataclass(slots=True)
class Binary:
    """``l op r`` for ``+ - * / % << >> == != < <= > >= =~ !~ in and or``; `at` is the operator."""

    op: str
    left: Expr
    right: Expr
    at: int = place()
    start: int = place()
    end: int = place()


@dataclass(slots=True)
class Relation:
    """``l -> r``, ``~>``, ``<-``, ``<~``"""

    op: str
    left: Expr
    right: Expr
    at: int = place()
    start: int = place()
    end: int = place()


@dataclass(slots=True)
class Assignment:
    """``l = r``; the retired ``+=`` and ``-=`` parse and are refused by validation."""

    op: str
    left: Expr
    right: Expr
    at: int = place()
    start: int = place()
    end: int = place()


@dataclass(slots=True)
class Access:
    """``e[k, …]``"""

    left: Expr
    keys: list[Expr]
    start: int = place()
    end: int = place()


@dataclass(slots=True)
class Option:
    """``match => value`` of a selector"""

    match: Expr
    value: Expr
    start: int = place()
    end: int = place()


@dataclass(slots=True)
class Selector:
    """``e ? { m => v, … }``"""

    value: Expr
    options: list[Option]
    start: int = place()
    end: int = place()


# -- calls ---------------------------------------------------------------------------------------


@dataclass(slots=True)
class Param:
    """``Type *$name = default``; the name has a place of its own, with its dollar."""

    name: str
    type: Expr | None = None
    default: Expr | None = None
    splat: bool = False
    name_start: int = place()
    name_end: int = place()
    start: int = place()
    end: int = place()


@dataclass(slots=True)
class Lambda:
    """``|$a, $b| >> Type { … }``"""

    params: list[Param]
    returns: Expr | None
    body: list[Expr]
    start: int = place()
    end: int = place()


@dataclass(slots=True)
class Call:
    """``f(a) |$x| { … }``, or as a statement ``include a``.

    `statement` is true where the value is not wanted; `bare` where it was written
    without parentheses.
    """

    function: Expr
    args: list[Expr]
    block: Lambda | None = None
    statement: bool = False
    bare: bool = field(default=False, compare=False)
    start: int = place()
    end: int = place()


@dataclass(slots=True)
class Method:
    """``e.f(a) |$x| { … }``"""

    receiver: Expr
    function: Name
    args: list[Expr]
    block: Lambda | None = None
    start: int = place()
    end: int = place()


# -- conditions ----------------------------------------------------------------------------------


@dataclass(slots=True)
class If:
    """``if t { … } else { … }``; an ``elsif`` is an `If` alone in `otherwise`."""

    test: Expr
    then: list[Expr]
    otherwise: list[Expr]
    elsif: bool = field(default=False, compare=False)
    start: int = place()
    end: int = place()


@dataclass(slots=True)
class Unless:
    """``unless t { … } else { … }``"""

    test: Expr
    then: list[Expr]
    otherwise: list[Expr]
    start: int = place()
    end: int = place()


@dataclass(slots=True)
class When:
    """``a, b: { … }`` of a case"""

    values: list[Expr]
    body: list[Expr]
    start: int = place()
    end: int = place()


@dataclass(slots=True)
class Case:
    """``case e { … }``"""

    test: Expr
    options: list[When]
    start: int = place()
    end: int = place()
