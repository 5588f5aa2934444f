"""Names of files as a person in the current folder would write them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from headwater.text import Source, near


def test_a_file_below_this_folder_is_named_from_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert near(f"{tmp_path}/a/b.pp") == "a/b.pp"
    assert near(f"{tmp_path}x/b.pp") == f"{tmp_path}x/b.pp"
    assert near("a/b.pp") == "a/b.pp"
    assert str(Source(f"{tmp_path}/b.pp", "x").span(0, 1)) == "b.pp:1:1"


def test_elsewhere_in_the_repository_a_path_is_relative_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    inner = tmp_path / "repository" / "site" / "profile"
    inner.mkdir(parents=True)
    (tmp_path / "repository" / ".git").mkdir()
    monkeypatch.chdir(inner)
    root = os.path.realpath(tmp_path)
    assert near(f"{root}/repository/site/profile/a.pp") == "a.pp"
    assert near(f"{root}/repository/data/common.yaml") == "../../data/common.yaml"
    assert near(f"{root}/elsewhere/a.pp") == f"{root}/elsewhere/a.pp"
    assert near("relative.pp") == "relative.pp"

    (tmp_path / "plain" / "deep").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "plain" / "deep")
    assert near(f"{root}/plain/a.pp") == f"{root}/plain/a.pp"
