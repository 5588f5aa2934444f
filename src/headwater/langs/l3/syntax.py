"""The abstract syntax of L3.

============== ================================== =====================================
here           written                            is
============== ================================== =====================================
`Literal`      ``42``, ``"text"``, ``[1, 2]``     a primitive value; a list is one
`Undef`        ``undef``                          no value: the identity of ``<+>``
`Block`        ``{ a: 1, b: 2 }``, a whole file   labels with values
`Reference`    ``$a``, ``$a.b``                   the unresolved value of a label
`Compose`      ``a <+> b <+> c``                  composition
`Specialise`   ``a +> b +> c``                    specialisation, right operand first
`Annotated`    ``a #t #x > #y``                   tags and constraints after a value
============== ================================== =====================================

Nodes are compared by identity: the same text at two places is two nodes, and that is what
scopes, anonymous tags and provenance are about.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from headwater.langs.l3.values import Key
from headwater.text import Source, Span


# Literals and members are by far the most nodes: not frozen, they are made twice as fast
# (bench/l3.py).
@dataclass(slots=True, eq=False)
class Literal:
    """``42``, ``true``, ``none``, ``"text"``, ``[1, {a: 2}]``.  `parts` are a list's elements,
    or the entries of a mapping inside a list."""

    key: Key
    at: Span
    parts: tuple[Literal, ...] | Mapping[str, Literal] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Undef:
    """``undef``"""

    at: Span


@dataclass(slots=True, eq=False)
class Member:
    """``label: value`` in a block.  `key` is the label's place, `at` the value's."""

    label: str
    key: Span
    value: Expr
    at: Span


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """``{ a: 1, b: 2 }``.  `at` includes the braces; a file without braces is a block too."""

    members: Mapping[str, Member]
    at: Span

    @property
    def end(self) -> Span:
        """The empty place where one more label could be written."""
        source, start, end = self.at
        if source.text[start : start + 1] == "{" and source.text[end - 1 : end] == "}":
            end -= 1
        return Span(source, end, end)


@dataclass(frozen=True, slots=True, eq=False)
class Reference:
    """``$name`` or the projection ``$name.label``: `path` has at least one label."""

    path: tuple[str, ...]
    at: Span


@dataclass(frozen=True, slots=True, eq=False)
class Compose:
    """``a <+> b <+> c``"""

    operands: tuple[Expr, ...]
    at: Span


@dataclass(frozen=True, slots=True, eq=False)
class Specialise:
    """``a +> b +> c``, which is ``(a +> b) +> c``; `operators` are the places of the ``+>``."""

    operands: tuple[Expr, ...]
    operators: tuple[Span, ...]
    at: Span


@dataclass(frozen=True, slots=True, eq=False)
class Tag:
    """``#name``"""

    name: str
    at: Span


@dataclass(frozen=True, slots=True, eq=False)
class Order:
    """``#hi > #lo``, or ``#lo < #hi``: a precedence constraint."""

    hi: str
    lo: str
    at: Span


@dataclass(frozen=True, slots=True, eq=False)
class Annotated:
    """``value #tag #hi > #lo``"""

    value: Expr
    annotations: tuple[Tag | Order, ...]
    at: Span


Expr: TypeAlias = Literal | Undef | Block | Reference | Compose | Specialise | Annotated


@dataclass(frozen=True, slots=True, eq=False)
class File:
    """A file: a block, and what is written after it if the block has braces."""

    source: Source
    block: Block
    annotations: tuple[Tag | Order, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Program:
    """The files that are composed, in an order that means nothing."""

    files: tuple[File, ...] = field(default=())


@dataclass(frozen=True, slots=True)
class Anonymous:
    """``#_La`` or ``#_Lb``: the tag that a ``+>`` gives its left or right operands."""

    operator: Span
    right: bool

    def __str__(self) -> str:
        return f"_L{'b' if self.right else 'a'}@{self.operator}"


TagName: TypeAlias = str | Anonymous

DEFAULT, FINAL = "default", "final"


def tag_order(tag: TagName) -> tuple[int, str, int, bool]:
    """Tags in order: the written ones by name, then the anonymous ones by place."""
    if isinstance(tag, str):
        return (0, tag, 0, False)
    return (1, tag.operator.source.name, tag.operator.start, tag.right)


def inside(expr: Expr) -> tuple[list[Reference], list[Block]]:
    """The references and blocks of an expression, not looking into the blocks."""
    references: list[Reference] = []
    blocks: list[Block] = []
    todo: list[Expr] = [expr]
    while todo:
        match todo.pop():
            case Reference() as reference:
                references.append(reference)
            case Block() as block:
                blocks.append(block)
            case Compose(operands=operands) | Specialise(operands=operands):
                todo.extend(reversed(operands))
            case Annotated(value=value):
                todo.append(value)
            case _:
                pass
    return references, blocks


def literals_of(expr: Expr) -> list[Literal]:
    """The literals of an expression, not looking into its blocks."""
    found: list[Literal] = []
    todo: list[Expr] = [expr]
    while todo:
        match todo.pop():
            case Literal() as literal:
                found.append(literal)
            case Compose(operands=operands) | Specialise(operands=operands):
                todo.extend(reversed(operands))
            case Annotated(value=value):
                todo.append(value)
            case _:
                pass
    return found


def all_notes(program: Program) -> list[Tag | Order]:
    """Every tag and constraint of a program."""
    found: list[Tag | Order] = [note for file in program.files for note in file.annotations]
    for expr in _expressions(program):
        if isinstance(expr, Annotated):
            found.extend(expr.annotations)
    return found


def all_references(program: Program) -> list[Reference]:
    """Every reference of a program."""
    return [expr for expr in _expressions(program) if isinstance(expr, Reference)]


def _expressions(program: Program) -> Iterator[Expr]:
    """Every expression of a program, each once."""
    seen: set[Expr] = set()
    todo: list[Expr] = [file.block for file in program.files]
    while todo:
        expr = todo.pop()
        if expr in seen:
            continue
        seen.add(expr)
        yield expr
        match expr:
            case Block(members=members):
                todo.extend(member.value for member in members.values())
            case Compose(operands=operands) | Specialise(operands=operands):
                todo.extend(operands)
            case Annotated(value=value):
                todo.append(value)
            case _:
                pass
