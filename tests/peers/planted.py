"""Bugs planted in copies of Headwater, and the search for a program that shows each.

A bug is a piece of text of our own source exchanged for another.  The copy answers jobs beside
the real engine, on generated programs, until an answer differs.
"""

from __future__ import annotations

import shlex
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import headwater
from headwater.ask.compare import Comparison, comparison
from headwater.ask.generate import generator_of
from headwater.ask.peers import Compiler
from headwater.ask.request import Request
from headwater.ask.shrink import Shrunk, shrink
from headwater.langs import LANGUAGES
from headwater.langs.generation import Wanted

MOST_PROGRAMS = 500
SIZE = 3
RUN = "import sys; sys.path.insert(0, sys.argv.pop(1)); from headwater.cli.main import main; main()"


class Bug(NamedTuple):
    """A bug: the file, a text in it that is there once, and what it is exchanged for."""

    lang: str
    name: str
    file: str
    old: str
    new: str
    seed: int = 1
    """A seed from which a program that shows it is not far, so that the test is quick."""


SF = "langs/smartfrog/engine/"
L3 = "langs/l3/engine/"
OPAL = "langs/opal/engine/"
PUPPET = "langs/puppet/engine/"
PAPER = "langs/puppet/paper/"

BUGS = [
    Bug("smartfrog", "names are looked for where they are written, not where they are inherited to",
        SF + "search.py", "        cell = at.store.cell(name)\n",
        "        cell = at.store.cells.get(name)\n"
        "        cell = cell if cell is not None and cell.mark is at.store.mark else None\n"),
    Bug("smartfrog", "an override moves the attribute to the end", SF + "evaluate.py",
        "    store.cells[cell.id] = cell\n",
        "    store.cells.pop(cell.id, None)\n    store.cells[cell.id] = cell\n"),
    Bug("smartfrog", "the first of two prototypes wins", SF + "evaluate.py",
        "        for id in frozen.cells.keys() & target.cells.keys():\n",
        "        for id in frozen.cells.keys() & set():\n", 43),
    Bug("smartfrog", "vectors come out backwards", SF + "evaluate.py",
        "        for item in items:\n", "        for item in reversed(items):\n", 3),
    Bug("smartfrog", "a data reference loses all but its last part", SF + "evaluate.py",
        "        return DataReference(value.reference.parts)\n",
        "        return DataReference(value.reference.parts[-1:])\n", 7),
    Bug("l3", "defaults are not set aside", L3 + "judge.py",
        "[g for g in groups if not g.default] or groups", "groups"),
    Bug("l3", "finals do not count", L3 + "judge.py",
        "        finals = [g for g in groups if g.final]\n", "        finals: list[Group] = []\n"),
    Bug("l3", "of several survivors the greatest wins", L3 + "judge.py",
        "        least = self.survivors[0].key\n", "        least = self.survivors[-1].key\n"),
    Bug("l3", "constraints do not count", L3 + "contest.py",
        "        for under in below.get(tag, ()):\n", "        for under in ():\n", 51),
    Bug("l3", "the first operand of +> wins", L3 + "contest.py",
        "        for place in sorted(places):\n",
        "        for place in sorted(places, reverse=True):\n", 7),
    Bug("opal", "what is equal is not equal", OPAL + "machine.py",
        "        self.decisions.append((one is two, node))\n",
        "        self.decisions.append((one is not two, node))\n", 2),
    Bug("opal", "membership looks at the first element only", OPAL + "machine.py",
        "            two = two.right\n", "            break\n", 103),
    Bug("opal", "pairs are built the wrong way round", OPAL + "sexps.py",
        "self.heap.cons(left[0], right[0])", "self.heap.cons(right[0], left[0])"),
    Bug("opal", "an operation belongs to the outermost handle", OPAL + "machine.py",
        "        handle = handles[-1]\n        place = handle.place\n",
        "        handle = handles[0]\n        place = handle.place\n", 12),
    Bug("opal", "a commit forgets all places but one", OPAL + "machine.py",
        "for place in sorted(written)]", "for place in sorted(written)[:1]]", 9),
    Bug("puppet", "a collector takes what it should leave", PUPPET + "sieves.py",
        "node.op == \"==\", f, unit", "node.op != \"==\", f, unit", 127),
    Bug("puppet", "undef is a text", PUPPET + "literals.py",
        "    return constant(None)\n", "    return constant(\"undef\")\n"),
    Bug("puppet", "virtual resources are real", PUPPET + "resources.py",
        "    virtual, exported = node.form != \"regular\",", "    virtual, exported = False,", 6),
    Bug("puppet", "a text loses the values in it", PUPPET + "strings.py",
        "        text = f\"{before}{value}{after}\"\n",
        "        text = f\"{before}{after}\"\n", 24),
    Bug("puppet", "unless runs what it should not", PUPPET + "conditionals.py",
        "make_block(unit, node.otherwise), make_block(unit, node.then))\n",
        "make_block(unit, node.then), make_block(unit, node.otherwise))\n", 22),
    Bug("mupuppet", "addition subtracts", PAPER + "operators.py",
        "            return left + right\n", "            return left - right\n", 7),
    Bug("mupuppet", "the branches of an if are exchanged", PAPER + "statements.py",
        "(s.then, s.otherwise) if held else (s.otherwise, s.then)\n"
        "    after = untaken(state, other, beta, here)\n"
        "    return StmtStep(\"IfT\"",
        "(s.otherwise, s.then) if held else (s.then, s.otherwise)\n"
        "    after = untaken(state, other, beta, here)\n"
        "    return StmtStep(\"IfT\"", 4),
    Bug("mupuppet", "a variable is looked for at the top, not in the scope around",
        PAPER + "variables.py",
        "        scope = up.scope\n    value = shadowing",
        "        scope = t.TOP\n    value = shadowing", 72),
    Bug("mupuppet", "an unless runs what it should not", PAPER + "statements.py",
        "    if held:\n        return StmtStep(\"UnlessT\"",
        "    if not held:\n        return StmtStep(\"UnlessT\"", 4),
    Bug("mupuppet", "multiplication adds", PAPER + "operators.py",
        "            return left * right\n", "            return left + right\n", 35),
]  # fmt: skip


