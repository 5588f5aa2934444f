"""Files beside a program, read through the one door; a refusal becomes a problem of the program.

See `headwater.text.reading` for what is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import ParamSpec, TypeVar

from headwater.langs.codes import unread, unread_code
from headwater.langs.puppet.fault import Fault, Problem
from headwater.text import Unreadable, reading
from headwater.text.reading import Unread

P = ParamSpec("P")
R = TypeVar("R")


@contextmanager
def refusals() -> Iterator[None]:
    """Turns what the door refuses into problems."""
    try:
        yield
    except Unread as why:
        raise _refusal(why) from None


def _refusal(why: Unread) -> Fault | Problem:
    if why.named_at is not None:
        return Fault(unread(why, why.path, why.named_at))
    return refused(why, why.path)


def refused(why: Unread | Unreadable, path: str) -> Problem:
    """The problem of a file that is not read."""
    return Problem(unread_code(why), file=path, reason=why.reason)


def _told(function: Callable[P, R]) -> Callable[P, R]:
    def told(*args: P.args, **settings: P.kwargs) -> R:
        try:  # as `refusals` does, which costs more than looking at a file
            return function(*args, **settings)
        except Unread as why:
            raise _refusal(why) from None

    return told


def stamp_of(path: str) -> int:
    """When a file was changed, by which what was made of it is kept."""
    about = look(path)
    return 0 if about is None else about.st_mtime_ns


look = _told(reading.look)
exists = _told(reading.exists)
is_folder = _told(reading.is_folder)
names_in = _told(reading.names_in)
read_bytes = _told(reading.read_bytes)
