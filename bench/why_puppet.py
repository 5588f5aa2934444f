"""What questions about a catalog cost, as ratios to compiling the same catalog.

Each is asked of a fresh compilation in one process, as a warm one would be; what counts is the
best processor time of some rounds, because the machine may be shared.  `many_5000` has 7,504
resources and 37,502 parameters; `many_1000` tells whether the cost grows with the catalog.

usage: python bench/why_puppet.py [WORKLOAD …] [--rounds N]
"""

from __future__ import annotations

import gc
import json
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from headwater.ask.blame import blame
from headwater.ask.compile import Compiled, compile_request
from headwater.ask.document import compacted, why_document
from headwater.ask.explain import explain
from headwater.ask.impact import impact
from headwater.ask.request import Request

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from given import one_of, parser
from puppet_compiler import workloads
from puppet_compiler.peer import FACTS, NODE, SERVER

GOALS = {"compile + explain": 2.0, "blame of everything": 5.0, "impact of a line": 5.0,
         "why document": 8.0}  # fmt: skip
COMPACT = 4.0
"""So many times the bytes of the catalog the compact document may have."""


def request(env: Path) -> Request:
    """The compilation of an environment, as bench/puppet.py asks for it."""
    facts = json.loads(FACTS.read_text())
    inputs = {"env": str(env), "node": NODE, "puppet": 7, "facts": facts, "settings": SERVER}
    return Request(files=(str(env / "manifests" / "site.pp"),), inputs=inputs)


def seconds(run: Callable[[], object]) -> float:
    """The processor time of a run."""
    start = time.process_time()
    run()
    return time.process_time() - start


def questions(compiled: Compiled) -> dict[str, Callable[[], object]]:
    """The questions, each about a compilation that nobody has asked yet."""
    result = compiled.outcome.result
    assert result is not None
    addresses = [address for address, _ in result.walk()]
    middle = compiled.language.show_address(addresses[len(addresses) // 2])
    site = compiled.outcome.sources[0].name
    return {
        "compile + explain": lambda: explain(compiled, middle),
        "blame of everything": lambda: blame(compiled),
        "impact of a line": lambda: impact(compiled, site, 2),
        "why document": lambda: why_document(compiled),
    }


def measure(env: Path, rounds: int) -> int:
    """Prints the ratios of an environment; how many goals were missed."""
    asked = request(env)
    compile_request(asked)
    best = min(seconds(lambda: compile_request(asked)) for _ in range(rounds))
    print(f"{env.name}: compile {best * 1000:.0f} ms, best of {rounds}")
    missed = 0
    for name, goal in GOALS.items():
        times = []
        for _ in range(rounds):
            compiled = compile_request(asked)
            gc.collect()
            times.append(seconds(questions(compiled)[name]))
        ratio = min(times) / best + name.startswith("compile")
        missed += ratio > goal
        mark = "  MISSED" if ratio > goal else ""
        print(f"  {name:<20} {ratio:5.1f} x  (goal {goal:.0f}){mark}")
    compiled = compile_request(asked)
    assert compiled.outcome.result is not None
    catalog = len(json.dumps(compiled.outcome.result.plain(), separators=(",", ":")))
    document = why_document(compiled)
    short = len(json.dumps(compacted(document), separators=(",", ":")))
    whole = len(json.dumps(document, separators=(",", ":")))
    missed += short > COMPACT * catalog
    print(f"  bytes of the document: {whole / catalog:.1f} x the catalog, "
          f"compact {short / catalog:.1f} x (goal {COMPACT:.0f})")  # fmt: skip
    return missed


def main() -> None:
    """Measures the workloads that are named, or two that differ in size."""
    told = parser(__doc__)
    told.add_argument(
        "workloads", nargs="*", type=one_of(workloads.WORKLOADS), metavar="WORKLOAD"
    )  # fmt: skip
    told.add_argument("--rounds", type=int, default=3)
    given = told.parse_args()
    names, rounds = given.workloads or ["many_1000", "many_5000"], given.rounds
    with tempfile.TemporaryDirectory() as folder:
        missed = sum(measure(workloads.write(Path(folder), name), rounds) for name in names)
    print("all goals met" if not missed else f"{missed} goals missed")


if __name__ == "__main__":
    main()
