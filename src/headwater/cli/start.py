"""How the process begins: what is settled before the program itself is loaded.

Two things of Python's are made larger, once, for all commands and languages.

*Frames.*  CPython keeps the frames of Python functions in chunks of 16 kB.  A call that does not
fit into the last chunk maps a new one, and returning from it unmaps it again: a program whose
depth swings around such an edge spends half its time in the system (5,900 pairs of `mmap` and
`munmap` in one compilation of 300 classes).  The chunk that holds a frame is made as large as
that frame asks, rounded up to a power of two, and what is left of it serves the calls below.
So one frame at the bottom that asks for a little more than half of 8 MB, and touches none of
it, leaves 4 MB for the rest: about ten thousand calls deep.

*Garbage.*  Python looks for cycles after every 700 new objects.  Loading modules makes tens of
thousands, of which none is garbage.
"""

from __future__ import annotations

import gc
import sys

import headwater

TYPE_CHECKING = False  # that of `typing`, which ``--version`` need not load
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeVar

    Result = TypeVar("Result")

_SLOTS = 2**19 + 1
"""Slots of eight bytes, one more than 4 MB."""

_NEW_OBJECTS = 50_000
"""So many new objects are looked through at a time."""


def main() -> None:
    """Runs the program."""
    gc.set_threshold(_NEW_OBJECTS, *gc.get_threshold()[1:])
    if sys.argv[1:] == ["--version"] and _said(f"headwater, version {headwater.__version__}\n"):
        return
    from headwater.cli.modules import find_by_name

    find_by_name()
    from headwater.cli.door import guarded
    from headwater.cli.lean import load_msgspec

    load_msgspec()

    with_room(lambda: guarded(_program))


def _program() -> None:
    """Does what the command line says."""
    from headwater.cli.plain import compiled_plainly

    if not compiled_plainly(sys.argv[1:]):
        from headwater.cli.main import run

        run()


def with_room(run: Callable[[], Result]) -> Result:
    """What ``run`` returns, its calls all in one chunk of frames."""
    return run()


# Other implementations of Python have no such chunks, and some no such attribute.
if hasattr(with_room.__code__, "co_stacksize"):
    with_room.__code__ = with_room.__code__.replace(co_stacksize=_SLOTS)


def _said(text: str) -> bool:
    """Whether a text could be written; if not, the program knows how to tell."""
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except (OSError, ValueError, AttributeError):
        return False
    return True
