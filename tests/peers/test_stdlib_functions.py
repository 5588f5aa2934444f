"""Every function of stdlib answers as in real Puppet, or is refused with what it would need."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from laws.profile import examples, is_long
from peers.puppet import ABSENT, installed
from peers.stdlib_calls import STDLIB, calls
from peers.stdlib_functions import BEYOND, ours, theirs, verdict

PAGE = Path(__file__).resolve().parents[2] / "docs" / "laws" / "puppet-stdlib.md"
LEAST = 10
"""Argument lists for each function."""


@pytest.mark.peer
def test_every_function_of_stdlib_answers_as_real_puppet_does() -> None:
    """A part of the calls, other ones for each function, and in the long profile all of them."""
    if not installed() or not STDLIB.is_dir():
        pytest.skip(ABSENT)
    every = list(calls())
    step = max(1, len(every) // examples(300, len(every)))
    asked = every[::step]
    tally: Counter[str] = Counter()
    wrong: list[str] = []
    beyond: dict[str, str] = {}

    for (name, code), real in zip(asked, theirs([code for _, code in asked]), strict=True):
        mine = ours(code)
        found = verdict(real, mine)
        tally[found] += 1
        if found == "beyond":
            beyond[name] = mine["error"]
        elif found != "agree":
            wrong.append(f"{code}: {found}\n  Puppet: {real}\n  here:   {mine}")
    if is_long():
        PAGE.write_text(page(every, tally, beyond), encoding="utf-8")

    assert wrong == [], "\n".join(wrong)
    assert set(beyond) <= BEYOND, beyond
    assert tally["agree"] > 0.9 * len(asked)


@pytest.mark.peer
def test_every_function_of_stdlib_is_called_often_enough() -> None:
    if not STDLIB.is_dir():
        pytest.skip(ABSENT)
    count = Counter(name for name, _ in calls())
    assert {name: number for name, number in count.items() if number < LEAST} == {}


def page(every: list[tuple[str, str]], tally: Counter[str], beyond: dict[str, str]) -> str:
    """What became of all calls."""
    lines = [
        "# Functions of stdlib, called by real Puppet too",
        "",
        "Written by `make laws` (tests/peers/test_stdlib_functions.py); do not edit.",
        "",
        "Every function of the stdlib that Debian packages, called with arguments that fit, nearly",
        "fit and do not fit: the same value and resources as with Puppet 7.23, or an error too.",
        "",
        "| | |",
        "|---|---|",
        f"| functions | {len({name for name, _ in every}):,} |",
        f"| calls | {tally.total():,} |",
        f"| as in Puppet | {tally['agree']:,} |",
        f"| refused here, by name | {tally['beyond']:,} |",
        f"| different | {tally.total() - tally['agree'] - tally['beyond']:,} |",
        "",
        "## Functions with calls that are refused here",
        "",
        *(f"- `{name}`: {why}" for name, why in sorted(beyond.items())),
    ]
    return "\n".join(lines) + "\n"
