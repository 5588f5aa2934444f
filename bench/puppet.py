"""The Puppet compiler against real Puppet 7.23: time and memory, in the same run.

Warm: one process each, which keeps what it has parsed, compiling in turn; what counts is the
best processor time of each, because the machine may be shared.  Puppet's time is that of
`Compiler.compile` and of its catalog as JSON; ours is `headwater compile --jobs - --unchanged` from
the line of the job to the line of the answer.  Both are told that files do not change meanwhile
(Puppet by `environment_timeout = unlimited`).  Cold: the two commands.  A time counts only when
both catalogs are equal: resources, parameters, tags, edges, classes, order.

usage: python bench/puppet.py [WORKLOAD …] [--rounds N]
"""

from __future__ import annotations

import compileall
import json
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "tests"))

from given import one_of, parser  # noqa: E402
from peers.catalogs import difference  # noqa: E402
from peers.puppet import ABSENT, installed  # noqa: E402
from puppet_compiler import peer, real, workloads  # noqa: E402

WARM = {"many_5000": 16.0, "class_tree": 12.0, "lambda_heavy": 16.0, "collectors": 16.0,
        "deep_interp": 12.0, "class_tree_alone": None, "real_50": 6.0, "real_200": 6.0}  # fmt: skip
"""How many times as fast as Puppet each must be, where there is a goal."""
REAL = ("real_50", "real_200", "fleet")
"""With Debian's modules, where they are installed."""
FLEET, FLEET_RATIO = 250, 8.0
COLD = ("single", "small", "class_tree", "many_5000")
COLD_RATIO, COLD_BARE, VERSION_BARE = 10.0, 5.0, 3.0
"""Commands: times as fast as Puppet; and how many times bare ``python -c pass`` a small one and
``--version`` may take."""
PASS = [sys.executable, "-c", "pass"]
MEMORY, RECORDING, GROWTH = 0.5, 1.15, 1.3


