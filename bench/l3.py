"""Cost per candidate of composing L3 components, from 1,000 to 200,000 candidates.

A program has machines, each composed of five components of 200 labels, so a machine has
1,000 candidates; in a third of the labels the components differ, and constraints rank
their tags; one component of ten is a default.  Each size runs in processes of its own, imports and
first calls left out; the figure is the best of three.  Then the goal of the project: one
composition of 1,000 components of 200 labels.
"""

from __future__ import annotations

import subprocess
import sys
import time

from given import nothing
from headwater.ask import Request, compile_request
from headwater.text import Source

LABELS = 200
COMPONENTS = 5
SIZES = (1, 2, 10, 20, 50, 100, 200)


def program(components: int, each: int, labels: int = LABELS) -> str:
    """Components, and compositions of `each` of them."""
    parts: list[str] = []
    for i in range(components):
        parts.append(f"c{i}: {{")
        for j in range(labels):
            contested = j % 3 == 0
            value = f"{(i * 7 + j) % 5} #t{i % 9}" if contested else f"{j % 5}"
            parts.append(f"  l{j}: {value}")
        parts.append("} #default" if i % 10 == 0 else "}")
    for start in range(0, components, each):
        operands = " <+> ".join(f"$c{i}" for i in range(start, start + each))
        ranks = " > ".join(f"#t{k}" for k in range(9))
        parts.append(f"m{start}: ({operands}) {ranks}")
    return "\n".join(parts)


def once(components: int, each: int) -> None:
    """One compilation in this process; prints its seconds."""
    compile_request(Request(sources=(Source("warm.l3", program(2, 2, 9)),)))
    source = Source("bench.l3", program(components, each))
    start = time.process_time()
    compiled = compile_request(Request(sources=(source,)))
    seconds = time.process_time() - start
    assert compiled.outcome.result is not None
    print(seconds)


def best(components: int, each: int) -> float:
    """The best of three processes."""
    command = [sys.executable, __file__, "--once", str(components), str(each)]
    return min(float(subprocess.check_output(command, text=True)) for _ in range(3))


def main() -> None:
    """All sizes."""
    if sys.argv[1:2] == ["--once"]:
        once(int(sys.argv[2]), int(sys.argv[3]))
        return
    nothing(__doc__)
    print(f"l3: machines of {COMPONENTS} components with {LABELS} labels each")
    costs: list[float] = []
    for machines in SIZES:
        candidates = machines * COMPONENTS * LABELS
        seconds = best(machines * COMPONENTS, COMPONENTS)
        costs.append(seconds / candidates)
        print(f"  {candidates:>7,} candidates: {seconds:7.3f} s, {costs[-1] * 1e6:5.1f} µs each")
    print(f"  largest cost / smallest cost: {max(costs) / min(costs):.2f} (goal under 1.5)")
    wide = best(1000, 1000)
    print(f"l3: one composition of 1,000 components with {LABELS} labels each")
    print(f"  {1000 * LABELS:>7,} candidates: {wide:7.3f} s (goal under 10)")


if __name__ == "__main__":
    main()
