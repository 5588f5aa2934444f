"""A copy of the control repository with a headwater.toml, and what a check of it finds."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest

from headwater.ask.request import Request
from headwater.fleet.check import Checked, check_site
from headwater.fleet.site import find_site
from test_repository import CONTROL, WHOLE


@pytest.fixture
def control(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the control repository with a headwater.toml, and we are in it."""
    folder = tmp_path / "control"
    shutil.copytree(CONTROL, folder)
    (folder / "headwater.toml").write_text(WHOLE)
    monkeypatch.chdir(folder)
    return folder


def checked(*words: str, rules: Sequence[str] = ()) -> Checked:
    """A check in this process."""
    site = find_site()
    assert site is not None
    return check_site(site, words, Request(), processes=1, rules=rules)


def told(found: Checked) -> list[tuple[str, str, list[str]]]:
    """Code, place and nodes of each problem."""
    return [
        (
            problem.diagnostic.code,
            str(problem.diagnostic.at).rpartition(":")[0],
            [name.partition(".")[0] for name in problem.nodes],
        )
        for problem in found.problems
    ]
