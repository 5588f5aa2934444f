"""How processor time grows with the size of a program: n, 2n and 4n.

Each row is a family of programs whose output grows in proportion to n.  The exponent is that
of the power of n which fits best; it shall be at most 1.3.  Every size runs three times in a
process of its own and the quickest run counts.

``growth.py``               all rows
``growth.py puppet if``     the rows of a language whose name contains a word
"""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

MOST = 1.3
RUNS = 3
SIZES = (1, 2, 4)


class Row(NamedTuple):
    """A family of programs, and what is asked of them."""

    language: str
    name: str
    size: int
    """The smallest n; it should take about 0.3 s."""
    make: Callable[[int], str | dict[str, str]]
    """The text of the program of size n, or the texts of several files, the first the main one."""
    verb: Sequence[str] = ("compile",)
    """The verb, and what follows the name of the file; ``{n}`` is the size."""
    ending: str = ".pp"


def lines(line: str, count: int) -> str:
    """A line for each number; ``{i}`` is the number, ``{j}`` the one before."""
    return "".join(line.replace("{i}", str(i)).replace("{j}", str(i - 1)) for i in range(count))


def puppet() -> list[Row]:
    """Puppet's rows."""

    def row(name: str, size: int, make: Callable[[int], str], *verb: str) -> Row:
        return Row("puppet", name, size, make, verb or ("compile",))

    return [
        row("resources", 2000, lambda n: lines("notify { 'n{i}': message => 'm' }\n", n)),
        row(
            "if-elsif chain",
            1000,
            lambda n: "$x = 'none'\nif $x == 'a' { }\n" + lines("elsif $x == 'k{i}' { }\n", n),
        ),
    ]


def chain(n: int) -> str:
    """A chain of prototypes with five attributes at its end."""
    links = lines("p{i} extends p{j}, { x {i}; }\n", n + 1).partition("\n")[2]
    return "p0 extends { a 1; x 1; }\n" + links + f"sfConfig extends p{n}, {{ z 1; }}\n"


def growing_chain(n: int) -> str:
    """A chain of prototypes, each with an attribute more."""
    links = lines("p{i} extends p{j}, { x{i} {i}; }\n", n + 1).partition("\n")[2]
    return "p0 extends { a 1; }\n" + links + f"sfConfig extends p{n}, {{ z 1; }}\n"


def component(line: str, before: str = "", inside: str = "") -> Callable[[int], str]:
    """A component with a line for each number."""
    return lambda n: f"{before}sfConfig extends {{ {inside}\n{lines(line, n)}}}\n"


PROTOTYPE = "P extends { x 1; }\n"


def smartfrog() -> list[Row]:
    """SmartFrog's rows."""
    programs: list[tuple[str, int, Callable[[int], str]]] = [
        ("chain of prototypes", 2000, chain),
        ("attributes", 4000, component("a{i} {i};\n")),
        ("heirs of a prototype", 2000, component("c{i} extends P, { x {i}; }\n", PROTOTYPE)),
        ("links outwards", 2000, component("c{i} extends { a g; }\n", "g 1;\n")),
        ("placements", 3000, component("m:a{i} {i};\n", "", "m extends { }")),
    ]  # fmt: skip
    rows = [Row("smartfrog", "growing chain of prototypes", 600, growing_chain, ending=".sf")]
    for dialect in ("core", "production"):
        option = ("--dialect", dialect)
        for name, size, make in programs:
            for verb in (("compile",), ("blame",), ("check",), ("explain", "")):
                rows.append(
                    Row("smartfrog", f"{name}, {dialect}", size, make, (*verb, *option), ".sf")
                )
    return rows


def l3() -> list[Row]:
    """L3's rows."""
    programs: list[tuple[str, Callable[[int], str]]] = [
        ("labels", lambda n: "{\n" + lines("  a{i}: {i}\n", n) + "}\n"),
        ("references", lambda n: "{\n  g: 1\n" + lines("  a{i}: $g\n", n) + "}\n"),
    ]
    return [
        Row("l3", name, 1000, make, (verb,), ".l3")
        for name, make in programs
        for verb in ("compile", "blame", "check")
    ]


def opal() -> list[Row]:
    """Opal's rows."""

    def operations(n: int) -> str:
        handle = "handle a.x := op with () merging o h c to a.h in {\n"
        return f"with a do {{ {handle}{lines('op;' + chr(10), n)}skip }} }}\n"

    return [Row("opal", "operations", 1000, operations, (verb,), ".opal")
            for verb in ("compile", "blame", "check")]  # fmt: skip


ROWS = [*puppet(), *smartfrog(), *l3(), *opal()]


CHILD = """
import contextlib, io, resource, sys
from headwater.cli.main import cli
arguments = sys.argv[1:]
def clock():
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime
with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
    began = clock()
    try:
        cli(arguments, prog_name='headwater')
    except SystemExit:
        pass
    took = clock() - began
print(took)
"""


def seconds(row: Row, size: int) -> float:
    """The processor time of one size, start-up of the interpreter not counted."""
    made = row.make(size)
    files = made if isinstance(made, dict) else {"main" + row.ending: made}
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            path = Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        main = str(Path(folder, next(iter(files))))
        verb, *rest = row.verb
        rest = [word.replace("{n}", str(size)).replace("{folder}", folder) for word in rest]
        command = [sys.executable, "-c", CHILD, verb, main, *rest]
        environment = {**os.environ, "HEADWATER_CACHE": "off"}
        taken = []
        for _ in range(RUNS):
            done = subprocess.run(
                command, capture_output=True, text=True, env=environment, check=False
            )
            if done.returncode:
                raise RuntimeError(f"{row.name}, {size}: {done.stderr[-500:]}")
            taken.append(float(done.stdout.split()[-1]))
        return min(taken)


def exponent(sizes: Sequence[int], times: Sequence[float]) -> float:
    """The slope of the line of best fit through the logarithms."""
    xs, ys = [math.log(s) for s in sizes], [math.log(max(t, 1e-4)) for t in times]
    x0, y0 = sum(xs) / len(xs), sum(ys) / len(ys)
    above = sum((x - x0) * (y - y0) for x, y in zip(xs, ys, strict=True))
    return above / sum((x - x0) ** 2 for x in xs)


def main(words: Sequence[str]) -> int:
    """Prints the table; 1 if a row grows too fast."""
    steep = 0
    wanted = [
        row for row in ROWS
        if all(word in row.language or word in row.name for word in words if word != "--json")
    ]  # fmt: skip
    for row in wanted:
        sizes = [row.size * factor for factor in SIZES]
        times = [seconds(row, size) for size in sizes]
        power = exponent(sizes, times)
        steep += power > MOST
        if "--json" in words:
            print(json.dumps([row.language, row.name, row.verb[0], sizes, times, power]))
            continue
        shown = "".join(f"{time:8.2f} s" for time in times)
        mark = "  too steep" if power > MOST else ""
        print(f"{row.language:10} {row.name:40} {row.verb[0]:8} n={row.size:<6} {shown}  "
              f"n^{power:.2f}{mark}", flush=True)  # fmt: skip
    print(f"{len(wanted)} rows, {steep} steeper than n^{MOST}")
    return 1 if steep else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
