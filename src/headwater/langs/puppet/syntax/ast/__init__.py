"""The syntax tree of Puppet: closed unions of plain records.

Every node has `start` and `end`, offsets into the text of its source; they do not
take part in equality, so two trees are equal when they have the same structure.
Nodes are structs of msgspec, not dataclasses: a manifest has tens of thousands of them,
which take half as long to build, and sixty kinds, which are defined in a thirtieth of the
time (bench/puppet.py).  Treat them as immutable once the parser has let go of them.
"""

from __future__ import annotations

from typing import TypeAlias

from headwater.langs.puppet.syntax.ast.definitions import (
    Alias,
    ClassDef,
    Define,
    Epp,
    Function,
    Node,
    Render,
    RenderText,
    TypeDef,
    TypeMapping,
)
from headwater.langs.puppet.syntax.ast.literals import (
    Boolean,
    Default,
    Float,
    Integer,
    Name,
    Regex,
    Reserved,
    String,
    TypeName,
    Undef,
    Variable,
)
from headwater.langs.puppet.syntax.ast.operations import (
    Access,
    Array,
    Assignment,
    Binary,
    Call,
    Case,
    Embedded,
    Entry,
    Hash,
    Heredoc,
    If,
    Interpolated,
    Lambda,
    Method,
    Minus,
    Not,
    Option,
    Param,
    Paren,
    Relation,
    Selector,
    Splat,
    Unless,
    When,
)
from headwater.langs.puppet.syntax.ast.record import Placed, Record, children, parts
from headwater.langs.puppet.syntax.ast.resources import (
    Attribute,
    Attributes,
    Block,
    Body,
    Collect,
    Defaults,
    Override,
    Resource,
)
from headwater.text import Source, Span

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


class Program(Record):
    """A manifest or a template: its statements and the source they stand in."""

    body: list[Expr]
    source: Source

    def span(self, node: Expr | Part) -> Span:
        """Where a node stands."""
        return Span(self.source, node.start, node.end)


__all__ = [
    "Access",
    "Alias",
    "Array",
    "Assignment",
    "Attribute",
    "Attributes",
    "Binary",
    "Block",
    "Body",
    "Boolean",
    "Call",
    "Case",
    "ClassDef",
    "Collect",
    "Default",
    "Defaults",
    "Define",
    "Definition",
    "Embedded",
    "Entry",
    "Epp",
    "Expr",
    "Float",
    "Function",
    "Hash",
    "Heredoc",
    "If",
    "Integer",
    "Interpolated",
    "Lambda",
    "Literal",
    "Method",
    "Minus",
    "Name",
    "Node",
    "Not",
    "Operation",
    "Option",
    "Override",
    "Param",
    "Paren",
    "Part",
    "Placed",
    "Program",
    "Record",
    "Regex",
    "Relation",
    "Render",
    "RenderText",
    "Reserved",
    "Resource",
    "Selector",
    "Splat",
    "String",
    "TypeDef",
    "TypeMapping",
    "TypeName",
    "Undef",
    "Unless",
    "Variable",
    "When",
    "children",
    "parts",
]
