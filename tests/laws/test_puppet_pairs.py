"""One-sided dependency where two constructs meet, and every piece of a tree of files is edited.

T2  as T1 (`test_puppet_trees`), for trees in which any two of some sixty constructs are inside
    each other or follow each other: what an edit changes names the place of the edit
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from pathlib import Path
from random import Random

from laws.profile import examples
from laws.puppet_tree_edits import edits_of
from laws.puppet_trees import Folder, Tree, run, unexplained
from laws.strategies.puppet_pairs import PIECES, pair_tree

_AT_ONCE = 12
"""Edits of one tree."""


def try_edits(folder: Folder, tree: Tree, random: Random, most: int) -> int:
    """Edits a tree piece by piece; how many of the edited trees were accepted."""
    first = run(folder, tree)
    if first is None:
        return 0
    every = edits_of(tree, random)
    accepted = 0
    for edit in random.sample(every, min(most, len(every))):
        after = folder.compiled(edit.applied(tree))
        accepted += after.result is not None
        found = list(unexplained(first, after, folder, tree, edit))
        assert found == [], (found, edit, tree["manifests/site.pp"])
    return accepted


def test_t2_what_an_edit_changes_where_two_constructs_meet(
    tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    folder, wanted, tried = Folder(tmp_path), examples(2_000, 90_000), 0
    met: set[tuple[str, str]] = set()
    for seed in count():
        random = Random(seed)
        one, other = random.choice(PIECES), random.choice(PIECES)
        accepted = try_edits(folder, pair_tree(one, other, random), random, _AT_ONCE)
        if accepted:
            met.add((one.name, other.name))
        tried += accepted
        if tried >= wanted:
            break
    assert len(met) >= 60
    record_property("examples", tried)
