"""Work on many nodes: in this process, or on all processors at once.

A worker is a process of its own that is given names of nodes, one at a time, and answers with
bytes.  It begins as a copy of this process where the system can do that, with everything loaded
and parsed that the first node needed.  A worker may fail or die: the others go on, and what was not
done is known.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing.process import BaseProcess
from types import FrameType
from typing import TypeAlias

Work: TypeAlias = Callable[[str], bytes]

FEW = 4
"""So many nodes are done sooner than workers are started."""


def over(names: Sequence[str], work: Work, *, processes: int) -> Iterator[tuple[str, bytes]]:
    """The answer for each node that is done, as they come.

    A generator that is closed, or left by an exception, ends its workers.
    """
    if processes < 2 or len(names) <= FEW:
        for name in names:
            yield name, work(name)
        return
    first, *rest = names
    yield first, work(first)  # what it loads and parses is there for all workers
    yield from _in_pool(rest, work, min(processes, len(rest)))


def _in_pool(names: Sequence[str], work: Work, processes: int) -> Iterator[tuple[str, bytes]]:
    global _WORK
    _WORK = work
    context = multiprocessing.get_context("fork")
    pool = ProcessPoolExecutor(processes, mp_context=context, initializer=_begin)
    workers: list[BaseProcess] = []
    whole = False
    try:
        futures = {pool.submit(_do, name): name for name in names}
        workers += (pool._processes or {}).values()
        for future in as_completed(futures):
            yield futures[future], future.result()
        whole = True
    except BrokenProcessPool:
        return  # a worker died; who asked sees which nodes have no answer
    finally:
        if not whole:  # nobody waits for what they still do
            for worker in workers or (pool._processes or {}).values():
                worker.kill()
        pool.shutdown(wait=True, cancel_futures=True)
        _WORK = None


_WORK: Work | None = None
"""What the workers of this process do; they find it there when they begin as copies of it."""

_SECONDS = 1.0
"""How soon a worker notices that nobody is left to answer to."""


def _begin() -> None:
    # The terminal sends its interrupt to all; whoever started the workers tells what was not done.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    threading.Thread(target=_end_with, args=(os.getppid(),), daemon=True).start()


def _end_with(parent: int) -> None:
    """Ends this process when its parent has ended, even if that was killed."""
    while os.getppid() == parent:
        time.sleep(_SECONDS)
    os._exit(1)


def _do(name: str) -> bytes:
    assert _WORK is not None
    return _WORK(name)


def can_fork() -> bool:
    """Whether the system can start a worker as a copy of this process."""
    return "fork" in multiprocessing.get_all_start_methods()


def processors() -> int:
    """How many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class Interrupted(BaseException):
    """Somebody wants the work to end; no `Exception`, so that nobody on the way keeps it."""


@contextmanager
def interruptible() -> Iterator[None]:
    """Meanwhile SIGINT and SIGTERM raise `Interrupted`."""

    def stop(_: int, __: FrameType | None) -> None:
        raise Interrupted

    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
