"""Folders that may not be read, also where the tests are run by a user who may read everything."""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

LOCKED, UNSEARCHABLE, UNLISTABLE = 0o000, 0o444, 0o111

_VERSION = 0x20080522
_READS_EVERYTHING = 1 << 1 | 1 << 2
"""CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH of Linux."""

_Header = ctypes.c_uint32 * 2
_Sets = ctypes.c_uint32 * 6
"""Effective, permitted and inheritable ones, of the lower and the upper 32."""


@contextmanager
def unprivileged() -> Iterator[None]:
    """Permissions count for a while, for this thread and the processes that it forks."""
    if os.geteuid() != 0 or sys.platform != "linux":
        yield
        return
    libc = ctypes.CDLL(None, use_errno=True)
    header, before = _Header(_VERSION, 0), _Sets()
    assert libc.capget(header, before) == 0, os.strerror(ctypes.get_errno())
    less = _Sets(*before)
    less[0] &= ~_READS_EVERYTHING
    assert libc.capset(header, less) == 0, os.strerror(ctypes.get_errno())
    try:
        yield
    finally:
        assert libc.capset(header, before) == 0, os.strerror(ctypes.get_errno())


@contextmanager
def locked(path: Path | str, mode: int = LOCKED) -> Iterator[None]:
    """A folder has other permissions for a while, and they count."""
    before = os.stat(path).st_mode
    os.chmod(path, mode)
    try:
        with unprivileged():
            assert not os.access(path, os.R_OK | os.X_OK, effective_ids=True), "it may be read"
            yield
    finally:
        os.chmod(path, before)
