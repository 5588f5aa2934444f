"""A transaction in a store: what it does becomes durable together, or not at all.

Rows are put into their tables first; the entry of the log comes last and covers them all, by
their digests.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from headwater.store.connection import Connection
from headwater.store.reading import Reading
from headwater.store.records import (
    FIRST_DIGEST,
    Entry,
    Key,
    OpenedWorld,
    Source,
    sha256,
)

Sign = Callable[[Entry, str], Entry]
"""Adds a signature to an entry; the text is the digest of the entry before it."""


class Writing(Reading):
    """A transaction."""

    def __init__(
        self, connection: Connection, store: str, covers: Mapping[str, dict[str, Any]] | None = None
    ) -> None:
        super().__init__(connection)
        self._store = store
        self._covers: dict[str, dict[str, Any]] = dict(covers or {})

    def _cover(self, table: str, key: str, what: object) -> None:
        self._covers.setdefault(table, {})[key] = what

    def append(self, entry: Entry, sign: Sign | None = None) -> Entry:
        """Adds an entry to the log, and its writes and endorsements to their tables.

        The entry covers everything that this transaction has put elsewhere since the last one.
        """
        execute = self._connection.execute
        covers = {name: rows for name, rows in self._covers.items() if rows}
        self._covers = {}
        entry = replace(entry, covers={"store": self._store, **covers})
        before = self.digest(entry.revision - 1) or FIRST_DIGEST
        if sign is not None:
            entry = sign(entry, before)
        text = entry.text()
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
            execute(
                "INSERT INTO endorsements VALUES (?, ?, ?)",
                one.nonce,
                entry.revision,
                one.principal,
            )
        return entry

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
        self._cover("worlds", world.id, world.digest)

    def close_world(self, id: str, state: str, revision: int | None = None) -> None:
        """A world is committed or dropped."""
        self._connection.execute(
            "UPDATE worlds SET state = ?, revision = ? WHERE id = ? AND state = 'open'",
            state,
            revision,
            id,
        )
        self._cover("closed", id, state)

    def keep_source(self, source: Source) -> None:
        """Keeps a text, once; its first name stays."""
        digest = source.digest
        if self._one("SELECT 1 FROM sources WHERE digest = ?", digest) is None:
            self._connection.execute(
                "INSERT INTO sources VALUES (?, ?, ?)", digest, source.name, source.text
            )
            self._cover("sources", digest, source.name)

    def keep_trace(self, owner: str, trace: bytes) -> None:
        """Keeps the trace of a commit or a world; the commit of a proposal replaces its own."""
        self._connection.execute("INSERT OR REPLACE INTO traces VALUES (?, ?)", owner, trace)
        self._cover("traces", owner, sha256(trace))

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
        if serial > self.serial(domain):
            self._connection.execute(
                "INSERT INTO policies VALUES (?, ?) ON CONFLICT (domain)"
                " DO UPDATE SET serial = excluded.serial",
                domain,
                serial,
            )
            self._cover("policies", domain, serial)
