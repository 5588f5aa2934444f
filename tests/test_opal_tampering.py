"""Whoever can write the file can change everything in it, but not unnoticed.

What is changed is taken from the schema itself: every column of every table, every row, every
trigger.  A table or column that is added later is tried without anybody thinking of it.
"""

from __future__ import annotations

import contextlib
import json
import shutil
import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from headwater.cli.main import cli
from headwater.langs.opal.durable.running import verify_store
from headwater.langs.opal.runtime import worlds
from headwater.langs.opal.runtime.endorsing import Session
from headwater.langs.opal.runtime.keys import read_private
from headwater.langs.opal.runtime.statements import Head
from headwater.langs.opal.runtime.verifying import Verifying
from headwater.store import Endorsement, Key, Store, StoreProblem
from headwater.store.records import FIRST_DIGEST
from headwater.store.schema import MIGRATIONS
from opal_stores import NOW, Bench, code, put
from opal_tamper import build, noticed, rewritten, tamper


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    bench = build(tmp_path_factory.mktemp("sound"))
    bench.store._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    bench.store.close()
    path = bench.folder / "state.db"
    assert verify_store(str(path)).problems == ()
    return path


def tables() -> dict[str, list[str]]:
    """The tables of a store, with their columns."""
    db = sqlite3.connect(":memory:")
    for migration in MIGRATIONS:
        db.executescript(migration)
    names = [row[0] for row in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    found = {n: [row[1] for row in db.execute(f"PRAGMA table_info({n})")] for n in names}
    db.close()
    return found


COLUMNS = [(table, column) for table, columns in tables().items() for column in columns]


def others(value: object) -> list[Any]:
    """Values that a column might be given instead."""
    found: list[Any] = [None, 7, "x", b"x", "open", "dropped", "committed"]
    if isinstance(value, str):
        found += [value + " ", value[:-1], value.encode(), "2026-11-15T12:00:01Z"]
    if isinstance(value, int):
        found += [value + 1, value - 1, value + 1000, str(value) + "x", float(value) + 0.5]
    if isinstance(value, bytes):
        found += [value[:-1], value + b"\0", value[:10] + bytes([value[10] ^ 1]) + value[11:]]
    return [v for v in found if (type(v), v) != (type(value), value)]


@pytest.mark.parametrize(("table", "column"), COLUMNS, ids=[f"{t}.{c}" for t, c in COLUMNS])
def test_every_column_that_is_changed_is_noticed(
    sound: Path, tmp_path: Path, table: str, column: str
) -> None:
    db = sqlite3.connect(sound)
    keys = [row[1] for row in db.execute(f"PRAGMA table_info({table})") if row[5]]
    rows = db.execute(f"SELECT {', '.join(keys)}, {column} FROM {table}").fetchall()
    db.close()
    assert rows, f"{table} is empty: the store of this test should have such rows"
    # The first and the last, and two between: of worlds and entries there are several kinds.
    chosen = {0, len(rows) // 3, 2 * len(rows) // 3, len(rows) - 1}
    if table == "worlds":
        chosen = set(range(len(rows)))
    tried = 0
    where = " AND ".join(f"{key} = ?" for key in keys)
    for row in (rows[number] for number in sorted(chosen)):
        for value in others(row[-1]):

            def change(
                db: sqlite3.Connection, row: tuple[Any, ...] = row, value: object = value
            ) -> None:
                with contextlib.suppress(sqlite3.IntegrityError):
                    db.execute(
                        f"UPDATE OR IGNORE {table} SET {column} = ? WHERE {where}",
                        (value, *row[:-1]),
                    )

            def same(db: sqlite3.Connection, row: tuple[Any, ...] = row) -> bool:
                now = db.execute(f"SELECT {column} FROM {table} WHERE {where}", row[:-1])
                found = now.fetchone()
                return found is not None and (type(found[0]), found[0]) == (type(row[-1]), row[-1])

            path = tamper(sound, tmp_path / "t", change)
            db = sqlite3.connect(path)
            unchanged = same(db)
            db.close()
            if unchanged:
                # The column does not take such a value.
                continue
            tried += 1
            assert noticed(path), (row[:-1], value)
    assert tried


@pytest.mark.parametrize("table", tables())
def test_every_row_that_is_removed_or_added_is_noticed(
    sound: Path, tmp_path: Path, table: str
) -> None:
    db = sqlite3.connect(sound)
    keys = [row[1] for row in db.execute(f"PRAGMA table_info({table})") if row[5]]
    columns = [row[1] for row in db.execute(f"PRAGMA table_info({table})")]
    rows = db.execute(f"SELECT {', '.join(columns)} FROM {table}").fetchall()
    db.close()
    where = " AND ".join(f"{key} = ?" for key in keys)
    for row in rows:
        by_key = [row[columns.index(key)] for key in keys]
        path = tamper(
            sound,
            tmp_path / "t",
            lambda db, by_key=by_key: db.execute(f"DELETE FROM {table} WHERE {where}", by_key),  # type: ignore[misc]
        )
        if table == "log" and row == rows[-1]:
            # Of a log whose end is gone, other tables know more than it does.
            assert noticed(path)
        assert noticed(path), by_key

    def more(db: sqlite3.Connection) -> None:
        new = list(rows[-1])
        for key in keys:
            at = columns.index(key)
            new[at] = new[at] + 1 if isinstance(new[at], int) else f"{new[at]}x"
        if table == "log":
            new[1] = "another"
        db.execute(f"INSERT INTO {table} VALUES ({', '.join('?' * len(new))})", new)

    assert noticed(tamper(sound, tmp_path / "t", more))


def schema_changes() -> Iterator[str]:
    db = sqlite3.connect(":memory:")
    for migration in MIGRATIONS:
        db.executescript(migration)
    made = db.execute("SELECT type, name FROM sqlite_master WHERE sql IS NOT NULL").fetchall()
    db.close()
    for kind, name in made:
        yield f"DROP {kind} {name}"
    for table in tables():
        yield f"ALTER TABLE {table} ADD COLUMN more TEXT"
        yield f"CREATE INDEX more ON {table} ({tables()[table][0]})"
        for event in ("INSERT", "UPDATE", "DELETE"):
            yield f"CREATE TRIGGER more AFTER {event} ON {table} BEGIN SELECT 1; END"
    yield "CREATE TABLE more (x)"
    yield "CREATE VIEW more AS SELECT * FROM log"
    yield "CREATE TEMP TABLE harmless (x); CREATE TABLE more (x)"
    yield "PRAGMA user_version = 1"
    yield f"PRAGMA user_version = {len(MIGRATIONS) - 1}"
    yield "PRAGMA user_version = 0"
    yield "PRAGMA application_id = 7"
    yield "INSERT INTO facts VALUES ('more', 'x')"


@pytest.mark.parametrize("statement", list(schema_changes()))
def test_every_change_of_the_schema_is_noticed(sound: Path, tmp_path: Path, statement: str) -> None:
    path = tmp_path / "copy.db"
    shutil.copy(sound, path)
    db = sqlite3.connect(path, isolation_level=None)
    db.executescript(statement)
    db.close()
    assert noticed(path)
    # And nobody commits to such a store.
    if statement.startswith(("CREATE TRIGGER", "DROP trigger")):
        with pytest.raises(StoreProblem) as error, Store.open(path) as store, store.writing():
            pass
        assert error.value.diagnostic.code == "store-schema-changed"


# --- who makes the chain anew ---------------------------------------------------------


def leaves(data: object, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if isinstance(data, dict) and data:
        for key in data:
            yield from leaves(data[key], (*path, key))
    elif isinstance(data, list) and data:
        for number in range(len(data)):
            yield from leaves(data[number], (*path, number))
    else:
        yield path


def test_every_part_of_a_signed_entry_that_is_changed_is_noticed(
    sound: Path, tmp_path: Path
) -> None:
    """Even with all digests made anew: the signatures cover entries whole."""
    db = sqlite3.connect(sound)
    texts = [json.loads(row[0]) for row in db.execute("SELECT entry FROM log ORDER BY revision")]
    db.close()
    chosen = {e["world"]: n for n, e in enumerate(texts)}
    for world in ("granted", "proposed", "proposed#open", "gone.u#drop", "kept"):
        number = chosen[world]
        for path in leaves(texts[number]):
            if path[0] == "facts" and "syntax" in path and path[-1] != 0:
                # Every tenth row of long tables would do; the first is enough here.
                continue

            def change(
                entries: list[dict[str, Any]], path: tuple[Any, ...] = path, number: int = number
            ) -> None:
                at: Any = entries[number]
                for step in path[:-1]:
                    at = at[step]
                old = at[path[-1]]
                at[path[-1]] = old + 1 if isinstance(old, int) else f"{old}x" if old else "x"

            copy = tmp_path / "copy.db"
            for old in tmp_path.glob("copy.db*"):
                old.unlink()
            shutil.copy(sound, copy)
            try:
                rewritten(copy, change)
            except (sqlite3.Error, ValueError, KeyError, TypeError, AttributeError):
                # It is no entry any more: nobody could put that into the tables.
                continue
            assert noticed(copy), (world, path)


def test_history_before_a_signature_cannot_be_made_anew(sound: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    shutil.copy(sound, copy)

    def earlier(entries: list[dict[str, Any]]) -> None:
        # The change of a principal without a key, before others signed.
        number = next(n for n, e in enumerate(entries) if e["world"] == "prompted")
        entries[number]["facts"]["file"] = "elsewhere.opal"

    rewritten(copy, earlier)
    assert "store-differs-from-log" in noticed(copy)


def test_an_owner_with_a_key_must_have_said_yes(tmp_path: Path) -> None:
    """A commit made up by somebody without a key is found, whatever yes it claims."""
    bench = Bench(tmp_path)
    # Before dns had a key, anybody could say yes for it.
    ran = bench.run(put("dns", "x", "1"), "eve", prompt=lambda _: True)
    assert ran.committed is not None
    entry = ran.committed.entry

    def judged(*endorsements: Endorsement) -> list[str]:
        verifying = Verifying(bench.store)
        verifying.keys["dns", "AAAA"] = Key("dns", "AAAA", "")
        found = verifying.entry(replace(entry, endorsements=endorsements), FIRST_DIGEST)
        return [d.code for d in found]

    assert list(Verifying(bench.store).entry(entry, FIRST_DIGEST)) == []
    (said,) = entry.endorsements
    assert judged() == ["store-bad-endorsement"]
    for how in ("caller", "prompt", "policy", "signed", "other"):
        assert judged(replace(said, how=how)) == ["store-bad-endorsement"]
        signed = replace(said, how=how, signature="AAAA", public_key="AAAA")
        assert judged(signed) == ["store-bad-endorsement"]
    # No kind of entry may write without a yes.
    for kind in ("keys", "open", "drop", "adopted", "world", "other"):
        verifying = Verifying(bench.store)
        verifying.keys["dns", "AAAA"] = Key("dns", "AAAA", "")
        name = "#adopted" if kind == "adopted" else "w"
        forged = replace(entry, kind=kind, world=name, endorsements=(), principal="")
        found = [d.code for d in verifying.entry(forged, FIRST_DIGEST)]
        assert "store-bad-endorsement" in found, kind


# --- worlds ---------------------------------------------------------------------------


@pytest.mark.parametrize("column", ["name", "principal", "base", "at", "body"])
@pytest.mark.parametrize("id", ["kept.u", "waits"])
def test_a_world_changed_by_hand_is_not_committed(
    sound: Path, tmp_path: Path, id: str, column: str
) -> None:
    def change(db: sqlite3.Connection) -> None:
        value = db.execute(f"SELECT {column} FROM worlds WHERE id = ?", (id,)).fetchone()[0]
        if column == "body":
            other: Any = value.replace('"hyp"', '"hyp" ')
        else:
            other = value - 1 if isinstance(value, int) else value + "x"
        db.execute(f"UPDATE worlds SET {column} = ? WHERE id = ?", (other, id))

    path = tamper(sound, tmp_path / "t", change)
    with Store.open(path) as store:
        key = read_private(next(sound.parent.glob("ann-*.key")))
        session = Session("ann" if column != "principal" else "annx", (key,), clock=lambda: NOW)
        before = store.head
        with pytest.raises(StoreProblem) as error:
            worlds.commit(store, id, session)
        assert error.value.diagnostic.code == "store-differs-from-log"
        with pytest.raises(StoreProblem):
            worlds.drop(store, id, session)
        assert store.head == before


def test_the_trace_of_a_world_changed_by_hand_is_not_used(sound: Path, tmp_path: Path) -> None:
    def change(db: sqlite3.Connection) -> None:
        other = db.execute("SELECT trace FROM traces WHERE owner = 'granted'").fetchone()
        db.execute("UPDATE traces SET trace = ? WHERE owner = 'kept'", other)

    path = tamper(sound, tmp_path / "t", change)
    with Store.open(path) as store:
        key = read_private(next(sound.parent.glob("ann-*.key")))
        with pytest.raises(StoreProblem):
            worlds.commit(store, "kept.u", Session("ann", (key,), clock=lambda: NOW))


# --- going back -----------------------------------------------------------------------


def test_a_file_that_was_rolled_back_is_found_by_a_later_digest(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    bench.key("dns")
    bench.key("ann")
    bench.run(put("dns", "servers", '["ns1"]'), "ann", id="monday", propose=True)
    good = bench.endorse(bench.asked("monday", "ann")[0], bench.signers["dns"])
    old = tmp_path / "old.db"
    bench.store.backup(old)
    early = Head(bench.store.head, bench.store.digest(bench.store.head) or "")
    assert bench.commit("monday", "ann", endorsements=(good,)).committed is not None
    late = Head(bench.store.head, bench.store.digest(bench.store.head) or "")
    assert verify_store(bench.store.path, str(early)).problems == ()
    assert verify_store(bench.store.path, str(late)).problems == ()
    assert verify_store(str(old), str(early)).problems == ()
    found = [d.code for d in verify_store(str(old), str(late)).problems]
    assert found == ["store-rolled-back"]
    forged = Head(early.revision, "0" * 64)
    assert [d.code for d in verify_store(str(old), str(forged)).problems] == found

    bench.store.close()
    bench.store = Store.open(old)
    # The endorsement is not used here, but whoever knows the later entry knows better.
    again = bench.commit("monday", "ann", endorsements=(good,), expected=late)
    assert code(again) == "store-rolled-back"
    assert code(bench.run("ann.x := 1", "ann", expected=late)) == "store-rolled-back"
    # An owner who signs later knows of the later entry too.
    asked = bench.asked("monday", "ann")[0]
    later = bench.endorse(replace(asked, head=late), bench.signers["dns"])
    assert code(bench.commit("monday", "ann", endorsements=(later,))) == "store-rolled-back"


def test_a_format_that_was_set_back_vouches_for_nothing(sound: Path, tmp_path: Path) -> None:
    path = tmp_path / "copy.db"
    shutil.copy(sound, path)
    db = sqlite3.connect(path, isolation_level=None)
    for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
        if name in ("facts_last", "worlds_last", "traces_last", "keys_last", "policies_last"):
            db.execute(f"DROP TRIGGER {name}")
    db.execute("UPDATE worlds SET body = replace(body, 'ann', 'eve')")
    db.execute(f"PRAGMA user_version = {len(MIGRATIONS) - 1}")
    db.close()
    with pytest.raises(StoreProblem) as error:
        Store.open(path)
    assert error.value.diagnostic.code == "store-corrupt"


# --- time -----------------------------------------------------------------------------


def test_a_clock_that_went_back_is_noticed_and_revives_nothing(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    bench.key("dns")
    bench.run(put("dns", "servers", '["ns1"]'), "ann", id="monday", propose=True)
    good = bench.endorse(bench.asked("monday", "ann")[0], bench.signers["dns"])
    bench.now += timedelta(days=30)
    assert bench.run("ann.x := 1", "ann").committed is not None
    bench.now -= timedelta(days=30)
    refused = bench.commit("monday", "ann", endorsements=(good,))
    assert code(refused) == "opal-endorsement-expired"
    ran = bench.run("ann.x := 2", "ann")
    assert [d.code for d in ran.diagnostics] == ["store-clock-back"]
    found = verify_store(bench.store.path)
    assert [d.code for d in found.warnings] == ["store-clock-back"]
    assert found.problems == ()


# --- looking at a store that was changed ----------------------------------------------


@pytest.mark.parametrize(("table", "column"), COLUMNS, ids=[f"{t}.{c}" for t, c in COLUMNS])
def test_no_command_falls_over_a_store_that_was_changed(
    sound: Path, tmp_path: Path, table: str, column: str
) -> None:
    for value in ("'x'", "NULL", "x'00ff'", f"{column} || ' '", "'[1, 2, 3]'"):

        def change(db: sqlite3.Connection, value: str = value) -> None:
            with contextlib.suppress(sqlite3.IntegrityError):
                db.execute(f"UPDATE OR IGNORE {table} SET {column} = {value}")

        path = str(tamper(sound, tmp_path / "t", change))
        for words in (
            ("store", "log", path),
            ("store", "log", path, "--format", "json"),
            ("store", "show", path),
            ("store", "verify", path),
            ("world", "list", "--store", path, "--all"),
            ("world", "show", "kept.u", "--store", path),
            ("world", "show", "waits", "--store", path, "--format", "json"),
            ("world", "commit", "waits", "--store", path, "--as", "ann"),
            ("key", "list", "--store", path),
            ("explain", "--store", path, "dns.servers"),
            ("explain", "--store", path, "web.hosts", "--format", "json"),
        ):
            done = CliRunner().invoke(cli, list(words), prog_name="headwater")
            assert done.exception is None or isinstance(done.exception, SystemExit), (words, value)
            assert done.exit_code in (0, 1), (words, value)
