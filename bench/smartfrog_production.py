"""Cost of the production dialect per attribute of output, and how it grows.

The specification includes 200 files, each with a prototype that extends another file's and
some servers that extend it: links, late binding, placements, expressions and tags.  Each
size runs in a fresh process; the figure is the best of three runs.
"""

from __future__ import annotations

import gc
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from headwater.ask import Request, compile_request

SIZES = (5_000, 20_000, 58_000)
FILES = 200
PER_SERVER = 25


def write(folder: Path, attributes: int) -> str:
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
    main = folder / "main.sf"
    main.write_text("\n".join(lines))
    return str(main)


def once(size: int) -> None:
    """One compilation; prints attributes, seconds and peak memory in MB."""
    with tempfile.TemporaryDirectory() as name:
        main = write(Path(name), size)
        gc.collect()
        start = time.process_time()
        outcome = compile_request(Request(files=(main,), dialect="production")).outcome
        seconds = time.process_time() - start
    assert outcome.result is not None, outcome.diagnostics[0].message
    count = sum(1 for _ in outcome.result.walk())
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(count, seconds, peak)


def best(size: int, runs: int = 3) -> tuple[int, float, float]:
    """The fastest of some fresh processes."""
    rows = []
    for _ in range(runs):
        command = [sys.executable, __file__, "--once", str(size)]
        said = subprocess.check_output(command, text=True).split()
        rows.append((float(said[1]), float(said[2]), int(said[0])))
    seconds, peak, count = min(rows)
    return count, seconds, peak


def main() -> None:
    """Prints a row for each size and the growth over all of them."""
    if sys.argv[1:2] == ["--once"]:
        once(int(sys.argv[2]))
        return
    print(f"smartfrog production: {FILES} included files, every phase; CPU time, best of 3 runs")
    costs = []
    for size in SIZES:
        count, seconds, peak = best(size)
        costs.append(seconds / count)
        print(f"  {count:>7} attributes: {seconds:7.3f} s, {seconds / count * 1e6:6.1f} µs each, "
              f"peak {peak:.0f} MB")  # fmt: skip
    print(f"  growth per attribute over these sizes: {costs[-1] / costs[0]:.2f}x")
    print("  goal: 50,000 attributes in at most 10 s")


if __name__ == "__main__":
    main()
