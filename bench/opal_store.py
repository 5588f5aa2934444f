"""The durable store under Opal: commits a second, the cost of verifying, growth with size.

A commit here is a whole run: parse, check, run with a trace, one transaction that is on the
disk before it counts.  The disk decides much of it, so the same transaction with nothing but
one row in it is measured in turn, in the same folder, and every rate is also given as a share
of that.  Growth is the ratio of medians of commits taken in turn from a small and a large
store; the goal is at most 1.3.  Verifying is measured on as many commits as there are, and
told for 10,000.
"""

from __future__ import annotations

import os
import random
import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from given import nothing
from headwater.langs.opal.durable.running import verify_store
from headwater.langs.opal.runtime import worlds
from headwater.langs.opal.runtime.endorsing import Session
from headwater.langs.opal.runtime.run import Program, run
from headwater.store import Entry, Store
from headwater.text import Source

COMMITS = 300
SIZES = (1_000, 100_000)
GOAL = 1.3


def fill(path: Path, keys: int) -> None:
    """A store with so many variables, a thousand a commit."""
    with Store.open(path, create=True) as store:
        for first in range(0, keys, 1_000):
            names = [f"n.k{number}" for number in range(first, min(first + 1_000, keys))]
            with store.writing() as writing:
                revision = writing.head + 1
                details = dict.fromkeys(names, '{"action":"initial","name":""}')
                values = dict.fromkeys(names, "[1,[2,[3,[]]]]")
                writing.append(
                    Entry(revision, f"fill{revision}", "program", "n", 0, "", values, {},
                          details, {})
                )  # fmt: skip


def commit(store: Store, id: str, keys: int, rng: random.Random) -> None:
    """A program that reads one variable and writes another."""
    text = f"with n do {{ n.k{rng.randrange(keys)} := (n.k{rng.randrange(keys)} . ()) }}"
    ran = run(store, Program(Source("bench.opal", text), id, ext=True), Session("n"))
    assert ran.committed is not None, ran.diagnostics


def world(store: Store, id: str, keys: int, rng: random.Random) -> None:
    """A world that is left open by one commit and merged by the next."""
    text = f"u := hyp {{ with n do {{ n.k{rng.randrange(keys)} := [{rng.randrange(99)}] }} }}"
    ran = run(store, Program(Source("bench.opal", text), id, ext=True), Session("n"))
    assert ran.committed is not None
    ran = worlds.commit(store, f"{id}.u", Session("n"))
    assert ran.committed is not None, ran.diagnostics


def bare(path: Path, count: int) -> float:
    """Transactions a second that the disk allows: one row each, flushed."""
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("PRAGMA synchronous = FULL")
    db.execute("CREATE TABLE IF NOT EXISTS t (x)")
    began = time.perf_counter()
    for number in range(count):
        db.execute("BEGIN IMMEDIATE")
        db.execute("INSERT INTO t VALUES (?)", (number,))
        db.execute("COMMIT")
    took = time.perf_counter() - began
    db.close()
    return count / took


def processes(path: Path, count: int, each: int, keys: int) -> float:
    """Commits a second of several processes on one store."""
    began = time.perf_counter()
    children = []
    for worker in range(count):
        pid = os.fork()
        if pid == 0:
            status = 1
            try:
                rng = random.Random(worker)
                with Store.open(path, patience=120) as store:
                    for number in range(each):
                        commit(store, f"p{count}-{worker}-{number}", keys, rng)
                status = 0
            finally:
                os._exit(status)
        children.append(pid)
    assert all(os.waitpid(pid, 0)[1] == 0 for pid in children)
    return count * each / (time.perf_counter() - began)


def medians(paths: list[Path], action: Callable[[Store, str, int, random.Random], None],
            name: str) -> list[float]:  # fmt: skip
    """The median time of an action on each store, taken in turn."""
    rng = random.Random(1)
    stores = [Store.open(path) for path in paths]
    times: list[list[float]] = [[] for _ in paths]
    for number in range(COMMITS):
        for index, (store, keys) in enumerate(zip(stores, SIZES, strict=True)):
            began = time.perf_counter()
            action(store, f"{name}{number}", keys, rng)
            times[index].append(time.perf_counter() - began)
    for store in stores:
        store.close()
    return [statistics.median(found) for found in times]


def main() -> None:
    """All of it."""
    nothing(__doc__)
    with tempfile.TemporaryDirectory(prefix="headwater-bench-") as name:
        folder = Path(name)
        paths = [folder / f"{size}.db" for size in SIZES]
        for path, size in zip(paths, SIZES, strict=True):
            fill(path, size)
        disk = bare(folder / "bare.db", COMMITS)
        print(f"opal store: the disk allows {disk:,.0f} flushed transactions a second")
        for count in (1, 4):
            rate = processes(paths[0], count, COMMITS // count, SIZES[0])
            now = bare(folder / "bare.db", COMMITS // 2)
            print(
                f"  {count} process{'es' if count > 1 else ''}: {rate:,.0f} durable commits a"
                f" second ({rate / now:.0%} of the disk's {now:,.0f})",
                flush=True,
            )
        failed = False
        for title, action in (("a program", commit), ("a world, opened and committed", world)):
            small, large = medians(paths, action, title[:3].strip().replace(" ", ""))
            growth = large / small
            print(
                f"  {title}: {small * 1e3:.1f} ms with {SIZES[0]:,} variables,"
                f" {large * 1e3:.1f} ms with {SIZES[1]:,}: growth {growth:.2f} (goal {GOAL})",
                flush=True,
            )
            failed |= growth > GOAL
        began = time.perf_counter()
        found = verify_store(str(paths[0]))
        took = time.perf_counter() - began
        assert found.problems == (), found.problems
        print(
            f"  verify: {found.commits:,} commits in {took:.2f} s:"
            f" {took / found.commits * 10_000:.1f} s for 10,000 commits"
        )
        if failed:
            sys.exit("the goal was missed")


if __name__ == "__main__":
    main()
