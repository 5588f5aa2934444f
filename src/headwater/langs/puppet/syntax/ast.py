"""The syntax tree of Puppet: closed unions of plain records.

Every node has `start` and `end`, offsets into the text of its source; they do not
take part in equality, so two trees are equal when they have the same structure.
Nodes are plain slots dataclasses (not frozen): a manifest has tens of thousands of
them and a frozen one takes three times as long to build (bench/puppet_parse.py).
Treat them as immutable once the parser has let go of them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from headwater.text import Source, Span


def _place() -> int:
    place: int = field(default=0, compare=False, repr=False)
    return place


# -- literals -------------------------------------------------------------------------------


@dataclass(slots=True)
class Undef:
    """``undef``"""

    start: int = _place()
    end: int = _place()


@dataclass(slots=True)
class Default:
    """``default``"""

    start: int = _place()
    end: int = _place()


@dataclass(slots=True)
class Boolean:
    """``true``"""

    value: bool
    start: int = _place()
    end: int = _place()


@dataclass(slots=True)
class Integer:
    """``42``, ``0x2A`` (radix 16), ``052`` (radix 8)"""

    value: int
    radix: int = 10
    start: int = _place()
    end: int = _place()


@dataclass(slots=True)
class Float:
    """``1.5``, ``1e-3``"""

    value: float
    start: int = _place()
    end: int = _place()


@dataclass(slots=True)
class String:
    """``'text'``, ``"text"`` without interpolation, a bare word such as ``a-b``, or a chunk."""

    value: str
    start: int = _place()
    end: int = _place()


@dataclass(slots=True)
class Name:
    """``apache::port``: a bare word that is a name."""

    value: str
    start: int = _place()
    end: int = _place()


@dataclass(slots=True)
class TypeName:
    """``Apache::Port``: a capitalised name, as it is written."""

    value: str
    start: int = _place()
    end: int = _place()


@dataclass(slots=True)
class Regex:
    r"""``/^a\/b$/``; `pattern` is the source of the expression, with ``\/`` made ``/``."""

    pattern: str
    start: int = _place()
    end: int = _place()


@dataclass(slots=True)
class Variable:
    """``$x``, ``$a::b``, and inside a string ``${x}``; `name` has no dollar."""

    name: str
    start: int = _place()
    end: int = _place()


@dataclass(slots=True)
class Reserved:
    """``attr`` or ``private``: words kept for later, which no program may use."""

    word: str
    start: int = _place()
    end: int = _place()


# -- composed values ------------------------------------------------------------------------


@dataclass(slots=True)
class Embedded:
    """``${e}`` or ``$x`` within a string; the place includes the dollar and the braces."""

    value: Expr
    start: int = _place()
    end: int = _place()


@dataclass(slots=True)
class Interpolated:
    """``"a ${e} b"``: chunks of text (never empty) and embedded expressions."""

    segments: list[String | Embedded]
    start: int = _place()
    end: int = _place()


@dataclass(slots=True)
class Heredoc:
    """``@("END":json)``; the place is that of the tag, the text has a place of its own."""

    syntax: str
    text: String | Interpolated
    start: int = _place()
    end: int = _place()


@dataclass(slots=True)
class Array:
    """``[a, b]``"""

    items: list[Expr]
    start: int = _place()
    end: int = _place()


@dataclass(slots=True)
class Entry:
    """``k => v`` of a hash"""

    key: Expr
    value: Expr
    start: int = _place()
    end: int = _place()


@dataclass(slots=True)
class Hash:
    """``{ k => v }``; `bare` when written without braces, as an argument or element."""

    entries: list[Entry]
    bare: bool = field(default=False, compare=False)
    start: int = _place()
    end: int = _place()


# -- operations -----------------------------------------------------------------------------


@dataclass(slots=True)
class Paren:
    """``(e)``"""

    value: Expr
    start: int = _place()
    end: int = _place()


@dataclass(slots=True)
class Not:
    """``!e``"""

    value: Expr
    start: int = _place()
    end: int = _place()


@dataclass(slots=True)
class Minus:
    """``-e``"""

    value: Expr
    start: int = _place()
    end: int = _place()


@dataclass(slots=True)
class Splat:
    """``*e``"""

    value: Expr
    start: int = _place()
    end: int = _place()


@dataclass(slots=True)
class Binary:
    """``l op r`` for ``+ - * / % << >> == != < <= > >= =~ !~ in and or``; `at` is the operator."""

    op: str
    left: Expr
    right: Expr
    at: int = _place()
    start: int = _place()
    end: int = _place()


@dataclass(slots=True)
class Relation:
    """``l -> r``, ``~>``, ``<-``, ``<~``"""

    op: str
    left: Expr
    right: Expr
    at: int = _place()
    start: int = _place()
    end: int = _place()


@dataclass(slots=True)
class Assignment:
    """``l = r``; the retired ``+=`` and ``-=`` parse and are refused by validation."""

    op: str
    left: Expr
    right: Expr
    at: int = _place()
    start: int = _place()
    end: int = _place()


@dataclass(slots=True)
class Access:
    """``e[k, …]``"""

    left: Expr
    keys: list[Expr]
    start: int = _place()
    end: int = _place()


@dataclass(slots=True)
class Option:
    """``match => value`` of a selector"""

    match: Expr
    value: Expr
    start: int = _place()
    end: int = _place()


@dataclass(slots=True)
class Selector:
    """``e ? { m => v, … }``"""

    value: Expr
    options: list[Option]
    start: int = _place()
    end: int = _place()


# -- calls ----------------------------------------------------------------------------------


@dataclass(slots=True)
class Param:
    """``Type *$name = default``; the name has a place of its own, with its dollar."""

    name: str
    type: Expr | None = None
    default: Expr | None = None
    splat: bool = False
    name_start: int = _place()
    name_end: int = _place()
    start: int = _place()
    end: int = _place()


@dataclass(slots=True)
class Lambda:
    """``|$a, $b| >> Type { … }``"""

    params: list[Param]
    returns: Expr | None
    body: list[Expr]
    start: int = _place()
    end: int = _place()


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
    start: int = _place()
    end: int = _place()


@dataclass(slots=True)
class Method:
    """``e.f(a) |$x| { … }``"""

    receiver: Expr
    function: Name
    args: list[Expr]
    block: Lambda | None = None
    start: int = _place()
    end: int = _place()


# -- conditions -----------------------------------------------------------------------------


@dataclass(slots=True)
class If:
    """``if t { … } else { … }``; an ``elsif`` is an `If` alone in `otherwise`."""

    test: Expr
    then: list[Expr]
    otherwise: list[Expr]
    elsif: bool = field(default=False, compare=False)
    start: int = _place()
    end: int = _place()


@dataclass(slots=True)
class Unless:
    """``unless t { … } else { … }``"""

    test: Expr
    then: list[Expr]
    otherwise: list[Expr]
    start: int = _place()
    end: int = _place()


@dataclass(slots=True)
class When:
    """``a, b: { … }`` of a case"""

    values: list[Expr]
    body: list[Expr]
    start: int = _place()
    end: int = _place()


@dataclass(slots=True)
class Case:
    """``case e { … }``"""

    test: Expr
    options: list[When]
    start: int = _place()
    end: int = _place()


# -- resources ------------------------------------------------------------------------------


@dataclass(slots=True)
class Attribute:
    """``name => value`` or ``name +> value``"""

    name: str
    op: str
    value: Expr
    name_end: int = _place()
    start: int = _place()
    end: int = _place()


@dataclass(slots=True)
class Attributes:
    """``* => hash``"""

    value: Expr
    start: int = _place()
    end: int = _place()


@dataclass(slots=True)
class Body:
    """``title: a => b`` of a resource expression"""

    title: Expr
    operations: list[Operation]
    start: int = _place()
    end: int = _place()


@dataclass(slots=True)
class Resource:
    """``file { 'a': … ; 'b': … }``; `form` is ``regular``, ``virtual`` (@) or ``exported`` (@@)."""

    type: Expr
    bodies: list[Body]
    form: str = "regular"
    start: int = _place()
    end: int = _place()


@dataclass(slots=True)
class Defaults:
    """``File { a => b }``"""

    type: Expr
    operations: list[Operation]
    form: str = "regular"
    start: int = _place()
    end: int = _place()


@dataclass(slots=True)
class Override:
    """``File['x'] { a => b, c +> d }``"""

    target: Expr
    operations: list[Operation]
    form: str = "regular"
    start: int = _place()
    end: int = _place()


@dataclass(slots=True)
class Collect:
    """``File <| query |> { a => b }``, exported with ``<<| |>>``"""

    type: Expr
    query: Expr | None
    exported: bool
    operations: list[Operation]
    start: int = _place()
    end: int = _place()


@dataclass(slots=True)
class Block:
    """Several statements where one expression stands: a resource without a title, or EPP."""

    statements: list[Expr]
    start: int = _place()
    end: int = _place()


# -- definitions ----------------------------------------------------------------------------


@dataclass(slots=True)
class ClassDef:
    """``class a::b ($x) inherits c { … }``; `name` is complete, also of a nested class."""

    name: str
    params: list[Param]
    parent: str | None
    body: list[Expr]
    name_start: int = _place()
    name_end: int = _place()
    start: int = _place()
    end: int = _place()


@dataclass(slots=True)
class Define:
    """``define a::b ($x) { … }``"""

    name: str
    params: list[Param]
    body: list[Expr]
    name_start: int = _place()
    name_end: int = _place()
    start: int = _place()
    end: int = _place()


@dataclass(slots=True)
class Node:
    """``node 'a', /b/, default { … }``"""

    hosts: list[Expr]
    parent: Expr | None
    body: list[Expr]
    start: int = _place()
    end: int = _place()


@dataclass(slots=True)
class Function:
    """``function a::b ($x) >> Type { … }``"""

    name: str
    params: list[Param]
    returns: Expr | None
    body: list[Expr]
    name_start: int = _place()
    name_end: int = _place()
    start: int = _place()
    end: int = _place()


@dataclass(slots=True)
class Alias:
    """``type A = Integer[0]``"""

    name: str
    type: Expr
    start: int = _place()
    end: int = _place()


@dataclass(slots=True)
class TypeMapping:
    """``type Runtime[ruby, 'X'] = A``"""

    type: Expr
    mapping: Expr
    start: int = _place()
    end: int = _place()


@dataclass(slots=True)
class TypeDef:
    """``type A inherits B { … }``: parsed, and refused by validation."""

    name: str
    parent: str | None
    body: list[Expr]
    start: int = _place()
    end: int = _place()


# -- EPP ------------------------------------------------------------------------------------


@dataclass(slots=True)
class RenderText:
    """Text of a template outside its tags."""

    value: str
    start: int = _place()
    end: int = _place()


@dataclass(slots=True)
class Render:
    """``<%= e %>``"""

    value: Expr
    start: int = _place()
    end: int = _place()


@dataclass(slots=True)
class Epp:
    """A template: ``<%- | params | -%>`` (None when there is no such list) and its parts."""

    params: list[Param] | None
    body: list[Expr]
    start: int = _place()
    end: int = _place()


Operation: TypeAlias = Attribute | Attributes
Literal: TypeAlias = (
    Undef | Default | Boolean | Integer | Float | String | Name | TypeName | Regex | Reserved
)
Definition: TypeAlias = ClassDef | Define | Node | Function | Alias | TypeMapping | TypeDef
Expr: TypeAlias = (
    Literal | Variable | Interpolated | Heredoc | Array | Hash
    | Paren | Not | Minus | Splat | Binary | Relation | Assignment | Access | Selector
    | Call | Method | If | Unless | Case
    | Resource | Defaults | Override | Collect | Block
    | Definition | RenderText | Render | Epp
)  # fmt: skip
Part: TypeAlias = Embedded | Entry | Option | Param | Lambda | When | Operation | Body


@dataclass(slots=True)
class Program:
    """A manifest or a template: its statements and the source they stand in."""

    body: list[Expr]
    source: Source = field(compare=False, repr=False)

    def span(self, node: Expr | Part) -> Span:
        """Where a node stands."""
        return Span(self.source, node.start, node.end)
