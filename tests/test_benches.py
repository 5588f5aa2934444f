"""The benchmarks: what they do not know on their command lines is refused."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

BENCH = Path(__file__).parent.parent / "bench"
SCRIPTS = sorted(path.name for path in BENCH.glob("*.py") if "def main" in path.read_text())


def test_there_are_some() -> None:
    assert {"fleet.py", "growth.py", "puppet.py"} <= {*SCRIPTS}


@pytest.mark.parametrize("script", SCRIPTS)
def test_what_is_not_known_is_refused(script: str) -> None:
    command = [sys.executable, str(BENCH / script)]

    refused = subprocess.run([*command, "--nonsense"], capture_output=True, text=True, check=False)
    told = subprocess.run([*command, "--help"], capture_output=True, text=True, check=False)

    assert (refused.returncode, refused.stdout) == (2, "")
    assert told.returncode == 0
    assert told.stdout.startswith("usage:")


def test_a_workload_that_there_is_not_is_refused() -> None:
    command = [sys.executable, str(BENCH / "puppet.py"), "class_forest"]

    refused = subprocess.run(command, capture_output=True, text=True, check=False)

    assert refused.returncode == 2
    assert "class_forest is none of many_5000, class_tree" in refused.stderr
