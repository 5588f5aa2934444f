"""The commands over a store in tests: run in this process, or at a terminal of their own."""

from __future__ import annotations

import contextlib
import os
import pty
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest
from click.testing import CliRunner

from headwater.cli.main import cli


class Said(NamedTuple):
    """What a command wrote, and how it ended."""

    status: int
    out: str
    err: str

    @property
    def hash(self) -> str:
        """The hash that what was shown ends with."""
        return self.out.splitlines()[-1].split()[-1]


Headwater = Callable[..., Said]


@pytest.fixture
def headwater(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Headwater:
    """Runs a command in a folder of its own; nobody is at a terminal."""
    monkeypatch.chdir(tmp_path)

    def run(*words: str, text: str | None = None) -> Said:
        done = CliRunner().invoke(cli, list(words), input=text, prog_name="headwater")
        if done.exception is not None and not isinstance(done.exception, SystemExit):
            raise done.exception
        return Said(done.exit_code, done.stdout, done.stderr)

    return run


def at_terminal(words: list[str], answer: bytes, folder: Path) -> tuple[int, bytes]:
    """Runs a command at a terminal and answers its question: status, and what was seen."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(folder)
        os.environ.update(NO_COLOR="1")
        os.execv(sys.executable, [sys.executable, "-m", "headwater", *words])
    shown = b""
    with contextlib.suppress(OSError):
        while b"[y/N]" not in shown:
            shown += os.read(terminal, 4096)
            if shown.endswith(b"left)"):
                os.write(terminal, b"\n")
        os.write(terminal, answer)
        while more := os.read(terminal, 4096):
            shown += more
    _, ended = os.waitpid(pid, 0)
    return os.waitstatus_to_exitcode(ended), shown
