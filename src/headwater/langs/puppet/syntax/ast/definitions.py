"""Definitions and templates."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from headwater.langs.puppet.syntax.ast.place import place

if TYPE_CHECKING:
    from headwater.langs.puppet.syntax.ast import Expr
    from headwater.langs.puppet.syntax.ast.operations import Param


# -- definitions ---------------------------------------------------------------------------------


@dataclass(slots=True)
class ClassDef:
    """``class a::b ($x) inherits c { … }``; `name` is complete, also of a nested class."""

    name: str
    params: list[Param]
    parent: str | None
    body: list[Expr]
    name_start: int = place()
    name_end: int = place()
    start: int = place()
    end: int = place()


@dataclass(slots=True)
class Define:
    """``define a::b ($x) { … }``"""

    name: str
    params: list[Param]
    body: list[Expr]
    name_start: int = place()
    name_end: int = place()
    start: int = place()
    end: int = place()


@dataclass(slots=True)
class Node:
    """``node 'a', /b/, default { … }``"""

    hosts: list[Expr]
    parent: Expr | None
    body: list[Expr]
    start: int = place()
    end: int = place()


@dataclass(slots=True)
class Function:
    """``function a::b ($x) >> Type { … }``"""

    name: str
    params: list[Param]
    returns: Expr | None
    body: list[Expr]
    name_start: int = place()
    name_end: int = place()
    start: int = place()
    end: int = place()


@dataclass(slots=True)
class Alias:
    """``type A = Integer[0]``"""

    name: str
    type: Expr
    start: int = place()
    end: int = place()


@dataclass(slots=True)
class TypeMapping:
    """``type Runtime[ruby, 'X'] = A``"""

    type: Expr
    mapping: Expr
    start: int = place()
    end: int = place()


@dataclass(slots=True)
class TypeDef:
    """``type A inherits B { … }``: parsed, and refused by validation."""

    name: str
    parent: str | None
    body: list[Expr]
    start: int = place()
    end: int = place()


# -- EPP -----------------------------------------------------------------------------------------


@dataclass(slots=True)
class RenderText:
    """Text of a template outside its tags."""

    value: str
    start: int = place()
    end: int = place()


@dataclass(slots=True)
class Render:
    """``<%= e %>``"""

    value: Expr
    start: int = place()
    end: int = place()


@dataclass(slots=True)
class Epp:
    """A template: ``<%- | params | -%>`` (None when there is no such list) and its parts."""

    params: list[Param] | None
    body: list[Expr]
    start: int = place()
    end: int = place()
