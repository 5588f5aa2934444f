"""Cost of the provenance core: a synthetic catalog of 10,000 resources with 8 attributes each.

Every attribute depends on its literal, a class parameter, its resource's title and the
guards of its class; a tenth of the attributes override a default.  Prints build time,
extra memory and the time of an impact query (minimum and median of the runs).
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from pathlib import Path

from given import nothing
from headwater.text import Source, Span
from headwater.why import Impact, Label, Loser, Node, Trace

RESOURCES, ATTRIBUTES, CLASSES = 10_000, 8, 500


def labels(source: Source) -> list[Label]:
    """50,000 inputs, made beforehand: they are the parser's cost."""
    return [Label("literal", Span(source, i, i + 1), "x") for i in range(50_000)]


def build(given: list[Label]) -> tuple[Trace, dict[tuple[int, int], Node]]:
    """The trace of the synthetic catalog."""
    trace = Trace()
    outputs: dict[tuple[int, int], Node] = {}
    node = [trace.label(x) for x in given]
    guards: list[Node] = []
    for c in range(CLASSES):
        guards.append(trace.union(node[c], node[c + CLASSES], guards[c // 2] if c else node[0]))
    for r in range(RESOURCES):
        exists = trace.union(guards[r % CLASSES], node[1000 + r])
        for a in range(ATTRIBUTES):
            literal = node[11_000 + (r * ATTRIBUTES + a) % 39_000]
            value = trace.copy(literal, node[2000 + (r * 7 + a) % 5000])
            if (r + a) % 10 == 0:
                lost = Loser("old", node[a], "default", literal)
                value = trace.choice(value, losers=(lost,))
            outputs[r, a] = trace.guard(value, exists)
    return trace, outputs


def resident() -> float:
    """Resident memory of this process in MB."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1]) / 1024
    return float("nan")


def once() -> None:
    """One build and one query in a fresh process; prints three figures."""
    given = labels(Source("synthetic", " " * 50_001))
    before = resident()
    start = time.process_time()
    trace, outputs = build(given)
    built = time.process_time() - start
    memory = resident() - before
    start = time.process_time()
    hits = Impact(trace, outputs).of([given[7]])
    asked = time.process_time() - start
    assert hits
    print(built, memory, asked, len(trace))


def main() -> None:
    """Five fresh processes; the figures of the best and of the middle one."""
    if sys.argv[1:] == ["--once"]:
        once()
        return
    nothing(__doc__)
    command = [sys.executable, __file__, "--once"]
    rows = [
        [float(x) for x in subprocess.check_output(command, text=True).split()] for _ in range(5)
    ]
    print(f"why: {RESOURCES} resources x {ATTRIBUTES} attributes, {int(rows[0][3])} nodes, 5 runs")
    for name, column, unit, goal in (
        ("build", 0, "s", 0.5),
        ("memory", 1, "MB", 60),
        ("impact of one label", 2, "s", 0.2),
    ):
        values = [row[column] for row in rows]
        best, middle = min(values), statistics.median(values)
        print(f"  {name}: min {best:.3f} {unit}, median {middle:.3f} {unit} (goal under {goal})")


if __name__ == "__main__":
    main()
