"""How processor time grows with the size of a program: n, 2n and 4n.

Each row is a family of programs whose output grows in proportion to n.  The exponent is that
of the power of n which fits best; it shall be at most 1.3.  Every size runs three times, each in
a process of its own that has compiled a small program before, and the quickest run counts.

``growth.py``               all rows
``growth.py puppet if``     the rows of a language whose name contains a word
``GROWTH_RUNS=1 growth.py`` fewer runs
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
RUNS = int(os.environ.get("GROWTH_RUNS", "3"))
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


NUMBERS = "$a = Integer[1, {n}].map |$x| { $x }\n"
TITLES = '$t = Integer[1, {n}].map |$x| { "n${x}" }\n'
NOTICES = "notify { 'n{i}': message => 'm' }\n"
PUPPET: list[tuple[str, int, str, str]] = [
    # name, n, what stands once (``{n}`` is the size), what stands n times
    ("resources", 2000, "", NOTICES),
    ("resources from an array", 4000, TITLES + "notify { $t: }\n", ""),
    ("if-elsif chain", 1000, "$x = 'none'\nif $x == 'a' { }\n", "elsif $x == 'k{i}' { }\n"),
    ("case options", 2000, "$x = 1\ncase $x {\n", "  'k{i}': { }\n"),
    ("selector options", 2000, "$x = 1\n$y = $x ? {\n", "  'k{i}' => 1,\n"),
    ("ifs", 2000, "$x = 1\n", "if $x == {i} { notify { 'n{i}': } }\n"),
    ("sum", 1200, "$x = 1\n$y = $x\n", "  + {i}\n"),
    ("or", 1200, "$x = 1\n$y = $x == 0\n", "  or $x == {i}\n"),
    ("array literal", 5000, "$y = [\n", "  'v{i}',\n"),
    ("hash literal", 5000, "$y = {\n", "  'k{i}' => 'v{i}',\n"),
    ("array minus", 8000, NUMBERS + "$b = $a - $a\n", ""),
    ("array plus", 8000, NUMBERS + "$b = $a.reduce([]) |$m, $x| { [$x] + [$x] }\n", ""),
    ("unique", 8000, NUMBERS + "$b = unique($a + $a)\n", ""),
    ("interpolation", 3000, "$x = 'v'\nnotify { 'n': message => \"\n", "line {i} ${x}\n"),
    ("variables", 3000, "$v0 = 0\n", "$w{i} = {i}\n"),
    ("chain of variables", 2000, "$v0 = 'x'\n", "$v{k} = $v{i}\n"),
    ("undefined variables", 2000, "", "notify { 'n{i}': message => $u{i} }\n"),
    ("classes", 1000, "", "class c{i} { notify { 'n{i}': } }\ninclude c{i}\n"),
    ("classes that include the next", 200, "include c0\n", "class c{i} { include c{k} }\n"),
    ("defines", 1000, "define d() { notify { $title: } }\n", "d { 'n{i}': }\n"),
    ("definitions of defines", 1500, "", "define d{i}() { }\n"),
    ("nodes", 1500, "node default { }\n", "node 'n{i}.example.com' { }\n"),
    ("functions", 1000, "", "function f{i}() { {i} }\n$r{i} = f{i}()\n"),
    ("defaults", 1000, "", "Notify { withpath => true }\nnotify { 'n{i}': }\n"),
    ("tags", 1500, "", "notify { 'n{i}': tag => ['a{i}', 'b'] }\n"),
    ("overrides", 1500, "", NOTICES + "Notify['n{i}'] { loglevel => 'debug' }\n"),
    ("collectors by title", 400, "", "@notify { 'n{i}': }\nNotify <| title == 'n{i}' |>\n"),
    ("a collector with an override", 1500, "Notify <| |> { tag => 'x' }\n", NOTICES),
    ("collectors with overrides", 400, "",
     NOTICES + "Notify <| title == 'n{i}' |> { tag => 'x' }\n"),
    ("realize", 1500, "", "@notify { 'n{i}': }\nrealize(Notify['n{i}'])\n"),
    ("a row of arrows", 1500, "notify { 'n0': }\n",
     "notify { 'n{k}': require => Notify['n{i}'] }\n"),
    ("arrows from one resource", 1000, "notify { 'z': }\n",
     "notify { 'n{i}': }\nNotify['z'] -> Notify['n{i}']\n"),
    ("a circle of arrows", 1000, "notify { 'n0': }\nNotify['n{n}'] -> Notify['n0']\n",
     "notify { 'n{k}': }\nNotify['n{i}'] -> Notify['n{k}']\n"),
    ("arrows between arrays", 3000, TITLES + "notify { $t: }\nnotify { 'z': }\n"
     "Notify[$t] -> Notify['z']\n", ""),
    ("create_resources", 3000,
     TITLES + "create_resources('notify', Hash($t.map |$x| { [$x, {}] }))\n", ""),
    ("each", 20000, "Integer[1, {n}].each |$x| { $y = $x + 1 }\n", ""),
    ("epp", 3000, TITLES + "notify { 'x': message => "
     "inline_epp('<% $t.each |$i| { %>a<%= $i %><% } %>') }\n", ""),
    ("heredocs", 1000, "", "$h{i} = @(END)\n  text {i}\n  | END\n"),
    ("regular expressions", 2000, "$x = 'abc'\n", "if $x =~ /k{i}/ { }\n"),
]  # fmt: skip
CLOSING = {
    "case": "}\n", "selector": "default => 0 }\n", "array literal": "]\n", "hash literal": "}\n",
    "interpolation": "\" }\n", "classes that": "class c{n} { }\n",
}  # fmt: skip
"""What ends a program, by how its name begins."""

QUESTIONS: list[tuple[str, tuple[str, ...]]] = [
    ("resources", ("check",)), ("resources", ("blame",)), ("resources", ("explain", "Notify[n1]")),
    ("undefined variables", ("check",)), ("a row of arrows", ("check",)),
    ("arrows from one resource", ("check",)), ("a circle of arrows", ("check",)),
    ("collectors with overrides", ("blame",)), ("defines", ("blame",)), ("classes", ("blame",)),
    ("ifs", ("blame",)), ("if-elsif chain", ("check",)), ("defaults", ("blame",)),
    ("interpolation", ("blame",)), ("chain of variables", ("check",)), ("tags", ("check",)),
]  # fmt: skip


def puppet() -> list[Row]:
    """Puppet's rows."""

    def program(name: str, once: str, line: str) -> Callable[[int], str]:
        end = next((text for start, text in CLOSING.items() if name.startswith(start)), "")

        def make(n: int) -> str:
            body = "".join(line.replace("{i}", str(i)).replace("{k}", str(i + 1)) for i in range(n))
            return once.replace("{n}", str(n)) + body + end.replace("{n}", str(n))

        return make

    rows = {
        name: Row("puppet", name, size, program(name, once, line))
        for name, size, once, line in PUPPET
    }
    asked = [rows[name]._replace(verb=verb) for name, verb in QUESTIONS]
    return [*rows.values(), *asked, *hiera()]


