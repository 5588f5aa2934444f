"""How deep Python may recurse: the process has one limit, and all its threads share it.

Who needs more frames asks for a `room` of them.  The limit falls again when nobody is left who
needs it, so that no thread takes away the frames that another is using.
"""

from __future__ import annotations

import os
import sys
from _thread import allocate_lock, get_ident

_lock = allocate_lock()
_rooms: dict[int, list[int]] = {}
"""The rooms that threads are in, by thread; none without any."""
_usual = 0
"""The limit without any room, while there is one."""


class room:  # noqa: N801
    """While it lasts there are at least so many frames."""

    __slots__ = ("_frames",)

    def __init__(self, frames: int) -> None:
        self._frames = frames

    def __enter__(self) -> None:
        global _usual
        with _lock:
            limit = sys.getrecursionlimit()
            if not _rooms:
                _usual = limit
            mine = _rooms.get(get_ident())
            if mine is None:
                _rooms[get_ident()] = [self._frames]
            else:
                mine.append(self._frames)
            if self._frames > limit:
                sys.setrecursionlimit(self._frames)

    def __exit__(self, *_: object) -> None:
        with _lock:
            mine = _rooms.get(get_ident())
            if mine:
                del mine[-1]
                if not mine and len(_rooms) == 1:  # as it is nearly always, for many questions
                    _rooms.clear()
                    sys.setrecursionlimit(_usual)
                    return
            _fall(_usual)


def entered() -> tuple[int, int]:
    """How many rooms this thread is in, and the limit without any."""
    with _lock:
        return len(_rooms.get(get_ident(), ())), _usual if _rooms else sys.getrecursionlimit()


def leave(before: tuple[int, int]) -> None:
    """Leaves the rooms that this thread has entered since: an alarm may have rung anywhere."""
    kept, usual = before
    with _lock:
        del _rooms.get(get_ident(), [])[kept:]
        _fall(usual)


def _fall(usual: int) -> None:
    if not _rooms.get(get_ident(), True):
        del _rooms[get_ident()]
    limit = usual
    for frames in _rooms.values():
        limit = max(limit, *frames)
    if limit != sys.getrecursionlimit():
        sys.setrecursionlimit(limit)


def _alone() -> None:
    """In a process that was forked no other thread lives on, and none holds the lock."""
    global _lock
    _lock = allocate_lock()
    for thread in _rooms.keys() - {get_ident()}:
        del _rooms[thread]


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_alone)
