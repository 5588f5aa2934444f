"""Real ``puppet apply --noop`` accepts the catalogs Headwater writes."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from peers.catalogs import ours
from peers.puppet import ABSENT, installed

PROGRAM = """
define d($p = Sensitive('s')) { file { "/tmp/headwater-${title}": content => $p, noop => true } }
class c { d { 'x': } -> notify { 'after': message => [1, { 'k' => undef }] } }
include c
stage { 'last': require => Stage['main'] }
"""


@pytest.mark.peer
def test_puppet_apply_accepts_a_catalog(tmp_path: Path) -> None:
    program = shutil.which("puppet")
    if program is None or not installed():
        pytest.skip(ABSENT)
    answer = ours(PROGRAM, "site.pp")
    path = tmp_path / "catalog.json"
    path.write_text(json.dumps(answer["catalog"]))
    folders = [f"--{name}={tmp_path / name}" for name in ("confdir", "vardir", "codedir")]

    run = subprocess.run(
        [program, "apply", "--noop", "--color=false", *folders, "--catalog", str(path)],
        capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip

    lines = (run.stdout + run.stderr).splitlines()
    errors = [x for x in lines if x.startswith("Error:") and "Facter" not in x]
    assert errors == []
    assert "Notify[after]" in run.stdout
    assert run.returncode == 0
