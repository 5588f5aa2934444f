"""Long runs of edits in parts: each is counted and kept, and the page tells them all.

A part that was run on the same commit, with nothing changed since, is not run again.  So a run can
be stopped and taken up, and its parts can be run one by one.
"""

from __future__ import annotations

import json
import subprocess
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from laws.profile import is_long

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "laws" / "puppet-edits.md"

Counts = Counter[str]
"""How many edits there were of each kind."""


def _git(*words: str) -> str:
    return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True).stdout.strip()


def _state() -> str | None:
    """The commit that is tried; none if the program or its laws differ from it."""
    changed = _git("status", "--porcelain", "--", "src", "tests", "examples")
    return None if changed else _git("rev-parse", "--short", "HEAD") or None


def counted(part: str, run: Callable[[], Counts]) -> Counts:
    """What a part of a run counts; a long one is kept, and told by the page."""
    state = _state() if is_long() else None
    if state is None:
        return run()
    kept = ROOT / ".laws" / state / f"{part}.json"
    if kept.exists():
        return Counter(json.loads(kept.read_text()))
    found = run()
    kept.parent.mkdir(parents=True, exist_ok=True)
    kept.write_text(json.dumps(found))
    PAGE.write_text(_page(state, kept.parent))
    return found


def _page(state: str, folder: Path) -> str:
    """The page of all parts that were run on a commit."""
    parts = {path.stem: Counter(json.loads(path.read_text())) for path in folder.glob("*.json")}
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


def _by_source(parts: dict[str, Counts]) -> dict[str, str]:
    """The parts, by what was edited."""
    sums: dict[str, list[int]] = {}
    for name, counts in sorted(parts.items()):
        sums.setdefault(name.split("-")[0], []).append(counts.total())
    return {name: f"{sum(each):,} in {len(each)} parts" for name, each in sums.items()}
