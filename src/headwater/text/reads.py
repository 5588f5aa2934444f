"""What a piece of work read: a result is good as long as all of this is what it was.

Misses are reads: a file that was looked for and not found, a name that a folder did not have.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar


class Reads:
    """What was asked for; paths are as they were spelled."""

    __slots__ = ("contents", "facts", "keys", "kinds", "outside", "variables")

    def __init__(self) -> None:
        self.contents: set[str] = set()
        """Files whose contents, folders whose names were asked for, there or not."""
        self.kinds: set[str] = set()
        """What was only asked whether it is there, and whether it is a file or a folder."""
        self.keys: dict[str, set[str]] = {}
        """Keys at the top of data files that are there, of which nothing else was asked."""
        self.facts: dict[str, set[str]] = {}
        """Parts of files of facts, as their language spells them, likewise."""
        self.variables: set[str] = set()
        """Variables of the process's environment."""
        self.outside: set[str] = set()
        """What is another thing every time it is asked for: the clock."""

    def wholly(self) -> None:
        """Where something stands in a file was asked for too: files in parts are read whole."""
        self.contents.update(self.keys, self.facts)

    def paths(self) -> set[str]:
        """All files and folders of which anything was asked."""
        return {*self.contents, *self.kinds, *self.keys, *self.facts}


NAMES = "\x1f"
"""In place of a key of a data file: the names of all its keys."""

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


def note_key(paths: Iterable[str], key: str) -> None:
    """Notes that data files were asked for a key, whether they have it or not."""
    reads = READS.get()
    if reads is not None:
        keys = reads.keys
        for path in paths:
            if path in keys:
                keys[path].add(key)
            else:
                keys[path] = {key}


def note_keys(paths: Iterable[str], asked: Iterable[str]) -> None:
    """Notes that each of some data files was asked for each of some keys."""
    reads = READS.get()
    if reads is not None:
        for path in paths:
            reads.keys.setdefault(path, set()).update(asked)


def note_looks(contents: Iterable[str], kinds: Iterable[str] = ()) -> None:
    """Notes that files and folders were looked at, and others asked for their kinds."""
    reads = READS.get()
    if reads is not None:
        reads.contents.update(contents)
        reads.kinds.update(kinds)


def note_again(other: Reads) -> None:
    """Notes all that was read another time."""
    reads = READS.get()
    if reads is not None:
        reads.contents |= other.contents
        reads.kinds |= other.kinds
        reads.variables |= other.variables
        reads.outside |= other.outside
        for path, keys in other.keys.items():
            reads.keys.setdefault(path, set()).update(keys)
        for path, parts in other.facts.items():
            reads.facts.setdefault(path, set()).update(parts)


def note_variable(name: str) -> None:
    """Notes that a variable of the environment was asked for, whether it is set or not."""
    reads = READS.get()
    if reads is not None:
        reads.variables.add(name)


def note_outside(what: str) -> None:
    """Notes that something was asked for that is never the same again."""
    reads = READS.get()
    if reads is not None:
        reads.outside.add(what)
