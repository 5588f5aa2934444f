"""Hashes with keys that Python would confuse, through every function and operator that takes one.

puppet_hash_keys.txt holds hashes, then ``----``, then expressions about one, called ``$h``.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from laws.profile import is_long
from peers.catalogs import Oracle, difference, ours
from peers.puppet import ABSENT, installed

HASHES, EXPRESSIONS = (
    part.strip().split("\n")
    for part in Path(__file__).with_name("puppet_hash_keys.txt").read_text().split("----\n")
)


def programs() -> list[str]:
    """Every expression with every hash in the long run; with one after the other in the short."""
    return [
        f"$h = {hash_}\n$v = {expression}\nnotify {{ 'x': message => [$v, \"${{v}}\"] }}\n"
        for number, expression in enumerate(EXPRESSIONS)
        for hash_ in (HASHES if is_long() else [HASHES[number % len(HASHES)]])
    ]


@pytest.mark.peer
@pytest.mark.skipif(not installed(), reason=ABSENT)
def test_no_key_is_lost_or_confused_with_another() -> None:
    oracle = Oracle()
    found = {
        program: told
        for program in programs()
        if (told := difference(oracle.ask(code=program, filename="code.pp"), ours(program)))
    }
    oracle.process.kill()

    assert found == {}
