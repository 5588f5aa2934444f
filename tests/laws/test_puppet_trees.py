"""One-sided dependency in whole trees of files: edits anywhere that change an output.

T1  an output that an edit changes names the place of the edit, whatever file it stands in

The examples are in ``puppet_trees.txt``: a tree each, with one edit.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from laws.puppet_edits import outputs
from laws.puppet_trees import Folder, examples_in, run, taken_apart, unexplained

EXAMPLES = examples_in(Path(__file__).with_name("puppet_trees.txt"))


@pytest.mark.parametrize("name", EXAMPLES)
def test_t1_where_a_distant_piece_decides(name: str, tmp_path: Path) -> None:
    tree, edit = taken_apart(EXAMPLES[name])
    folder = Folder(tmp_path)
    first = run(folder, tree)
    assert first is not None, folder.compiled(tree).errors
    after = folder.compiled(edit.applied(tree))
    assert after.result is not None, after.errors
    assert outputs(after) != first.outputs
    assert list(unexplained(first, after, folder, tree, edit)) == []
