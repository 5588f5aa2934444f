"""What a template wrote, piece by piece, and what it read meanwhile."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from types import MappingProxyType
from typing import Any

from headwater.langs.puppet.program.units import Unit
from headwater.langs.puppet.record.frames import Frame
from headwater.text import Span
from headwater.text.named import NamedTuple


class Piece(NamedTuple):
    """A piece of a text that a template wrote.

    `place` is the part of the template that wrote it.  Of an inserted value, `node` is the
    expression and `frame` where it was evaluated, if it is one of Puppet's; of ERB `value` is
    what the expression gave.
    """

    size: int
    place: Span
    inserted: bool
    node: Any = None
    frame: Frame | None = None
    value: Any = None


class Rendering:
    """One run of a template.

    `make` makes its pieces.  `unit` is an EPP's text; `tree` an ERB's program, and `variables`
    those that it read, each with the frames it was looked for from.
    """

    def __init__(
        self, text: str, make: Callable[[], list[Piece]], unit: Unit | None = None,
        tree: Any = None, variables: Mapping[tuple[str, int], Frame] = MappingProxyType({}),  # noqa: ANN401
    ) -> None:  # fmt: skip
        self.text = text
        self._make = make
        self.unit = unit
        self.tree = tree
        self.variables = variables

    @cached_property
    def pieces(self) -> list[Piece]:
        """What was written, piece by piece; most templates are never asked for it."""
        return self._make()
