"""All nodes of a repository: what is kept, when it is believed, and what is asked of it."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
import zlib
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from headwater.ask.request import Request
from headwater.cli.main import cli
from headwater.fleet.catalogs import COMPILE
from headwater.fleet.every import Answered, Every
from headwater.fleet.kept import kept_for
from headwater.fleet.keptfile import place_for
from headwater.fleet.site import find_site
from laws.profile import examples

CONTROL = Path(__file__).parent.parent / "examples" / "control"
NODES = ["bastion1.example.com", "db1.example.com", "web1.example.com"]
STORE = Path(".headwater/results.sqlite")


@pytest.fixture
def control(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "control"
    shutil.copytree(CONTROL, folder)
    monkeypatch.chdir(folder)
    place_for.cache_clear()
    assert run("init").exit_code == 0
    return folder


def run(*words: str) -> Result:
    return CliRunner().invoke(cli, list(words))


def answered(*words: str) -> dict[str, Any]:
    done = run("fleet", *words, "--format", "json")
    assert done.exit_code == 0, done.output
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def worked_out(*words: str) -> list[str]:
    """The nodes that a run of all compiles."""
    found = answered("compile", *words)
    return [row["node"] for row in found["nodes"] if not row["known_from_before"]]


def values(*words: str) -> dict[str, str]:
    return {row["node"]: row["values"] for row in answered("compile", *words)["nodes"]}


def edit(path: str, old: str, new: str) -> None:
    text = Path(path).read_text()
    assert old in text
    Path(path).write_text(text.replace(old, new))


def test_only_what_changed_is_compiled(control: Path) -> None:
    assert worked_out() == NODES
    assert worked_out() == []
    edit("data/nodes/web1.example.com.yaml", "ntp.web", "ntp9.web")
    assert worked_out() == ["web1.example.com"]
    edit("data/nodes/web1.example.com.yaml", "ntp9.web", "ntp.web")
    assert worked_out() == [], "both states are kept"
    assert worked_out("--fresh") == NODES


def test_what_is_written_is_what_compile_prints(control: Path) -> None:
    for _ in range(2):
        assert run("fleet", "compile", "--into", "out").exit_code == 0
        for node in NODES:
            assert (control / "out" / f"{node}.json").read_text() == run("compile", node).stdout
        assert sorted(os.listdir("out")) == [f"{node}.json" for node in NODES]


def test_no_secret_is_kept(control: Path) -> None:
    line = "profile::database::password: tell-nobody-this\n"
    path = control / "data/nodes/db1.example.com.yaml"
    text = [one for one in path.read_text().splitlines() if "password" not in one]
    path.write_text("\n".join([*text, line]))
    assert "tell-nobody-this" in run("compile", "db1").stdout
    for words in (["compile"], ["check"], ["lookup", "profile::database::password"],
                  ["explain", "Class[Profile::Database].password"]):  # fmt: skip
        run("fleet", *words)
    found = b""
    for (body,) in sqlite3.connect(STORE).execute("SELECT body FROM answer"):
        found += body
        start = body.find(b"x\x01")
        while start >= 0:
            found += zlib.decompressobj().decompress(body[start:])
            start = body.find(b"x\x01", start + 1)
    assert b"Class" in found
    assert b"tell-nobody-this" not in found
    assert os.stat(STORE).st_mode & 0o077 == 0


def test_what_used_the_clock_is_never_kept(control: Path) -> None:
    with open("site/profile/manifests/base.pp", "a") as file:
        file.write("class profile::clock { notify { strftime('%s'): } }\n")
    (control / "site/profile/manifests/clock.pp").write_text(
        'class profile::clock { $t = Timestamp()\n notify { "now ${t}": } }\n'
    )
    edit("site/role/manifests/database.pp", "include profile::base",
         "include profile::base\n  include profile::clock")  # fmt: skip
    edit("site/profile/manifests/base.pp",
         "class profile::clock { notify { strftime('%s'): } }\n", "")  # fmt: skip
    worked_out()
    assert worked_out() == ["db1.example.com"]


@pytest.mark.parametrize("seed", range(examples(24, 400)))
def test_a_damaged_file_is_never_believed(control: Path, seed: int) -> None:
    good = values()
    chance = random.Random(f"damage {seed}")
    data = bytearray(STORE.read_bytes())
    for _ in range(chance.choice([1, 3, 40])):
        data[chance.randrange(len(data))] ^= chance.randrange(1, 256)
    if chance.random() < 0.2:
        del data[chance.randrange(len(data)) :]
    for ending in ("-wal", "-shm"):
        Path(f"{STORE}{ending}").unlink(missing_ok=True)
    STORE.write_bytes(data)
    edit("data/common.yaml", "ntp1.example.com", "ntp1.example.com")
    assert values() == good
    assert worked_out() == [], "it is built anew, or what is left of it is good"


def test_damage_is_told(control: Path) -> None:
    worked_out()
    STORE.write_bytes(b"nonsense" * 1000)
    done = run("fleet", "compile")
    assert done.exit_code == 0
    assert "warning[kept-damaged]" in done.output
    found = sqlite3.connect(STORE).execute("SELECT count(*) FROM trace").fetchone()
    assert found == (3,)
    sqlite3.connect(STORE).execute("UPDATE answer SET body = x'00'").connection.commit()
    found_json = answered("compile")
    assert [one["code"] for one in found_json["diagnostics"]] == ["kept-damaged"]


def test_a_file_from_elsewhere_is_not_believed(control: Path) -> None:
    assert worked_out() == NODES
    shutil.copytree(control, control.parent / "copy", copy_function=shutil.copy2)
    shutil.rmtree(control)
    shutil.move(control.parent / "copy", control)
    os.chdir(control)
    place_for.cache_clear()
    assert worked_out() == NODES
    STORE.rename("elsewhere")
    STORE.symlink_to("../elsewhere")
    assert worked_out() == NODES
    assert Path("elsewhere").exists()


def test_where_the_folder_cannot_be_used_the_cache_is(
    control: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    Path(".headwater").write_text("a file")
    assert worked_out() == NODES, "with no cache nothing is kept"
    assert worked_out() == NODES
    monkeypatch.setenv("HEADWATER_CACHE", str(tmp_path / "cache"))
    place_for.cache_clear()
    assert worked_out() == NODES
    assert worked_out() == []
    assert len([*(tmp_path / "cache").glob("fleet-*/results.sqlite")]) == 1


def more_nodes(count: int) -> list[str]:
    """The nodes of the example and so many more of the same kind."""
    text = Path("facts/bastion1.example.com.json").read_text()
    for number in range(2, count + 2):
        Path(f"facts/bastion{number}.example.com.json").write_text(
            text.replace("bastion1", f"bastion{number}")
        )
    return sorted(path.stem for path in Path("facts").iterdir())


def start(*words: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "headwater", "fleet", *words], text=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True,
    )  # fmt: skip


def test_two_runs_at_once_share_what_is_kept(control: Path) -> None:
    names = more_nodes(12)
    runs = [start("compile", "--processes", "2") for _ in range(3)]
    for one in runs:
        assert one.wait(timeout=120) == 0, one.communicate()
        assert "kept-damaged" not in one.communicate()[0]
    found = answered("compile")
    assert found["known_from_before"] == len(names)
    kept = values()
    assert kept == values("--fresh")


def test_a_run_that_is_killed_loses_nothing(control: Path) -> None:
    names = more_nodes(20)
    fresh = values("--fresh")
    chance = random.Random("kills")
    before = 0
    for _ in range(examples(4, 100)):
        one = start("compile", "--processes", "2")
        time.sleep(chance.uniform(0.1, 1.2))
        os.killpg(one.pid, signal.SIGKILL)
        one.communicate()
        found = answered("list")
        known = [row["node"] for row in found["nodes"] if row["result"] == "known"]
        assert len(known) >= before, "what was kept stays"
        before = len(known)
        if chance.random() < 0.3:
            before = 0
            for ending in ("", "-wal", "-shm"):
                Path(f"{STORE}{ending}").unlink(missing_ok=True)
    assert values() == fresh
    assert worked_out() == []
    assert len(names) == 23


def test_an_interrupted_run_keeps_what_is_done(control: Path) -> None:
    more_nodes(6)
    site = find_site()
    assert site is not None
    every = Every(site, Request(), COMPILE, kept_for("."), processes=1)
    taken: list[str] = []

    def take(one: Answered) -> None:
        taken.append(one.node)
        if len(taken) == 3:
            os.kill(os.getpid(), signal.SIGINT)

    every.ask(site.inventory.names, take)
    assert every.stopped == "interrupted"
    assert answered("compile")["known_from_before"] >= 3


def test_nodes_with_equal_reads_and_results_share_them(control: Path) -> None:
    Path("manifests/site.pp").write_text("notify { 'same': }\n")
    for number in range(5):
        Path(f"facts/same{number}.json").write_text("{}")
    assert run("fleet", "compile", "same*").exit_code == 0
    connection = sqlite3.connect(STORE)
    assert connection.execute("SELECT count(*) FROM trace").fetchone() == (5,)
    assert connection.execute("SELECT count(*) FROM answer").fetchone() == (5,), "names differ"
    reads = connection.execute("SELECT count(*) FROM read WHERE path LIKE '%site.pp'").fetchone()
    assert reads == (1,)


def test_old_states_are_forgotten(control: Path) -> None:
    for number in range(11):
        edit("data/common.yaml", "---" if number == 0 else f"# {number - 1}\n---",
             f"# {number}\n---")  # fmt: skip
        edit("site/profile/manifests/base.pp", "mode    => '0440'" if number == 0 else
             f"mode    => '04{number - 1:02}'", f"mode    => '04{number:02}'")  # fmt: skip
        worked_out()
    rows = sqlite3.connect(STORE).execute("SELECT count(*) FROM trace").fetchone()
    assert rows == (8 * 3,)
    answers = sqlite3.connect(STORE).execute("SELECT count(*) FROM answer").fetchone()
    assert answers == (8 * 3,)
    assert worked_out() == []


def test_list_tells_what_need_be_compiled(control: Path) -> None:
    states = {row["node"]: row["result"] for row in answered("list")["nodes"]}
    assert set(states.values()) == {"new"}
    worked_out("web1", "db1")
    edit("data/nodes/web1.example.com.yaml", "ntp.web", "ntp9.web")
    states = {row["node"]: row["result"] for row in answered("list")["nodes"]}
    assert states == dict(zip(NODES, ["new", "known", "changed"], strict=True))


def test_check_over_all_nodes_is_check(control: Path) -> None:
    edit("site/profile/manifests/base.pp", "mode    => '0440'", "mode    => undefined()")
    once = run("check")
    for _ in range(2):
        again = run("fleet", "check")
        assert (again.exit_code, again.output) == (once.exit_code, once.output)
    Path("rules.toml").write_text(
        '[[rule]]\nvalues = ["Class[Ntp].servers"]\nnot_from = ["data/common.yaml"]\n'
        'message = "no"\n'
    )
    edit("site/profile/manifests/base.pp", "mode    => undefined()", "mode    => '0440'")
    once = run("check", "--rules", "rules.toml", "--format", "json")
    again = run("fleet", "check", "--rules", "rules.toml", "--format", "json")
    assert json.loads(again.stdout) == json.loads(once.stdout)
    edit("rules.toml", "data/common.yaml", "data/other.yaml")
    assert run("fleet", "check", "--rules", "rules.toml").exit_code == 0


def test_lookup_tells_which_level_wins_where(control: Path) -> None:
    groups = answered("lookup", "ntp::servers")["groups"]
    assert [(group["nodes"], group["value"]) for group in groups] == [
        (["bastion1.example.com", "db1.example.com"], ["ntp1.example.com", "ntp2.example.com"]),
        (["web1.example.com"], ["ntp.web.example.com"]),
    ]
    assert [group["levels"][0]["level"] for group in groups] == ["Everybody", "One node"]
    edit("data/common.yaml", "---", "---\n# a line more")
    moved = answered("lookup", "ntp::servers")["groups"][0]["levels"][0]["at"]
    assert moved["line"] == groups[0]["levels"][0]["at"]["line"] + 1
    assert run("fleet", "lookup", "nothing::here").exit_code == 1


def test_impact_asks_only_who_read_the_file(control: Path) -> None:
    found = answered("impact", "data/nodes/web1.example.com.yaml:5")
    assert [group["nodes"] for group in found["groups"]] == [["web1.example.com"]]
    assert "Class[Ntp].servers" in found["groups"][0]["addresses"]
    assert found["unaffected"] == NODES[:2]
    alone = json.loads(run(
        "impact", "data/nodes/web1.example.com.yaml:5", "--node", "web1", "--no-try",
        "--format", "json",
    ).stdout)  # fmt: skip
    assert found["groups"][0]["addresses"] == alone["addresses"]
    done = run("fleet", "impact", "data/common.yaml:999")
    assert done.exit_code == 1
    assert "there is no line 999" in done.output
    assert run("fleet", "impact", "data/common.yaml").exit_code == 2


def test_explain_groups_equal_values(control: Path) -> None:
    found = answered("explain", "Class[Ntp].servers")
    assert [group["nodes"] for group in found["groups"]] == [NODES[:2], NODES[2:]]
    first = found["groups"][1]
    assert first["where"][0]["file"] == "data/nodes/web1.example.com.yaml"
    assert first["overrode"][0]["file"] == "data/common.yaml"
    done = run("fleet", "explain", "Class[Nothing].here")
    assert done.exit_code == 1
    assert "unknown-address" in done.output


def test_a_node_that_fails_is_told_and_the_others_are_done(control: Path) -> None:
    Path("facts/web2.example.com.json").write_text('{"os": ')
    for _ in range(2):
        done = run("fleet", "compile")
        assert done.exit_code == 1
        assert "4 nodes" in done.output
        assert "1 failed" in done.output
        assert "facts/web2.example.com.json:1:8" in done.output
    assert run("fleet", "compile", "nothere").exit_code == 2


def test_a_folder_of_catalogs_whose_name_is_too_long_is_told(control: Path) -> None:
    done = run("fleet", "compile", "--into", "d/" * 3000)
    assert done.exit_code == 2, done.output
    assert "cannot be made: File name too long" in done.output
