"""Long runs in parts: what a part counted is kept, so that a run can be stopped and taken up.

A part that was run on the same commit, with nothing changed since, is not run again, and parts can
be run one by one.
"""

from __future__ import annotations

import json
import subprocess
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path

from laws.profile import is_long

ROOT = Path(__file__).resolve().parents[2]

Counts = Counter[str]
"""How many there were of each kind."""

Page = Callable[[str, Mapping[str, Counts]], str]
"""The text about a commit and the parts that were run on it."""


def _git(*words: str) -> str:
    return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True).stdout.strip()


def _state() -> str | None:
    """The commit that is tried; none if the program or its laws differ from it."""
    changed = _git("status", "--porcelain", "--", "src", "tests", "examples")
    return None if changed else _git("rev-parse", "--short", "HEAD") or None


def counted_once(run: str, part: str, count: Callable[[], Counts], page: Page) -> Counts:
    """What a part of a run counts; a long one is kept, and told by the page of the run."""
    state = _state() if is_long() else None
    if state is None:
        return count()
    folder = ROOT / ".laws" / state / run
    kept = folder / f"{part}.json"
    if kept.exists():
        return Counter(json.loads(kept.read_text()))
    found = count()
    folder.mkdir(parents=True, exist_ok=True)
    kept.write_text(json.dumps(found))
    parts = {path.stem: Counter(json.loads(path.read_text())) for path in folder.glob("*.json")}
    (ROOT / "docs" / "laws" / f"{run}.md").write_text(page(state, parts))
    return found
