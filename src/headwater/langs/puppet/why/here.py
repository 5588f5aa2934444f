"""`Here`: in which frame, under which guards and when a piece of program was evaluated."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from headwater.langs.puppet.program.units import Unit
    from headwater.langs.puppet.record.acts import Act
    from headwater.langs.puppet.record.frames import Frame, Guard


class Here(NamedTuple):
    """The place and time of an evaluation: it saw what was written up to `when`."""

    unit: Unit
    frame: Frame
    guard: Guard | None
    when: int

    @classmethod
    def of(cls, act: Act | Any) -> Here:
        """Where something was done."""
        return cls(act.unit, act.frame, act.guard, act.when)