def hiera() -> list[Row]:
    """Rows of look-ups."""
    config = "version: 5\ndefaults: { datadir: ., data_hash: yaml_data }\nhierarchy:\n"
    ask = "notify { 'x': message => lookup('k0') }\n"

    def keys(n: int) -> dict[str, str]:
        level = "  - { name: all, path: all.yaml }\n"
        every = lines("$v{i} = lookup('k{i}')\n", n)
        return {"main.pp": every, "all.yaml": lines("k{i}: {i}\n", n), "hiera.yaml": config + level}

    def levels(n: int) -> dict[str, str]:
        several = lines("  - { name: l{i}, path: l{i}.yaml }\n", n)
        return {"main.pp": ask, "hiera.yaml": config + several, "l0.yaml": "k0: 1\n",
                f"l{n - 1}.yaml": "k0: 2\n"}  # fmt: skip

    def chained(n: int) -> dict[str, str]:
        level = "  - { name: all, path: all.yaml }\n"
        data = lines('k{i}: "%{variable_{i}}x"\n', n)
        return {"main.pp": ask, "all.yaml": data, "hiera.yaml": config + level}

    option = ("--hiera", "{folder}/hiera.yaml")
    return [
        Row("puppet", "keys of data", 1000, keys, ("compile", *option)),
        Row("puppet", "levels of data", 500, levels, ("compile", *option)),
        Row("puppet", "data with interpolation", 1000, chained, ("compile", *option)),
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
warm, verb, *rest = sys.argv[1:]
def clock():
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime
def run(arguments):
    try:
        cli(arguments, prog_name='headwater')
    except SystemExit:
        pass
with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
    run([verb, warm, *rest[1:]])  # what a first run loads is not what grows
    began = clock()
    run([verb, *rest])
    took = clock() - began
print(took)
"""


def write(row: Row, size: int, folder: Path) -> str:
    """Writes the files of a program; the path of the main one."""
    made = row.make(size)
    files = made if isinstance(made, dict) else {"main" + row.ending: made}
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return str(folder / next(iter(files)))


def seconds(row: Row, size: int) -> float:
    """The processor time of one size, with everything loaded."""
    with tempfile.TemporaryDirectory() as folder:
        warm = write(row, 2, Path(folder, "warm"))
        main = write(row, size, Path(folder))
        verb, *rest = row.verb
        rest = [word.replace("{n}", str(size)).replace("{folder}", folder) for word in rest]
        command = [sys.executable, "-c", CHILD, warm, verb, main, *rest]
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
