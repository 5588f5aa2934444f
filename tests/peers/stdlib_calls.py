"""Calls of every function of stdlib: arguments that fit, nearly fit and do not fit.

`GENERAL` are given to all functions; those of ``stdlib_calls.txt`` were chosen from the code of
each, one call a line.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

MODULES = Path("/usr/share/puppet/modules")
STDLIB = MODULES / "stdlib"
CHOSEN = Path(__file__).with_name("stdlib_calls.txt")

GENERAL = (
    "", "undef", "''", "'abc'", "1", "true", "1.5", "[]", "['a', 'b', 'c']", "['a', undef, 1]",
    "{}", "{'a' => 1, 'b' => undef}", "'a', 'b'", "['a', 'b'], 'b'", "1, 2, 3", "/x/", "default",
    "String", "File['/a']",
)  # fmt: skip


def names() -> list[str]:
    """Every function of stdlib, in either API."""
    lib = STDLIB / "lib" / "puppet"
    new, old = lib / "functions", lib / "parser" / "functions"
    found = {path.relative_to(new).with_suffix("").as_posix() for path in new.rglob("*.rb")}
    found |= {path.stem for path in old.glob("*.rb")}
    return sorted(name.replace("/", "::") for name in found)


def calls() -> Iterator[tuple[str, str]]:
    """Every call: the function and the expression."""
    chosen: dict[str, list[str]] = {}
    for line in CHOSEN.read_text("utf-8").splitlines():
        chosen.setdefault(line.partition("(")[0], []).append(line)
    for name in names():
        for arguments in GENERAL:
            yield name, f"{name}({arguments})"
        for call in chosen.get(name, ()):
            yield name, call
