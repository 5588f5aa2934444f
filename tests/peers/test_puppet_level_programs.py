"""Programs about what levels differ in, with data and modules: answered as by both Puppets.

puppet_levels.txt holds them, with ``----`` between; each begins with its manifest, and ``@@ path``
begins another file.  ``CASE`` stands for the folder.
"""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any

import pytest

from peers import puppet8
from peers.catalogs import Oracle, difference, ours
from peers.puppet import ABSENT, installed

TABLE = Path(__file__).with_name("puppet_levels.txt").read_text().split("\n----\n")
PARTS = 8
HIERA = "version: 5\nhierarchy:\n  - name: n\n    path: common.yaml\n"
LEVELS = {7: 7, 8: puppet8.NUMBER}


@functools.cache
def oracle(level: int) -> Oracle:
    """One process of each Puppet."""
    if not installed():
        pytest.skip(ABSENT)
    if level == 8 and not puppet8.there():
        pytest.skip(puppet8.ABSENT)
    return Oracle() if level == 7 else puppet8.oracle()


def written(case: str, folder: Path) -> tuple[str, dict[str, Any]]:
    """The manifest of a case, and its inputs."""
    manifest, *parts = case.strip("\n").split("\n@@ ")
    files = dict(part.partition("\n")[::2] for part in parts)
    inputs: dict[str, Any] = {}
    if "hiera.yaml" in files or any(name.startswith("data/") for name in files):
        files.setdefault("hiera.yaml", HIERA)
        inputs["hiera"] = str(folder / "hiera.yaml")
    if any(name.startswith("modules/") for name in files):
        inputs["modulepath"] = str(folder / "modules")
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text.replace("CASE", str(folder)) + "\n")
    return manifest + "\n", inputs


@pytest.mark.peer
@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("level", [7, 8])
def test_a_program_is_answered_as_by_its_puppet(level: int, part: int, tmp_path: Path) -> None:
    for number in range(part, len(TABLE), PARTS):
        code, inputs = written(TABLE[number], tmp_path / str(number))
        real = oracle(level).ask(code=code, filename="code.pp", **inputs)
        mine = ours(code, puppet=LEVELS[level], **inputs)

        assert difference(real, mine) is None, TABLE[number]
