"""A progress bar for work on many files: only on a terminal, only when it takes a while."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

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
            from rich.console import Console
            from rich.progress import Progress

            bar = Progress(console=Console(stderr=True), transient=True)
            bar.start()
            task = bar.add_task(what, total=total)
        if bar is not None:
            bar.update(task, completed=count)

    try:
        yield advance
    finally:
        if bar is not None:
            bar.stop()
