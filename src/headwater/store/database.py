"""A store: one SQLite file in write-ahead mode, every commit flushed to disk before it counts."""

from __future__ import annotations

import os
import secrets
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

from headwater.store import codes
from headwater.store.connection import (
    PATIENCE,
    Connection,
    Observer,
    check_name,
    may_write,
    problem,
)
from headwater.store.reading import Reading
from headwater.store.records import ADOPTED, Entry, Source, Version, sha256
from headwater.store.schema import APPLICATION_ID, MIGRATIONS
from headwater.store.writing import Writing
from headwater.text.deadline import beyond_recall
from headwater.text.paths import kind_of
from headwater.text.reading import look


class Store(Reading):
    """An open store."""

    def __init__(self, connection: Connection, id: str) -> None:
        super().__init__(connection)
        self.path = connection.path
        self.id = id
        """Tells stores apart, so that what is signed for one is worth nothing in another."""

    @classmethod
    def open(
        cls,
        path: str | Path,
        *,
        create: bool = False,
        reading: bool = False,
        patience: float = PATIENCE,
        observer: Observer | None = None,
    ) -> Store:
        """Opens a store, brings its tables up to date; raises `StoreProblem`.

        Only with `reading` can it be opened by a user who may not write it.
        """
        name = str(path)
        check_name(name)
        about = look(name)
        if about is not None and not stat.S_ISREG(about.st_mode):
            raise problem(codes.UNOPENABLE, name, reason=f"it is {kind_of(about.st_mode)}")
        if not create and not os.path.lexists(name):
            raise problem(codes.MISSING, name, path=name)
        reading = reading and os.path.isfile(name) and not may_write(name)
        connection = Connection(name, patience=patience, observer=observer, reading=reading)
        try:
            return cls(connection, _prepare(connection, create=create, reading=reading))
        except BaseException:
            connection.raw.close()
            raise

    def close(self) -> None:
        """Lets go of the file."""
        self._connection.raw.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @contextmanager
    def writing(self) -> Iterator[Writing]:
        """One transaction, alone in the store; durable when the block is left without error."""
        execute = self._connection.execute
        execute("BEGIN IMMEDIATE")
        try:
            self.check_schema()
            yield Writing(self._connection, self.id)
            beyond_recall()
            execute("COMMIT")
        except BaseException:
            if self._connection.raw.in_transaction:
                with self._connection.coded():
                    self._connection.raw.rollback()
            raise

    @contextmanager
    def reading(self) -> Iterator[Store]:
        """Several questions over one state of the store."""
        self._connection.execute("BEGIN")
        try:
            yield self
        finally:
            self._connection.raw.rollback()

    def check_file(self) -> list[str]:
        """What SQLite itself finds wrong with the file."""
        rows = self._connection.execute("PRAGMA integrity_check(20)")
        return [row[0] for row in rows if row[0] != "ok"]

    def schema(self) -> set[tuple[str, ...]]:
        """Every table, index and trigger of the file."""
        rows = self._connection.execute("SELECT type, name, tbl_name, sql FROM sqlite_master")
        return {tuple(str(part) for part in row) for row in rows}

    def check_schema(self) -> None:
        """Raises `StoreProblem` unless tables, indexes and triggers are as they were made."""
        different = self.schema() ^ expected_schema()
        if different:
            kind, name, *_ = min(different)
            reason = f"the {kind} {name} is not as it was made"
            raise problem(codes.SCHEMA_CHANGED, self.path, reason=reason)

    def facts(self) -> dict[str, str]:
        """What the store says about itself."""
        return {row[0]: row[1] for row in self._connection.execute("SELECT * FROM facts")}

    def _rows(self, sql: str) -> Iterator[tuple[Any, ...]]:
        """The rows of a long table, one after the other."""
        with self._connection.coded():
            # No "yield from": it would close the cursor of a store that is closed already.
            for row in self._connection.raw.execute(sql):  # noqa: UP028
                yield row

    def digests(self) -> Iterator[tuple[int, str, str, str]]:
        """Revision, world, text and digest of every entry of the log."""
        for row in self._rows("SELECT revision, world, entry, digest FROM log ORDER BY revision"):
            revision, world, text, digest = row
            if not (isinstance(revision, int) and isinstance(text, str)):
                raise self.corrupt("an entry of the log is no text")
            yield revision, str(world), text, str(digest)

    def all_versions(self) -> Iterator[Version]:
        """Every value that any key ever had."""
        columns = "key, revision, value, merge, detail"
        for row in self._rows(f"SELECT {columns} FROM versions ORDER BY revision, key"):
            yield self._made(Version, row)

    def all_sources(self) -> Iterator[tuple[str, Source]]:
        """Every text, with the digest it is kept under."""
        for digest, *row in self._rows("SELECT digest, name, text FROM sources"):
            yield str(digest), self._made(Source, tuple(row))

    def all_traces(self) -> Iterator[tuple[str, str]]:
        """The owner of every trace, with its digest."""
        for owner, trace in self._rows("SELECT owner, trace FROM traces"):
            yield str(owner), sha256(trace) if isinstance(trace, bytes) else ""

    def all_serials(self) -> dict[str, int]:
        """The serial number of every policy that was relied on."""
        rows = self._connection.execute("SELECT domain, serial FROM policies")
        if not all(isinstance(domain, str) and type(serial) is int for domain, serial in rows):
            raise self.corrupt("a row is no policy")
        return dict(rows)

    def used_nonces(self) -> set[tuple[str, int, str]]:
        """Every endorsement that was used: nonce, commit, principal."""
        rows = self._connection.execute("SELECT nonce, revision, principal FROM endorsements")
        return {(row[0], row[1], row[2]) for row in rows}

    def backup(self, path: str | Path) -> None:
        """A copy of the store as it is now, also while others commit, in a file that is new."""
        name = str(path)
        check_name(name)
        try:
            # Whoever has the file now made it: no link is followed, nothing is overwritten.
            os.close(os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600))
        except FileExistsError:
            raise problem(codes.UNOPENABLE, name, reason="the file exists already") from None
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            raise problem(codes.UNOPENABLE, name, reason=reason) from None
        try:
            with self._connection.coded():
                target = sqlite3.connect(name, isolation_level=None)
                try:
                    self._connection.raw.backup(target)
                finally:
                    target.close()
        except BaseException:
            os.unlink(name)
            raise


