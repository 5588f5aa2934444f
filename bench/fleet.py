"""A fleet: a repository of sixty classes, twelve roles and ten thousand nodes (tests/thousands.py).

Every catalog holds its node's name, so that none is shared whole.  Times are processor times of all
processes of a command, from its start; Puppet is warm, in one process that keeps what it parsed,
and its catalogs are compared with ours.

usage: python bench/fleet.py [--nodes N] [--few N] [--puppet N]
"""

from __future__ import annotations

import argparse
import compileall
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "tests"))

import thousands  # noqa: E402
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
from headwater.text.standin import Edits  # noqa: E402
from peers.catalogs import SERVER, difference  # noqa: E402
from peers.puppet import ABSENT, installed  # noqa: E402
from repository import Puppet  # noqa: E402

SETTINGS = {**SERVER, "strict": "error", "strict_variables": True}
AS_PUPPET = Request(inputs={"puppet": 7, "settings": SETTINGS})
EDIT = "data/common.yaml:service7::servers=[changed.example.com]"


class Used:
    """What a command used: processor seconds of all its processes, seconds, megabytes of one."""

    def __init__(self, words: list[str], folder: Path) -> None:
        began = time.perf_counter()
        process = subprocess.Popen(words, cwd=folder, stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        self.said = process.stdout.read()
        _, status, used = os.wait4(process.pid, 0)
        assert status == 0, self.said
        self.passed = time.perf_counter() - began
        self.seconds = used.ru_utime + used.ru_stime
        self.megabytes = used.ru_maxrss / 1024


def headwater(folder: Path, *words: str) -> Used:
    """Runs a command."""
    return Used([str(Path(sys.executable).with_name("headwater")), *words], folder)


def told(what: str, found: str, goal: str, met: bool) -> bool:
    """Prints a figure beside its goal."""
    print(f"{what}: {found} (goal {goal}){'' if met else '  MISSED'}", flush=True)
    return met


def against_puppet(folder: Path, names: list[str], each: float, scratch: Path) -> bool:
    """Some of the nodes compiled by Puppet, and their catalogs compared."""
    puppet = Puppet(folder.parent, folder.name, scratch)
    site = find_site()
    assert site is not None
    for name in names[:12]:
        puppet.compile(name)  # so that every role is parsed
    took, differ = 0.0, 0
    for name in names:
        path = scratch / "catalog.json"
        took += puppet.compile(name, path)["seconds"]
        real: dict[str, Any] = json.loads(path.read_text())
        for key in ("version", "catalog_uuid"):
            real.pop(key, None)
        result = compile_request(site.request(AS_PUPPET, name)).outcome.result
        assert result is not None
        ours = {"ok": True, "catalog": result.plain()}
        found = difference({"ok": True, "catalog": real}, ours)
        if found is not None:
            differ += 1
            print(f"{name}: the catalogs differ: {found[:300]}")
    puppet.close()
    theirs = took / len(names)
    equal = f"{len(names) - differ} of {len(names)} catalogs equal"
    words = f"{theirs / each:.1f} times ({theirs * 1000:.1f} ms against {each * 1000:.1f}; {equal})"
    return told("first compile, a node, Puppet over ours", words, "10",
                theirs / each >= 10 and differ == 0)  # fmt: skip


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
        edits = edited([EDIT], language)
        side = Side("edited", Edits(edits))
        hit = readers.affected(touched_by(edits), Identities(side, language))
        best = min(best, time.process_time() - began)
    kept.end()
    changed = set()
    chosen = names[:few]
    for name in chosen:
        request = requests[name]
        before = compile_request(request).outcome.result
        with side.here():
            after = compile_request(request).outcome.result
        assert before is not None
        assert after is not None
        if before.get(()) != after.get(()):
            changed.add(name)
    right = changed <= hit
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
    parser = argparse.ArgumentParser()
    parser.add_argument("--nodes", type=int, default=10_000)
    parser.add_argument("--few", type=int, default=1_000)
    parser.add_argument("--puppet", type=int, default=100)
    given = parser.parse_args()
    compileall.compile_dir(str(HERE.parent / "src"), quiet=1)
    met = True
    with tempfile.TemporaryDirectory() as around:
        folder, scratch = Path(around) / "envs" / "control", Path(around) / "scratch"
        scratch.mkdir()
        names = thousands.write(folder, given.few)
        os.chdir(folder)
        first = headwater(folder, "fleet", "compile")
        each = first.seconds / given.few
        print(
            f"{given.few:,} nodes, first: {first.seconds:.1f} s of processor, {first.passed:.1f} s"
        )
        again = headwater(folder, "fleet", "compile")
        assert f"{given.few:,} known" in again.said, again.said
        met &= told("nothing changed, 1,000 nodes", f"{again.seconds / given.few * 1000:.2f} s",
                    "1 s", again.seconds / given.few <= 0.001)  # fmt: skip
        if installed() and shutil.which("ruby"):
            step = max(1, given.few // given.puppet)
            met &= against_puppet(folder, names[::step][: given.puppet], each, scratch)
        else:
            print(f"skipped: {ABSENT}")
        some = names[: given.few // 4]
        globs = sorted({f"{name[:-14]}*" for name in some})[:25]
        rows = [
            [headwater(folder, "fleet", "compile", "--fresh", "--processes", n, *globs).passed
             for n in ("1", "2")] + [loop(1), loop(2)]
            for _ in range(3)
        ]  # fmt: skip
        one, two, alone, both = (min(row[at] for row in rows) for at in range(4))
        gain, ideal = one / two, alone / both
        words = f"{gain / ideal:.2f} of a loop's gain ({gain:.2f} against {ideal:.2f})"
        met &= told("two workers over one", words, "0.85", gain / ideal >= 0.85)
        names = thousands.write(folder, given.nodes)
        all_of_them = headwater(folder, "fleet", "compile")
        print(f"{given.nodes:,} nodes, the rest: {all_of_them.seconds:.1f} s of processor")
        more = headwater(folder, "fleet", "compile")
        met &= told(f"nothing changed, {given.nodes:,} nodes", f"{more.seconds:.1f} s",
                    f"{given.nodes / 1000:.0f} s", more.seconds <= given.nodes / 1000)  # fmt: skip
        grown = max(all_of_them.megabytes / first.megabytes, more.megabytes / again.megabytes)
        words = f"{grown:.2f} times ({first.megabytes:.0f} and {all_of_them.megabytes:.0f} MB)"
        met &= told("peak memory of a process, all nodes over few", words, "1.2", grown <= 1.2)
        met &= who(folder, names, given.few)
    print(f"peak memory here: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
