"""Room for the frames of Python functions.

CPython keeps them in chunks of 16 kB.  A call that does not fit into the last chunk maps a new
one, and returning from it unmaps it again: a program whose depth swings around such an edge spends
half its time in the system (5,900 pairs of `mmap` and `munmap` in one compilation of 300 classes).
The chunk that holds a frame is made as large as that frame asks, rounded up to a power of two, and
what is left of it serves the calls below.  So one frame at the bottom that asks for a little more
than half of 8 MB, and touches none of it, leaves 4 MB for the rest: about ten thousand calls deep.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

Result = TypeVar("Result")

_SLOTS = 2**19 + 1
"""Slots of eight bytes, one more than 4 MB."""


def with_room(run: Callable[[], Result]) -> Result:
    """What ``run`` returns, its calls all in one chunk of frames."""
    return run()


# Other implementations of Python have no such chunks, and some no such attribute.
if hasattr(with_room.__code__, "co_stacksize"):
    with_room.__code__ = with_room.__code__.replace(co_stacksize=_SLOTS)
