"""The worked change of CONTRIBUTING, applied to a copy of the tree."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
CHANGE = ROOT / "docs" / "contributing" / "unless-elsif.diff"
CASE = Path("tests/cases/puppet/statements/unless_elsif.case")
NEEDED = ("tests/cases.py", "tests/test_cases.py", "tests/mupuppet_view.py", "tests/seen.py",
          "pyproject.toml")  # fmt: skip


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A copy of what the case needs."""
    unneeded = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "src", tmp_path / "src", ignore=unneeded)
    shutil.copytree(ROOT / "tests" / "cases", tmp_path / "tests" / "cases")
    for name in NEEDED:
        shutil.copy(ROOT / name, tmp_path / name)
    return tmp_path


def run_cases(tree: Path, **more: str) -> subprocess.CompletedProcess[str]:
    """Runs the cases about unless, against the copy."""
    environment = {
        **os.environ, "PYTHONPATH": str(tree / "src"), "HEADWATER_CACHE": "off", **more,
    }  # fmt: skip
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:xdist", "-p", "no:cacheprovider"]
    return subprocess.run(
        [*command, "tests/test_cases.py", "-k", "unless"],
        cwd=tree, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip


def test_the_worked_change_does_what_it_says(tree: Path) -> None:
    subprocess.run(["git", "apply", str(CHANGE)], cwd=tree, check=True)
    case = tree / CASE
    promised = case.read_text()
    assert "$z" in promised

    failing = run_cases(tree)
    assert failing.returncode == 1, failing.stdout  # out.json is not filled in yet
    updated = run_cases(tree, HEADWATER_UPDATE="1")
    assert updated.returncode == 0, updated.stdout
    head, _, answers = case.read_text().partition("-- out.why --")
    assert answers.strip() == promised.partition("-- out.why --")[2].strip()
    assert '"message":"r"' in head
    passing = run_cases(tree)
    assert passing.returncode == 0, passing.stdout


def test_without_its_evaluation_the_worked_change_fails(tree: Path) -> None:
    room = "src/headwater/langs/puppet/engine/*"
    subprocess.run(["git", "apply", f"--exclude={room}", str(CHANGE)], cwd=tree, check=True)
    updated = run_cases(tree, HEADWATER_UPDATE="1")

    assert '"message":"r"' not in (tree / CASE).read_text(), updated.stdout


def test_without_its_explanation_the_worked_change_fails(tree: Path) -> None:
    room = "src/headwater/langs/puppet/why/*"
    subprocess.run(["git", "apply", f"--exclude={room}", str(CHANGE)], cwd=tree, check=True)
    promised = (tree / CASE).read_text().partition("-- out.why --")[2]
    run_cases(tree, HEADWATER_UPDATE="1")

    assert (tree / CASE).read_text().partition("-- out.why --")[2].strip() != promised.strip()


def test_what_is_shown_of_the_worked_change_is_part_of_it() -> None:
    change = CHANGE.read_text().splitlines()
    shown = [
        line[3:]
        for block in (ROOT / "CONTRIBUTING.md").read_text().split("```diff\n")[1:]
        for line in block.split("   ```")[0].splitlines()
    ]

    assert len(shown) > 5
    assert [line for line in shown if line.rstrip() not in change] == []
