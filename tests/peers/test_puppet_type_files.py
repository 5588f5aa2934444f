"""Types of many layouts in Ruby: what their files say of titles, keys and parameters is what Puppet
takes from them, and nothing that is checked when resources are applied is checked here."""

from __future__ import annotations

import functools
from pathlib import Path

import pytest

from peers.catalogs import Oracle, difference, ours
from peers.puppet import ABSENT, installed

TITLES = ("a", "a@b", "A@B", "a/b", "two\nlines")
FILES = Path(__file__).with_name("puppet_type_files.txt").read_text().split("----\n")[1:]


@functools.cache
def oracle() -> Oracle:
    """One Ruby process; each type has a name of its own, because it keeps types."""
    if not installed():
        pytest.skip(ABSENT)
    return Oracle()


@pytest.mark.peer
@pytest.mark.parametrize("number", range(len(FILES)))
def test_a_type_is_read_as_puppet_reads_it(number: int, tmp_path: Path) -> None:
    code, *programs = FILES[number].split(">>> ")
    name = f"kind{number}"
    folder = tmp_path / "m" / "lib" / "puppet" / "type"
    folder.mkdir(parents=True)
    (folder / f"{name}.rb").write_text(code.replace("TYPE", name))
    programs = [f"TYPE {{ '{title}': }}" for title in TITLES] + programs
    for text in programs:
        program = text.replace("TYPE_REF", name.capitalize()).replace("TYPE", name)
        real = oracle().ask(code=program, filename="code.pp", modulepath=[str(tmp_path)])
        mine = ours(program, modulepath=str(tmp_path))

        assert difference(real, mine) is None, program
