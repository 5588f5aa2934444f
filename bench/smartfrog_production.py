"""Cost of the production dialect per attribute of output, and how it grows.

Three kinds of input.  *servers*: 200 included files, each with a prototype that extends another
file's and some servers that extend it: links, late binding, placements, expressions and tags.
*flat*: components of plain values.  *links*: half of the attributes are links to others.

Each run is a fresh process; all kinds and sizes run in turn, and the figure is the least processor
time of five runs, scaled to a machine on which ``python3 -c pass`` takes 15 ms (the least of five
too, one in each turn: for all rows the same, since one of them alone may be off by a third).  A
specification of one attribute is compiled before, so that loading the modules is no part of the
figure; what that took is printed as the start, and added in the last column.
"""

from __future__ import annotations

import gc
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from given import one_of, parser
from headwater.ask import Request, compile_request

SIZES = (5_000, 20_000, 58_000)
GOAL, GROWTH = 12.0, 1.3
"""Microseconds for an attribute, scaled; how much more one may cost among many."""
PASS = 0.015
"""Seconds that ``python3 -c pass`` takes on the machine that times are scaled to."""
RUNS = 5
FILES = 200
PER_SERVER = 25


def flat(folder: Path, attributes: int) -> str:
    """Components of nine plain values each."""
    lines = ["sfConfig extends {"]
    for n in range(attributes // 10):
        values = " ".join(f'value{i} "text {n} {i}";' for i in range(9))
        lines.append(f"  part{n} extends {{ {values} }}")
    return _main(folder, [*lines, "}"])


def links(folder: Path, attributes: int) -> str:
    """Components of four plain values and five links, each to another component's value."""
    count = attributes // 10
    lines = ["sfConfig extends {"]
    for n in range(count):
        values = " ".join(f"value{i} {n + i};" for i in range(4))
        others = " ".join(f"link{i} part{(n * 7 + i) % count}:value{i % 4};" for i in range(5))
        lines.append(f"  part{n} extends {{ {values} {others} }}")
    return _main(folder, [*lines, "}"])


def _main(folder: Path, lines: list[str]) -> str:
    main = folder / "main.sf"
    main.write_text("\n".join(lines))
    return str(main)


def servers(folder: Path, attributes: int) -> str:
    """A specification whose result has about that many attributes; answers its main file."""
    each = max(1, attributes // (FILES * PER_SERVER))
    lines = ['#include "org/smartfrog/functions.sf"']
    for n in range(FILES):
        parent = "Base" if n % 10 == 0 else f"Kind{n + 1 if n % 10 == 5 else n - 1}"
        if n % 10 in (5, 6):
            parent = "Base"
        part = [f"Kind{n} extends {parent}, {{", f"  kind{n} {n}; label (name ++ {n}); }}"]
        for i in range(each):
            part += [
                f"sfConfig:s{n}x{i} extends Kind{n}, {{",
                f'  name "s{n}x{i}"; [local] port (base + {i}); log:level port;',
                f"  peer s{(n + 1) % FILES}x{i}:name; later LAZY elsewhere:name;",
                "}",
            ]
        (folder / f"part{n}.sf").write_text("\n".join(part))
        lines.append(f'#include "part{n}.sf"')
    lines += ['Base extends { base 8000; name TBD; url (name ++ ":" ++ base);']
    lines += [f'  option{i} "value {i}";' for i in range(8)]
    lines += ['  log extends { level 1; file (name ++ ".log"); } limits [1, base, 3]; }']
    lines += ["sfConfig extends { }"]
    return _main(folder, lines)


KINDS = {"flat": flat, "servers": servers, "links": links}


def once(kind: str, size: int) -> None:
    """One compilation; prints attributes, its seconds, those of the start, peak memory in MB."""
    with tempfile.TemporaryDirectory() as name:
        main = KINDS[kind](Path(name), size)
        first = Path(name) / "first.sf"
        first.write_text("sfConfig extends { a 1; }")
        start = time.process_time()
        compile_request(Request(files=(str(first),), dialect="production"))
        started = time.process_time() - start
        gc.collect()
        start = time.process_time()
        outcome = compile_request(Request(files=(main,), dialect="production")).outcome
        seconds = time.process_time() - start
    assert outcome.result is not None, outcome.diagnostics[0].message
    count = sum(1 for _ in outcome.result.walk())
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(count, seconds, started, peak)


class Measured(NamedTuple):
    """One run: its seconds, what loading the modules took, its memory in MB, its attributes."""

    seconds: float
    started: float
    peak: float
    attributes: int


def run(kind: str, size: int) -> Measured:
    """One compilation in a process of its own."""
    command = [sys.executable, __file__, "--once", kind, str(size)]
    attributes, seconds, started, peak = subprocess.check_output(command, text=True).split()
    return Measured(float(seconds), float(started), float(peak), int(attributes))


def _started() -> float:
    """The processor time of ``python3 -c pass``."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-c", "pass"], check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _round(kinds: Sequence[str], runs: dict[tuple[str, int], list[Measured]]) -> float:
    """Runs every kind and size once; the time of ``python3 -c pass`` before them."""
    bare = _started()
    for kind in kinds:
        for size in SIZES:
            runs.setdefault((kind, size), []).append(run(kind, size))
    return bare


def main() -> int:
    """Prints a row for each kind and size; 1 if a goal is missed."""
    if sys.argv[1:2] == ["--once"]:
        once(sys.argv[2], int(sys.argv[3]))
        return 0
    told = parser(__doc__)
    told.add_argument("kinds", nargs="*", type=one_of(KINDS), metavar="KIND")
    kinds = told.parse_args().kinds or [*KINDS]
    runs: dict[tuple[str, int], list[Measured]] = {}
    least = min(_round(kinds, runs) for _ in range(RUNS))
    print(f"smartfrog production: every phase; processor time, the least of {RUNS} runs; "
          f"python3 -c pass {1e3 * least:.1f} ms")  # fmt: skip
    missed = 0
    for kind in kinds:
        costs = []
        for size in SIZES:
            ran = min(runs[kind, size])
            own = ran.seconds / ran.attributes * 1e6
            costs.append(own * PASS / least)
            whole = (ran.seconds + ran.started) / ran.attributes * 1e6 * PASS / least
            print(f"  {kind:8} {ran.attributes:>7} attributes: {ran.seconds:7.3f} s, {own:5.1f} µs "
                  f"each, scaled {costs[-1]:5.1f} µs, {ran.peak:.0f} MB; "
                  f"start {1e3 * ran.started:.0f} ms, with it {whole:.1f} µs",
                  flush=True)  # fmt: skip
        growth = costs[-1] / costs[0]
        good = max(costs) <= GOAL and growth <= GROWTH
        missed += not good
        print(f"  {kind:8} at most {max(costs):.1f} µs (goal {GOAL:.0f}), growth {growth:.2f} "
              f"(goal {GROWTH}){'' if good else '  MISSED'}", flush=True)  # fmt: skip
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
