"""`Here`: in which frame, under which guards and when a piece of program was evaluated."""

from __future__ import annotations

from typing import Any

from headwater.langs.puppet.catalog.resource import Resource
from headwater.langs.puppet.program.units import Unit
from headwater.langs.puppet.record.acts import Act
from headwater.langs.puppet.record.declarations import declared
from headwater.langs.puppet.record.frames import Entered, Frame, Guard
from headwater.text.named import NamedTuple


class Here(NamedTuple):
    """The place and time of an evaluation: it saw what was written up to `when`."""

    unit: Unit
    frame: Frame
    guard: Guard | None
    when: int

    @classmethod
    def of(cls, act: Act | Any) -> Here:  # noqa: ANN401
        """Where something was done."""
        return cls(act.unit, calling(act.frame, act.node), act.guard, act.when)

    @classmethod
    def of_declaration(cls, resource: Resource) -> Here:
        """Where a resource was declared."""
        found = declared(resource)
        assert found.unit is not None
        assert found.frame is not None
        frame = calling(found.frame, found.node)
        return cls(found.unit, frame, found.guard, found.when)


def calling(frame: Frame, node: object) -> Frame:
    """The frame that a call stands in, also if its function looks from somewhere else."""
    while isinstance(frame.origin, Entered) and frame.origin.body is None:
        if frame.origin.node is not node:
            break
        frame = frame.origin.frame
    return frame