class Bench:
    """One run: its folders, and how many goals were missed."""

    def __init__(self, folder: Path, rounds: int) -> None:
        self.envs = folder / "envs"
        self.scratch = folder / "scratch"
        self.rounds = rounds
        self.missed = 0
        self.envs.mkdir()
        self.scratch.mkdir()

    def env(self, name: str) -> str:
        """Writes an environment once."""
        if not (self.envs / name).exists():
            workloads.write(self.envs, name)
        return name

    def judge(self, good: bool) -> str:
        """A mark for the line."""
        self.missed += not good
        return "" if good else "  MISSED"

    def same(self, theirs: Path, ours: Path) -> bool:
        """Whether two catalogs are equal; says in what they differ."""
        real: dict[str, Any] = json.loads(theirs.read_text())
        for key in ("version", "catalog_uuid"):
            real.pop(key, None)
        mine = json.loads(ours.read_text())
        found = difference({"ok": True, "catalog": real}, {"ok": True, "catalog": mine})
        if found is not None:
            self.missed += 1
            print(f"  the catalogs differ: {found[:300]}")
        return found is None

    def warm(self, name: str, goal: float | None) -> None:
        """Both sides in one process each, in turn."""
        self.env(name)
        theirs = peer.puppet(self.envs, name, self.scratch)
        ours = peer.Jobs(self.envs, name)
        a, b = self.scratch / "theirs.json", self.scratch / "ours.json"
        theirs.compile(a)
        ours.compile(b)
        if self.same(a, b):
            real: list[float] = []
            mine: list[float] = []
            for _ in range(self.rounds):
                answer = theirs.compile()
                real.append(answer["compile"] + answer["write"])
                mine += [ours.compile() for _ in range(3)]
            p, h = min(real), min(mine)
            spread = [sorted(each)[len(each) // 2] / min(each) for each in (real, mine)]
            print(
                f"{name:16} {answer['resources']:6} resources: Puppet {1e3 * p:6.0f} ms, "
                f"ours {1e3 * h:6.1f} ms, {p / h:5.1f} times as fast "
                f"(medians {100 * spread[0] - 100:.0f} and {100 * spread[1] - 100:.0f} % above; "
                f"{'no goal' if goal is None else f'goal {goal:.0f}'})"
                f"{self.judge(goal is None or p / h >= goal)}",
                flush=True,
            )
        theirs.close()
        ours.close()

    def fleet(self) -> None:
        """Nodes with a class of Debian's modules each, one after the other, in one process each.

        The first round is not counted, nor are nodes that Puppet refuses.
        """
        self.env("fleet")
        theirs = peer.puppet(self.envs, "fleet", self.scratch)
        ours = peer.Jobs(self.envs, "fleet")
        looking = peer.Jobs(self.envs, "fleet", looking=True)
        a, b = self.scratch / "theirs.json", self.scratch / "ours.json"
        nodes: list[str] = []
        for number in range(real.FLEET):
            node = real.name(number)
            try:
                theirs.compile(a, node)
            except peer.Refused:
                continue
            looking.compile(None, node)
            ours.compile(b, node)
            if self.same(a, b):
                nodes.append(node)
            if len(nodes) == FLEET:
                break
        p = h = looked = 0.0
        for node in nodes:
            answers = [theirs.compile(None, node) for _ in range(self.rounds)]
            p += min(answer["compile"] + answer["write"] for answer in answers)
            h += min(ours.compile(None, node) for _ in range(self.rounds))
            looked += min(looking.compile(None, node) for _ in range(self.rounds))
        good = self.judge(p / h >= FLEET_RATIO)
        print(
            f"{'fleet':16} {len(nodes):6} nodes: Puppet {p:.1f} s, ours {h:.2f} s, "
            f"{p / h:5.1f} times as fast (goal {FLEET_RATIO:.0f}){good}; "
            f"with a look at every file for each {looked:.2f} s, {p / looked:.1f} times",
            flush=True,
        )
        theirs.close()
        ours.close()
        looking.close()

    def cold(self, name: str) -> None:
        """Both commands, with the caches of the file system and our own warm."""
        self.env(name)
        a, b = self.scratch / "theirs.json", self.scratch / "ours.json"
        real_command = peer.puppet_command(self.envs, name, self.scratch)
        command = peer.headwater_command(self.envs, name)
        peer.measured(command, b)
        real, mine = [], []
        for _ in range(3):
            real.append(peer.measured(real_command, a))
            mine += [peer.measured(command, b) for _ in range(4)]
        if not self.same(a, b):
            return
        p, h = best(real, "cpu"), best(mine, "cpu")
        bare = best([peer.measured(PASS, b) for _ in range(6)], "cpu")
        small = name in ("single", "small")
        good = p / h >= COLD_RATIO and (not small or h / bare <= COLD_BARE)
        memory = best(mine, "mb") / best(real, "mb")
        print(
            f"{name:16} command: Puppet {1e3 * p:6.0f} ms, ours {1e3 * h:5.0f} ms of processor "
            f"({1e3 * best(real, 'wall'):.0f} and {1e3 * best(mine, 'wall'):.0f} ms passed), "
            f"{p / h:.1f} times as fast, {h / bare:.1f} times bare Python{self.judge(good)}; "
            f"memory {best(real, 'mb'):.0f} and {best(mine, 'mb'):.0f} MB, "
            f"{memory:.2f} times (goal {MEMORY})"
            f"{self.judge(memory <= MEMORY)}",
            flush=True,
        )

    def version(self) -> None:
        """``--version`` against Python that does nothing."""
        out = self.scratch / "version"
        command = [str(Path(sys.executable).with_name("headwater")), "--version"]
        mine, bare = [], []
        for _ in range(8):
            mine.append(peer.measured(command, out))
            bare.append(peer.measured(PASS, out))
        ratio = best(mine, "cpu") / best(bare, "cpu")
        print(f"--version: {1e3 * best(mine, 'cpu'):.0f} ms of processor, {ratio:.1f} times bare "
              f"Python (goal {VERSION_BARE:.0f}){self.judge(ratio <= VERSION_BARE)}",
              flush=True)  # fmt: skip

    def recording(self, name: str) -> None:
        """Our engine with and without the statements that record."""
        self.env(name)
        with_it = peer.headwater(self.envs, name)
        without = peer.headwater(self.envs, name, "unrecorded")
        on: list[dict[str, Any]] = []
        off: list[dict[str, Any]] = []
        for _ in range(self.rounds * 2 + 1):
            on.append(with_it.compile())
            off.append(without.compile())
        ratio = best(on, "compile") / best(off, "compile")
        print(f"{name:16} recording: {ratio:.2f} times (goal {RECORDING})"
              f"{self.judge(ratio <= RECORDING)}", flush=True)  # fmt: skip
        with_it.close()
        without.close()

    def growth(self) -> None:
        """What a resource costs among 1,504 and among 30,004."""
        cost = []
        for name in ("many_1000", "many_20000"):
            server = peer.headwater(self.envs, self.env(name))
            runs = [server.compile() for _ in range(self.rounds + 2)]
            cost.append(best(runs, "compile") / runs[0]["resources"])
            server.close()
        ratio = cost[1] / cost[0]
        print(f"a resource costs {1e6 * cost[0]:.0f} µs among 1,504 and {1e6 * cost[1]:.0f} µs "
              f"among 30,004: {ratio:.2f} times (goal {GROWTH})"
              f"{self.judge(ratio <= GROWTH)}", flush=True)  # fmt: skip


def best(runs: list[Any], what: str) -> float:
    """The least of some runs."""
    found: float = min(run[what] for run in runs)
    return found


def main() -> int:
    """Prints a line for each goal; 1 if one is missed."""
    known = dict.fromkeys([*WARM, *REAL, *COLD, "version"])
    told = parser(__doc__)
    told.add_argument("workloads", nargs="*", type=one_of(known), metavar="WORKLOAD")
    told.add_argument("--rounds", type=int, default=3)
    given = told.parse_args()
    args, rounds = given.workloads, given.rounds
    if not installed() or shutil.which("puppet") is None:
        print(f"skipped: {ABSENT}")
        return 0
    # An editable installation may lack what an installation has: compiled modules.
    compileall.compile_dir(str(HERE.parent / "src"), quiet=1)
    there = real.installed()
    if not there:
        print("without Debian's modules: they are not installed")
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(Path(folder), rounds)
        for name, goal in WARM.items():
            if (not args or name in args) and (there or name not in REAL):
                bench.warm(name, goal)
        if there and (not args or "fleet" in args):
            bench.fleet()
        for name in COLD:
            if not args or name in args:
                bench.cold(name)
        if not args or "version" in args:
            bench.version()
        for name in WARM:
            if (not args or name in args) and name not in REAL:
                bench.recording(name)
        if not args:
            bench.growth()
    print(f"{bench.missed} goals missed")
    return 1 if bench.missed else 0


if __name__ == "__main__":
    sys.exit(main())
