"""A progress bar for work on many files: only on a terminal, only when it takes a while.

It says how many are done, how many a second, and how long the rest will take.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.progress import Progress

WAIT = 1.0
"""Seconds before the bar appears."""


@contextmanager
def progress(total: int, what: str) -> Iterator[Callable[[str], None] | None]:
    """A function to call after each file, or None when there is nothing to show it on."""
    if total < 2 or not sys.stderr.isatty():
        yield None
        return
    began = time.monotonic()
    count = 0
    bar: Any = None
    task: Any = None

    def advance(_: str) -> None:
        nonlocal bar, task, count
        count += 1
        if bar is None and time.monotonic() - began > WAIT:
            bar = _bar()
            bar.start()
            task = bar.add_task(what, total=total)
        if bar is not None:
            bar.update(task, completed=count)

    try:
        yield advance
    finally:
        if bar is not None:
            bar.stop()


def _bar() -> Progress:
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        ProgressColumn,
        Task,
        TextColumn,
        TimeRemainingColumn,
    )
    from rich.text import Text

    class Rate(ProgressColumn):
        """How many are done in a second."""

        def render(self, task: Task) -> Text:
            return Text("" if task.speed is None else f"{task.speed:,.1f}/s")

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), Rate(),
               TimeRemainingColumn())  # fmt: skip
    return Progress(*columns, console=Console(stderr=True), transient=True)
