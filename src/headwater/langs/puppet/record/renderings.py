"""What a template wrote, piece by piece, and what it read meanwhile."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from headwater.langs.puppet.program.units import Unit
from headwater.langs.puppet.record.frames import Frame
from headwater.text import Span


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


class Rendering(NamedTuple):
    """One run of a template.

    `unit` is an EPP's text; `tree` an ERB's program, and `variables` those that it read, each with
    the frames it was looked for from.
    """

    text: str
    pieces: list[Piece]
    unit: Unit | None = None
    tree: Any = None
    variables: Mapping[tuple[str, int], Frame] = MappingProxyType({})
