"""A store: one SQLite file in write-ahead mode, every commit flushed to disk before it counts."""

from __future__ import annotations

import os
import secrets
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from headwater.store import codes
from headwater.store.connection import PATIENCE, Connection, Observer, problem
from headwater.store.reading import Reading
from headwater.store.records import (
    FIRST_DIGEST,
    Endorsement,
    Entry,
    Key,
    OpenedWorld,
    Source,
    Version,
    sha256,
)
from headwater.store.schema import APPLICATION_ID, MIGRATIONS
from headwater.text.deadline import beyond_recall
from headwater.text.reading import kind_of, look


class Writing(Reading):
    """A transaction: what it does becomes durable together, or not at all."""

    def append(self, entry: Entry) -> None:
        """Adds a commit to the log, and its writes and endorsements to their tables."""
        execute = self._connection.execute
        text = entry.text()
        row = self._one("SELECT digest FROM log WHERE revision = ?", entry.revision - 1)
        before = FIRST_DIGEST if row is None else row[0]
        digest = sha256(before + text)
        execute("INSERT INTO log VALUES (?, ?, ?, ?)", entry.revision, entry.world, text, digest)
        for key, value in entry.writes.items():
            merge, detail = entry.merges.get(key), entry.details[key]
            execute(
                "INSERT INTO versions VALUES (?, ?, ?, ?, ?)",
                key,
                entry.revision,
                value,
                merge,
                detail,
            )
        for one in entry.endorsements:
            self._endorse(one, entry.revision)

    def _endorse(self, one: Endorsement, revision: int) -> None:
        self._connection.execute(
            "INSERT INTO endorsements VALUES (?, ?, ?)", one.nonce, revision, one.principal
        )

    def open_world(self, world: OpenedWorld) -> None:
        """Keeps a world."""
        self._connection.execute(
            "INSERT INTO worlds VALUES (?, ?, ?, ?, ?, ?, 'open', NULL)",
            world.id,
            world.name,
            world.principal,
            world.base,
            world.at,
            world.body,
        )

    def close_world(self, id: str, state: str, revision: int | None = None) -> None:
        """A world is committed or dropped."""
        self._connection.execute(
            "UPDATE worlds SET state = ?, revision = ? WHERE id = ? AND state = 'open'",
            state,
            revision,
            id,
        )

    def keep_source(self, source: Source) -> None:
        """Keeps a text, once."""
        self._connection.execute(
            "INSERT OR IGNORE INTO sources VALUES (?, ?, ?)",
            source.digest,
            source.name,
            source.text,
        )

    def keep_trace(self, owner: str, trace: bytes) -> None:
        """Keeps the trace of a commit or a world."""
        self._connection.execute("INSERT OR REPLACE INTO traces VALUES (?, ?)", owner, trace)

    def add_key(self, key: Key) -> None:
        """A principal signs with this key from now on."""
        self._connection.execute(
            "INSERT INTO keys VALUES (?, ?, ?, NULL)", key.principal, key.public_key, key.added
        )

    def revoke_key(self, principal: str, public_key: str, at: str) -> None:
        """A key is good for nothing from now on."""
        self._connection.execute(
            "UPDATE keys SET revoked = ? WHERE principal = ? AND public_key = ?"
            " AND revoked IS NULL",
            at,
            principal,
            public_key,
        )

    def relied_on(self, domain: str, serial: int) -> None:
        """A policy of this serial number was used; an older one is refused from now on."""
        self._connection.execute(
            "INSERT INTO policies VALUES (?, ?) ON CONFLICT (domain)"
            " DO UPDATE SET serial = max(serial, excluded.serial)",
            domain,
            serial,
        )


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
        patience: float = PATIENCE,
        observer: Observer | None = None,
    ) -> Store:
        """Opens a store, brings its tables up to date; raises `StoreProblem`."""
        name = str(path)
        about = look(name)
        if about is not None and not stat.S_ISREG(about.st_mode):
            raise problem(codes.UNOPENABLE, name, reason=f"it is {kind_of(about.st_mode)}")
        if not create and not os.path.lexists(name):
            raise problem(codes.MISSING, name, path=name)
        connection = Connection(name, patience=patience, observer=observer)
        try:
            return cls(connection, _prepare(connection, create=create))
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
            yield Writing(self._connection)
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

    def digests(self) -> Iterator[tuple[int, str, str, str]]:
        """Revision, world, text and digest of every entry of the log."""
        cursor = self._connection.raw.execute(
            "SELECT revision, world, entry, digest FROM log ORDER BY revision"
        )
        with self._connection.coded():
            for revision, world, text, digest in cursor:
                if not (isinstance(revision, int) and isinstance(text, str)):
                    raise self.corrupt("an entry of the log is no text")
                yield revision, str(world), text, str(digest)

    def all_versions(self) -> Iterator[Version]:
        """Every value that any key ever had."""
        cursor = self._connection.raw.execute(
            "SELECT key, revision, value, merge, detail FROM versions ORDER BY revision, key"
        )
        with self._connection.coded():
            for row in cursor:
                yield self._made(Version, row)

    def used_nonces(self) -> set[tuple[str, int, str]]:
        """Every endorsement that was used: nonce, commit, principal."""
        rows = self._connection.execute("SELECT nonce, revision, principal FROM endorsements")
        return {(row[0], row[1], row[2]) for row in rows}

    def backup(self, path: str | Path) -> None:
        """A copy of the store as it is now, also while others commit."""
        with self._connection.coded():
            target = sqlite3.connect(str(path), isolation_level=None)
            try:
                self._connection.raw.backup(target)
            finally:
                target.close()


def _prepare(connection: Connection, *, create: bool) -> str:
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
    execute("PRAGMA synchronous = FULL")
    if execute("PRAGMA journal_mode")[0][0] != "wal":
        execute("PRAGMA journal_mode = WAL")
    if version < len(MIGRATIONS):
        migrate(connection)
    found = execute("SELECT value FROM facts WHERE name = 'id'")
    if not found:
        raise problem(codes.CORRUPT, connection.path, reason="it has no id")
    return str(found[0][0])


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
        if version == 0:
            execute(f"PRAGMA application_id = {APPLICATION_ID}")
            execute("INSERT INTO facts VALUES ('id', ?)", secrets.token_hex(16))
        execute(f"PRAGMA user_version = {max(version, upto)}")
        execute("COMMIT")
    except BaseException:
        if connection.raw.in_transaction:
            connection.raw.rollback()
        raise


def statements(script: str) -> Iterator[str]:
    """The statements of a script; those of a trigger stay together."""
    part = ""
    for line in script.splitlines(keepends=True):
        part += line
        if sqlite3.complete_statement(part):
            yield part.strip()
            part = ""
