"""Law: after any sequence of edits, what is kept gives what working everything out gives.

Manifests, data, hiera.yaml, facts, files that come and shadow others, deletions, renames, the level
of the language.  After each edit all nodes are asked twice: with what is kept from all edits
before, and with nothing kept.  Results and diagnostics with their places must be the same.
"""

from __future__ import annotations

import os
import random
import shutil
from collections import Counter
from pathlib import Path

import pytest

from headwater.ask.request import Request
from headwater.fleet.catalogs import COMPILE
from headwater.fleet.config import BadRepository
from headwater.fleet.every import Answered, Every
from headwater.fleet.kept import kept_for
from headwater.fleet.keptfile import place_for
from headwater.fleet.question import Answer, Question
from headwater.fleet.questions import explain_question, lookup_question
from headwater.fleet.site import find_site
from laws.fleet_repository import edit, write
from laws.profile import examples

SEQUENCES = examples(50, 2000)
SHARES = 10
QUESTIONS = (
    COMPILE,
    COMPILE,
    lookup_question("a::port", {}),
    explain_question("Notify[a].message"),
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


@pytest.mark.parametrize("share", range(SHARES))
def test_incremental_equals_full(folder: Path, share: int) -> None:
    seen: Counter[str] = Counter()
    for number in range(share, SEQUENCES, SHARES):
        chance = random.Random(f"sequence {number}")
        for name in os.listdir(folder):
            path = folder / name
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        place_for.cache_clear()
        write(folder)
        question = chance.choice(QUESTIONS)
        told = []
        asked(question, kept=True)
        for _ in range(chance.randint(2, 6)):
            told.append(edit(folder, chance))
            try:
                full, _ = asked(question, kept=False)
            except BadRepository:
                continue  # headwater.toml names what is gone
            kept, known = asked(question, kept=True)
            assert kept == full, (number, told)
            seen["known"] += known
            seen["worked out"] += len(kept) - known
            seen["failed"] += sum(not one.good for one in full.values())
    assert seen["known"] > 5
    assert seen["worked out"] > 5
    assert seen["failed"] < (seen["known"] + seen["worked out"]) * 0.8
