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
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "tests"))

import fifty  # noqa: E402
from headwater.ask.compile import compile_request  # noqa: E402
from headwater.ask.request import Request  # noqa: E402
from headwater.fleet.check import check_site, pool_for  # noqa: E402
from headwater.fleet.site import Site, find_site  # noqa: E402
from headwater.fleet.workers import Pool  # noqa: E402
from peers.catalogs import SERVER, difference  # noqa: E402
from peers.puppet import ABSENT, installed  # noqa: E402

GOAL = 12.0
COMPARED = 10
SETTINGS = {**SERVER, "strict": "error", "strict_variables": True}


class Puppet:
    """Real Puppet, warm, for the nodes of one environment."""

    def __init__(self, around: Path, name: str, scratch: Path) -> None:
        script = str(HERE / "puppet_compiler" / "nodes.rb")
        facts = str(around / name / "facts")
        self.process = subprocess.Popen(
            ["ruby", script, str(around), name, facts, str(scratch)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip

    def compile(self, node: str, catalog: Path | None = None) -> dict[str, float]:
        """What one compilation took."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(f"{node} {catalog or '-'}\n")
        self.process.stdin.flush()
        answer: dict[str, float] = json.loads(self.process.stdout.readline())
        return answer

    def close(self) -> None:
        """Ends the process."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait()


def same(site: Site, names: list[str], puppet: Puppet, scratch: Path) -> int:
    """How many of the catalogs of some nodes differ; says in what."""
    differ = 0
    for name in names:
        path = scratch / f"{name}.json"
        puppet.compile(name, path)
        real: dict[str, Any] = json.loads(path.read_text())
        for key in ("version", "catalog_uuid"):
            real.pop(key, None)
        request = site.request(ASKED, name)
        result = compile_request(request).outcome.result
        assert result is not None
        ours = {"ok": True, "catalog": result.plain()}
        found = difference({"ok": True, "catalog": real}, ours)
        if found is not None:
            differ += 1
            print(f"{name}: the catalogs differ: {found[:300]}")
    return differ


ASKED = Request(inputs={"puppet": 7, "settings": SETTINGS})


def checked(site: Site, pool: Pool) -> float:
    """The seconds that pass while everything is checked."""
    began = time.perf_counter()
    found = check_site(site, (), ASKED, pool=pool)
    took = time.perf_counter() - began
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
    rounds = int(sys.argv[sys.argv.index("--rounds") + 1]) if "--rounds" in sys.argv else 5
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
        differ = same(site, names[:: len(names) // COMPARED][:COMPARED], puppet, scratch)
        theirs, ours, alone, cold = [], [], [], []
        both, one = pool_for(site, ASKED), pool_for(site, ASKED, processes=1)
        checked(site, both)
        for _ in range(rounds):
            theirs.append([puppet.compile(name) for name in names])
            ours += [checked(site, both) for _ in range(3)]
            alone.append(checked(site, one))
            cold.append(command(envs / "control"))
        puppet.close()
        both.close()
    passed = min(sum(one["passed"] for one in each) for each in theirs)
    used = min(sum(one["seconds"] for one in each) for each in theirs)
    ratio = passed / min(ours)
    missed = ratio < GOAL or differ > 0
    print(
        f"50 nodes: Puppet {passed:.2f} s ({used:.2f} s of processor), ours {min(ours):.3f} s on "
        f"{os.cpu_count()} processors, {ratio:.1f} times as fast (goal {GOAL:.0f})"
        f"{'  MISSED' if missed else ''}"
    )
    print(
        f"{COMPARED - differ} of {COMPARED} catalogs compared are equal; one process "
        f"{min(alone):.3f} s; the command from its start {min(cold):.2f} s"
    )
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
