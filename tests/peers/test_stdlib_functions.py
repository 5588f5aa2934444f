"""Every function of stdlib answers as in real Puppet, or is refused with what it would need."""

from __future__ import annotations

from collections import Counter

import pytest

from laws.profile import examples
from peers.puppet import ABSENT, installed
from peers.stdlib_calls import STDLIB, calls
from peers.stdlib_functions import BEYOND, ours, theirs, verdict


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

    assert wrong == [], "\n".join(wrong)
    assert set(beyond) <= BEYOND, beyond
    assert tally["agree"] > 0.9 * len(asked)
