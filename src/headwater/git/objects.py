"""The contents of git's objects, fetched from one process that stays open."""

from __future__ import annotations

import os
from types import TracebackType

from headwater.git.command import GitFailed, Process, start


class Objects:
    """Contents by object name (``git cat-file --batch``)."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._process: Process | None = None
        self._owner = os.getpid()
        self._kept: dict[str, bytes] = {}

    def content(self, name: str) -> bytes:
        """What an object holds; raises `GitFailed`."""
        kept = self._kept.get(name)
        if kept is None:
            kept = self._kept[name] = self._fetched(name)
        return kept

    def _fetched(self, name: str) -> bytes:
        process = self._running()
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            process.stdin.write(name.encode() + b"\n")
            process.stdin.flush()
        except OSError as error:
            raise GitFailed(f"git ended: {error}") from None
        header = process.stdout.readline().split()
        if len(header) != 3:
            raise GitFailed(f"git has no object {name}")
        size = int(header[2])
        content = process.stdout.read(size)
        process.stdout.read(1)
        if len(content) != size:
            raise GitFailed("git ended in the middle of an object")
        return content

    def _running(self) -> Process:
        if self._process is None or self._owner != os.getpid():
            # A process that began as a copy of another must not read what that one asked for.
            self._owner = os.getpid()
            self._process = start(self._folder, "cat-file", "--batch")
        return self._process

    def close(self) -> None:
        """Ends the process."""
        process, self._process = self._process, None
        if process is not None and self._owner == os.getpid():
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.close()
            process.wait()
            process.stdout.close()

    def __enter__(self) -> Objects:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:  # fmt: skip
        self.close()
