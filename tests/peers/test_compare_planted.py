"""Planted bugs are found by comparing generated programs, and shrunk to a few lines."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from headwater.ask.generate import generate
from peers.planted import BUGS, MOST_PROGRAMS, Bug, planted, search, smallest

MOST_LINES, MOST_COLUMNS = 8, 100


def test_there_are_five_bugs_for_each_language() -> None:
    count = Counter(bug.lang for bug in BUGS)
    assert set(count) == {"smartfrog", "l3", "opal", "puppet", "mupuppet"}
    assert min(count.values()) >= 5
    assert all(1 <= bug.seed <= MOST_PROGRAMS for bug in BUGS)


@pytest.mark.parametrize("bug", BUGS, ids=lambda bug: f"{bug.lang}: {bug.name}")
def test_a_planted_bug_is_found_and_shrunk(bug: Bug, tmp_path: Path) -> None:
    with planted(bug, tmp_path) as made:
        found = search(bug, made, bug.seed, 1 + MOST_PROGRAMS - bug.seed)
        assert found is not None
        small = smallest(bug, made, found[1])
    lines = small.text.rstrip("\n").split("\n")
    assert len(lines) <= MOST_LINES, small.text
    assert max(map(len, lines)) <= MOST_COLUMNS, small.text
    assert small.row.verdicts["bug"][0] != "agree"


def test_one_in_ten_specifications_shows_a_wrong_scope(tmp_path: Path) -> None:
    """The first bug looks names up where they are written, not where they are inherited to."""
    with planted(BUGS[0], tmp_path) as made:
        rows = [made.of_text(text, ".sf") for _, text in generate("smartfrog", seed=1, count=200)]
    assert sum(not row.agrees for row in rows) >= 20
