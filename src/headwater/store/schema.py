"""The tables, as a list of migrations: opening a store applies those it has not seen.

``user_version`` counts the migrations a file has had; ``application_id`` marks it as ours.
"""

from __future__ import annotations

APPLICATION_ID = 0x48574F50

_CORE = """
CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE log (
  revision INTEGER PRIMARY KEY,
  world TEXT NOT NULL UNIQUE,
  entry TEXT NOT NULL,
  digest TEXT NOT NULL
);
CREATE TABLE versions (
  key TEXT NOT NULL,
  revision INTEGER NOT NULL,
  value TEXT NOT NULL,
  merge TEXT,
  detail TEXT NOT NULL,
  PRIMARY KEY (key, revision)
) WITHOUT ROWID;
CREATE TABLE worlds (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  principal TEXT NOT NULL,
  base INTEGER NOT NULL,
  at TEXT NOT NULL,
  body TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('open', 'committed', 'dropped')),
  revision INTEGER
) WITHOUT ROWID;
CREATE TABLE endorsements (
  nonce TEXT PRIMARY KEY,
  revision INTEGER NOT NULL,
  principal TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE sources (digest TEXT PRIMARY KEY, name TEXT NOT NULL, text TEXT NOT NULL)
  WITHOUT ROWID;
CREATE TABLE traces (owner TEXT PRIMARY KEY, trace BLOB NOT NULL) WITHOUT ROWID;
"""

_APPEND_ONLY = "".join(
    f"""
CREATE TRIGGER {table}_stay BEFORE UPDATE ON {table}
  BEGIN SELECT RAISE(ABORT, '{table} is append-only'); END;
CREATE TRIGGER {table}_last BEFORE DELETE ON {table}
  BEGIN SELECT RAISE(ABORT, '{table} is append-only'); END;
"""
    for table in ("log", "versions", "endorsements", "sources")
)

_KEYS = """
CREATE TABLE keys (
  principal TEXT NOT NULL,
  public_key TEXT NOT NULL,
  added TEXT NOT NULL,
  revoked TEXT,
  PRIMARY KEY (principal, public_key)
) WITHOUT ROWID;
CREATE TABLE policies (domain TEXT PRIMARY KEY, serial INTEGER NOT NULL) WITHOUT ROWID;
CREATE INDEX worlds_open ON worlds (state, at);
"""

_NOTHING_GOES = "".join(
    f"""
CREATE TRIGGER {table}_last BEFORE DELETE ON {table}
  BEGIN SELECT RAISE(ABORT, 'nothing is removed from {table}'); END;
"""
    for table in ("facts", "worlds", "traces", "keys", "policies")
)

MIGRATIONS: tuple[str, ...] = (_CORE + _APPEND_ONLY, _KEYS, _NOTHING_GOES)
