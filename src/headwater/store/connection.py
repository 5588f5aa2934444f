"""An SQLite connection whose statements can be observed and whose errors have codes.

All statements go through `Connection.execute`, which tells an observer before and after each
one (tests kill the process there) and turns SQLite's errors into coded problems.
"""

from __future__ import annotations

import os
import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from headwater.report import Code, Diagnostic
from headwater.store import codes
from headwater.text import Source as Text

Observer = Callable[[str], None]
"""Hears ``before …`` and ``after …`` of every statement."""

PATIENCE = 10.0
"""Seconds that a statement waits for another process."""

_CODES: dict[int, Code] = {
    sqlite3.SQLITE_BUSY: codes.LOCKED,
    sqlite3.SQLITE_LOCKED: codes.LOCKED,
    sqlite3.SQLITE_READONLY: codes.READ_ONLY,
    sqlite3.SQLITE_PERM: codes.READ_ONLY,
    sqlite3.SQLITE_FULL: codes.FULL,
    sqlite3.SQLITE_CORRUPT: codes.CORRUPT,
    sqlite3.SQLITE_NOTADB: codes.CORRUPT,
    sqlite3.SQLITE_CANTOPEN: codes.UNOPENABLE,
    sqlite3.SQLITE_IOERR: codes.INPUT_OUTPUT,
}


class StoreProblem(Exception):
    """The store cannot do what was asked; nothing was changed."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(diagnostic.code)
        self.diagnostic = diagnostic


def problem(code: Code, file: str, **fields: Any) -> StoreProblem:  # noqa: ANN401
    """A problem with the store at a path."""
    return StoreProblem(code.at(Text(file, "").span(0, 0), **fields))


def private(path: str) -> None:
    """Makes the file of a new database, for its owner only; what SQLite puts beside it is alike."""
    with suppress(OSError, ValueError):
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))


def check_name(path: str) -> None:
    """Raises `StoreProblem` unless a name is that of a file."""
    reason = None
    if not path:
        reason = "it is empty"
    elif path.startswith(":"):
        reason = "it begins with a colon"
    elif re.match(r"[A-Za-z][A-Za-z0-9+.-]+:", path):
        reason = "it looks like a URI"
    elif "\0" in path or any(0xD800 <= ord(c) < 0xDC80 for c in path):
        reason = "no file has such a name"
    if reason is not None:
        raise problem(codes.BAD_NAME, path, path=path or '""', reason=reason)


def may_write(path: str) -> bool:
    """Whether this user may change the file and make others beside it."""
    return os.access(path, os.W_OK) and os.access(os.path.dirname(path) or ".", os.W_OK)


def _has_log(path: str) -> bool:
    try:
        return os.path.getsize(path + "-wal") > 0
    except OSError:
        return False


class Connection:
    """An SQLite connection whose errors have codes."""

    def __init__(
        self, path: str, *, patience: float, observer: Observer | None, reading: bool = False
    ) -> None:
        self.path = path
        self.patience = patience
        self.observer = observer
        uri = Path(path).absolute().as_uri()
        if reading:
            # Where nothing can be written, a file without a log beside it is all there is.
            alone = not _has_log(path)
            uri += "?mode=ro&immutable=1" if alone else "?mode=ro"
        with self.coded():
            if not reading:
                private(path)
            self.raw = sqlite3.connect(uri, uri=True, timeout=patience, isolation_level=None)
            self.raw.execute("PRAGMA trusted_schema = OFF")

    @contextmanager
    def coded(self) -> Iterator[None]:
        """Turns SQLite's errors into problems."""
        try:
            yield
        except sqlite3.Error as error:
            number = getattr(error, "sqlite_errorcode", None)
            code = _CODES.get(number & 0xFF) if number is not None else None
            if code is None and str(error).startswith(("no such", "malformed", "Could not decode")):
                code = codes.CORRUPT
            if code is None:
                raise
            if code is codes.LOCKED:
                raise problem(code, self.path, seconds=f"{self.patience:g}") from error
            raise problem(code, self.path, reason=str(error)) from error
        except UnicodeEncodeError as error:
            raise problem(codes.NOT_TEXT, self.path, text=ascii(error.object)) from error
        except UnicodeDecodeError as error:
            # SQLite quotes the damaged part in its message, which then is no text.
            raise problem(codes.CORRUPT, self.path, reason="a text is no text") from error

    def execute(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        """All rows of a statement."""
        with self.coded():
            if self.observer is None:
                return self.raw.execute(sql, values).fetchall()
            self.observer(f"before {sql}")
            rows = self.raw.execute(sql, values).fetchall()
            self.observer(f"after {sql}")
            return rows
