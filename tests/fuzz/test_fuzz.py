"""The fuzzer for half a minute, or with ``make laws`` as long as wanted: it finds nothing."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from pathlib import Path

from laws.profile import is_long

TESTS = Path(__file__).parents[1]
SHORT, LONG = 30, 1800
"""Seconds of a short and of a long run; ``HEADWATER_LAWS_SCALE`` multiplies the long one."""


def test_the_fuzzer_finds_nothing(tmp_path: Path) -> None:
    progress = tmp_path / "number"
    seconds = LONG * int(os.environ.get("HEADWATER_LAWS_SCALE", "1")) if is_long() else SHORT
    first = random.SystemRandom().randrange(10**9) if is_long() else 1
    command = [sys.executable, "-m", "fuzz", "--seconds", str(seconds), "--first", str(first)]
    command += ["--progress", str(progress), *(["--write-page"] if is_long() else [])]
    done = subprocess.run(
        command,
        env={**os.environ, "PYTHONPATH": str(TESTS)},
        capture_output=True,
        text=True,
        errors="replace",
        timeout=seconds + 600,
        check=False,
    )

    # Anything but 0 and 1 is the end of the interpreter itself, in this number.
    assert done.returncode in (0, 1), f"{progress.read_text()}: {done.stderr[-2000:]}"
    assert done.returncode == 0, done.stderr[-8000:]
