"""A fleet: a repository of sixty classes, twelve roles and ten thousand nodes (tests/thousands.py).

Every catalog holds its node's name, so that none is shared whole.  Times are processor times of all
processes of a command, from its start; Puppet is warm, in one process that keeps what it parsed,
and its catalogs are compared with ours.  Both in turn, the best of some rounds.

usage: python bench/fleet.py [--nodes N] [--few N] [--puppet N] [--rounds N]
"""

from __future__ import annotations

import compileall
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "tests"))

import thousands  # noqa: E402
from given import parser  # noqa: E402
from headwater.ask.collector import paused_collector  # noqa: E402
from headwater.ask.compile import compile_request  # noqa: E402
from headwater.ask.request import Request  # noqa: E402
from headwater.fleet.affected import known_readers, touched_by  # noqa: E402
from headwater.fleet.difference import requests_here  # noqa: E402
from headwater.fleet.edits import edited  # noqa: E402
from headwater.fleet.identity import Identities  # noqa: E402
from headwater.fleet.kept import kept_for  # noqa: E402
from headwater.fleet.sides import Side  # noqa: E402
from headwater.fleet.site import find_site  # noqa: E402
from headwater.langs import language_named  # noqa: E402
from headwater.langs.forgetting import forget  # noqa: E402
from headwater.text.moment import at_one_moment  # noqa: E402
from headwater.text.reads import Reads, noting  # noqa: E402
from headwater.text.standin import Edits  # noqa: E402
from peers.puppet import ABSENT, installed  # noqa: E402
from warm_puppet import Puppet  # noqa: E402

EDIT = "data/common.yaml:service7::servers=[changed.example.com]"


STARTER = """
import os, sys
child = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ)
_, status, used = os.wait4(child, 0)
assert status == 0
print(used.ru_utime + used.ru_stime, used.ru_maxrss)
"""
"""A small process between: one that is started by a large process counts that one's memory too."""


class Used:
    """What a command used: processor seconds of all its processes, seconds, megabytes of one."""

    def __init__(self, words: list[str], folder: Path) -> None:
        began = time.perf_counter()
        ran = subprocess.run([sys.executable, "-I", "-S", "-c", STARTER, *words], cwd=folder,
                             stdout=subprocess.PIPE, text=True, check=True)  # fmt: skip
        self.passed = time.perf_counter() - began
        self.said, _, last = ran.stdout.rstrip().rpartition("\n")
        seconds, kilobytes = last.split()
        self.seconds, self.megabytes = float(seconds), int(kilobytes) / 1024


def headwater(folder: Path, *words: str) -> Used:
    """Runs a command."""
    return Used([str(Path(sys.executable).with_name("headwater")), *words], folder)


def told(what: str, found: str, goal: str, met: bool) -> bool:
    """Prints a figure beside its goal."""
    print(f"{what}: {found} (goal {goal}){'' if met else '  MISSED'}", flush=True)
    return met


def first_compile(folder: Path, names: list[str], scratch: Path, rounds: int) -> tuple[bool, Used]:
    """All nodes for the first time, and some of them in Puppet, in turn; the best of each."""
    site = find_site()
    assert site is not None
    puppet = Puppet(folder.parent, folder.name, scratch)
    differ = puppet.differ(site, names)  # after which everything is parsed
    ours: list[Used] = []
    theirs: list[float] = []
    for _ in range(rounds):
        shutil.rmtree(folder / ".headwater", ignore_errors=True)
        ours.append(headwater(folder, "fleet", "compile"))
        theirs.append(sum(puppet.compile(name)["seconds"] for name in names) / len(names))
    puppet.close()
    first = min(ours, key=lambda one: one.seconds)
    count = len(site.inventory.names)
    each, their = first.seconds / count, min(theirs)
    print(f"{count:,} nodes, first: {first.seconds:.1f} s of processor, {first.passed:.1f} s")
    equal = f"{len(names) - differ} of {len(names)} catalogs equal"
    words = f"{their / each:.1f} times ({their * 1000:.1f} ms against {each * 1000:.1f}; {equal})"
    met = their / each >= 10 and differ == 0
    return told("first compile, a node, Puppet over ours", words, "10", met), first


def recording(names: list[str]) -> bool:
    """What it costs to note what is read, while the same nodes are compiled with and without."""
    site = find_site()
    assert site is not None
    sums = [0.0, 0.0]
    with at_one_moment(), paused_collector():
        for turn in range(4):
            for at, name in enumerate(names):
                for noted in ((0, 1), (1, 0))[(turn + at) % 2]:
                    request = site.request(Request(), name)
                    began = time.process_time()
                    with noting(Reads() if noted else None):
                        compiled = compile_request(request)
                    sums[noted] += time.process_time() - began if turn else 0.0
                    forget(compiled.outcome)
    ratio = sums[1] / sums[0]
    return told("noting what is read, over not noting it", f"{ratio:.3f}", "1.05", ratio <= 1.05)