def _prepare(connection: Connection, *, create: bool, reading: bool) -> str:
    """Modes, mark and tables; the id of the store."""
    execute = connection.execute
    # All of it from one state of the file: another process may be making it right now.
    execute("BEGIN")
    mark = execute("PRAGMA application_id")[0][0]
    version = execute("PRAGMA user_version")[0][0]
    others = bool(execute("SELECT 1 FROM sqlite_master LIMIT 1"))
    execute("COMMIT")
    if mark != APPLICATION_ID and (mark or version or others):
        raise problem(codes.FOREIGN, connection.path, path=connection.path)
    if version > len(MIGRATIONS):
        raise problem(codes.NEWER, connection.path, found=version, known=len(MIGRATIONS))
    if version == 0 and not create:
        raise problem(codes.FOREIGN, connection.path, path=connection.path)
    if not reading:
        _ready_to_write(connection, version)
    elif version < len(MIGRATIONS):
        raise problem(codes.OLDER, connection.path, found=version, known=len(MIGRATIONS))
    found = execute("SELECT value FROM facts WHERE name = 'id'")
    if not found:
        raise problem(codes.CORRUPT, connection.path, reason="it has no id")
    return str(found[0][0])


def _ready_to_write(connection: Connection, version: int) -> None:
    """The modes in which a commit is durable, and the tables of today."""
    execute = connection.execute
    execute("PRAGMA synchronous = FULL")
    if execute("PRAGMA journal_mode")[0][0] != "wal":
        execute("PRAGMA journal_mode = WAL")
    if version < len(MIGRATIONS):
        migrate(connection)


def migrate(connection: Connection, upto: int = len(MIGRATIONS)) -> None:
    """Applies the migrations that the file has not had, all in one transaction."""
    execute = connection.execute
    execute("BEGIN IMMEDIATE")
    try:
        # Another process may have been faster.
        version = execute("PRAGMA user_version")[0][0]
        for migration in MIGRATIONS[version:upto]:
            for statement in statements(migration):
                execute(statement)
        if 0 < version < COVERING <= upto:
            adopt(connection)
        if version == 0:
            execute(f"PRAGMA application_id = {APPLICATION_ID}")
            execute("INSERT INTO facts VALUES ('id', ?)", secrets.token_hex(16))
        execute(f"PRAGMA user_version = {max(version, upto)}")
        execute("COMMIT")
    except sqlite3.OperationalError as error:
        # Tables that this format does not have yet are there: it was set back.
        raise problem(codes.CORRUPT, connection.path, reason=str(error)) from None
    finally:
        if connection.raw.in_transaction:
            connection.raw.rollback()


COVERING = 3
"""The format in which every entry of the log covers what it put into other tables."""


def adopt(connection: Connection) -> None:
    """Vouches for what is there: from now on, the log covers every table."""
    execute = connection.execute
    if execute("SELECT 1 FROM log WHERE json_extract(entry, '$.covers') IS NOT NULL LIMIT 1"):
        # Otherwise setting the format back would be a way to have changes vouched for.
        raise problem(codes.CORRUPT, connection.path, reason="its format was set back")
    id = str(execute("SELECT value FROM facts WHERE name = 'id'")[0][0])
    store = Store(connection, id)
    worlds = store.worlds(None)
    covers: dict[str, dict[str, Any]] = {
        "worlds": {world.id: world.digest for world in worlds},
        "closed": {world.id: world.state for world in worlds if world.state != "open"},
        "sources": {digest: source.name for digest, source in store.all_sources()},
        "traces": dict(store.all_traces()),
        "policies": dict(store.all_serials()),
    }
    if not (store.head or any(covers.values())):
        return
    now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    entry = Entry(store.head + 1, ADOPTED, "adopted", "", store.head, now, {}, {}, {}, {})
    Writing(connection, id, covers).append(entry)


@cache
def expected_schema() -> frozenset[tuple[str, ...]]:
    """Every table, index and trigger that a store of this format has."""
    raw = sqlite3.connect(":memory:")
    try:
        for migration in MIGRATIONS:
            raw.executescript(migration)
        rows = raw.execute("SELECT type, name, tbl_name, sql FROM sqlite_master").fetchall()
    finally:
        raw.close()
    return frozenset(tuple(str(part) for part in row) for row in rows)


def statements(script: str) -> Iterator[str]:
    """The statements of a script; those of a trigger stay together."""
    part = ""
    for line in script.splitlines(keepends=True):
        part += line
        if sqlite3.complete_statement(part):
            yield part.strip()
            part = ""
