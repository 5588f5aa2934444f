"""Literals and variables: nodes without parts."""

from __future__ import annotations

from headwater.langs.puppet.syntax.ast.record import Record


class Undef(Record):
    """``undef``"""

    start: int = 0
    end: int = 0


class Default(Record):
    """``default``"""

    start: int = 0
    end: int = 0


class Boolean(Record):
    """``true``"""

    value: bool
    start: int = 0
    end: int = 0


class Integer(Record):
    """``42``, ``0x2A`` (radix 16), ``052`` (radix 8)"""

    value: int
    radix: int = 10
    start: int = 0
    end: int = 0


class Float(Record):
    """``1.5``, ``1e-3``"""

    value: float
    start: int = 0
    end: int = 0


class String(Record):
    """``'text'``, ``"text"`` without interpolation, a bare word such as ``a-b``, or a chunk."""

    value: str
    start: int = 0
    end: int = 0


class Name(Record):
    """``apache::port``: a bare word that is a name."""

    value: str
    start: int = 0
    end: int = 0


class TypeName(Record):
    """``Apache::Port``: a capitalised name, as it is written."""

    value: str
    start: int = 0
    end: int = 0


class Regex(Record):
    r"""``/^a\/b$/``; `pattern` is the source of the expression, with ``\/`` made ``/``."""

    pattern: str
    start: int = 0
    end: int = 0


class Variable(Record):
    """``$x``, ``$a::b``, and inside a string ``${x}``; `name` has no dollar."""

    name: str
    start: int = 0
    end: int = 0


class Reserved(Record):
    """``attr`` or ``private``: words kept for later, which no program may use."""

    word: str
    start: int = 0
    end: int = 0
