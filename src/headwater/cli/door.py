"""The way out of the program: its status, and what a user is told of what went wrong inside."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable
from typing import NoReturn


def guarded(run: Callable[[], object]) -> None:
    """Runs the program; a bug of ours ends with status 70 and a plea to report it."""
    try:
        try:
            run()
        except SystemExit as end:
            _leave(end.code)
    except BrokenPipeError:
        # The reader of our output has gone; there is nobody left to tell.
        sys.stderr.close()
        sys.exit(0)
    except OSError as error:
        if error.errno not in (
            errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF
        ):  # fmt: skip
            _bug(error)
        sys.stderr.write(f"headwater: the output cannot be written: {error.strerror}\n")
        sys.stderr.flush()
        os._exit(1)  # what is left in the buffers cannot be written either
    except Exception as error:  # noqa: BLE001 - the last door: no traceback reaches a user
        _bug(error)


def _leave(code: str | int | None) -> NoReturn:
    """Ends the process; taking a large result apart first, piece by piece, would serve nobody."""
    if code is not None and not isinstance(code, int):
        sys.exit(code)
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code or 0)


def _bug(error: Exception) -> NoReturn:
    """Says what went wrong inside, and where; without a folder to be in, nothing can go right."""
    import traceback

    if not _is_somewhere():
        sys.stderr.write("headwater: the current folder is not there any more\n")
        sys.exit(1)
    if os.environ.get("HEADWATER_DEBUG"):
        traceback.print_exception(error)
    where = traceback.extract_tb(error.__traceback__)[-1]
    place = f"{os.path.basename(where.filename)}:{where.lineno}"
    from headwater.cli.say import say

    say(f"headwater: a bug in Headwater ({type(error).__name__} at {place}): {error}", err=True)
    say("Please report it with the input that led here; HEADWATER_DEBUG=1 shows more.", err=True)
    sys.exit(70)


def _is_somewhere() -> bool:
    """Whether the current folder is there, and can be named."""
    try:
        os.getcwd()
    except OSError:
        return False
    return True