def two_workers(folder: Path, rounds: int) -> bool:
    """What a second worker gains, beside what a second process of Python alone gains."""
    rows = [
        [headwater(folder, "fleet", "compile", "--fresh", "--processes", n).passed
         for n in ("1", "2")] + [loop(1), loop(2)]
        for _ in range(rounds)
    ]  # fmt: skip
    one, two, alone, both = (min(row[at] for row in rows) for at in range(4))
    gain, ideal = one / two, alone / both
    words = f"{gain / ideal:.2f} of a loop's gain ({gain:.2f} against {ideal:.2f})"
    return told("two workers over one", words, "0.85", gain / ideal >= 0.85)


def who(folder: Path, names: list[str], few: int) -> bool:
    """Who is affected by one key, and whether that is so."""
    kept = kept_for(".")
    language = language_named("puppet")
    began = time.process_time()
    requests = requests_here(Request(), None)
    assert kept is not None
    readers, known = known_readers(kept, requests, language)
    loaded = time.process_time() - began
    assert len(known) == len(names), "every node is known"
    best = 9.0
    for _ in range(3):
        began = time.process_time()
        edits = edited([EDIT], language).files
        side = Side("edited", Edits(edits))
        hit = readers.affected(touched_by(edits), Identities(side, language))
        best = min(best, time.process_time() - began)
    kept.end()
    changed = set()
    chosen = names[:: max(1, len(names) // few)][:few]  # of all roles
    for name in chosen:
        request = requests[name]
        before = compile_request(request).outcome.result
        with side.here():
            after = compile_request(request).outcome.result
        assert before is not None
        assert after is not None
        if before.get(()) != after.get(()):
            changed.add(name)
    right = bool(changed) and changed <= hit
    words = (
        f"{best * 1000:.0f} ms of {len(names):,} nodes, {len(hit):,} affected; of {len(chosen):,} "
    )
    words += f"compiled, {len(changed):,} change, {len(hit & set(chosen)):,} were named"
    met = told("who is affected by one key", words, "250 ms, none missed", best <= 0.25 and right)
    print(f"  (reading the index, with every read set tried: {loaded:.2f} s)")
    return met


def loop(processes: int) -> float:
    """The seconds that a loop in Python alone takes in so many processes."""
    code = f"s = 0\nfor i in range({12_000_000 // processes}):\n    s += i * i % 7\n"
    began = time.perf_counter()
    running = [subprocess.Popen([sys.executable, "-c", code]) for _ in range(processes)]
    for one in running:
        one.wait()
    return time.perf_counter() - began


def main() -> int:
    """Prints the figures; 1 if a goal is missed."""
    told_to = parser(__doc__)
    told_to.add_argument("--nodes", type=int, default=10_000)
    told_to.add_argument("--few", type=int, default=1_000)
    told_to.add_argument("--puppet", type=int, default=100)
    told_to.add_argument("--rounds", type=int, default=2)
    given = told_to.parse_args()
    compileall.compile_dir(str(HERE.parent / "src"), quiet=1)
    met = True
    with tempfile.TemporaryDirectory() as around:
        folder, scratch = Path(around) / "envs" / "control", Path(around) / "scratch"
        scratch.mkdir()
        names = thousands.write(folder, given.few)
        os.chdir(folder)
        some = names[:: max(1, given.few // given.puppet)][: given.puppet]
        if installed() and shutil.which("ruby"):
            done, first = first_compile(folder, some, scratch, given.rounds)
            met &= done
        else:
            print(f"skipped: {ABSENT}")
            first = headwater(folder, "fleet", "compile")
        again = headwater(folder, "fleet", "compile")
        assert f"{given.few:,} known" in again.said, again.said
        met &= told("nothing changed, 1,000 nodes", f"{again.seconds / given.few * 1000:.2f} s",
                    "1 s", again.seconds / given.few <= 0.001)  # fmt: skip
        met &= recording(some)
        met &= two_workers(folder, given.rounds)
        names = thousands.write(folder, given.nodes)
        rest = headwater(folder, "fleet", "compile")
        print(f"{given.nodes:,} nodes, the rest: {rest.seconds:.1f} s of processor, "
              f"{rest.megabytes:.0f} MB")  # fmt: skip
        shutil.rmtree(folder / ".headwater")
        all_of_them = headwater(folder, "fleet", "compile")
        print(f"{given.nodes:,} nodes, all for the first time: {all_of_them.seconds:.1f} s")
        more = headwater(folder, "fleet", "compile")
        met &= told(f"nothing changed, {given.nodes:,} nodes", f"{more.seconds:.1f} s",
                    f"{given.nodes / 1000:.0f} s", more.seconds <= given.nodes / 1000)  # fmt: skip
        grown = max(all_of_them.megabytes / first.megabytes, more.megabytes / again.megabytes)
        words = f"{grown:.2f} times ({first.megabytes:.0f} and {all_of_them.megabytes:.0f} MB for "
        words += (
            f"the first time, {again.megabytes:.0f} and {more.megabytes:.0f} MB with all known)"
        )
        met &= told("peak memory of a process, all nodes over few", words, "1.2", grown <= 1.2)
        met &= who(folder, names, given.few)
    print(f"peak memory here: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
