"""What is kept in PostgreSQL: the tests of the file, over a server on loopback."""

from __future__ import annotations

import getpass
import os
import shutil
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

import test_fleet
from headwater.fleet.keptserver import SCHEMA
from test_fleet import answered, control, edit, more_nodes, run, start, values, worked_out

__all__ = ["control"]

psycopg = pytest.importorskip("psycopg", reason="psycopg is not installed: headwater[pg]")


def programs() -> Path | None:
    """Where Debian's server is installed."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    return found[-1].parent if found else None


def as_user(folder: Path) -> list[str]:
    """The server refuses to run as root."""
    if os.geteuid() != 0:
        return []
    shutil.chown(folder, "postgres", "postgres")
    return ["runuser", "-u", "postgres", "--"]


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server that lives as long as the tests."""
    place = programs()
    if place is None:
        pytest.skip("Debian's PostgreSQL is not installed")
    around = Path(subprocess.check_output(["mktemp", "-d"], text=True).strip())
    user = as_user(around)
    name = "postgres" if user else getpass.getuser()
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    data = around / "data"
    quiet = {"check": True, "stdout": subprocess.DEVNULL, "cwd": "/"}
    made = [*user, str(place / "initdb"), "-A", "trust", "-U", name, "-D", str(data), "--no-sync"]
    subprocess.run(made, **quiet)  # type: ignore[call-overload]
    options = f"-h 127.0.0.1 -p {port} -k {around} -F"
    control = [*user, str(place / "pg_ctl"), "-D", str(data), "-w", "-l", str(around / "log")]
    subprocess.run([*control, "-o", options, "start"], **quiet)  # type: ignore[call-overload]
    try:
        yield f"postgresql://{name}@127.0.0.1:{port}/postgres"
    finally:
        subprocess.run([*control, "-m", "immediate", "stop"], **quiet)  # type: ignore[call-overload]
        shutil.rmtree(around, ignore_errors=True)


@pytest.fixture(autouse=True)
def on_server(server: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """Everything is kept there, and nothing is at first."""
    monkeypatch.setenv("HEADWATER_STORE", server)
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"DROP SCHEMA IF EXISTS {SCHEMA} CASCADE")
    return server


test_only_what_changed_is_compiled = test_fleet.test_only_what_changed_is_compiled
test_what_is_written = test_fleet.test_what_is_written_is_what_compile_prints
test_the_clock = test_fleet.test_what_used_the_clock_is_never_kept
test_two_runs_at_once = test_fleet.test_two_runs_at_once_share_what_is_kept
test_an_interrupted_run = test_fleet.test_an_interrupted_run_keeps_what_is_done
test_list = test_fleet.test_list_tells_what_need_be_compiled
test_check = test_fleet.test_check_over_all_nodes_is_check
test_lookup = test_fleet.test_lookup_tells_which_level_wins_where
test_impact = test_fleet.test_impact_asks_only_who_read_the_file
test_explain = test_fleet.test_explain_groups_equal_values
test_a_node_that_fails = test_fleet.test_a_node_that_fails_is_told_and_the_others_are_done


def test_no_file_is_written(control: Path, on_server: str) -> None:
    assert len(worked_out()) == 3
    assert not test_fleet.STORE.exists()
    with psycopg.connect(on_server) as connection:
        found = connection.execute(f"SELECT count(*) FROM {SCHEMA}.trace").fetchone()
    assert found == (3,)


def test_what_is_damaged_is_never_believed(control: Path, on_server: str) -> None:
    good = values()
    with psycopg.connect(on_server, autocommit=True) as connection:
        connection.execute(f"UPDATE {SCHEMA}.answer SET body = 'x'")
    done = run("fleet", "compile")
    assert "kept-damaged" in done.output
    assert values() == good
    assert worked_out() == []


def test_a_killed_run_leaves_nothing_half_done(control: Path) -> None:
    more_nodes(8)
    fresh = values("--fresh")
    for _ in range(2):
        one = start("compile", "--processes", "2")
        one.kill()
        one.communicate()
    assert values() == fresh
    assert worked_out() == []


def test_a_server_that_is_not_there_stops_nobody(
    control: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HEADWATER_STORE", "postgresql://nobody:secret@127.0.0.1:1/none")
    done = run("fleet", "compile")
    assert done.exit_code == 0
    assert "3 worked out" in done.output
    assert "nothing is kept in HEADWATER_STORE" in done.output
    assert "secret" not in done.output


def test_old_states_are_forgotten(control: Path, on_server: str) -> None:
    for number in range(10):
        edit("data/common.yaml", "---" if number == 0 else f"# {number - 1}\n---",
             f"# {number}\n---")  # fmt: skip
        edit("site/profile/manifests/base.pp", "mode    => '0440'" if number == 0 else
             f"mode    => '04{number - 1:02}'", f"mode    => '04{number:02}'")  # fmt: skip
        worked_out()
    with psycopg.connect(on_server) as connection:
        for table in ("trace", "answer"):
            found = connection.execute(f"SELECT count(*) FROM {SCHEMA}.{table}").fetchone()
            assert found == (8 * 3,)
    assert answered("compile")["known_from_before"] == 3
