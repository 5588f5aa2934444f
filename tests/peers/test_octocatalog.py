"""octocatalog-diff and ours find the same between the two revisions of the example."""

from __future__ import annotations

from pathlib import Path

import pytest

from laws.profile import is_long
from peers.octocatalog import ABSENT, asked, changes, installed, ours, revisions

NODES = ["db1.example.com", "web1.example.com", "bastion1.example.com"]


@pytest.mark.peer
@pytest.mark.skipif(not installed(), reason=ABSENT)
@pytest.mark.parametrize("node", NODES if is_long() else NODES[1:2])
def test_the_same_differences(tmp_path: Path, node: str) -> None:
    folder = tmp_path / "control"
    revisions(folder)
    (folder / "headwater.toml").write_text(
        '[puppet]\nlevel = 7\nenvironment = "."\n[nodes]\nfacts = "facts"\n'
    )
    found, theirs = asked(folder, node)
    rows, here = ours(folder, node)
    assert found
    assert rows == changes(found)
    print(f"{node}: {theirs:.1f} s against {here:.2f}, {theirs / here:.0f} times")
