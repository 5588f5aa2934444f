"""An execution is a function of its number: none changes the room that later ones use."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import click
import pytest

from fuzz.commands import CHANGING, DURABLE
from headwater.cli.main import VERBS, cli

TESTS = Path(__file__).parents[1]

PROGRAM = """\
import hashlib, os, random, sys
from pathlib import Path
from fuzz import commands
from fuzz.workshop import Workshop

os.environ.update(PATH="/nonexistent", HEADWATER_CACHE="off")
folder = Path(sys.argv[1])
workshop = Workshop(folder)

def state():
    found = {str(path): path.read_bytes() if path.is_file() else b"" for path in
             [*workshop.room.rglob("*"), *folder.iterdir()]}
    return {name: hashlib.sha256(content).hexdigest() for name, content in found.items()
            if not name.endswith("/spare")}

before = state()
for number in range(1200):
    getattr(commands, sys.argv[2])(random.Random(number), workshop)
    now = state()
    if now != before:
        print(number, sorted(n for n in {*now, *before} if now.get(n) != before.get(n)))
        break
"""


@pytest.mark.parametrize("kind", ["try_command", "try_question"])
def test_no_execution_changes_the_room(tmp_path: Path, kind: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(tmp_path), kind],
        env={**os.environ, "PYTHONPATH": str(TESTS)}, capture_output=True, text=True,
        errors="replace", timeout=600, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (0, ""), done.stderr[-2000:]


READS = {"--facts"}


def test_every_option_that_writes_is_known() -> None:
    unknown: list[str] = []
    for verb in sorted({*VERBS} - DURABLE):
        command = cli.get_command(click.Context(cli), verb)
        assert command is not None
        inner = [command]
        if isinstance(command, click.Group):
            names = command.list_commands(click.Context(command))
            inner = [c for n in names if (c := command.get_command(click.Context(command), n))]
        for one in inner:
            for option in one.get_params(click.Context(one)):
                said = (getattr(option, "help", None) or "").lower()
                if "write" in said and "without writing" not in said and "written" not in said:
                    unknown += [f"{verb} {word}" for word in {*option.opts} - CHANGING - READS]
    assert unknown == []
