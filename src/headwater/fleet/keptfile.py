"""The file in which answers are kept: where it lies, how it is opened, when it is believed.

It lies in ``.headwater`` beside headwater.toml, or in the user's cache where that cannot be
written.  It is believed only where it was made: one that came with a repository, or was copied,
may say anything, and is put away.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache

from headwater.langs.cache import usable, user_folder
from headwater.text.digest import sha256

FOLDER, NAME = ".headwater", "results.sqlite"
APPLICATION_ID = 0x48774B70
FORMAT = 1
PATIENCE = 10.0
"""Seconds that a statement waits for another process."""

_SCHEMA = (
    "CREATE TABLE read ("
    " id INTEGER PRIMARY KEY, kind TEXT NOT NULL, path TEXT NOT NULL, part TEXT NOT NULL,"
    " identity TEXT NOT NULL, content TEXT NOT NULL,"
    " UNIQUE (path, part, kind, identity, content))",
    "CREATE TABLE answer (digest BLOB PRIMARY KEY, body BLOB NOT NULL)",
    "CREATE TABLE trace ("
    " id INTEGER PRIMARY KEY, question BLOB NOT NULL, reads BLOB NOT NULL,"
    " answer BLOB NOT NULL, digest BLOB NOT NULL)",
    "CREATE INDEX trace_question ON trace (question)",
    "CREATE TABLE place (here TEXT NOT NULL)",
    f"PRAGMA application_id = {APPLICATION_ID}",
    f"PRAGMA user_version = {FORMAT}",
)

_BUSY = frozenset([sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED])
_CANNOT = _BUSY | {
    sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM, sqlite3.SQLITE_FULL, sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_IOERR, sqlite3.SQLITE_NOMEM,
}  # fmt: skip


class Damaged(Exception):
    """What is kept is not what was once written; says what is wrong with it."""


class Unavailable(Exception):
    """Nothing can be kept at present; says why."""


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
                for statement in _SCHEMA:
                    connection.execute(statement)
                connection.execute("INSERT INTO place VALUES (?)", (here,))
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
