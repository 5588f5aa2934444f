"""Literals and variables: nodes without parts."""

from __future__ import annotations

from dataclasses import dataclass

from headwater.langs.puppet.syntax.ast.place import place


@dataclass(slots=True)
class Undef:
    """``undef``"""

    start: int = place()
    end: int = place()


@dataclass(slots=True)
class Default:
    """``default``"""

    start: int = place()
    end: int = place()


@dataclass(slots=True)
class Boolean:
    """``true``"""

    value: bool
    start: int = place()
    end: int = place()


@dataclass(slots=True)
class Integer:
    """``42``, ``0x2A`` (radix 16), ``052`` (radix 8)"""

    value: int
    radix: int = 10
    start: int = place()
    end: int = place()


@dataclass(slots=True)
class Float:
    """``1.5``, ``1e-3``"""

    value: float
    start: int = place()
    end: int = place()


@dataclass(slots=True)
class String:
    """``'text'``, ``"text"`` without interpolation, a bare word such as ``a-b``, or a chunk."""

    value: str
    start: int = place()
    end: int = place()


@dataclass(slots=True)
class Name:
    """``apache::port``: a bare word that is a name."""

    value: str
    start: int = place()
    end: int = place()


@dataclass(slots=True)
class TypeName:
    """``Apache::Port``: a capitalised name, as it is written."""

    value: str
    start: int = place()
    end: int = place()


@dataclass(slots=True)
class Regex:
    r"""``/^a\/b$/``; `pattern` is the source of the expression, with ``\/`` made ``/``."""

    pattern: str
    start: int = place()
    end: int = place()


@dataclass(slots=True)
class Variable:
    """``$x``, ``$a::b``, and inside a string ``${x}``; `name` has no dollar."""

    name: str
    start: int = place()
    end: int = place()


@dataclass(slots=True)
class Reserved:
    """``attr`` or ``private``: words kept for later, which no program may use."""

    word: str
    start: int = place()
    end: int = place()
