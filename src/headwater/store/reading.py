"""The questions to a store, which a transaction answers too."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeVar

from headwater.store import codes
from headwater.store.connection import Connection, StoreProblem, problem
from headwater.store.records import (
    ADOPTED,
    FIRST_DIGEST,
    Entry,
    Key,
    OpenedWorld,
    Source,
    Version,
    opening_of,
    sha256,
)

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


class Reading:
    """The questions to a store."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def _made(self, record: type[Row], row: tuple[Any, ...]) -> Row:
        """A record of a row, if the row holds what was written there."""
        if not all(
            isinstance(value, kind) for value, kind in zip(row, _TYPES[record], strict=True)
        ):
            raise self.corrupt(f"a row is no {record.__name__.lower()}")
        return record(*row)

    def _one(self, sql: str, *values: object) -> tuple[Any, ...] | None:
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

    def digest(self, revision: int) -> str | None:
        """The digest of an entry of the log."""
        row = self._one("SELECT digest FROM log WHERE revision = ?", revision)
        return None if row is None else str(row[0])

    def last_time(self) -> str | None:
        """When the last commit of the log was made, changes of keys left out."""
        row = self._one(
            "SELECT json_extract(entry, '$.at') FROM log"
            " WHERE json_extract(entry, '$.kind') <> 'keys' ORDER BY revision DESC LIMIT 1"
        )
        return None if row is None else str(row[0])

    def entry_of(self, world: str) -> Entry | None:
        """The commit of a world."""
        row = self._one("SELECT entry FROM log WHERE world = ?", world)
        return None if row is None else self._entry(row[0])

    def log(self, first: int = 1, most: int = -1) -> Iterator[tuple[Entry, str]]:
        """Entries from a revision on, each with its digest; raises `StoreProblem`."""
        rows = self._connection.execute(
            "SELECT revision, entry, digest FROM log WHERE revision >= ? ORDER BY revision LIMIT ?",
            first,
            most,
        )
        before = self.digest(first - 1) or FIRST_DIGEST
        for revision, text, digest in rows:
            if not isinstance(text, str) or sha256(before + text) != digest:
                raise problem(codes.CHAIN_BROKEN, self._connection.path, revision=revision)
            before = digest
            yield self._entry(text), digest

    def _entry(self, text: str) -> Entry:
        try:
            return Entry.of(text)
        except (ValueError, RecursionError) as error:
            raise self.corrupt(f"an entry of the log cannot be read ({error})") from None

    def corrupt(self, reason: str) -> StoreProblem:
        """The problem of something in the file that is not as it was written."""
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
        """The trace of a commit or a world, by its id, if it is the one that was kept."""
        row = self._one("SELECT trace FROM traces WHERE owner = ?", owner)
        if row is None:
            return None
        if not isinstance(row[0], bytes) or sha256(row[0]) != self._covered("traces", owner):
            raise self.differs(f"the trace of {owner}", "it was changed after it was kept")
        return row[0]

    def _covered(self, table: str, key: str, opener: str | None = None) -> object:
        """What the log says of a row of another table."""
        for name in (opener or key, opening_of(key), ADOPTED):
            entry = self.entry_of(name)
            if entry is not None and key in entry.covers.get(table, {}):
                return entry.covers[table][key]
        return None

    def check_world(self, world: OpenedWorld) -> None:
        """Raises `StoreProblem` unless a world is the one that was opened."""
        # A world that a program left is called ID.NAME.
        if self._covered("worlds", world.id, world.id.rpartition(".")[0]) != world.digest:
            raise self.differs(f"world {world.id}", "it was changed after it was opened")

    def differs(self, what: str, reason: str) -> StoreProblem:
        """The problem of something in the file that the log says otherwise."""
        return problem(codes.DIFFERS_FROM_LOG, self._connection.path, key=what, reason=reason)
