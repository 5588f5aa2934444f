"""The file in which answers are kept: where it lies, how it is opened, when it is believed.

It lies in ``.headwater`` beside headwater.toml, or in the user's cache where that cannot be
written.  It is believed only where it was made: one that came with a repository, or was copied,
may say anything, and is put away.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from typing import Any

from headwater.fleet.database import Damaged, Unavailable, tables
from headwater.langs.cache import usable, user_folder
from headwater.text.digest import sha256

FOLDER, NAME = ".headwater", "results.sqlite"
APPLICATION_ID = 0x48774B70
FORMAT = 3
PATIENCE = 10.0
"""Seconds that a statement waits for another process."""

_BUSY = frozenset([sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED])
_CANNOT = _BUSY | {
    sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM, sqlite3.SQLITE_FULL, sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_IOERR, sqlite3.SQLITE_NOMEM,
}  # fmt: skip


@contextmanager
def judged() -> Iterator[None]:
    """SQLite's errors are either damage, or something that stands in the way."""
    try:
        yield
    except sqlite3.Error as error:
        number = getattr(error, "sqlite_errorcode", None)
        if number is not None and number & 0xFF in _CANNOT:
            raise Unavailable(str(error)) from None
        raise Damaged(str(error)) from None
    except OSError as error:
        raise Unavailable(error.strerror or str(error)) from None
    except (UnicodeDecodeError, OverflowError, ValueError, TypeError) as error:
        raise Damaged(str(error)) from None


@cache
def place_for(root: str) -> str | None:
    """The path of the file for a repository; None if there is no place for one."""
    beside = os.path.join(os.path.abspath(root), FOLDER)
    if _made(beside):
        return os.path.join(beside, NAME)
    folder = user_folder()
    if folder is None:
        return None
    inner = os.path.join(folder, "fleet-" + sha256(os.fsencode(beside)).hexdigest()[:16])
    return os.path.join(inner, NAME) if _made(folder) and _made(inner) else None


def _made(folder: str) -> bool:
    """Makes a folder for us alone, if there is none; whether it is one that we may use."""
    try:
        os.mkdir(folder, 0o700)
        with open(os.path.join(folder, ".gitignore"), "x", encoding="ascii") as file:
            file.write("*\n")
    except FileExistsError:
        pass
    except FileNotFoundError:
        with suppress(OSError):
            os.makedirs(folder, 0o700)
    except OSError:
        return False
    return usable(folder) and os.access(folder, os.W_OK)


def opened(path: str) -> sqlite3.Connection:
    """The file, made if there is none.  Raises `Damaged` and `Unavailable`."""
    if os.path.islink(path):
        raise Damaged("it is a link")
    with judged():
        with suppress(FileExistsError):
            os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        connection = sqlite3.connect(path, timeout=PATIENCE, isolation_level=None)
        try:
            connection.execute("PRAGMA trusted_schema = OFF")
            connection.execute("PRAGMA synchronous = NORMAL")
            _begin(connection, path)
        except BaseException:
            connection.close()
            raise
    return connection


def _begin(connection: sqlite3.Connection, path: str) -> None:
    """Makes the tables of a new file; looks whether another is ours, and of this place."""
    here = _here(os.path.dirname(path))
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if version == 0:
        if connection.execute("PRAGMA journal_mode").fetchone()[0] != "wal":
            connection.execute("PRAGMA journal_mode = WAL")
        with transaction(connection):
            if connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] == 0:
                for statement in tables(number="INTEGER PRIMARY KEY", data="BLOB"):
                    connection.execute(statement)
                connection.execute("CREATE TABLE place (here TEXT NOT NULL)")
                connection.execute("INSERT INTO place VALUES (?)", (here,))
                connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
                connection.execute(f"PRAGMA user_version = {FORMAT}")
        version = connection.execute("PRAGMA user_version").fetchone()[0]
    mark = connection.execute("PRAGMA application_id").fetchone()[0]
    if mark != APPLICATION_ID or version != FORMAT:
        raise Damaged("it is of another format")
    if connection.execute("SELECT here FROM place").fetchall() != [(here,)]:
        raise Damaged("it was made in another place")


def _here(folder: str) -> str:
    """What a folder has that no copy of it has."""
    about = os.stat(folder)
    return f"{os.path.realpath(folder)} {about.st_dev}:{about.st_ino}"


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """All of it or nothing; waits for others who write."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        with suppress(sqlite3.Error):
            connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


def file_at(path: str) -> int | None:
    """What tells the file of a path from one that is put in its place."""
    try:
        return os.lstat(path).st_ino
    except OSError:
        return None


def discard(path: str) -> None:
    """Puts the file away; who has it open goes on with it."""
    for ending in ("", "-wal", "-shm"):
        with suppress(OSError):
            os.unlink(path + ending)


class KeptFile:
    """The file as a `Database`."""

    def __init__(self, path: str) -> None:
        self.name = path
        self._opened: tuple[int, sqlite3.Connection] | None = None
        self._file: int | None = None
        """The file that is open, whatever its name leads to by now."""

    def select(self, sql: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """The rows that a statement gives."""
        with judged():
            return self._connection().execute(sql, values).fetchall()

    def execute(self, sql: str, values: Sequence[object] = ()) -> None:
        """Carries a statement out."""
        with judged():
            self._connection().execute(sql, values)

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All of it or nothing."""
        with judged(), transaction(self._connection()):
            yield

    def opened_here(self) -> bool:
        """Whether it is open in this process."""
        return self._opened is not None and self._opened[0] == os.getpid()

    def _connection(self) -> sqlite3.Connection:
        """The connection of this process: one that another opened must not be used."""
        if self._opened is None or self._opened[0] != os.getpid():
            self._file = file_at(self.name)
            self._opened = (os.getpid(), opened(self.name))
            self._file = file_at(self.name)
        return self._opened[1]

    def begin_anew(self) -> None:
        """Puts the file away, unless another process has."""
        self.close()
        if file_at(self.name) == self._file:
            discard(self.name)

    def replaced(self) -> bool:
        """Whether another file lies there now."""
        return self._opened is not None and file_at(self.name) != self._file

    def close(self) -> None:
        """Lets the file go."""
        held, self._opened = self._opened, None
        if held is not None and held[0] == os.getpid():
            with suppress(sqlite3.Error):
                held[1].close()
