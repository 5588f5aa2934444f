"""A store: one SQLite file in write-ahead mode, every commit flushed to disk before it counts.

All statements go through `_Connection.execute`, which tells an observer before and after each
one (tests kill the process there) and turns SQLite's errors into coded problems.
"""

from __future__ import annotations

import os
import secrets
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from headwater.report import Code, Diagnostic
from headwater.store import codes
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


def problem(code: Code, file: str, **fields: Any) -> StoreProblem:
    """A problem with the store at a path."""
    return StoreProblem(code.at(Text(file, "").span(0, 0), **fields))


class _Connection:
    """An SQLite connection whose errors have codes."""

    def __init__(self, path: str, *, patience: float, observer: Observer | None) -> None:
        self.path = path
        self.patience = patience
        self.observer = observer
        with self.coded():
            self.raw = sqlite3.connect(path, timeout=patience, isolation_level=None)

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
        except UnicodeDecodeError as error:
            # SQLite quotes the damaged part in its message, which then is no text.
            raise problem(codes.CORRUPT, self.path, reason="a text is no text") from error

    def execute(self, sql: str, *values: Any) -> list[tuple[Any, ...]]:
        """All rows of a statement."""
        with self.coded():
            if self.observer is None:
                return self.raw.execute(sql, values).fetchall()
            self.observer(f"before {sql}")
            rows = self.raw.execute(sql, values).fetchall()
            self.observer(f"after {sql}")
            return rows


_OPTIONAL_TEXT, _OPTIONAL_NUMBER = (str, type(None)), (int, type(None))
_TYPES: dict[type, tuple[type | tuple[type, ...], ...]] = {
    Version: (str, int, str, _OPTIONAL_TEXT, str),
    OpenedWorld: (str, str, str, int, str, str, str, _OPTIONAL_NUMBER),
    Key: (str, str, str, _OPTIONAL_TEXT),
    Source: (str, str),
    str: (str,),
}
"""What the columns of a row are; SQLite itself does not mind what they hold."""

Row = TypeVar("Row")


