"""Small programs about one corner of the language each: the same answer as real Puppet."""

from __future__ import annotations

from pathlib import Path

import pytest

from peers import puppet8
from peers.catalogs import HERE, Oracle, difference, ours
from peers.puppet import ABSENT, installed

CORNERS = sorted((HERE / "small").glob("*.txt"))
"""Programs with a line of four hyphens between them."""


@pytest.mark.peer
@pytest.mark.skipif(not installed(), reason=ABSENT)
@pytest.mark.parametrize("level", [7, 8])
@pytest.mark.parametrize("corner", CORNERS, ids=lambda path: path.stem)
def test_small_programs_agree_with_puppet(corner: Path, level: int) -> None:
    if level == 8 and not puppet8.there():
        pytest.skip(puppet8.ABSENT)
    oracle = Oracle() if level == 7 else puppet8.oracle()
    number = 7 if level == 7 else puppet8.NUMBER
    programs = corner.read_text().split("\n----\n")
    found = {
        program: told
        for program in programs
        if level == 7 or puppet8.excepted(program) is None
        if (
            told := difference(
                oracle.ask(code=program, filename="code.pp"), ours(program, puppet=number)
            )
        )
    }
    oracle.process.kill()

    assert len(programs) > 10
    assert found == {}
