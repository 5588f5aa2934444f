"""The store itself: faults of files and disks, formats, and a log that cannot be bent."""

from __future__ import annotations

import os
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest

from headwater.langs.durable import Problem
from headwater.langs.opal.durable.running import verify_store
from headwater.store import Entry, Store, StoreProblem
from headwater.store.connection import Connection
from headwater.store.database import migrate
from headwater.store.records import FIRST_DIGEST, Source, sha256
from headwater.store.schema import MIGRATIONS
from opal_crash import fork


def entry(revision: int, **writes: str) -> Entry:
    details = dict.fromkeys(writes, "{}")
    return Entry(revision, f"w{revision}", "test", "ann", 0, "now", writes, {}, details, {})


def commit(store: Store, **writes: str) -> None:
    with store.writing() as writing:
        writing.append(entry(writing.head + 1, **writes))


def append_twice(store: Store) -> None:
    with store.writing() as writing:
        writing.append(entry(3, a="9"))
        writing.append(entry(3, a="9"))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    made = tmp_path / "state.db"
    with Store.open(made, create=True) as store:
        commit(store, a="1", b="2")
        commit(store, a="3")
    return made


def code_of(action: Callable[[], object]) -> str:
    with pytest.raises(StoreProblem) as error:
        action()
    return error.value.diagnostic.code


def test_values_have_revisions(path: Path) -> None:
    with Store.open(path) as store:
        assert [v.value for v in store.history("a")] == ["3", "1"]
        assert {v.key: v.value for v in store.values()} == {"a": "3", "b": "2"}
        assert {v.key: v.value for v in store.values(1)} == {"a": "1", "b": "2"}
        assert store.read("a", 0) is None
        assert store.head == 2


def test_a_transaction_is_all_or_nothing(path: Path) -> None:
    with Store.open(path) as store:
        with pytest.raises(sqlite3.IntegrityError):
            append_twice(store)
        assert store.head == 2
    assert verify_store(str(path)).problems == ()


def test_a_locked_store(path: Path) -> None:
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with Store.open(path, patience=0.1) as store:
        assert code_of(lambda: commit(store, a="9")) == "store-locked"
        assert store.head == 2
        other.execute("ROLLBACK")
        commit(store, a="9")
        assert store.head == 3
    other.close()


def test_a_full_disk_by_pages(path: Path) -> None:
    with Store.open(path) as store:
        pages = store._connection.execute("PRAGMA page_count")[0][0]
        store._connection.execute(f"PRAGMA max_page_count = {pages}")
        big = "x" * 1_000_000
        assert code_of(lambda: commit(store, a=big)) == "store-full"
        assert store.head == 2
        store._connection.execute("PRAGMA max_page_count = 1000000")
        commit(store, a=big)
    assert verify_store(str(path)).commits == 3


def test_a_failing_disk(path: Path) -> None:
    error = sqlite3.OperationalError("disk I/O error")
    error.sqlite_errorcode = sqlite3.SQLITE_IOERR

    def fails() -> None:
        with Store.open(path) as store, store._connection.coded():
            raise error

    assert code_of(fails) == "store-io"


