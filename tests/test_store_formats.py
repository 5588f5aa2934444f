"""Stores that may only be read, and stores of the formats before."""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
from pathlib import Path
from typing import Any

import pytest

from headwater.langs.opal.durable.keys import trusted
from headwater.langs.opal.durable.running import list_worlds, log, verify_store
from headwater.langs.opal.runtime import worlds
from headwater.langs.opal.runtime.endorsing import Session
from headwater.langs.opal.runtime.problems import Refused
from headwater.store import Store, StoreProblem
from headwater.store.connection import Connection
from headwater.store.database import migrate
from headwater.store.records import Entry
from headwater.store.schema import MIGRATIONS
from opal_crash import fork
from opal_tamper import build, noticed, rewritten, tamper

# --- reading only ---------------------------------------------------------------------
from seen import saw_code


@pytest.mark.parametrize("busy", [False, True], ids=["alone", "in use"])
def test_who_may_only_read_can_verify(tmp_path: Path, busy: bool) -> None:
    """As nobody, if the test runs as root, who may write everything."""
    bench = build(tmp_path)
    folder = Path(tempfile.mkdtemp(prefix="headwater-"))
    path = folder / "state.db"
    bench.store.backup(path)
    bench.store.close()
    assert noticed(path) == []
    store = Store.open(path)
    if busy:
        with store.writing() as writing:
            head = writing.head
            entry = Entry(head + 1, "w", "test", "", head, "2099", {}, {}, {}, {})
            writing.append(entry)
    else:
        store.close()
    for file in folder.iterdir():
        file.chmod(0o444)
    folder.chmod(0o555)

    def look() -> None:
        if os.geteuid() == 0:
            os.setuid(65534)
        found = verify_store(str(path))
        assert found.problems == ()
        assert found.commits == len(log(str(path), 1, -1))
        assert list_worlds(str(path), every=True)
        assert trusted(str(path))

    _, status = os.waitpid(fork(look), 0)
    store.close()
    folder.chmod(0o755)
    shutil.rmtree(folder)
    assert os.waitstatus_to_exitcode(status) == 0


def test_who_may_only_read_is_told_that_a_store_is_old(tmp_path: Path) -> None:
    folder = Path(tempfile.mkdtemp(prefix="headwater-"))
    path = folder / "old.db"
    connection = Connection(str(path), patience=1, observer=None)
    migrate(connection, len(MIGRATIONS) - 1)
    connection.raw.close()
    path.chmod(0o444)
    folder.chmod(0o555)

    def look() -> None:
        if os.geteuid() == 0:
            os.setuid(65534)
        with pytest.raises(StoreProblem) as error:
            Store.open(path, reading=True)
        assert error.value.diagnostic.code == "store-older"

    _, status = os.waitpid(fork(look), 0)
    folder.chmod(0o755)
    shutil.rmtree(folder)
    assert os.waitstatus_to_exitcode(status) == 0
    saw_code("store-older")


# --- stores of the format before ------------------------------------------------------


@pytest.fixture
def earlier(tmp_path: Path) -> Path:
    path = tmp_path / "earlier.db"
    db = sqlite3.connect(path, isolation_level=None)
    db.executescript((Path(__file__).parent / "store_format_2.sql").read_text())
    db.close()
    return path


def test_a_store_of_the_format_before_is_adopted_once(earlier: Path) -> None:
    with Store.open(earlier) as store:
        assert [e.kind for e, _ in log(str(earlier), 1, -1)].count("adopted") == 1
        last = store.entry(store.head)
        assert last is not None
        assert set(last.covers) == {"store", "worlds", "closed", "sources", "traces", "policies"}
        assert noticed(earlier) == []
        # A world without owners goes on; one whose owners could not be shown all of it does not.
        done = worlds.commit(store, "b.u", Session("bob"))
        assert done.committed is not None
        found = worlds.plan_commit
        for id in ("monday.move", "waits"):
            held = worlds.find(store, id, worlds.place_of(id))
            store.check_world(held.world)
            with pytest.raises(Refused, match="opal-world-old"):
                found(store, store.head, held, Session("ann"), worlds.place_of(id))
    assert noticed(earlier) == []
    Store.open(earlier).close()
    assert [e.kind for e, _ in log(str(earlier), 1, -1)].count("adopted") == 1


@pytest.mark.parametrize("table", ["worlds", "sources", "traces", "policies"])
def test_what_was_adopted_is_covered(earlier: Path, tmp_path: Path, table: str) -> None:
    Store.open(earlier).close()
    db = sqlite3.connect(earlier)
    columns = [row[1] for row in db.execute(f"PRAGMA table_info({table})")]
    db.close()
    for column in columns:
        path = tamper(
            earlier,
            tmp_path / "t",
            lambda db, column=column: db.execute(  # type: ignore[misc]
                f"UPDATE OR IGNORE {table} SET {column} = coalesce({column}, '') || '1'"
            ),
        )
        assert noticed(path), column


def test_a_signature_of_the_format_before_that_was_changed_is_found(earlier: Path) -> None:
    def change(entries: list[dict[str, Any]]) -> None:
        entries[3]["endorsements"][0]["statement"]["expires"] = "2999-01-01T00:00:00Z"

    rewritten(earlier, change)
    Store.open(earlier).close()
    assert "store-bad-endorsement" in noticed(earlier)
