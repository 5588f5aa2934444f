"""A time limit for work that goes on in one thread: `limited` ends it with `TimedOut`.

The alarm is a signal, so that no loop has to look at a clock.  It can ring anywhere, and what
it leaves behind must be whole: it waits while a module is being imported (half a module would
stay), and after `beyond_recall` it does not ring at all (what is committed is committed).
Caches hold finished things only: they are filled by one assignment.

A call into C is not interrupted; the alarm rings when it returns.  Signals come to the main
thread of a process; in other threads, and where there are no such signals, nothing is limited.
"""

from __future__ import annotations

import gc
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from headwater.text.recursion import entered, leave

_AGAIN = 0.05
"""Seconds after which an alarm that had to wait rings again."""

_GRACE = 1.0
"""Seconds for cleaning up before an alarm that was not heard rings again."""

_IMPORTING = "<frozen importlib._bootstrap>"


class TimedOut(BaseException):
    """The time is up.  No `Exception`, so that nobody on the way takes it for one of theirs."""


class _Alarm:
    """What the signal does while a limit is in force."""

    def __init__(self) -> None:
        self.armed = True
        self.rang: float | None = None

    def __call__(self, _: int, frame: FrameType | None) -> None:
        now = time.monotonic()
        if not self.armed or (self.rang is not None and now - self.rang < _GRACE):
            return
        while frame is not None:
            if frame.f_code.co_filename == _IMPORTING:
                return
            frame = frame.f_back
        self.rang = now
        raise TimedOut


_CURRENT: list[_Alarm] = []


def _possible() -> bool:
    return hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread()


@contextmanager
def limited(seconds: float | None) -> Iterator[None]:
    """Raises `TimedOut` in the block after so many seconds; None is no limit.  Does not nest."""
    if seconds is None or _CURRENT or not _possible():
        yield
        return
    alarm = _Alarm()
    before_rooms, collecting = entered(), gc.isenabled()
    before = signal.signal(signal.SIGALRM, alarm)
    _CURRENT.append(alarm)
    try:
        try:
            signal.setitimer(signal.ITIMER_REAL, seconds, _AGAIN)
            yield
        finally:
            alarm.armed = False
    finally:
        # The alarm may have rung just before it was disarmed; it does not ring twice so soon.
        alarm.armed = False
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, signal.SIG_DFL if before is None else before)
        _CURRENT.clear()
        if alarm.rang is not None:
            leave(before_rooms)
            (gc.enable if collecting else gc.disable)()


def beyond_recall() -> None:
    """Takes the limit off: what is done next cannot be undone."""
    for alarm in _CURRENT:
        alarm.armed = False