def test_a_limit_on_the_size_of_files(path: Path) -> None:
    """The write-ahead log itself cannot grow: SQLite sees a failed write, not a full disk."""

    def limit() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        size = path.stat().st_size + 20_000
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

    code = (
        "import sys\n"
        "from headwater.store import Entry, Store, StoreProblem\n"
        "store = Store.open(sys.argv[1])\n"
        "try:\n"
        "    with store.writing() as w:\n"
        "        text = 'x' * 1_000_000\n"
        "        w.append(Entry(3, 'w3', 'test', 'a', 0, '', {'a': text}, {}, {'a': ''}, {}))\n"
        "except StoreProblem as problem: print(problem.diagnostic.code)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(path)],
        preexec_fn=limit,
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.stdout.strip() in ("store-full", "store-io"), done.stderr
    found = verify_store(str(path))
    assert (found.commits, found.problems) == (2, ())


def test_a_read_only_store(path: Path) -> None:
    with Store.open(path) as store:
        store._connection.execute("PRAGMA query_only = ON")
        assert code_of(lambda: commit(store, a="9")) == "store-read-only"
        assert store.head == 2


def test_a_file_that_may_not_be_written(path: Path) -> None:
    """As nobody, if the test runs as root, who may write everything."""
    folder = Path(tempfile.mkdtemp(prefix="headwater-"))
    copy = folder / "state.db"
    shutil.copy(path, copy)
    copy.chmod(0o444)
    folder.chmod(0o555)

    def attempt() -> None:
        if os.geteuid() == 0:
            os.setuid(65534)
        try:
            with Store.open(copy) as store:
                commit(store, a="9")
        except StoreProblem as problem:
            # A store in write-ahead mode cannot even be read where nothing can be written.
            told = problem.diagnostic.code in ("store-read-only", "store-unopenable")
            os._exit(7 if told else 8)

    _, status = os.waitpid(fork(attempt), 0)
    folder.chmod(0o755)
    shutil.rmtree(folder)

    assert os.waitstatus_to_exitcode(status) == 7


def test_files_that_are_no_stores(tmp_path: Path) -> None:
    assert code_of(lambda: Store.open(tmp_path / "none.db")) == "store-missing"
    inner = tmp_path / "no" / "folder.db"
    assert code_of(lambda: Store.open(inner, create=True)) == "store-unopenable"
    assert code_of(lambda: Store.open(tmp_path, create=True)) == "store-unopenable"
    garbage = tmp_path / "garbage.db"
    garbage.write_bytes(b"garbage" * 1_000)
    assert code_of(lambda: Store.open(garbage)) == "store-corrupt"
    assert garbage.read_bytes() == b"garbage" * 1_000
    foreign = tmp_path / "foreign.db"
    with sqlite3.connect(foreign) as db:
        db.execute("CREATE TABLE t (x)")
    db.close()
    before = foreign.read_bytes()
    assert code_of(lambda: Store.open(foreign, create=True)) == "store-foreign"
    assert foreign.read_bytes() == before


def test_a_store_of_a_later_version_is_left_alone(path: Path) -> None:
    with sqlite3.connect(path) as db:
        db.execute(f"PRAGMA user_version = {len(MIGRATIONS) + 1}")
    db.close()
    assert code_of(lambda: Store.open(path)) == "store-newer"


@pytest.mark.parametrize("version", range(1, len(MIGRATIONS)))
def test_a_store_of_any_earlier_version_is_brought_up_to_date(tmp_path: Path, version: int) -> None:
    path = tmp_path / "old.db"
    connection = Connection(str(path), patience=1, observer=None)
    migrate(connection, version)
    connection.execute("INSERT INTO worlds VALUES ('w', 'u', 'ann', 0, '', '{}', 'open', NULL)")
    digest = entry(1, a="1").text()
    connection.execute(
        "INSERT INTO log VALUES (1, 'w1', ?, ?)", digest, sha256(FIRST_DIGEST + digest)
    )
    connection.execute("INSERT INTO versions VALUES ('a', 1, '1', NULL, '{}')")
    id = connection.execute("SELECT value FROM facts WHERE name = 'id'")[0][0]
    connection.raw.close()

    with Store.open(path, create=True) as store:
        assert store._connection.execute("PRAGMA user_version") == [(len(MIGRATIONS),)]
        commit(store, b="2")
        assert store.all_keys() == []
        assert store.serial("dns") == 0
        assert store.id == id
        assert {v.key for v in store.values()} == {"a", "b"}
        assert [w.id for w in store.worlds()] == ["w"]
    assert verify_store(str(path)).problems == ()


def test_a_migration_that_is_killed_half_way_is_done_again(tmp_path: Path) -> None:
    seen: list[str] = []
    Store.open(tmp_path / "count.db", create=True, observer=seen.append).close()
    for number in range(0, len(seen), 2):
        path = tmp_path / f"{number}.db"
        left = number

        def stop(_: str) -> None:
            nonlocal left
            left -= 1
            if left < 0:
                raise InterruptedError

        with pytest.raises(InterruptedError):
            Store.open(path, create=True, observer=stop)
        with Store.open(path, create=True) as store:
            commit(store, a="1")
        assert verify_store(str(path)).commits == 1


# --- tampering ------------------------------------------------------------------------

LOOSEN = (
    "DROP TRIGGER log_stay; DROP TRIGGER log_last; DROP TRIGGER versions_stay;"
    "DROP TRIGGER versions_last; DROP TRIGGER endorsements_last;"
)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE versions SET value = '9' WHERE key = 'a'",
        "DELETE FROM versions WHERE key = 'b'",
        "UPDATE log SET entry = replace(entry, 'ann', 'bob')",
        "DELETE FROM log WHERE revision = 1",
        "DELETE FROM sources",
    ],
)
def test_the_log_is_append_only(path: Path, statement: str) -> None:
    with Store.open(path) as store, store.writing() as writing:
        writing.keep_source(Source("x", "y"))
    db = sqlite3.connect(path)
    with pytest.raises(sqlite3.IntegrityError, match="append-only"):
        db.execute(statement)
    db.close()


