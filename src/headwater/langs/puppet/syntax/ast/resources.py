"""Resources, collectors and their attributes."""

from __future__ import annotations

from headwater.langs.puppet.syntax.ast.record import Expr, Operation, Record


class Attribute(Record):
    """``name => value`` or ``name +> value``"""

    name: str
    op: str
    value: Expr
    name_end: int = 0
    start: int = 0
    end: int = 0


class Attributes(Record):
    """``* => hash``"""

    value: Expr
    start: int = 0
    end: int = 0


class Body(Record):
    """``title: a => b`` of a resource expression"""

    title: Expr
    operations: list[Operation]
    start: int = 0
    end: int = 0


class Resource(Record):
    """``file { 'a': … ; 'b': … }``; `form` is ``regular``, ``virtual`` (@) or ``exported`` (@@)."""

    type: Expr
    bodies: list[Body]
    form: str = "regular"
    start: int = 0
    end: int = 0


class Defaults(Record):
    """``File { a => b }``"""

    type: Expr
    operations: list[Operation]
    form: str = "regular"
    start: int = 0
    end: int = 0


class Override(Record):
    """``File['x'] { a => b, c +> d }``"""

    target: Expr
    operations: list[Operation]
    form: str = "regular"
    start: int = 0
    end: int = 0


class Collect(Record):
    """``File <| query |> { a => b }``, exported with ``<<| |>>``"""

    type: Expr
    query: Expr | None
    exported: bool
    operations: list[Operation]
    start: int = 0
    end: int = 0


class Block(Record):
    """Several statements where one expression stands: a resource without a title, or EPP."""

    statements: list[Expr]
    start: int = 0
    end: int = 0
