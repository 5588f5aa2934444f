"""Law: after any sequence of edits, what is kept gives what working everything out gives.

Manifests, data, hiera.yaml, facts, files that come and shadow others, deletions, renames, the level
of the language.  After each edit all nodes are asked twice: with what is kept from all edits
before, and with nothing kept.  Results and diagnostics with their places must be the same.
"""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import pytest

from headwater.ask.request import Request
from headwater.fleet.catalogs import COMPILE
from headwater.fleet.config import BadRepository
from headwater.fleet.every import Answered, Every
from headwater.fleet.kept import kept_for
from headwater.fleet.keptfile import place_for
from headwater.fleet.question import Answer, Question
from headwater.fleet.questions import explain_question, impact_question, lookup_question
from headwater.fleet.site import find_site
from laws.fleet_edits import clear
from laws.fleet_repository import edit, write
from laws.parts import Counts, counted_once
from laws.profile import examples, is_long

SEQUENCES = examples(50, 2000)
PARTS = 40 if is_long() else 10
QUESTIONS = (
    COMPILE,
    COMPILE,
    lookup_question("a::port", {}),
    explain_question("Notify[a].message"),
    impact_question("data/common.yaml", 2, None),
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    inner = tmp_path / "repository"
    inner.mkdir()
    monkeypatch.chdir(inner)
    place_for.cache_clear()
    return inner


def asked(question: Question, *, kept: bool) -> tuple[dict[str, Answer], int]:
    """The answers of all nodes, and how many of them were known."""
    found: dict[str, Answer] = {}
    known = 0

    def take(one: Answered) -> None:
        nonlocal known
        found[one.node] = one.answer
        known += one.kept

    site = find_site()
    assert site is not None
    every = Every(site, Request(), question, kept_for(".") if kept else None, processes=1)
    every.ask(site.inventory.names, take)
    assert every.stopped is None
    if every.kept is not None:
        assert every.kept.unavailable is None
        assert every.kept.doubts == []
    return found, known


def incremental_equals_full(folder: Path, part: int) -> Counts:
    """The sequences of a part, of which each must hold, and how many answers were known."""
    seen: Counts = Counter()
    for number in range(part, SEQUENCES, PARTS):
        chance = random.Random(f"sequence {number}")
        for name in os.listdir(folder):
            clear(folder / name)
        place_for.cache_clear()
        write(folder)
        question = chance.choice(QUESTIONS)
        told: list[str] = []
        asked(question, kept=True)
        seen["sequences"] += 1
        for _ in range(chance.randint(2, 6)):
            told.append(edit(folder, chance))
            seen["edits"] += 1
            try:
                full, _ = asked(question, kept=False)
            except BadRepository:
                seen["edits after which headwater.toml names what is gone"] += 1
                continue
            kept, known = asked(question, kept=True)
            assert kept == full, (number, told)
            seen["answers known"] += known
            seen["answers worked out"] += len(kept) - known
            seen["of all answers, failures"] += sum(not one.good for one in full.values())
    return seen


def page(state: str, parts: Mapping[str, Counts]) -> str:
    """What the parts that were run on a commit counted."""
    total: Counts = sum(parts.values(), Counter())
    rows = "\n".join(f"| {what} | {many:,} |" for what, many in total.items())
    return f"""# Incremental equals full: a fleet

Written by `make laws` (tests/laws/test_fleet_sequences.py); do not edit. After each edit of a
sequence all nodes are asked twice, with what is kept from all edits before and with nothing kept;
results and diagnostics were the same every time. {len(parts)} of {PARTS} parts were run on commit
{state}, one by one.

| what | how many |
|---|---|
{rows}
"""


@pytest.mark.parametrize("part", range(PARTS))
def test_incremental_equals_full(folder: Path, part: int) -> None:
    seen = counted_once("fleet-sequences", f"{part:02}",
                        lambda: incremental_equals_full(folder, part), page)  # fmt: skip
    known, worked_out = seen["answers known"], seen["answers worked out"]
    assert known > 5
    assert worked_out > 5
    assert seen["of all answers, failures"] < (known + worked_out) * 0.8