@contextmanager
def planted(bug: Bug, folder: Path) -> Iterator[Comparison]:
    """The real engine beside a copy of it with the bug."""
    root = Path(headwater.__file__).parent
    copy = folder / "headwater"
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(root, copy, ignore=ignored)
    path = copy / bug.file
    text = path.read_text("utf-8")
    assert text.count(bug.old) == 1, (bug.name, text.count(bug.old))
    path.write_text(text.replace(bug.old, bug.new), "utf-8")
    run = (
        "import sys; sys.path.insert(0, sys.argv.pop(1)); import headwater.cli.main as m; m.main()"
    )
    words = [sys.executable, "-c", run, str(folder), "compile", "--jobs", "-"]
    name, _, dialect = generator_of(bug.lang, None)
    calculus = bug.lang == "mupuppet"
    request = Request(lang=name, dialect=dialect or None, engine="paper" if calculus else "engine")
    first = Compiler("paper" if calculus else "engine")
    reads = "catalog" if bug.lang == "puppet" else None
    made = comparison(request, (), [first, Compiler("bug", shlex.join(words), reads)])
    try:
        yield made
    finally:
        made.close()


def search(bug: Bug, made: Comparison, seed: int, count: int) -> tuple[int, str] | None:
    """The first seed whose program is answered differently, and that program."""
    name, generator, dialect = generator_of(bug.lang, None)
    ending = LANGUAGES[name].endings[0]
    for number in range(seed, seed + count):
        text = generator.program(number, dialect, Wanted(size=SIZE))
        if made.of_text(text, ending).verdicts["bug"][0] in ("differ", "crashes"):
            return number, text
    return None


def smallest(bug: Bug, made: Comparison, text: str) -> Shrunk:
    """The smallest program that shows a bug as another one does."""
    name, generator, dialect = generator_of(bug.lang, None)
    ending = LANGUAGES[name].endings[0]
    return shrink(made, generator, dialect, text, "bug", ending, tries=4000, seconds=120)
