"""Files beside a program, read through the one door; a refusal becomes a problem of the program.

See `headwater.text.reading` for what is refused.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TypeAlias, TypeVar

from headwater.langs.codes import unread, unread_code
from headwater.langs.puppet.fault import Fault, Problem
from headwater.text import Source, Unreadable, read_source, reading
from headwater.text.reading import Unread

T = TypeVar("T")
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


def _told(function: Callable[[T], R]) -> Callable[[T], R]:
    def told(path: T) -> R:
        try:  # as `refusals` does, which costs more than looking at a file
            return function(path)
        except Unread as why:
            raise _refusal(why) from None

    return told


Stamp: TypeAlias = tuple[int, int, int]
"""What tells a state of a file from others; what was made of the file is kept by it.

That is its size and two times: when it was written to, which whoever writes may set at will
(``cp -p``, ``touch -r``, an archive that is unpacked), and when anything about it was changed,
which nobody can set.
"""

NO_FILE: Stamp = (0, 0, 0)


def stamp(about: os.stat_result | None) -> Stamp:
    """The state of a file by what is known of it."""
    return NO_FILE if about is None else (about.st_size, about.st_mtime_ns, about.st_ctime_ns)


def stamp_of(path: str) -> Stamp:
    """The state of the file at a path."""
    return stamp(look(path))


_YOUNG = 50_000_000
"""Nanoseconds: what was changed so lately may change again without another time of change."""

_SOURCES: dict[str, tuple[Stamp, Source]] = {}
"""Texts that were read, with the states of their files."""


def settled(stamps: Iterable[Stamp]) -> bool:
    """Whether files in these states will be in others when they change again."""
    now = time.time_ns()
    return all(now - changed > _YOUNG for _, _, changed in stamps)


def kept_source(path: str) -> Source | Unreadable:
    """The text of a file, or why there is none; read again only if the file has changed."""
    about = look(path)
    if about is None or about.st_size > reading.reach().most_bytes:
        return read_source(path)
    kept = _SOURCES.get(path)
    now = stamp(about)
    if kept is not None and kept[0] == now:
        return kept[1]
    source = read_source(path)
    if isinstance(source, Source) and settled([now]):
        _SOURCES[path] = (now, source)
    return source


look = _told(reading.look)
look_all = _told(reading.look_all)
exists = _told(reading.exists)
is_folder = _told(reading.is_folder)
leads_to_folder = _told(reading.leads_to_folder)
names_in = _told(reading.names_in)
read_bytes = _told(reading.read_bytes)
