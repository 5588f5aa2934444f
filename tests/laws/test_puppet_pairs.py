"""One-sided dependency where constructs meet, and every piece of a tree of files is edited.

T2  as T1 (`test_puppet_trees`), for trees in which two or three of some two hundred constructs are
    inside each other or follow each other: what an edit changes names the place of the edit
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import count
from pathlib import Path
from random import Random

import pytest

from laws.edit_counts import counted
from laws.parts import Counts
from laws.profile import examples, is_long
from laws.puppet_tree_edits import edits_of, kind_of
from laws.puppet_trees import Edit, Folder, Tree, run, unexplained
from laws.strategies.puppet_pairs import BASE, PIECES, meeting

_AT_ONCE = 50 if is_long() else 25
"""Edits of one tree."""


def try_edits(folder: Folder, tree: Tree, random: Random, most: int) -> Counts:
    """Edits a tree piece by piece; the kinds of the edits that were accepted."""
    first, accepted = run(folder, tree), Counts()
    if first is None:
        return accepted
    for edit in _some(edits_of(tree, random), random, most):
        after = folder.compiled(edit.applied(tree))
        found = list(unexplained(first, after, folder, tree, edit))
        assert found == [], (found, edit, tree["manifests/site.pp"])
        if after.result is not None:
            accepted[kind_of(edit)] += 1
    return accepted


def _some(every: list[Edit], random: Random, most: int) -> list[Edit]:
    """Some edits of a tree: most are of what the constructs bring, others of what all have."""
    own = [edit for edit in every if edit.path not in BASE]
    rest = [edit for edit in every if edit.path in BASE]
    chosen = random.sample(own, min(most * 3 // 5, len(own)))
    return chosen + random.sample(rest, min(most - len(chosen), len(rest)))


def try_pairs(folder: Folder, part: int, wanted: int) -> Counts:
    """Edits trees until enough edits were accepted."""
    tried: Counts = Counter()
    met: set[tuple[str, ...]] = set()
    for seed in count(part * 1_000_000):
        random = Random(seed)
        pieces = [random.choice(PIECES) for _ in range(random.choice((2, 2, 3)))]
        accepted = try_edits(folder, meeting(pieces, random), random, _AT_ONCE)
        if accepted:
            met.add(tuple(piece.name for piece in pieces))
        tried += accepted
        if tried.total() >= wanted:
            break
    assert len(met) >= 60
    return tried


@pytest.mark.parametrize("part", range(examples(1, 18)))
def test_t2_what_an_edit_changes_where_constructs_meet(
    part: int, tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    wanted = examples(2_000, 5_000)
    tried = counted(f"pairs-{part:02}", lambda: try_pairs(Folder(tmp_path), part, wanted))
    record_property("examples", tried.total())
