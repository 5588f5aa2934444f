"""What stands in for the disk for a while: the files of a revision, or edits nobody has made.

A `StandIn` answers for absolute paths; where it has nothing to say, the disk decides.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Mapping
from typing import Protocol, TypeAlias

import msgspec

from headwater.text.digest import sha256


class Held(msgspec.Struct, frozen=True):
    """A file: what it holds, how long that is, and what tells it apart."""

    content: Callable[[], bytes]
    size: int
    stamp: int
    """Negative, so that it is no time of a file of the disk; equal for equal contents only."""

    def about(self) -> os.stat_result:
        """What is known of it."""
        return _about(stat.S_IFREG | 0o644, self.size, self.stamp)

    def names(self) -> frozenset[str]:
        """No names: it is no folder."""
        return frozenset()


class Folder(msgspec.Struct, frozen=True):
    """A folder: the names in it."""

    inner: frozenset[str]

    def about(self) -> os.stat_result:
        """What is known of it; folders of different names are told apart."""
        text = "\0".join(sorted(self.inner)).encode("utf-8", "surrogateescape")
        return _about(stat.S_IFDIR | 0o755, 0, stamp_of(text))

    def names(self) -> frozenset[str]:
        """The names in it."""
        return self.inner

    def content(self) -> bytes:
        """Nothing: it is no file."""
        return b""


class Gone(msgspec.Struct, frozen=True):
    """Nothing is there, whatever the disk has."""

    def about(self) -> None:
        """Nothing is known of it."""

    def names(self) -> frozenset[str]:
        """No names."""
        return frozenset()

    def content(self) -> bytes:
        """Nothing."""
        return b""


Entry: TypeAlias = Held | Folder | Gone

GONE = Gone()


def _about(mode: int, size: int, stamp: int) -> os.stat_result:
    return os.stat_result(
        (mode, 0, 0, 1, 0, 0, size, 0, 0, 0), {"st_mtime_ns": stamp, "st_ctime_ns": stamp}
    )


def stamp_of(content: bytes) -> int:
    """What tells a content apart from others."""
    return -1 - int.from_bytes(sha256(content).digest()[:7], "big")


class StandIn(Protocol):
    """What files are said to be."""

    def entry(self, path: str) -> Entry | None:
        """What lies under an absolute path, links followed; None where the disk decides."""
        ...

    def real(self, path: str) -> str | None:
        """Where an absolute path leads, links followed; None where the disk decides."""
        ...


class Edits:
    """Files that are said to hold something else, or not to be there, over another stand-in.

    They are named by the paths that links lead to.
    """

    def __init__(self, files: Mapping[str, bytes | None], over: StandIn | None = None) -> None:
        self._over = over
        self._files = {self.real(path): content for path, content in files.items()}
        self._folders: dict[str, dict[str, bool]] = {}
        """Names in folders, with whether they are there, where that is edited."""
        for path, content in self._files.items():
            self._note(path, there=content is not None)

    def _note(self, path: str, *, there: bool) -> None:
        """A file comes with all folders around it; it goes alone."""
        folder, name = os.path.split(path)
        while name:
            self._folders.setdefault(folder, {})[name] = there
            if not there:
                return
            folder, name = os.path.split(folder)

    def real(self, path: str) -> str:
        """Where an absolute path leads."""
        found = None if self._over is None else self._over.real(path)
        return os.path.realpath(path) if found is None else found

    def entry(self, path: str) -> Entry | None:
        """What lies under an absolute path; None where nothing is edited."""
        real = self.real(path)
        if real in self._files:
            content = self._files[real]
            if content is None:
                return GONE
            return Held(lambda: content, len(content), stamp_of(content))
        below = None if self._over is None else self._over.entry(path)
        if real not in self._folders:
            return below
        names = {*self._names(real, below)}
        for name, there in self._folders[real].items():
            (names.add if there else names.discard)(name)
        return Folder(frozenset(names)) if names or isinstance(below, Folder) else below

    @staticmethod
    def _names(folder: str, below: Entry | None) -> frozenset[str]:
        if isinstance(below, Folder):
            return below.inner
        if below is not None:
            return frozenset()
        try:
            return frozenset(os.listdir(folder))
        except PermissionError:
            raise
        except OSError:
            return frozenset()
