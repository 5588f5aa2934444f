"""Names of files as a person in the current folder would write them."""

from __future__ import annotations

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
