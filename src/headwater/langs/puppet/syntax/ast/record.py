"""What all nodes are: records with a place in the text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Protocol, TypeAlias

import msgspec

_HOW = frozenset({"start", "end", "name_start", "name_end", "at", "bare", "elsif", "source"})
"""Fields that say where and how a node is written, not what it is."""


Expr: TypeAlias = Any
"""An expression in a field of a node.

Nodes hold nodes of all kinds; the closed union of them is in the package, which knows them all.
"""
Operation: TypeAlias = Any
"""An attribute, or several, in a field of a node."""


class Placed(Protocol):
    """A node that stands somewhere: `start` and `end` are offsets into the text."""

    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...


class Record(msgspec.Struct, eq=False):
    """A node: its fields, and `start` and `end`, offsets into the text.

    Two nodes are equal when they are of one kind and have equal fields, places and ways
    of writing aside.
    """

    def __eq__(self, other: object) -> bool:
        if self.__class__ is not other.__class__:
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in _said(self))

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        fields = ", ".join(f"{name}={getattr(self, name)!r}" for name in _said(self))
        return f"{type(self).__name__}({fields})"


def _said(node: Record) -> list[str]:
    return [name for name in node.__struct_fields__ if name not in _HOW]


def parts(node: Any) -> list[Any]:  # noqa: ANN401
    """What a node holds: nodes, lists of them, and plain values."""
    return [getattr(node, name) for name in node.__struct_fields__]


def children(node: object) -> Iterator[Any]:
    """The nodes right below a node."""
    for value in parts(node):
        if isinstance(value, list):
            yield from value
        elif isinstance(value, Record):
            yield value
