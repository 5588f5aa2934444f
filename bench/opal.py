"""Speed of Opal: operations per second of both engines, and growth with size and depth.

Every figure is the best of three runs (one, for the paper on large programs) in seconds
of processor time, which other work on the machine disturbs less, with the garbage collector
paused as `headwater compile` pauses it.  Rates are of running alone; parsing and checking
are in the sum behind them.  The engines run the same programs and must give the same
stores.  Growth is the cost per operation of the largest program divided by that of the
smallest: 1.0 is linear.  The paper's checker copies its scopes, so it is left out where
very many worlds are live.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from typing import TypeVar

from given import nothing
from headwater.ask.collector import paused_collector
from headwater.langs.opal.engine.check import check as engine_check
from headwater.langs.opal.engine.run import evaluate as engine_run
from headwater.langs.opal.inputs import Inputs
from headwater.langs.opal.paper.run import evaluate as paper_run
from headwater.langs.opal.paper.typing import check as paper_check
from headwater.langs.opal.parser import parse
from headwater.langs.opal.syntax import Com
from headwater.langs.opal.values import plain
from headwater.langs.opal.writes import Finished
from headwater.text import Source

T = TypeVar("T")
INPUTS = Inputs()


def within_handle(body: str) -> str:
    """A program around a body that counts."""
    head = "with n do { handle n.x := inc with (() . n.x) merging o h c to n.h in { "
    return head + body + " } }"


def operations(count: int) -> str:
    """So many operations in a row, a third of them committed from a world, some after a test."""
    part = "inc; commit hyp { inc }; if () in n.x then { inc } else { skip }"
    return within_handle("; ".join([part] * (count // 3)))


def nested(depth: int) -> str:
    """Worlds inside worlds, each with an operation and a commit."""
    return within_handle("u := hyp { inc; " * depth + "inc" + " }; commit u" * depth)


def side_by_side(count: int) -> str:
    """So many worlds that are all live before the first of them is committed."""
    worlds = "; ".join(f"w{i} := hyp {{ inc }}" for i in range(count))
    return within_handle(worlds + "; " + "; ".join(f"commit w{i}" for i in range(count)))


def variables(count: int) -> str:
    """So many variables in one store, each with a world of its own."""
    handle = "handle n.x{} := f with () merging o h c to n.h in {{ f; commit hyp {{ f }} }}"
    return "with n do { " + "; ".join(handle.format(i) for i in range(count)) + " }"


def program(text: str) -> Com:
    """A text as a program."""
    found = parse(Source("bench.opal", text))
    assert found.program is not None
    return found.program


def best(action: Callable[[], T], runs: int = 3) -> tuple[float, T]:
    """The shortest time of some runs, and what the last one gave."""
    times = []
    for _ in range(runs):
        gc.collect()
        with paused_collector():
            start = time.process_time()
            made = action()
            times.append(time.process_time() - start)
    return min(times), made


def stores(finished: Finished) -> object:
    """What must be equal."""
    assert finished.store is not None
    return {place: plain(bound.value) for place, bound in finished.store.items()}


def measure(name: str, text: str, count: int, *, paper: bool) -> dict[str, float]:
    """One program with everything; seconds by what was done."""
    parsing, c = best(lambda: program(text))
    took = {"parse": parsing}
    took["check"], found = best(lambda: engine_check(c))
    took["engine"], fast = best(lambda: engine_run(c, INPUTS, tracing=False))
    took["engine, traced"], traced = best(lambda: engine_run(c, INPUTS, tracing=True))
    assert stores(fast) == stores(traced)
    if paper:
        assert found == paper_check(c).diagnostics
        took["paper"], slow = best(lambda: paper_run(c, INPUTS), runs=1 if count > 20_000 else 3)
        assert stores(fast) == stores(slow)
    rate = ", ".join(
        f"{key} {count / took[key]:,.0f}/s"
        for key in ("engine", "engine, traced", "paper")
        if key in took
    )
    whole = took["parse"] + took["check"] + took["engine"]
    print(f"  {name}: {rate}; parse, check and run {whole:.2f} s", flush=True)
    return took


def growth(
    title: str, make: Callable[[int], str], sizes: tuple[int, ...], unit: str, *, paper: bool = True
) -> None:
    """The same kind of program at several sizes."""
    print(f"opal: {title}")
    rows = {size: measure(f"{size:,} {unit}", make(size), size, paper=paper) for size in sizes}
    small, large = sizes[0], sizes[-1]
    for key in rows[large]:
        ratio = (rows[large][key] / large) / (rows[small][key] / small)
        print(f"  growth of {key} from {small:,} to {large:,} {unit}: {ratio:.2f}")
    if paper:
        ratio = rows[large]["paper"] / rows[large]["engine"]
        print(f"  engine over paper at {large:,} {unit}: {ratio:.1f} times as fast")


def main() -> None:
    """All of it."""
    nothing(__doc__)
    growth("operations in a row", operations, (1_000, 10_000, 100_000), "operations")
    growth("worlds inside worlds", nested, (100, 300, 1_000), "levels")
    growth("worlds side by side", side_by_side, (300, 3_000, 30_000), "worlds", paper=False)
    growth("variables side by side", variables, (300, 3_000, 30_000), "variables", paper=False)


if __name__ == "__main__":
    main()
