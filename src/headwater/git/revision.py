"""The files of a revision, read from git's objects: nothing is checked out."""

from __future__ import annotations

import os

import msgspec

from headwater.git.command import GitFailed, git
from headwater.git.objects import Objects
from headwater.text.standin import GONE, Entry, Folder, Held

_MOST_LINKS = 40
"""How many links are followed on one path, as Linux does."""


class _Object(msgspec.Struct, frozen=True):
    """A file or link of a revision."""

    name: str
    size: int
    link: bool


class Revision:
    """The files below the top folder of a repository as a commit has them.

    A submodule is an empty folder: its files are in another repository.
    """

    def __init__(self, top: str, commit: str, objects: Objects) -> None:
        self.top = top
        self.commit = commit
        self._objects = objects
        self._files: dict[str, _Object] = {}
        self._folders: dict[str, set[str]] = {"": set()}
        for row in git(top, "ls-tree", "-r", "-z", "--full-tree", "--long", commit).split(b"\0"):
            if row:
                self._add(row)

    def _add(self, row: bytes) -> None:
        about, _, raw = row.partition(b"\t")
        mode, kind, name, size = about.split()
        path = os.fsdecode(raw)
        if kind == b"blob":
            self._files[path] = _Object(name.decode(), int(size), mode == b"120000")
        else:
            self._folders.setdefault(path, set())
        while path:
            path, _, last = path.rpartition("/")
            self._folders.setdefault(path, set()).add(last)

    def changed(self, other: Revision) -> set[str]:
        """The absolute paths of files that are not the same in another revision."""
        paths = self._files.keys() | other._files.keys()
        unlike = {path for path in paths if self._files.get(path) != other._files.get(path)}
        return {os.path.join(self.top, path) for path in unlike}

    def real(self, path: str) -> str | None:
        """Where an absolute path leads; None outside of the repository."""
        inner = self._inner(path)
        return None if inner is None else self._followed(path, inner)

    def entry(self, path: str) -> Entry | None:
        """What lies under an absolute path; None outside of the repository."""
        real = self.real(path)
        inner = None if real is None else self._inner(real)
        if inner is None:
            return None
        found = self._files.get(inner)
        if found is not None and not found.link:
            oid, stamp = found.name, -1 - int(found.name[:14], 16)
            return Held(lambda: self._objects.content(oid), found.size, stamp)
        names = self._folders.get(inner)
        return GONE if names is None else Folder(frozenset(names))

    def _inner(self, path: str) -> str | None:
        """The path below the top; None for what is elsewhere."""
        for spelling in (path, os.path.realpath(path)):
            if spelling == self.top:
                return ""
            inner = spelling.removeprefix(self.top + os.sep)
            if inner != spelling:
                return inner
        return None

    def _followed(self, path: str, inner: str) -> str | None:
        """Where a path below the top leads; None if that is outside."""
        done: list[str] = []
        todo = inner.split("/")[::-1] if inner else []
        links = 0
        while todo:
            name = todo.pop()
            if name in ("", "."):
                continue
            if name == "..":
                if not done:
                    return None
                done.pop()
                continue
            found = self._files.get("/".join([*done, name]))
            if found is None or not found.link:
                done.append(name)
                continue
            links += 1
            if links > _MOST_LINKS:
                return path
            target = os.fsdecode(self._objects.content(found.name))
            if os.path.isabs(target):
                below = self._inner(os.path.normpath(target))
                if below is None:
                    return None
                done, target = [], below
            todo += target.split("/")[::-1]
        return os.path.join(self.top, *done) if done else self.top


def top_of(folder: str) -> str:
    """The top folder of the repository around a folder; raises `GitFailed`."""
    found = git(folder, "rev-parse", "--show-toplevel").rstrip(b"\n")
    if not found:
        raise GitFailed(f"{folder} is in no working tree of git")
    return os.path.realpath(os.fsdecode(found))


def commit_of(top: str, revision: str) -> str:
    """The commit that a revision means; raises `GitFailed`."""
    words = ("rev-parse", "--verify", "--quiet", "--end-of-options", revision + "^{commit}")
    try:
        return git(top, *words).decode().strip()
    except GitFailed:
        raise GitFailed(f"git knows no revision {revision}{_shallow(top)}") from None


def _shallow(top: str) -> str:
    """What may be the reason that a revision is not known."""
    try:
        shallow = git(top, "rev-parse", "--is-shallow-repository").strip() == b"true"
    except GitFailed:
        return ""
    return "; the clone is shallow, `git fetch --unshallow` gets the rest" if shallow else ""
