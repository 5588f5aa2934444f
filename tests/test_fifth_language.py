"""A fifth language: it is added in a package of its own, and every command knows it."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

LANGUAGE = Path(__file__).parent / "fifth" / "jsonc"
START = """\
import sys
from headwater.langs.table import LANGUAGES, Entry
LANGUAGES["jsonc"] = Entry("jsonc", (".jsonc",))
from headwater.cli.main import main
main()
"""
TEXT = """\
{
  // where the shop listens
  "port": 80, /* was 8080 */
  "hosts": ["a", {"name": "b", "tags": []}],
  "port": 443
}
"""


@pytest.fixture
def place(tmp_path: Path) -> Path:
    shutil.copytree(LANGUAGE, tmp_path / "packages" / "jsonc")
    (tmp_path / "start.py").write_text(START)
    (tmp_path / "a.jsonc").write_text(TEXT)
    (tmp_path / "b.jsonc").write_text(TEXT.replace("443", "444"))
    return tmp_path


def headwater(place: Path, *args: str, given: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(place / "start.py"), *args],
        cwd=place, input=given, capture_output=True, text=True, check=False, timeout=120,
        env={"PYTHONPATH": str(place / "packages"), "HEADWATER_CACHE": "off", "PATH": ""},
    )  # fmt: skip


def test_it_is_small() -> None:
    assert sum(len(p.read_text().splitlines()) for p in LANGUAGE.glob("*.py")) <= 150


def test_it_compiles_and_explains(place: Path) -> None:
    done = headwater(place, "compile", "a.jsonc", "--format", "compact")
    assert (done.returncode, done.stdout, done.stderr) == (
        0, '{"port":443,"hosts":["a",{"name":"b","tags":[]}]}\n', "",
    )  # fmt: skip

    done = headwater(place, "explain", "a.jsonc", "port", "--format", "json")
    answer = json.loads(done.stdout)
    assert (answer["value"], answer["where"]["line"], answer["where"]["column"]) == (443, 5, 11)
    (lost,) = answer["masked"]
    assert (lost["value"], lost["where"]["line"], lost["reason"]) == (80, 3, "override")
    assert {cause["text"] for cause in answer["depends"]} == {"{", '"port"', "443"}

    done = headwater(place, "explain", "a.jsonc", "hosts[1].nam")
    assert "did you mean hosts[1].name?" in done.stderr


@pytest.mark.parametrize(
    ("words", "said", "status"),
    [
        (["blame", "a.jsonc"], "a.jsonc:4:27  hosts[1].name", 0),
        (["impact", "a.jsonc:5"], "1 value changes", 0),
        (["diff", "a.jsonc", "b.jsonc", "--exit-code"], "+ port = 444  [b.jsonc:5:11]", 3),
        (["check", "."], "2 files, 0 findings", 0),
        (["compile", "--help"], "JSON with comments:\n  --max-levels N", 0),
        (["help", "jsonc"], "how deep values may be nested", 0),
        (["rule", "jsonc-too-deep"], "A text is nested too deep.", 0),
        (["compile", "a.jsonc", "--max-levels", "1"], "error[jsonc-too-deep]", 1),
        (["compile", "a.jsonc", "--max-levels", "x"], "'x' is not a whole number of at least 1", 2),
        (["compile", "a.jsonc", "--engine", "paper"], "jsonc has no engine paper", 2),
        (["explain", "a.jsonc", "port", "--to-win", "80"], "do not compete", 2),
        (["explain", "a.jsonc", "port", "--slice"], "jsonc has no slices", 2),
        (["generate", "jsonc"], "there is no generator for jsonc", 2),
        (["lookup", "k", "--lang", "jsonc"], "jsonc has no data to look up", 2),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else None,
)
def test_every_command_knows_it(place: Path, words: list[str], said: str, status: int) -> None:
    done = headwater(place, *words)

    assert said in done.stdout + done.stderr
    assert done.returncode == status


@pytest.mark.parametrize(
    ("text", "at"),
    [("{", "1:2"), ('{"a" 1}', "1:6"), ("[1,]", "1:4"), ("[1 2]", "1:4"), ("{} x", "1:4"),
     ("@", "1:1"), ("{1: 2}", "1:2"), ("01", "1:1"), ("", "1:1")],
)  # fmt: skip
def test_what_is_wrong_has_a_place(place: Path, text: str, at: str) -> None:
    (place / "c.jsonc").write_text(text)
    done = headwater(place, "compile", "c.jsonc")

    assert done.returncode == 1
    assert "error[jsonc-syntax]" in done.stderr
    assert f"c.jsonc:{at}" in done.stderr


def test_jobs_know_its_fields(place: Path) -> None:
    jobs = [
        {"lang": "jsonc", "code": TEXT, "why": True, "node": 5},
        {"lang": "jsonc", "code": "[[1]]", "max_levels": 0},
        {"lang": "jsonc", "code": "[[1]]", "max_levels": 1},
        {"lang": "jsonc", "code": "1", "max_level": 1},
        {"lang": "l3", "code": "a: 1", "max_levels": "x"},
    ]
    lines = "".join(json.dumps(job) + "\n" for job in jobs)
    done = headwater(place, "compile", "--jobs", "-", given=lines)
    good, wrong, deep, unknown, other = (json.loads(line) for line in done.stdout.splitlines())

    assert good["result"]["port"] == 443
    assert good["why"]["values"]["port"]["masked"]
    assert "max_levels must be a whole number of at least 1, not 0" in wrong["error"]["message"]
    assert deep["error"]["code"] == "jsonc-too-deep"
    assert "did you mean max_levels?" in unknown["error"]["message"]
    assert other["ok"]
