"""The provenance labels of L3's pieces of input."""

from __future__ import annotations

from headwater.langs.l3.syntax import Block, Literal, Member, Order, Reference, Tag, Undef
from headwater.text import Span
from headwater.why import Label


def literal_label(literal: Literal | Undef) -> Label:
    """A value as it is written."""
    return Label("literal", literal.at, literal.at.text)


def block_label(block: Block) -> Label:
    """A block literal; its text is only a sign, for blocks are long."""
    return Label("structure", block.at, "{…}" if block.members else "{}")


def key_label(member: Member) -> Label:
    """The label of a member."""
    return Label("key", member.key, member.key.text)


def reference_label(reference: Reference) -> Label:
    """``$name``"""
    return Label("reference", reference.at, reference.at.text)


def note_label(note: Tag | Order) -> Label:
    """``#tag`` or ``#hi > #lo``"""
    kind = "tag" if isinstance(note, Tag) else "constraint"
    return Label(kind, note.at, note.at.text)  # type: ignore[arg-type]


def operator_label(operator: Span) -> Label:
    """``+>``, which is a constraint between its operands."""
    return Label("constraint", operator, "+>")


def miss_label(block: Block, label: str) -> Label:
    """A label that a block could define and does not."""
    return Label("miss", block.end, label)
