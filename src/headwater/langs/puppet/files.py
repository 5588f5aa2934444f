"""Files beside a program, read through the one door; a refusal becomes a problem of the program.

See `headwater.text.reading` for what is refused.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ParamSpec, TypeVar

from headwater.langs.codes import unread_code
from headwater.langs.puppet.fault import Problem
from headwater.text import Unreadable, reading
from headwater.text.reading import Unread

P = ParamSpec("P")
R = TypeVar("R")


def refused(unread: Unread | Unreadable, path: str) -> Problem:
    """The problem of a file that is not read."""
    return Problem(unread_code(unread), file=path, reason=unread.reason)


def _told(function: Callable[P, R]) -> Callable[P, R]:
    def told(*args: P.args, **settings: P.kwargs) -> R:
        try:
            return function(*args, **settings)
        except Unread as unread:
            raise refused(unread, unread.path) from None

    return told


look = _told(reading.look)
exists = _told(reading.exists)
is_file = _told(reading.is_file)
is_folder = _told(reading.is_folder)
names_in = _told(reading.names_in)
files_under = _told(reading.files_under)
read_bytes = _told(reading.read_bytes)
