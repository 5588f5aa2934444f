"""Hiera: environments with data, compiled as real Puppet compiles them.

puppet_hiera.txt holds the environments, with ``----`` between them.  Each begins with its
manifest; ``@@ path`` begins another file.  Unless it has one, hiera.yaml has one level with the
files node.yaml and common.yaml.
"""

from __future__ import annotations

import functools
from pathlib import Path

import pytest

from peers import puppet8
from peers.catalogs import Oracle, difference
from peers.catalogs import ours as compiled
from peers.puppet import ABSENT, installed
from peers.test_puppet_environment import ours

HIERA = "version: 5\nhierarchy:\n  - {name: c, paths: [node.yaml, common.yaml]}\n"
TABLE = Path(__file__).with_name("puppet_hiera.txt").read_text().split("\n----\n")


@functools.cache
def oracle() -> Oracle:
    """One Ruby process."""
    if not installed():
        pytest.skip(ABSENT)
    return Oracle()


def files(case: str) -> dict[str, str]:
    """The files of an environment, by their paths in it."""
    found = {"hiera.yaml": HIERA}
    name = "manifests/site.pp"
    for line in case.strip("\n").split("\n"):
        if line.startswith("@@ "):
            name = line[3:].strip()
            found[name] = ""
        else:
            found[name] = found.get(name, "") + line + "\n"
    return found


@pytest.mark.peer
@pytest.mark.parametrize("number", range(len(TABLE)))
def test_data_are_looked_up_as_puppet_looks_them_up(tmp_path: Path, number: int) -> None:
    place = tmp_path / "staging"
    for name, text in files(TABLE[number]).items():
        path = place / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    real = oracle().ask(env=str(place))

    assert difference(real, ours(place)) is None, TABLE[number]


OLD = "$a = hiera_array('x', []) $b = hiera_hash('y', {}) hiera_include('z', []) $c = hiera('q', 1)"


@pytest.mark.peer
@pytest.mark.parametrize("level", [7, 8])
def test_the_older_look_ups_are_deprecated_as_puppet_says(level: int) -> None:
    """One process of Puppet says it once, so the settings that silence it are tried before."""
    if not installed() or (level == 8 and not puppet8.there()):
        pytest.skip(ABSENT)
    peer = Oracle() if level == 7 else puppet8.oracle()
    told = []
    for settings in ({"strict": "off"}, {"disable_warnings": "deprecations"}, {}):
        code = f"{OLD} {OLD.replace('$', '$d')}"
        real = peer.ask(code=code, filename="code.pp", settings=settings)
        mine = compiled(code, settings=settings, puppet=7 if level == 7 else puppet8.NUMBER)
        said = [log[1].splitlines()[0] for log in real["logs"] if "deprecated" in log[1]]
        told.append(len(said))

        assert difference(real, mine) is None
        assert [log[2] for log in mine["logs"]] == [f"warning: {one}" for one in said]
    peer.process.kill()
    assert told == [0, 0, 4]
