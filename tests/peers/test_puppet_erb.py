"""Templates in ERB on which a guess is wrong: what we render, and what real Puppet renders.

puppet_erb.txt holds files of modules, then ``----``, then programs, one in a line.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from peers.catalogs import Oracle, difference, ours
from peers.puppet import ABSENT, installed

FILES, PROGRAMS = Path(__file__).with_name("puppet_erb.txt").read_text().split("----\n")
STRICT = [{}, {"settings": {"strict": "error"}}, {"settings": {"strict_variables": "true"}}]


@pytest.fixture
def modulepath(tmp_path: Path) -> str:
    """The folder of modules."""
    parts = re.split(r"^-- (\S+) --\n", FILES, flags=re.MULTILINE)[1:]
    for name, text in zip(parts[::2], parts[1::2], strict=True):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text.replace("\n", "\r\n") if "crlf" in name else text)
    return str(tmp_path)


@pytest.mark.peer
@pytest.mark.skipif(not installed(), reason=ABSENT)
def test_templates_mean_what_they_mean_to_puppet(modulepath: str) -> None:
    oracle = Oracle()
    found = {}
    for program in PROGRAMS.strip().split("\n"):
        for setting in STRICT if "scope" in program and "notify" in program else STRICT[:1]:
            inputs: dict[str, Any] = {"modulepath": modulepath, **setting}
            real = oracle.ask(code=program, filename="code.pp", **inputs)
            told = difference(real, ours(program, **inputs))
            if told is not None:
                found[program, str(setting)] = told
    oracle.process.kill()

    assert found == {}
