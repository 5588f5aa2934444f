"""Files as they are at one moment: each is looked at and read once, and is then what it was."""

from __future__ import annotations

import os
from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TypeVar

import msgspec

from headwater.text.reads import READS, Reads, note_again

T = TypeVar("T")


class Seen(msgspec.Struct):
    """What was seen of files and folders; holds for as long as they are taken not to change."""

    looks: dict[str, os.stat_result | None] = {}
    names: dict[str, list[str]] = {}
    files: dict[str, tuple[bytes, os.stat_result]] = {}
    texts: dict[str, tuple[bytes, Any]] = {}
    """The texts of files, with the bytes that they were made of."""
    tables: dict[Hashable, Any] = {}
    """What was made of them, or was found to hold for them."""
    below: set[str] = set()
    """All paths that tables rest on."""
    folders: dict[str, bool] = {}
    reals: dict[str, str] = {}
    """Where folders are, links followed."""
    made: dict[Hashable, tuple[Any, Reads]] = {}
    """What was made of them, with what was read for it; see `once`."""

    def hold(self, key: Hashable, table: object, paths: Iterable[str]) -> None:
        """Keeps what was made of files and folders."""
        self.tables[key] = table
        self.below.update(paths)

    def forget(self, path: str) -> None:
        """Looks again when a path is asked for."""
        for known in (self.looks, self.names, self.files, self.texts, self.folders):
            known.pop(path, None)
        if path in self.below:
            self.tables.clear()
            self.made.clear()
            self.below.clear()


SEEN: ContextVar[Seen | None] = ContextVar("seen", default=None)
"""What was seen at the moment that is looked at; None if files may change."""


def once(key: Hashable, make: Callable[[], T]) -> T:
    """What is made of files alone, made once at one moment; what it read is noted every time."""
    seen = SEEN.get()
    if seen is None:
        return make()
    held = seen.made.get(key)
    if held is None:
        reads = Reads()
        token = READS.set(reads)
        try:
            value = make()
        finally:
            READS.reset(token)
            note_again(reads)
        seen.made[key] = (value, reads)
        seen.below.update(reads.paths())
        return value
    note_again(held[1])
    found: T = held[0]
    return found


@contextmanager
def at_one_moment(seen: Seen | None = None) -> Iterator[None]:
    """Everything is looked at and read once meanwhile, and is then what it was.

    For many compilations of one state of the files; they must all be allowed the same reach.
    """
    token = SEEN.set(Seen() if seen is None else seen)
    try:
        yield
    finally:
        SEEN.reset(token)
