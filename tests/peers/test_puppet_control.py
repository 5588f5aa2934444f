"""The control repository of the examples: every node as real Puppet compiles it."""

from __future__ import annotations

import functools
import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from headwater.ask.compile import compile_request
from headwater.ask.request import Request
from peers.catalogs import SERVER, Oracle, difference
from peers.puppet import ABSENT, installed

CONTROL = Path(__file__).parents[2] / "examples" / "control"
NODES = sorted(path.stem for path in (CONTROL / "facts").iterdir())
STRICT = {"strict": "error", "strict_variables": True}


@functools.cache
def oracle() -> Oracle:
    """One Ruby process."""
    if not installed():
        pytest.skip(ABSENT)
    return Oracle()


def same(control: Path, node: str) -> None:
    """Asks both about a node of a control repository."""
    facts: dict[str, Any] = json.loads((control / "facts" / f"{node}.json").read_text())
    real = oracle().ask(env=str(control), node=node, facts=facts, settings=STRICT)
    inputs = {
        "env": str(control), "node": node, "facts": facts, "settings": {**SERVER, **STRICT},
        "puppet": 7,
    }  # fmt: skip
    outcome = compile_request(Request(lang="puppet", inputs=inputs)).outcome

    assert outcome.result is not None, outcome.errors
    assert real["ok"], real
    assert difference(real, {"ok": True, "catalog": outcome.result.plain()}) is None


@pytest.mark.parametrize("node", NODES)
def test_a_node_is_compiled_alike(node: str) -> None:
    same(CONTROL, node)


@pytest.mark.skipif(shutil.which("git") is None, reason="git makes the revisions")
@pytest.mark.parametrize("revision", ["main", "feature"])
def test_both_revisions_are_compiled_alike(revision: str, tmp_path: Path) -> None:
    made = tmp_path / "control"
    subprocess.run(["sh", str(CONTROL / "revisions.sh"), str(made)], check=True)
    subprocess.run(["git", "-C", str(made), "checkout", "-q", revision], check=True)

    for node in NODES:
        same(made, node)
