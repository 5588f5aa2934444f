"""Long runs of edits: what was edited how often, and the page that tells it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping

from laws.parts import Counts, counted_once


def counted(part: str, run: Callable[[], Counts]) -> Counts:
    """What a part of a run counts; a long one is kept, and told by the page."""
    return counted_once("puppet-edits", part, run, _page)


def _page(state: str, parts: Mapping[str, Counts]) -> str:
    """The page of all parts that were run on a commit."""
    total: Counts = sum(parts.values(), Counter())
    real = sum(counts.total() for name, counts in parts.items() if not name.startswith("pairs"))
    kinds = "\n".join(f"| {kind} | {many:,} |" for kind, many in total.most_common())
    rows = "\n".join(f"| {name} | {many} |" for name, many in _by_source(parts).items())
    return f"""# Edits that say what they change: Puppet

Written by `make laws` (tests/laws/test_puppet_pairs.py, tests/laws/test_puppet_real_trees.py); do
not edit. Each edit is of one piece of a tree of files; the tree is compiled again, and every output
that changed must list the place of the edit. Only edits that are accepted count.

**{total.total():,} edits on commit {state}, none of them unexplained**; {real:,} of them on classes
of Debian's modules and on `examples/control`. The parts have seeds of their own and were run one by
one.

| kind of edit | edits |
|---|---|
{kinds}

| trees | edits |
|---|---|
{rows}
"""


def _by_source(parts: Mapping[str, Counts]) -> dict[str, str]:
    """The parts, by what was edited."""
    sums: dict[str, list[int]] = {}
    for name, counts in sorted(parts.items()):
        sums.setdefault(name.split("-")[0], []).append(counts.total())
    return {name: f"{sum(each):,} in {len(each)} parts" for name, each in sums.items()}
