"""A `Label` is one piece of input, or the place of one that could have been written and was not."""

from __future__ import annotations

from typing import Literal, TypeAlias

from headwater.text import Span
from headwater.text.named import NamedTuple

Kind: TypeAlias = Literal[
    "literal",
    "reference",
    "key",
    "structure",
    "tag",
    "constraint",
    "operation",
    "fact",
    "hiera",
    "miss",
    "file",
    "definition",
    "argument",
    "query",
    "unknown",
]


class Label(NamedTuple):
    """A piece of input: what kind, where, and as it is written there.

    The label of a miss stands at the place where the missing thing could be
    written, and its text is what would be written there.
    """

    kind: Kind
    at: Span
    text: str

    @property
    def order(self) -> tuple[str, int, int, str, str]:
        """By file, then place: the order in which labels are shown and numbered."""
        return (self.at.source.name, self.at.start, self.at.end, self.kind, self.text)
