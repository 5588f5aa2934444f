"""octocatalog-diff as a peer: what it finds between two revisions of a control repository."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

CONTROL = Path(__file__).parents[2] / "examples" / "control"
ABSENT = "octocatalog-diff is not installed (tests/peers/install.sh installs it)"


def installed() -> bool:
    """Whether it can be asked."""
    return shutil.which("octocatalog-diff") is not None and shutil.which("puppet") is not None


def revisions(folder: Path) -> None:
    """The example with its two revisions, as a git repository in a new folder."""
    script = str(CONTROL / "revisions.sh")
    subprocess.run(["sh", script, str(folder)], check=True, capture_output=True)


def checked_out(repository: Path, revision: str, folder: Path) -> None:
    """The files of a revision in a new folder, which it needs."""
    folder.mkdir()
    made = subprocess.run(
        ["git", "archive", revision], cwd=repository, check=True, capture_output=True
    )
    subprocess.run(["tar", "-x"], cwd=folder, input=made.stdout, check=True)


def asked(repository: Path, node: str) -> tuple[list[dict[str, Any]], float]:
    """What it finds between main and feature for a node, and the processor seconds it took."""
    with tempfile.TemporaryDirectory() as around:
        sides = [Path(around) / name for name in ("main", "feature")]
        for side in sides:
            checked_out(repository, side.name, side)
        facts = repository / "facts" / f"{node}.json"
        words = ["octocatalog-diff", "-n", node, "--bootstrapped-from-dir", str(sides[0]),
                 "--bootstrapped-to-dir", str(sides[1]), "--fact-file", str(facts),
                 # Every agent sends it; trusted data are made from it here.
                 "--fact-override", f"clientcert={node}",
                 "--puppet-binary", str(shutil.which("puppet")), "--no-header", "--no-color",
                 "--output-format", "json", "-q"]  # fmt: skip
        process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True, cwd=around)
        assert process.stdout is not None
        said = process.stdout.read()
        _, status, used = os.wait4(process.pid, 0)
        assert os.waitstatus_to_exitcode(status) in (0, 2), said
    found: list[dict[str, Any]] = json.loads(said)["diff"]
    return found, used.ru_utime + used.ru_stime


def changes(found: list[dict[str, Any]]) -> set[tuple[str, str, str]]:
    """What it found, as address, old and new value."""
    rows = set()
    for one in found:
        address = f"{one['type']}[{one['title']}]"
        structure = [part for part in one.get("structure", []) if part != "parameters"]
        if structure:
            address += f".{structure[0]}"
        old, new = (
            one.get("old_value", one.get("old-value")),
            one.get("new_value", one.get("new-value")),
        )
        rows.add((address, json.dumps(old), json.dumps(new)))
    return rows


def ours(repository: Path, node: str) -> tuple[set[tuple[str, str, str]], float]:
    """What we find, without classes, which it leaves out too; and the processor seconds."""
    import sys

    words = [str(Path(sys.executable).with_name("headwater")), "diff", "main..feature", "--node",
             node, "--ignore", "Class[*]", "--format", "json"]  # fmt: skip
    began = time.monotonic()
    process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True, cwd=repository)
    assert process.stdout is not None
    said = process.stdout.read()
    _, status, used = os.wait4(process.pid, 0)
    assert status == 0, (said, began)
    rows = {
        (change["address"], json.dumps(change["old"]), json.dumps(change["new"]))
        for group in json.loads(said)["groups"]
        for change in group["changes"]
    }
    return rows, used.ru_utime + used.ru_stime
