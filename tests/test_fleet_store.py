"""What every command about many nodes says of a place that cannot keep anything."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from headwater.fleet.keptfile import place_for
from test_fleet import NODES, control, run

__all__ = ["control"]

EDIT = "data/common.yaml:ntp::servers=[changed.example.com]"


COMMANDS = [
    ("fleet", "compile"), ("fleet", "list"), ("fleet", "list", "--format", "json"),
    ("fleet", "check"), ("fleet", "lookup", "ntp::servers"),
    ("fleet", "explain", "Class[Ntp].servers"), ("fleet", "impact", "data/common.yaml:5"),
    ("whatif", EDIT), ("whatif", "--who", EDIT), ("diff", "HEAD.."), ("fleet", "diff", "HEAD.."),
]  # fmt: skip


def committed() -> None:
    name = ("-c", "user.name=A", "-c", "user.email=a@example.com")
    for more in (("init", "-q"), ("add", "-A"), (*name, "commit", "-qm", "first")):
        subprocess.run(["git", *more], check=True)


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_where_nothing_can_be_kept_that_is_told(
    control: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    if "HEAD.." in words:
        committed()
    (control / ".headwater").write_text("no folder")
    monkeypatch.setenv("HEADWATER_CACHE", "off")
    place_for.cache_clear()
    done = run(*words)
    assert done.stderr.count("kept-unavailable") == 1, done.output
    assert "it cannot be used, and there is no cache" in done.stderr
    assert done.exit_code == 0, done.output
    monkeypatch.setenv("HEADWATER_CACHE", str(control / "cache"))
    place_for.cache_clear()
    assert "kept-unavailable" not in run(*words).stderr, "it is in the cache then"


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_a_place_that_cannot_keep_anything_is_told(
    control: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    if "HEAD.." in words:
        committed()
    monkeypatch.setenv("HEADWATER_STORE", "postgresql://nobody:secret@127.0.0.1:1/none")
    done = run(*words)
    assert done.stderr.count("kept-unavailable") == 1, done.output
    assert "nothing is kept in HEADWATER_STORE" in done.stderr
    assert "secret" not in done.output
    assert done.exit_code == 0, done.output


def test_impact_of_a_place_that_is_not_there_is_refused_once_and_counts_nobody(
    control: Path,
) -> None:
    for place, told in (
        ("data/absent.yaml:1", "no such file"),
        ("data/common.yaml:999", "no line"),
    ):
        done = run("fleet", "impact", place)
        assert done.exit_code == 1
        assert told in done.stderr
        assert done.stdout == ""


def test_impact_of_a_file_that_nobody_reads(control: Path) -> None:
    Path("notes.txt").write_text("nothing\n")
    done = run("fleet", "impact", "notes.txt:1")
    assert done.exit_code == 0
    counts = f"0 nodes affected, 0 read the file to no effect, {len(NODES)} did not read it"
    assert done.stdout == f"notes.txt:1: {counts}\n"