@pytest.mark.parametrize(
    ("statement", "code"),
    [
        ("UPDATE versions SET value = '9' WHERE key = 'a'", "store-differs-from-log"),
        ("DELETE FROM versions WHERE key = 'b'", "store-differs-from-log"),
        ("INSERT INTO versions VALUES ('c', 1, '1', NULL, '{}')", "store-differs-from-log"),
        ("INSERT INTO versions VALUES ('c', 9, '1', NULL, '{}')", "store-differs-from-log"),
        ("UPDATE log SET entry = replace(entry, 'ann', 'bob')", "store-chain-broken"),
        ("DELETE FROM log WHERE revision = 1", "store-chain-broken"),
        ("UPDATE log SET world = 'x' WHERE revision = 1", "store-chain-broken"),
        ("UPDATE log SET entry = '{' WHERE revision = 2", "store-corrupt"),
        ("INSERT INTO endorsements VALUES ('n', 1, 'dns')", "store-bad-endorsement"),
        (
            "INSERT INTO worlds VALUES ('u', 'u', 'ann', 0, '', '{}', 'committed', 1)",
            "store-differs-from-log",
        ),
        ("INSERT INTO keys VALUES ('dns', 'AAAA', '', NULL)", "store-differs-from-log"),
    ],
)
def test_what_was_changed_by_hand_is_found(path: Path, statement: str, code: str) -> None:
    assert verify_store(str(path)).problems == ()
    db = sqlite3.connect(path)
    db.executescript(f"{LOOSEN} {statement};")
    db.commit()
    db.close()

    assert code in [d.code for d in verify_store(str(path)).problems]


def test_flipped_bytes_are_found_or_harmless(path: Path, tmp_path: Path) -> None:
    with Store.open(path) as store:
        for number in range(30):
            commit(store, **{f"k{number}": "v" * 300})
        before = {v.key: v.value for v in store.values()}
        store._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    data = path.read_bytes()
    for offset in range(0, len(data), max(1, len(data) // 80)):
        copy = tmp_path / "copy.db"
        for old in tmp_path.glob("copy.db*"):
            old.unlink()
        copy.write_bytes(data[:offset] + bytes([data[offset] ^ 0xFF]) + data[offset + 1 :])
        try:
            with Store.open(copy) as store:
                after = {v.key: v.value for v in store.values()}
            found = verify_store(str(copy)).problems
        except (StoreProblem, Problem):
            continue
        assert found or after == before


def test_a_copy_made_while_others_commit_is_a_store(path: Path, tmp_path: Path) -> None:
    with Store.open(path) as store, store.writing() as writing:
        writing.append(entry(3, a="5"))
        with Store.open(path) as other:
            other.backup(tmp_path / "copy.db")
    assert verify_store(str(tmp_path / "copy.db")).commits == 2
    assert verify_store(str(path)).commits == 3
    shutil.rmtree(tmp_path)
