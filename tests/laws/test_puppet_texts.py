"""One-sided dependency of the Puppet that people wrote: the traps and other small programs.

T4  a text, a number or a boolean that is written is made another: each value that is another then
    lists it, or something that it is a part of

They were written to compare with Puppet, each for one thing that is easily taken for another:
parameters that are read before they are overridden, names that stand for paths.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from random import Random

import pytest

from headwater.ask import Request, compile_request
from headwater.ask.compile import Compiled
from headwater.ask.views import Views
from headwater.text import Source
from headwater.tree import Address, Value
from headwater.tree.diff import same
from laws.production import ABSENT
from laws.profile import examples
from peers.catalogs import HERE

WRITTEN = re.compile(
    r"""'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n$]|\\.)*"|(?<![\w.:$])\d+(?![\w.:])|\b(?:true|false)\b"""
)
COMMENTED = re.compile(r"^[^\n'\"]*#[^\n]*$", re.MULTILINE)
SETTINGS = ["strict=warning", "strict_variables=false"]


def programs() -> Iterator[tuple[str, str]]:
    """The programs of one file, with their names."""
    for path in sorted((HERE / "traps").glob("*.pp")):
        yield path.stem, path.read_text()
    texts = [*sorted((HERE / "small").glob("*.txt")), HERE.parent / "puppet_levels.txt"]
    for path in texts:
        for number, program in enumerate(path.read_text().split("\n----\n")):
            yield f"{path.stem} {number}", program
    for line in (HERE / "levels" / "cases.jsonl").read_text().splitlines():
        case = json.loads(line)
        if not case.get("files"):
            yield case["id"], case["program"]


def compiled(program: str) -> Compiled:
    """The outcome of a program."""
    source = Source("program.pp", program)
    return compile_request(Request(sources=(source,), inputs={"setting": SETTINGS}))


def leaves(outcome: Compiled) -> dict[Address, Value]:
    """The values of a catalog; none of a program that is refused."""
    result = outcome.outcome.result
    return {} if result is None else dict(result.walk())


def another(written: str) -> str:
    """Another text, number or boolean."""
    if written in ("true", "false"):
        return "false" if written == "true" else "true"
    if written.isdigit():
        return "8" if written == "7" else "7"
    return f"{written[0]}zz{written[0]}"


def edits(program: str) -> Iterator[re.Match[str]]:
    """What is written in a program, but in comments."""
    comments = [match.span() for match in COMMENTED.finditer(program)]
    for match in WRITTEN.finditer(program):
        if not any(start <= match.start() < end for start, end in comments):
            yield match


def unexplained(before: Compiled, program: str, edit: re.Match[str]) -> Iterator[Address]:
    """The values that an edit changes and that do not list what is edited."""
    start, end = edit.span()
    after = leaves(compiled(program[:start] + another(edit[0]) + program[end:]))
    causes = before.outcome.causes
    assert causes is not None
    for address, value in leaves(before).items() if after else ():
        now = after.get(address, ABSENT)
        if now is not ABSENT and same(now, value):  # type: ignore[arg-type]
            continue
        labels = [x.at for x in Views(causes, address).depends if x.at.source.name == "program.pp"]
        if not any(at.start < end and start < at.end for at in labels):
            yield address


@pytest.mark.parametrize("part", range(examples(1, 4)))
def test_t4_what_an_edit_changes_in_programs_that_people_wrote(
    part: int, record_property: Callable[[str, object], None]
) -> None:
    chosen = list(programs())
    chosen = chosen[part :: examples(25, 4)]
    tried = 0
    for name, program in chosen:
        before = compiled(program)
        if not leaves(before):
            continue
        every = list(edits(program))
        for edit in Random(name).sample(every, min(examples(4, 1_000), len(every))):
            found = list(unexplained(before, program, edit))
            assert found == [], (name, program, edit)
            tried += 1
    record_property("examples", tried)
    assert tried >= examples(30, 500)
