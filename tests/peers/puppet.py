"""Real Puppet as a peer: one Ruby process for the whole test run."""

from __future__ import annotations

import functools
import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

SCRIPT = Path(__file__).with_name("puppet_syntax.rb")
MODULES = Path("/usr/share/puppet/modules.available")
ABSENT = "real Puppet is not installed (tests/peers/install.sh installs it)"


class Puppet:
    """A running peer."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            ["ruby", str(SCRIPT)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            encoding="utf-8",
        )

    def ask(self, **request: object) -> dict[str, Any]:
        """The answer to one request."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        assert line, "the Ruby process ended"
        answer: dict[str, Any] = json.loads(line)
        return answer

    def parse(self, code: str, file: str = "code.pp", *, dump: bool = False) -> dict[str, Any]:
        """What Puppet says about a text."""
        return self.ask(op="parse", code=code, file=file, dump=dump)

    def seconds(self, files: list[tuple[str, str]], *, validate: bool) -> float:
        """How long Puppet takes for files."""
        return float(self.ask(op="time", files=files, validate=validate)["seconds"])


def installed() -> bool:
    """Whether there is a Ruby that finds Puppet."""
    if shutil.which("ruby") is None:
        return False
    found = subprocess.run(["ruby", "-e", "require 'puppet'"], capture_output=True, check=False)
    return found.returncode == 0


@functools.cache
def puppet() -> Puppet:
    """The peer, or the reason why this test is skipped."""
    if not installed():
        pytest.skip(ABSENT)
    return Puppet()


@functools.cache
def corpus() -> tuple[Path, ...]:
    """Every manifest and template of the installed Debian modules."""
    found = sorted(p for p in MODULES.rglob("*") if p.suffix in (".pp", ".epp") and p.is_file())
    return tuple(found)
