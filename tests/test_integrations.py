"""The integrations: their files have the shape their services want, and what they call runs."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
import yaml

from headwater.langs.table import LANGUAGES
from test_repository import CONTROL, WHOLE

PROJECT = Path(__file__).parents[1]
HERE = PROJECT / "integrations"


@pytest.fixture
def control(tmp_path: Path) -> Path:
    """A copy of the control repository with one mistake, and headwater on the path."""
    folder = tmp_path / "control"
    shutil.copytree(CONTROL, folder)
    (folder / "headwater.toml").write_text(WHOLE)
    base = folder / "site/profile/manifests/base.pp"
    base.write_text(base.read_text().replace("include users", "include usres"))
    script = tmp_path / "bin" / "headwater"
    script.parent.mkdir()
    script.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m headwater "$@"\n')
    script.chmod(0o755)
    return folder


def sh(folder: Path, *words: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """A command in a folder, as a build server runs it."""
    path = f"{folder.parent / 'bin'}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        words, cwd=folder, capture_output=True, text=True, timeout=120, check=False,
        env={**os.environ, "PATH": path, "NO_COLOR": "1", **variables},
    )  # fmt: skip


def load(path: Path) -> Any:  # noqa: ANN401
    return yaml.safe_load(path.read_text())


def test_the_script_writes_for_the_server_and_tells_people(control: Path) -> None:
    done = sh(control, "sh", str(HERE / "check.sh"), "sarif", "out.sarif")

    assert done.returncode == 1
    assert "no class is called usres  (all 3 nodes" in done.stdout
    log = json.loads((control / "out.sarif").read_text())
    assert [r["ruleId"] for r in log["runs"][0]["results"]] == ["puppet-unknown-class"]
    uri = log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]
    assert uri == {"uri": "site/profile/manifests/base.pp"}
    assert sh(control, "sh", str(HERE / "check.sh"), "sarif", "o", "nosuch").returncode == 2


def test_the_action_has_the_shape_of_a_composite_action() -> None:
    action = load(HERE / "github/action.yml")

    assert {"name", "description", "inputs", "outputs", "runs"} == set(action)
    assert action["runs"]["using"] == "composite"
    for step in action["runs"]["steps"]:
        assert {"shell", "run"} <= set(step)
        assert set(step) <= {"name", "id", "shell", "run", "env", "working-directory"}
    for given in action["inputs"].values():
        assert set(given) == {"description", "required", "default"}
    text = (HERE / "github/action.yml").read_text()
    used = set(re.findall(r"\$\{\{ inputs\.(\w+) \}\}", text))
    assert used == set(action["inputs"])
    # What a caller gives reaches a shell only as a variable, so that it is never taken for code.
    assert all("${{" not in step["run"] for step in action["runs"]["steps"])


def test_the_step_of_the_action_runs(control: Path) -> None:
    action = load(HERE / "github/action.yml")
    (step,) = [step for step in action["runs"]["steps"] if step.get("id") == "check"]
    done = sh(
        control, "sh", "-e", "-c", step["run"], SARIF="found.sarif", ARGUMENTS="db1",
        ACTION=str(HERE / "github"), GITHUB_OUTPUT=str(control / "outputs"),
    )  # fmt: skip

    assert done.returncode == 1
    assert (control / "outputs").read_text() == "sarif=found.sarif\n"
    (result,) = json.loads((control / "found.sarif").read_text())["runs"][0]["results"]
    assert result["properties"] == {"nodes": ["db1.example.com"]}


def test_the_job_of_gitlab_runs(control: Path) -> None:
    document = load(HERE / "gitlab/headwater.yml")
    job = document["headwater"]

    assert set(document) == {"headwater"}
    assert set(job) == {
        "stage", "image", "variables", "cache", "before_script", "script", "artifacts"
    }  # fmt: skip
    assert job["artifacts"]["reports"] == {"junit": "headwater.xml"}
    done = sh(control, "sh", "-c", job["script"][0], HEADWATER_ARGUMENTS="web1")
    assert done.returncode == 1
    assert "no class is called usres" in done.stdout
    suite = ElementTree.fromstring((control / "headwater.xml").read_text())
    assert suite.attrib["failures"] == "1"


def test_the_hooks_of_pre_commit_run(control: Path) -> None:
    hooks = {hook["id"]: hook for hook in load(PROJECT / ".pre-commit-hooks.yaml")}

    assert set(hooks) == {"headwater-syntax", "headwater-check"}
    for hook in hooks.values():
        assert {"id", "name", "entry", "language", "files"} <= set(hook)
        assert hook["language"] == "python"
    endings = [ending for entry in LANGUAGES.values() for ending in entry.endings]
    syntax = hooks["headwater-syntax"]
    assert all(re.search(syntax["files"], f"a/b{ending}") for ending in endings)
    assert not re.search(syntax["files"], "a/b.yaml")
    assert re.search(hooks["headwater-check"]["files"], "Puppetfile")

    done = sh(control, *syntax["entry"].split(), "manifests/site.pp")
    assert done.returncode == 0
    assert sh(control, *hooks["headwater-check"]["entry"].split()).returncode == 1
