"""How a row is measured: processes, processor time, exponents.

The sizes are n, 2n and 4n, where n is chosen so that the smallest takes about `SMALLEST`
seconds (less, where the family ends before).  Each run is a process of its own that has done
the same for a small program before, and the quickest run of a size counts.  Where the exponent
is near the limit or over it, every size runs some more times: a minimum only gets better.

A run must end with the expected exit code, and the output of 4n must be at least three times
that of n, so that a row that does nothing is no row.
"""

from __future__ import annotations

import json
import math
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from growing.row import Row

MOST = 1.3
NEAR = 1.2
SMALLEST = float(os.environ.get("GROWTH_SECONDS", "0.15"))
RUNS = int(os.environ.get("GROWTH_RUNS", "2"))
MORE = int(os.environ.get("GROWTH_MORE", "4"))
LONGEST = 60

CHILD = """
import json, os, resource, sys
from headwater.cli.main import cli
small, arguments, told, longest = json.loads(sys.argv[1])
resource.setrlimit(resource.RLIMIT_CPU, (longest, longest))
def run(words):
    try:
        cli(words, prog_name='headwater')
    except SystemExit as end:
        return end.code or 0
    return 0
def clock():
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime
run(small)  # what a first run loads is not what grows
sys.stdout.flush()
os.ftruncate(1, 0)
os.lseek(1, 0, os.SEEK_SET)
began = clock()
code = run(arguments)
took = clock() - began
sys.stdout.flush()
with open(told, 'w') as file:
    json.dump([took, code, os.fstat(1).st_size], file)
"""


class Failed(Exception):
    """A row that does not do what it says."""


class Run(NamedTuple):
    """One run: processor time, exit code, bytes of output."""

    seconds: float
    exit: int
    output: int


class Grown(NamedTuple):
    """What a row came to."""

    sizes: Sequence[int]
    seconds: Sequence[float]
    outputs: Sequence[int]

    @property
    def power(self) -> float:
        """The exponent of the processor time."""
        return exponent(self.sizes, self.seconds)

    @property
    def output(self) -> float:
        """The exponent of the output."""
        return exponent(self.sizes, self.outputs)

    @property
    def steep(self) -> bool:
        """Whether time grows faster than the output, or than n, by more than a little."""
        return self.power > MOST + max(0.0, self.output - 1.0 - 0.1)


def exponent(sizes: Sequence[int], figures: Sequence[float]) -> float:
    """The slope of the line of best fit through the logarithms."""
    xs, ys = [math.log(s) for s in sizes], [math.log(max(f, 1e-4)) for f in figures]
    x0, y0 = sum(xs) / len(xs), sum(ys) / len(ys)
    above = sum((x - x0) * (y - y0) for x, y in zip(xs, ys, strict=True))
    return above / sum((x - x0) ** 2 for x in xs)


def measured(row: Row) -> Grown:
    """Time and output of three sizes."""
    with tempfile.TemporaryDirectory() as folder:
        first = _fitting(row, Path(folder))
        sizes = [first, 2 * first, 4 * first]
        seconds, outputs = [math.inf] * 3, [0] * 3
        for more in (RUNS, MORE):
            for _ in range(more):
                for at, size in enumerate(sizes):
                    ran = _run(row, size, Path(folder))
                    seconds[at] = min(seconds[at], ran.seconds)
                    outputs[at] = ran.output
            grown = Grown(sizes, list(seconds), list(outputs))
            if grown.power < NEAR:
                break
        if not row.constant and grown.outputs[2] < 3 * grown.outputs[0]:
            raise Failed(f"the output does not grow: {grown.outputs} bytes")
        return grown


def _fitting(row: Row, folder: Path) -> int:
    """The smallest n, such that it takes long enough to be measured."""
    size = min(64, row.most // 4)
    while size < row.most // 4:
        taken = _run(row, size, folder).seconds
        if taken > SMALLEST / 1.5:
            break
        # Near the start most of the time does not grow, so the steps are small there.
        step = 8 if taken < SMALLEST / 20 else 2 if taken > SMALLEST / 4 else 4
        size = min(size * step, row.most // 4)
    return size


def _run(row: Row, size: int, folder: Path) -> Run:
    """One size, once."""
    small = _command(row, 2, folder / "small")
    arguments = _command(row, size, folder / str(size))
    told = folder / "told.json"
    told.unlink(missing_ok=True)
    environment = {**os.environ, "HEADWATER_CACHE": "off"}
    command = [sys.executable, "-c", CHILD, json.dumps([small, arguments, str(told), LONGEST])]
    with (folder / "out").open("w") as out, (folder / "err").open("w") as err:
        ended = subprocess.run(command, stdout=out, stderr=err, env=environment, check=False)
    if ended.returncode == -signal.SIGKILL:
        raise Failed(f"n={size} takes more than {LONGEST} s")
    said = (folder / "err").read_text()
    if not told.exists():
        raise Failed(f"n={size}: {said[-500:]}")
    ran = Run(*json.loads(told.read_text()))
    if ran.exit != row.exit:
        raise Failed(f"n={size}: exit {ran.exit} instead of {row.exit}: {said[:300]}")
    return ran


def _command(row: Row, size: int, folder: Path) -> list[str]:
    """The command for one size; its files are written if they are not there."""
    made = row.make(size)
    files = made if isinstance(made, dict) else {"main" + row.ending: made}
    if not folder.exists():
        for name, text in files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
    main = str(folder / next(iter(files)))
    words = [w.replace("{n}", str(size)).replace("{folder}", str(folder)) for w in row.words]
    match row.verb:
        case "why":
            return ["compile", "--jobs", _job(row, main, folder, words)]
        case "impact":
            where, *rest = words
            return ["impact", f"{main}:{where}", "--of", main, *rest]
        case "diff":
            other = folder / ("other" + row.ending)
            if not other.exists():
                made = row.make(size + size // 2 + 1)
                other.write_text(made if isinstance(made, str) else made[next(iter(made))])
            return ["diff", main, str(other), *words]
        case "lookup":
            return ["lookup", *words]
    return [row.verb, main, *words]


def _job(row: Row, main: str, folder: Path, words: list[str]) -> str:
    """A job that asks for the causes of every value; each option is a field."""
    fields = {
        word.removeprefix("--"): int(value) if value.isdigit() else value
        for word, value in zip(words[::2], words[1::2], strict=True)
    }
    path = folder / "jobs.json"
    path.write_text(json.dumps({"file": main, "why": "compact", **fields}) + "\n")
    return str(path)