class _Reading:
    """The questions to a store."""

    def __init__(self, connection: _Connection) -> None:
        self._connection = connection

    def _made(self, record: type[Row], row: tuple[Any, ...]) -> Row:
        """A record of a row, if the row holds what was written there."""
        if not all(
            isinstance(value, kind) for value, kind in zip(row, _TYPES[record], strict=True)
        ):
            raise self.corrupt(f"a row is no {record.__name__.lower()}")
        return record(*row)

    def _one(self, sql: str, *values: Any) -> tuple[Any, ...] | None:
        rows = self._connection.execute(sql, *values)
        return rows[0] if rows else None

    @property
    def head(self) -> int:
        """The revision of the last commit; 0 if there is none."""
        found = self._one("SELECT max(revision) FROM log")
        assert found is not None
        return found[0] or 0

    def read(self, key: str, revision: int | None = None) -> Version | None:
        """The value of a key at a revision, by default the latest."""
        row = self._one(
            "SELECT key, revision, value, merge, detail FROM versions"
            " WHERE key = ? AND revision <= ? ORDER BY revision DESC LIMIT 1",
            key,
            revision if revision is not None else 1 << 62,
        )
        return None if row is None else self._made(Version, row)

    def history(self, key: str) -> list[Version]:
        """All values a key ever had, the latest first."""
        rows = self._connection.execute(
            "SELECT key, revision, value, merge, detail FROM versions"
            " WHERE key = ? ORDER BY revision DESC",
            key,
        )
        return [self._made(Version, row) for row in rows]

    def values(self, revision: int | None = None) -> Iterator[Version]:
        """Every key with its value at a revision, in alphabetical order."""
        rows = self._connection.execute(
            "SELECT key, max(revision), value, merge, detail FROM versions"
            " WHERE revision <= ? GROUP BY key ORDER BY key",
            revision if revision is not None else 1 << 62,
        )
        return (self._made(Version, row) for row in rows)

    def keys_from(self, prefix: str, most: int) -> list[str]:
        """Some keys that begin with a text."""
        rows = self._connection.execute(
            "SELECT DISTINCT key FROM versions WHERE key >= ? AND key < ? LIMIT ?",
            prefix,
            prefix + "\U0010ffff",
            most,
        )
        return [row[0] for row in rows]

    def entry(self, revision: int) -> Entry | None:
        """A commit of the log."""
        row = self._one("SELECT entry FROM log WHERE revision = ?", revision)
        return None if row is None else self._entry(row[0])

    def entry_of(self, world: str) -> Entry | None:
        """The commit of a world."""
        row = self._one("SELECT entry FROM log WHERE world = ?", world)
        return None if row is None else self._entry(row[0])

    def log(self, first: int = 1, most: int = -1) -> Iterator[Entry]:
        """Commits from a revision on."""
        rows = self._connection.execute(
            "SELECT entry FROM log WHERE revision >= ? ORDER BY revision LIMIT ?", first, most
        )
        return (self._entry(row[0]) for row in rows)

    def _entry(self, text: str) -> Entry:
        try:
            return Entry.of(text)
        except (ValueError, KeyError, TypeError) as error:
            raise self.corrupt(f"an entry of the log cannot be read ({error})") from None

    def corrupt(self, reason: str) -> StoreProblem:
        """That something in the file is not what was written there."""
        return problem(codes.CORRUPT, self._connection.path, reason=reason)

    def world(self, id: str) -> OpenedWorld | None:
        """A world that outlived its program."""
        row = self._one(
            "SELECT id, name, principal, base, at, body, state, revision FROM worlds WHERE id = ?",
            id,
        )
        return None if row is None else self._made(OpenedWorld, row)

    def worlds(self, state: str | None = "open") -> list[OpenedWorld]:
        """Worlds in a state, the oldest first."""
        rows = self._connection.execute(
            "SELECT id, name, principal, base, at, body, state, revision FROM worlds"
            " WHERE state = ? OR ? IS NULL ORDER BY at, id",
            state,
            state,
        )
        return [self._made(OpenedWorld, row) for row in rows]

    def used(self, nonce: str) -> int | None:
        """The commit that an endorsement was used for."""
        row = self._one("SELECT revision FROM endorsements WHERE nonce = ?", nonce)
        return None if row is None else row[0]

    def keys_of(self, principal: str) -> list[Key]:
        """The keys of a principal, also revoked ones."""
        rows = self._connection.execute(
            "SELECT principal, public_key, added, revoked FROM keys WHERE principal = ?"
            " ORDER BY added",
            principal,
        )
        return [self._made(Key, row) for row in rows]

    def all_keys(self) -> list[Key]:
        """All keys."""
        rows = self._connection.execute(
            "SELECT principal, public_key, added, revoked FROM keys ORDER BY principal, added"
        )
        return [self._made(Key, row) for row in rows]

    def serial(self, domain: str) -> int:
        """The highest serial number of a domain's policy that was relied on."""
        row = self._one("SELECT serial FROM policies WHERE domain = ?", domain)
        return 0 if row is None else row[0]

    def source(self, digest: str) -> Source | None:
        """A text by its hash."""
        row = self._one("SELECT name, text FROM sources WHERE digest = ?", digest)
        return None if row is None else self._made(Source, row)

    def trace(self, owner: str) -> bytes | None:
        """The trace of a commit or a world, by its id."""
        row = self._one("SELECT trace FROM traces WHERE owner = ?", owner)
        return None if row is None else row[0]


class Writing(_Reading):
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


class Store(_Reading):
    """An open store."""

    def __init__(self, connection: _Connection, id: str) -> None:
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
        if not create and not os.path.lexists(name):
            raise problem(codes.MISSING, name, path=name)
        connection = _Connection(name, patience=patience, observer=observer)
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


def _prepare(connection: _Connection, *, create: bool) -> str:
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


def migrate(connection: _Connection, upto: int = len(MIGRATIONS)) -> None:
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
