"""Templates in ERB and functions in Ruby, as we and real Puppet run them.

puppet_erb.txt has templates on which a guess is wrong; puppet_public.txt, puppet_modern.txt,
puppet_styles.txt, puppet_others.txt and puppet_known.txt have templates and functions as public
modules have them, and the last four are compared with Puppet 8 too.  Each holds files of modules,
then ``----``, then programs, one in a line; one that ends in ``# beyond:`` needs what is named
there, and is refused with its place.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from peers import puppet8
from peers.catalogs import Oracle, difference, ours
from peers.puppet import ABSENT, installed

HERE = Path(__file__).parent
BOTH = ["puppet_modern.txt", "puppet_styles.txt", "puppet_others.txt", "puppet_known.txt"]
"""What is compared with both Puppets."""
STRICT = [{}, {"settings": {"strict": "error"}}, {"settings": {"strict_variables": "true"}}]


def programs_of(name: str, folder: Path) -> list[str]:
    """The programs of a text; the files of its modules are written into a folder."""
    files, programs = (HERE / name).read_text().split("----\n")
    parts = re.split(r"^-- (\S+) --\n", files, flags=re.MULTILINE)[1:]
    for path, text in zip(parts[::2], parts[1::2], strict=True):
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text.replace("\n", "\r\n") if "crlf" in path else text)
    return programs.strip().split("\n")


def differing(program: str, real: dict[str, Any], mine: dict[str, Any]) -> str | None:
    """In what the answers to a program differ, or its refusal from the one that it tells."""
    _, _, beyond = program.partition(" # beyond: ")
    if beyond and real["ok"]:
        said = f"{beyond} is Ruby that Headwater does not evaluate"
        return None if mine.get("error", {}).get("message") == said else str(mine.get("error"))
    return difference(real, mine)


@pytest.mark.peer
@pytest.mark.skipif(not installed(), reason=ABSENT)
@pytest.mark.parametrize("name", ["puppet_erb.txt", "puppet_public.txt", *BOTH])
def test_templates_mean_what_they_mean_to_puppet(name: str, tmp_path: Path) -> None:
    oracle = Oracle()
    found = {}
    for program in programs_of(name, tmp_path):
        for setting in STRICT if "scope" in program and "notify" in program else STRICT[:1]:
            inputs: dict[str, Any] = {"modulepath": str(tmp_path), **setting}
            real = oracle.ask(code=program, filename="code.pp", **inputs)
            told = differing(program, real, ours(program, **inputs))
            if told is not None:
                found[program, str(setting)] = told
    oracle.process.kill()

    assert found == {}


@pytest.mark.peer
@pytest.mark.skipif(not puppet8.there(), reason=puppet8.ABSENT)
@pytest.mark.parametrize("name", BOTH)
def test_modules_in_ruby_mean_the_same_to_puppet_8(name: str, tmp_path: Path) -> None:
    oracle = puppet8.oracle()
    found = {}
    for program in programs_of(name, tmp_path):
        inputs: dict[str, Any] = {"modulepath": str(tmp_path)}
        real = oracle.ask(code=program, filename="code.pp", **inputs)
        told = differing(program, real, ours(program, puppet=puppet8.NUMBER, **inputs))
        if told is not None:
            found[program] = told
    oracle.process.kill()

    assert found == {}
