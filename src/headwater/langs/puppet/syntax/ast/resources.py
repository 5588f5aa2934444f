"""Resources, collectors and their attributes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from headwater.langs.puppet.syntax.ast.place import place

if TYPE_CHECKING:
    from headwater.langs.puppet.syntax.ast import Expr, Operation


@dataclass(slots=True)
class Attribute:
    """``name => value`` or ``name +> value``"""

    name: str
    op: str
    value: Expr
    name_end: int = place()
    start: int = place()
    end: int = place()


@dataclass(slots=True)
class Attributes:
    """``* => hash``"""

    value: Expr
    start: int = place()
    end: int = place()


@dataclass(slots=True)
class Body:
    """``title: a => b`` of a resource expression"""

    title: Expr
    operations: list[Operation]
    start: int = place()
    end: int = place()


@dataclass(slots=True)
class Resource:
    """``file { 'a': … ; 'b': … }``; `form` is ``regular``, ``virtual`` (@) or ``exported`` (@@)."""

    type: Expr
    bodies: list[Body]
    form: str = "regular"
    start: int = place()
    end: int = place()


@dataclass(slots=True)
class Defaults:
    """``File { a => b }``"""

    type: Expr
    operations: list[Operation]
    form: str = "regular"
    start: int = place()
    end: int = place()


@dataclass(slots=True)
class Override:
    """``File['x'] { a => b, c +> d }``"""

    target: Expr
    operations: list[Operation]
    form: str = "regular"
    start: int = place()
    end: int = place()


@dataclass(slots=True)
class Collect:
    """``File <| query |> { a => b }``, exported with ``<<| |>>``"""

    type: Expr
    query: Expr | None
    exported: bool
    operations: list[Operation]
    start: int = place()
    end: int = place()


@dataclass(slots=True)
class Block:
    """Several statements where one expression stands: a resource without a title, or EPP."""

    statements: list[Expr]
    start: int = place()
    end: int = place()
