"""A repository of fifty nodes: checking all of them against real Puppet compiling them.

Puppet compiles the nodes one after the other in one warm process, which keeps what it parsed, as
a server does; what counts is the time that passes, with the catalog written as JSON.  We check the
repository, with processes that did so before, on all processors: files, nodes, circles, modules,
unused data.  Both in the same run, in turn, the best of some rounds.  Ten of the catalogs are
compared: resources, parameters, tags, edges, classes, order.  The command from its start is shown
beside it, without a goal.

usage: python bench/repository.py [--rounds N]
"""

from __future__ import annotations

import compileall
import gc
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "tests"))

import fifty  # noqa: E402
from given import parser  # noqa: E402
from headwater.fleet.check import check_site, pool_for  # noqa: E402
from headwater.fleet.site import Site, find_site  # noqa: E402
from headwater.fleet.workers import Pool  # noqa: E402
from peers.puppet import ABSENT, installed  # noqa: E402
from warm_puppet import AS_PUPPET, Puppet  # noqa: E402

GOAL = 12.0
COMPARED = 10


def checked(site: Site, pool: Pool) -> tuple[float, float]:
    """The seconds that pass while everything is checked, and those of this process's processor."""
    began, used = time.perf_counter(), time.process_time()
    found = check_site(site, (), AS_PUPPET, pool=pool)
    took = time.perf_counter() - began, time.process_time() - used
    assert found.problems == (), found.problems[:3]
    assert len(found.nodes) == 50
    return took


def command(folder: Path) -> float:
    """The seconds that pass while ``headwater check`` runs, from its start."""
    began = time.perf_counter()
    script = str(Path(sys.executable).with_name("headwater"))
    subprocess.run([script, "check"], cwd=folder, check=True, capture_output=True)
    return time.perf_counter() - began


def main() -> int:
    """Prints the figures; 1 if the goal is missed or a catalog differs."""
    told = parser(__doc__)
    told.add_argument("--rounds", type=int, default=5)
    rounds = told.parse_args().rounds
    if not installed() or shutil.which("ruby") is None:
        print(f"skipped: {ABSENT}")
        return 0
    compileall.compile_dir(str(HERE.parent / "src"), quiet=1)
    gc.set_threshold(50_000, *gc.get_threshold()[1:])  # as the command does
    with tempfile.TemporaryDirectory() as around:
        envs, scratch = Path(around) / "envs", Path(around) / "scratch"
        envs.mkdir()
        scratch.mkdir()
        names = fifty.write(envs / "control")
        (envs / "control" / "headwater.toml").write_text('[nodes]\nfacts = "facts"\n')
        os.chdir(envs / "control")
        site = find_site()
        assert site is not None
        puppet = Puppet(envs, "control", scratch)
        differ = puppet.differ(site, names[:: len(names) // COMPARED][:COMPARED])
        theirs, ours, alone, cold = [], [], [], []
        both, one = pool_for(site, AS_PUPPET), pool_for(site, AS_PUPPET, processes=1)
        checked(site, both)
        for _ in range(rounds):
            theirs.append([puppet.compile(name) for name in names])
            ours += [checked(site, both)[0] for _ in range(3)]
            alone.append(checked(site, one))
            cold.append(command(envs / "control"))
        both.close()  # its workers hold the other end of what Puppet reads from
        puppet.close()
    passed = min(sum(one["passed"] for one in each) for each in theirs)
    used = min(sum(one["seconds"] for one in each) for each in theirs)
    ratio = passed / min(ours)
    processor = min(each[1] for each in alone)
    missed = ratio < GOAL or differ > 0
    print(
        f"50 nodes: Puppet {passed:.2f} s ({used:.2f} s of processor), ours {min(ours):.3f} s on "
        f"{os.cpu_count()} processors, {ratio:.1f} times as fast (goal {GOAL:.0f})"
        f"{'  MISSED' if missed else ''}"
    )
    print(
        f"{COMPARED - differ} of {COMPARED} catalogs compared are equal; of processor, one process "
        f"{processor:.3f} s, {used / processor:.1f} times less than Puppet; the command from its "
        f"start {min(cold):.2f} s"
    )
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
