"""Work on many nodes: in this process, or on all processors at once.

A worker is a process of its own that is given names of nodes, a few at a time, and answers with
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
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor
from concurrent.futures import wait as first_of
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from itertools import chain
from types import FrameType
from typing import TypeAlias

from headwater.ask.collector import freeze_for_good
from headwater.text.frames import with_room
from headwater.text.moment import Seen, at_one_moment

Work: TypeAlias = Callable[[str], bytes]

FEW = 4
"""So many nodes are done sooner than workers are started."""

MOST = 8
"""So many nodes a worker is given at a time: asking for each takes a fiftieth of the time."""


class Pool:
    """Workers for one kind of work, for one run over nodes after the other.

    Every run sees the files as they are when it begins (`at_one_moment`).
    """

    def __init__(self, work: Work, processes: int) -> None:
        self.work = work
        self.processes = processes if can_fork() else 1
        self._executor: ProcessPoolExecutor | None = None
        self._runs = 0

    def over(self, names: Sequence[str]) -> Iterator[tuple[str, bytes]]:
        """The answer for each node that is done, as they come.

        Workers begin at once, whenever the answers are asked for.  An iterator that is left before
        its end, for whatever reason, ends them.
        """
        self._runs += 1
        if self._executor is None and (self.processes < 2 or len(names) <= FEW):
            return self._alone(names)
        first: list[tuple[str, bytes]] = []
        if self._executor is None:  # what the first node loads and parses is there for all workers
            first = [*self._alone(names[:1])]
        return chain(first, self._answers(self._given(names[len(first) :])))

    def _alone(self, names: Sequence[str]) -> Iterator[tuple[str, bytes]]:
        with at_one_moment():
            for name in names:
                yield name, self.work(name)

    def _given(self, names: Sequence[str]) -> list[Future[list[tuple[str, bytes]]]]:
        """What workers were given to do."""
        executor = self._executor or self._started(min(self.processes, len(names)))
        some = [*self._some(names)]
        try:
            # Workers begin in the first call, and have the room that is made for it.
            futures = with_room(lambda: [executor.submit(_do, self._runs, few) for few in some])
        except BrokenProcessPool:
            self.close(wait=False)
            return []
        _leave_writing(executor)
        return futures

    def _answers(
        self, futures: list[Future[list[tuple[str, bytes]]]]
    ) -> Iterator[tuple[str, bytes]]:
        whole = False
        try:
            left = {*futures}
            futures.clear()
            while left:
                done, left = first_of(left, timeout=_SECONDS, return_when=FIRST_COMPLETED)
                if not done:
                    self._end_if_broken()
                while done:
                    yield from done.pop().result()
            whole = True
        except BrokenProcessPool:
            return  # a worker died; who asked sees which nodes have no answer
        finally:
            if not whole:
                self.close(wait=False)

    def _end_if_broken(self) -> None:
        """Ends all workers when one has died: the others may wait for what it held."""
        workers = [*((self._executor and self._executor._processes) or {}).values()]
        if not all(worker.is_alive() for worker in workers):
            for worker in workers:
                worker.kill()

    def _some(self, names: Sequence[str]) -> Iterator[Sequence[str]]:
        """Names as they are given out: several at once, and few at the end, when all wait."""
        at = 0
        while at < len(names):
            some = min(MOST, max(1, (len(names) - at) // (2 * self.processes)))
            yield names[at : at + some]
            at += some

    def _started(self, processes: int) -> ProcessPoolExecutor:
        global _WORK
        _WORK = self.work
        context = multiprocessing.get_context("fork")
        self._executor = ProcessPoolExecutor(processes, mp_context=context, initializer=_begin)
        return self._executor

    def close(self, *, wait: bool = True) -> None:
        """Ends the workers; what they still do is left undone unless it is waited for."""
        executor, self._executor = self._executor, None
        if executor is None:
            return
        if not wait:
            for worker in [*(executor._processes or {}).values()]:
                worker.kill()
        executor.shutdown(wait=True, cancel_futures=True)


def _leave_writing(executor: ProcessPoolExecutor) -> None:
    """Leaves it to the workers, all of which have begun, to write answers.

    Who waits for an answer of which half is written waits for as long as anybody could write the
    rest; if that is this process too, it never learns that the workers were killed.
    """
    answers = getattr(executor, "_result_queue", None)
    if answers is not None:
        answers._writer.close()


_WORK: Work | None = None
"""What the workers of this process do; they find it there when they begin as copies of it."""

_RUN: list[tuple[int, Seen]] = []
"""In a worker: the run that it works for, and what it saw of the files."""

_SECONDS = 1.0
"""How soon a worker notices that nobody is left to answer to, and who waits that one has died."""


def _begin() -> None:
    freeze_for_good()  # what the workers have in common is not looked through again
    # The terminal sends its interrupt to all; whoever started the workers tells what was not done.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    threading.Thread(target=_end_with, args=(os.getppid(),), daemon=True).start()


def _end_with(parent: int) -> None:
    """Ends this process when its parent has ended, even if that was killed."""
    while os.getppid() == parent:
        time.sleep(_SECONDS)
    os._exit(1)


def _do(run: int, names: Sequence[str]) -> list[tuple[str, bytes]]:
    assert _WORK is not None
    if not _RUN or _RUN[0][0] != run:
        _RUN[:] = [(run, Seen())]
    with at_one_moment(_RUN[0][1]):
        return [(name, _WORK(name)) for name in names]


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
