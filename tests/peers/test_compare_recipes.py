"""The recipes of examples/peers, replayed where the peer is installed; and peers that misbehave."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from headwater.ask.compare import numbers_alike
from headwater.cli.main import cli

PEERS = Path(__file__).resolve().parents[2] / "examples" / "peers"


def run(*words: str) -> tuple[int, dict[str, Any]]:
    done = CliRunner().invoke(cli, ["compare", "--format", "json", *words])
    return done.exit_code, json.loads(done.stdout)


@pytest.mark.skipif(shutil.which("ruby") is None, reason="Ruby is not installed")
@pytest.mark.skipif(shutil.which("puppet") is None, reason="Puppet is not installed")
def test_generated_programs_agree_with_real_puppet(tmp_path: Path) -> None:
    words = ["generate", "puppet", "--seed", "1", "--count", "20", "--size", "2"]
    assert CliRunner().invoke(cli, [*words, "-o", str(tmp_path)]).exit_code == 0
    files = sorted(map(str, tmp_path.glob("*.pp")))
    command = f"puppet=ruby {PEERS / 'puppet.rb'}"
    code, told = run("--engines", "engine", "--with", command, "--reads", "puppet=catalog", *files)
    assert told["sums"]["puppet"]["agree"] == 20, told
    assert code == 0


def peer(tmp_path: Path, body: str) -> str:
    script = tmp_path / "peer.py"
    script.write_text(body)
    return f"peer={sys.executable} {script} {{file}}"


@pytest.fixture
def program(tmp_path: Path) -> str:
    path = tmp_path / "main.sf"
    path.write_text("P extends { x 2; }\nsfConfig extends { a 1; b extends P }\n")
    return str(path)


OUTPUTS = {
    "json": '{"a": 1, "b": {"x": 2}}',
    "yaml": "a: 1\nb:\n  x: 2\n",
    "sf": "a 1; b extends { x 2; }",
}


@pytest.mark.parametrize("format", OUTPUTS)
def test_results_are_read_in_several_formats(format: str, tmp_path: Path, program: str) -> None:
    command = peer(tmp_path, f"print({OUTPUTS[format]!r})")
    arguments = ("--engines", "engine", "--with", command, "--reads", f"peer={format}", program)
    assert run(*arguments)[0] == 0
    wrong = peer(tmp_path, f"print({OUTPUTS[format].replace('2', '3')!r})")
    code, told = run("--engines", "engine", "--with", wrong, "--reads", f"peer={format}", program)
    assert code == 1
    assert told["files"][0]["compilers"]["peer"]["verdict"] == "differ"


@pytest.mark.parametrize(
    ("body", "verdict"),
    [
        ("import time; time.sleep(30)", "hangs"),
        ("import os; os.abort()", "crashes"),
        ("import sys; sys.exit(3)", "crashes"),
        ("print('{')", "crashes"),
    ],
)
def test_a_peer_that_misbehaves_has_its_own_verdict(
    body: str, verdict: str, tmp_path: Path, program: str
) -> None:
    command = peer(tmp_path, body)
    words = ("--engines", "engine", "--with", command, "--reads", "peer=json", "--timeout", "3")
    code, told = run(*words, program, program)
    assert code == 1
    assert [f["compilers"]["peer"]["verdict"] for f in told["files"]] == [verdict, verdict]


def test_kinds_of_numbers_count_unless_they_shall_not(tmp_path: Path, program: str) -> None:
    command = peer(tmp_path, 'print(\'{"a": 1.0, "b": {"x": 2}}\')')
    assert run("--engines", "engine", "--with", command, program)[0] == 1
    assert run("--engines", "engine", "--with", command, "--numbers-alike", program)[0] == 0
    assert numbers_alike([1.5, {"a": 2.0}]) == [1.5, {"a": 2}]


def test_a_command_without_a_file_answers_jobs(program: str) -> None:
    jobs = f"ours={sys.executable} -m headwater compile --jobs -"
    assert run("--engines", "engine", "--with", jobs, program)[0] == 0


def test_shrinking_keeps_the_difference(tmp_path: Path, program: str) -> None:
    body = (
        "import re, subprocess, sys\n"
        "text = open(sys.argv[1]).read().replace('P, {', '{').replace('extends P', 'extends { }')\n"
        "open(sys.argv[1] + '.sf', 'w').write(text)\n"
        "words = [sys.executable, '-m', 'headwater', 'compile', sys.argv[1] + '.sf']\n"
        "sys.exit(subprocess.call(words))\n"
    )
    command = peer(tmp_path, body)
    code, told = run("--engines", "engine", "--with", command, "--shrink", "--tries", "60", program)
    small = told["files"][0]["compilers"]["peer"]["shrunk"]
    assert code == 1
    assert "extends P" in small["program"]
    assert len(small["program"]) < len(Path(program).read_text())
    assert set(small["answers"]) == {"engine", "peer"}
