"""How the process begins: what is settled before the program itself is loaded.

Two things of Python's are made larger, once, for all commands and languages.

*Frames.*  All calls are made below one frame that has room for them (`text/frames.py`).

*Garbage.*  Python looks for cycles after every 700 new objects.  Loading modules makes tens of
thousands, of which none is garbage.
"""

from __future__ import annotations

import gc
import sys

import headwater

_NEW_OBJECTS = 50_000
"""So many new objects are looked through at a time."""


def main() -> None:
    """Runs the program."""
    try:
        _main()
    except KeyboardInterrupt:
        # As click has it, which is not loaded yet.
        sys.stderr.write("\nAborted!\n")
        sys.exit(1)


def _main() -> None:
    gc.set_threshold(_NEW_OBJECTS, *gc.get_threshold()[1:])
    if sys.argv[1:] == ["--version"] and _said(f"headwater, version {headwater.__version__}\n"):
        return
    from headwater.cli.modules import find_by_name

    find_by_name()
    from headwater.cli.door import guarded
    from headwater.cli.lean import load_msgspec

    load_msgspec()
    from headwater.text.frames import with_room

    with_room(lambda: guarded(_program))


def _program() -> None:
    """Does what the command line says."""
    from headwater.cli.plain import compiled_plainly

    if not compiled_plainly(sys.argv[1:]):
        from headwater.cli.main import run

        run()


def _said(text: str) -> bool:
    """Whether a text could be written; if not, the program knows how to tell."""
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except (OSError, ValueError, AttributeError):
        return False
    return True
