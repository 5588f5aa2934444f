"""Tables of what many files and folders are, kept as long as none of these changes.

To see which of a hundred modules has a function means to look at hundreds of folders.  What was
found is kept with all that was looked at, there or not; the next compilation looks at each of
them once, and makes the table again only if one is not what it was.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Hashable
from typing import Any, TypeVar

import msgspec

from headwater.langs.puppet.files import (
    NO_FILE,
    Stamp,
    leads_to_folder,
    look,
    look_all,
    settled,
    stamp,
)
from headwater.text.moment import SEEN
from headwater.text.reading import reach
from headwater.text.reads import note_looks

T = TypeVar("T")


class Looked:
    """What a table was made of: what was looked at, and what was only asked for its kind."""

    def __init__(self) -> None:
        self.stamps: dict[str, Stamp] = {}
        self.kinds: dict[str, bool] = {}

    def at(self, path: str) -> os.stat_result | None:
        """What is known of a file or folder."""
        about = look(path)
        self.stamps[path] = stamp(about)
        return about

    def is_folder(self, path: str) -> bool:
        """Whether a name in a folder that is listed leads to a folder."""
        found = self.kinds[path] = leads_to_folder(path)
        return found


class _Table(msgspec.Struct, frozen=True):
    paths: list[str]
    stamps: list[Stamp]
    kinds: dict[str, bool]
    value: Any


_TABLES: dict[Hashable, _Table] = {}


def kept(key: Hashable, make: Callable[[Looked], T]) -> T:
    """What is made by looking at files and folders, made again when one of them has changed."""
    if reach().confined:
        return make(Looked())
    seen = SEEN.get()
    table: _Table | None = None if seen is None else seen.tables.get(key)
    if table is not None:
        note_looks(table.paths, table.kinds)
    else:
        table = _TABLES.get(key)
        if table is None or not _holds(table):
            table = _made(make)
            if settled(stamp for stamp in table.stamps if stamp != NO_FILE):
                _TABLES[key] = table
        if seen is not None:
            seen.hold(key, table, (*table.paths, *table.kinds))
    value: T = table.value
    return value


def _made(make: Callable[[Looked], object]) -> _Table:
    looked = Looked()
    value = make(looked)
    return _Table([*looked.stamps], [*looked.stamps.values()], looked.kinds, value)


def _holds(table: _Table) -> bool:
    now = [stamp(about) for about in look_all(table.paths)]
    return now == table.stamps and all(
        leads_to_folder(path) is there for path, there in table.kinds.items()
    )
