"""Definitions and templates."""

from __future__ import annotations

from headwater.langs.puppet.syntax.ast.operations import Param
from headwater.langs.puppet.syntax.ast.record import Expr, Record

# -- definitions ---------------------------------------------------------------------------------


class ClassDef(Record):
    """``class a::b ($x) inherits c { … }``; `name` is complete, also of a nested class."""

    name: str
    params: list[Param]
    parent: str | None
    body: list[Expr]
    name_start: int = 0
    name_end: int = 0
    start: int = 0
    end: int = 0


class Define(Record):
    """``define a::b ($x) { … }``"""

    name: str
    params: list[Param]
    body: list[Expr]
    name_start: int = 0
    name_end: int = 0
    start: int = 0
    end: int = 0


class Node(Record):
    """``node 'a', /b/, default { … }``"""

    hosts: list[Expr]
    parent: Expr | None
    body: list[Expr]
    start: int = 0
    end: int = 0


class Function(Record):
    """``function a::b ($x) >> Type { … }``"""

    name: str
    params: list[Param]
    returns: Expr | None
    body: list[Expr]
    name_start: int = 0
    name_end: int = 0
    start: int = 0
    end: int = 0


class Alias(Record):
    """``type A = Integer[0]``"""

    name: str
    type: Expr
    start: int = 0
    end: int = 0


class TypeMapping(Record):
    """``type Runtime[ruby, 'X'] = A``"""

    type: Expr
    mapping: Expr
    start: int = 0
    end: int = 0


class TypeDef(Record):
    """``type A inherits B { … }``: parsed, and refused by validation."""

    name: str
    parent: str | None
    body: list[Expr]
    start: int = 0
    end: int = 0


# -- EPP -----------------------------------------------------------------------------------------


class RenderText(Record):
    """Text of a template outside its tags."""

    value: str
    start: int = 0
    end: int = 0


class Render(Record):
    """``<%= e %>``"""

    value: Expr
    start: int = 0
    end: int = 0


class Epp(Record):
    """A template: ``<%- | params | -%>`` (None when there is no such list) and its parts."""

    params: list[Param] | None
    body: list[Expr]
    start: int = 0
    end: int = 0
