"""What a piece of work read: a result is good as long as all of this is what it was.

Misses are reads: a file that was looked for and not found, a name that a folder did not have.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar


class Reads:
    """The paths that were asked for, as they were spelled."""

    __slots__ = ("contents", "keys", "kinds")

    def __init__(self) -> None:
        self.contents: set[str] = set()
        """Files whose contents, folders whose names were asked for, there or not."""
        self.kinds: set[str] = set()
        """What was only asked whether it is there, and whether it is a file or a folder."""
        self.keys: dict[str, set[str]] = {}
        """Keys at the top of data files that are there, of which nothing else was asked."""


READS: ContextVar[Reads | None] = ContextVar("reads", default=None)
"""Where reads are noted at present."""


@contextmanager
def noting(reads: Reads | None) -> Iterator[None]:
    """Notes for a while what is read; with None, nothing is noted."""
    token = READS.set(reads)
    try:
        yield
    finally:
        READS.reset(token)


def note_key(path: str, key: str) -> None:
    """Notes that a data file was asked for a key, whether it has it or not."""
    reads = READS.get()
    if reads is not None:
        reads.keys.setdefault(path, set()).add(key)
