"""The operands that bring a value to a label, and those that bring its rivals.

An operand that brings both is a reference; it is looked through, to the operands of what it
names.  So every operand stands on one side, and as near to the label as can be: a tag on it
changes as little else as a tag can.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

from headwater.langs.l3.engine.heads import Heads
from headwater.langs.l3.syntax import (
    Annotated,
    Block,
    Compose,
    Expr,
    Literal,
    Member,
    Reference,
    Specialise,
)
from headwater.langs.l3.values import BLOCK, Key
from headwater.text.named import NamedTuple

Leaf: TypeAlias = Literal | Block | Reference


class Sides(NamedTuple):
    """The operands that bring a value, and those that bring others, with these."""

    mine: list[Leaf]
    rivals: dict[Leaf, set[Key]]


def sides(members: Iterable[Member], key: Key, heads: Heads, *, through: bool = True) -> Sides:
    """The operands that bring just this value, and those that bring just others.

    An operand that brings both is looked through, or counts as one of the others.
    """
    found = Sides([], {})
    seen: set[Expr] = set()
    todo: list[Expr] = [member.value for member in members]
    while todo:
        part = todo.pop()
        if part in seen:
            continue
        seen.add(part)
        match part:
            case Literal() | Block() | Reference():
                keys = _keys(part, heads)
                if not keys:
                    continue
                if key not in keys or (len(keys) > 1 and not through):
                    found.rivals[part] = keys
                elif len(keys) == 1:
                    found.mine.append(part)
                else:
                    assert isinstance(part, Reference)
                    meant = heads.meant(part)
                    assert meant is not None
                    todo.extend(member.value for member, _ in meant[0])
            case Compose(operands=operands) | Specialise(operands=operands):
                todo.extend(operands)
            case Annotated(value=value):
                todo.append(value)
            case _:
                pass
    return found


def _keys(leaf: Leaf, heads: Heads) -> set[Key]:
    """The values that an operand brings."""
    match leaf:
        case Literal(key=key):
            return {key}
        case Block():
            return {BLOCK}
        case Reference():
            head = heads.projected(leaf)
            assert head is not None
            return {a.key if type(a) is Literal else BLOCK for a, _ in head.atoms}
