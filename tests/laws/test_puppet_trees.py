"""One-sided dependency in whole trees of files: edits anywhere that change an output.

T1  an output that an edit changes names the place of the edit, whatever file it stands in
"""

from __future__ import annotations

from pathlib import Path

import pytest

from laws.puppet_edits import outputs
from laws.puppet_tree_examples import EXAMPLES
from laws.puppet_trees import Edit, Folder, marked, run, tree_of, unexplained


def taken_apart(text: str, new: str) -> tuple[dict[str, str], Edit]:
    """The tree of an example, and its edit."""
    if new.startswith("- "):
        return tree_of(text), Edit(new[2:], whole=True)
    if not new.startswith("+ "):
        return marked(text, new)
    tree = tree_of(text)
    path, _, body = new[2:].partition("\n")
    if path not in tree:
        return tree, Edit(path, new=body, whole=True)
    return tree, Edit(path, len(tree[path]), len(tree[path]), body.removeprefix(tree[path]))


@pytest.mark.parametrize(("text", "new"), [pytest.param(*e[1:], id=e[0]) for e in EXAMPLES])
def test_t1_where_a_distant_piece_decides(text: str, new: str, tmp_path: Path) -> None:
    tree, edit = taken_apart(text, new)
    folder = Folder(tmp_path)
    first = run(folder, tree)
    assert first is not None, folder.compiled(tree).errors
    after = folder.compiled(edit.applied(tree))
    assert after.result is not None, after.errors
    assert outputs(after) != first.outputs
    assert list(unexplained(first, after, folder, tree, edit)) == []
