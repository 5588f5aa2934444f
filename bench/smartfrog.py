"""Cost of the SmartFrog engine per attribute of output, and how it grows.

The specification has prototypes three deep, each server extending one and overriding,
placing and linking a few attributes.  Each size runs in a fresh process; the figure is the
best of three runs.  The reference semantics runs on the smallest size for comparison.
"""

from __future__ import annotations

import gc
import resource
import subprocess
import sys
import time

from given import nothing
from headwater.ask import Request, compile_request
from headwater.text import Source

SIZES = (1_000, 10_000, 50_000, 200_000)
PER_SERVER = 40


def specification(attributes: int) -> str:
    """A specification whose result has about that many attributes."""
    lines = ["base extends {"]
    lines += [f'  option{i} "value {i}";' for i in range(20)]
    lines += ["  log extends {", *(f"    level{i} {i};" for i in range(8)), "  }", "}"]
    lines += ["web extends base, { port 80; tls extends { enabled true; port port; } }"]
    lines += ["sfConfig extends {"]
    for n in range(attributes // PER_SERVER):
        lines += [
            f"  server{n} extends web, {{",
            f'    name "server{n}";',
            f"    option3 {n};",
            "    log:level2 port;",
            "    extra extends { " + " ".join(f"e{i} {i};" for i in range(5)) + " }",
            "    peer DATA server0:name;",
            "  }",
        ]
    return "\n".join([*lines, "}"])


def once(size: int, engine: str) -> None:
    """One compilation; prints attributes, seconds and peak memory in MB."""
    source = Source("bench.sf", specification(size))
    compile_request(Request(sources=(Source("warm.sf", specification(400)),)))
    gc.collect()
    start = time.process_time()
    outcome = compile_request(
        Request(sources=(source,), engine="paper" if engine == "paper" else "engine")
    ).outcome
    seconds = time.process_time() - start
    assert outcome.result is not None
    count = sum(1 for _ in outcome.result.walk())
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(count, seconds, peak)


def best(size: int, engine: str, runs: int = 3) -> tuple[int, float, float]:
    """The fastest of some fresh processes."""
    command = [sys.executable, __file__, "--once", str(size), engine]
    rows = []
    for _ in range(runs):
        said = subprocess.check_output(command, text=True).split()
        rows.append((float(said[1]), float(said[2]), int(said[0])))
    seconds, peak, count = min(rows)
    return count, seconds, peak


def main() -> None:
    """Prints a row for each size and the growth over all of them."""
    if sys.argv[1:2] == ["--once"]:
        once(int(sys.argv[2]), sys.argv[3])
        return
    nothing(__doc__)
    print("smartfrog: parse, evaluate and build the tree; CPU time, best of 3 runs")
    costs = []
    for size in SIZES:
        count, seconds, peak = best(size, "engine")
        costs.append(seconds / count)
        print(f"  engine {count:>7} attributes: {seconds:7.3f} s, "
              f"{seconds / count * 1e6:6.2f} µs each, peak {peak:.0f} MB")  # fmt: skip
    print(f"  growth per attribute from {SIZES[0]} to {SIZES[-1]}: {costs[-1] / costs[0]:.2f}x "
          "(goal at most 1.5x)")  # fmt: skip
    count, seconds, _ = best(SIZES[0], "paper", runs=1)
    print(f"  paper  {count:>7} attributes: {seconds:7.3f} s, "
          f"engine is {seconds / count / costs[0]:.0f}x faster")  # fmt: skip


if __name__ == "__main__":
    main()
