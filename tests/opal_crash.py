"""Workers that commit to one store and may be killed at any moment.

A worker has a list of ids to commit, and a file of those that were acknowledged to it.  When
it is started again it goes on with the first id that is not in the file: that one may be
committed or not, and trying again must do it exactly once.
"""

from __future__ import annotations

import os
import random
import signal
import sys
import time
import traceback
from collections.abc import Callable
from pathlib import Path

from headwater.langs.opal.runtime import worlds
from headwater.langs.opal.runtime.endorsing import Session
from headwater.langs.opal.runtime.run import Program, run
from headwater.langs.opal.values import Heap, elements, from_plain
from headwater.store import Store
from headwater.text import Source

BEGIN = (
    "with n do {{ handle n.set{k} := f with () merging set3 in {{ f }}; n.count{k} := ();"
    " handle n.was := f with () merging hyp in {{ f }} }}"
)

COUNT = """
with n do {{
  handle n.old := save with n.count{k} merging refuse in {{
    save;
    handle n.count{k} := add with ("{id}" . n.old) merging refuse in {{ add }}
  }}
}}
"""

ADD = """
u := hyp {{
  with n do {{
    handle n.was := save with n.set{k} merging hyp in {{
      save;
      handle n.set{k} := add with ("{id}" . n.was) merging set3 in {{ add }}
    }}
  }}
}}
"""


def prepare(path: Path, keys: int) -> None:
    """A store with so many counters and sets."""
    with Store.open(path, create=True) as store:
        for k in range(keys):
            text = BEGIN.format(k=k)
            ran = run(store, Program(Source("begin", text), f"begin{k}", ext=True), Session("n"))
            assert ran.committed is not None, ran.diagnostics


def commit_one(store: Store, id: str, keys: int) -> int:
    """One program for odd ids; for even ones a world that another commit makes good."""
    number = int(id.rpartition("-")[2])
    session = Session("n")
    template = COUNT if number % 2 else ADD
    text = template.format(k=number // 2 % keys, id=id)
    ran = run(store, Program(Source("worker", text), id, ext=True), session)
    assert ran.committed is not None, ran.diagnostics
    if number % 2 == 0:
        ran = worlds.commit(store, f"{id}.u", session)
        assert ran.committed is not None, ran.diagnostics
    return ran.committed.entry.revision  # type: ignore[union-attr]


def work(path: Path, ids: list[str], acknowledged: Path, keys: int, dies: Callable[[str], None]
         ) -> None:  # fmt: skip
    """Commits what is not acknowledged yet."""
    known = {line.split()[0] for line in read_lines(acknowledged)}
    with Store.open(path, observer=dies, patience=60) as store, acknowledged.open("a") as file:
        for id in ids:
            if id not in known:
                revision = commit_one(store, id, keys)
                file.write(f"{id} {revision}\n")
                file.flush()


def read_lines(file: Path) -> list[str]:
    """Whole lines only: the last one may have been cut off by a kill."""
    text = file.read_text() if file.exists() else ""
    return text.splitlines() if text.endswith("\n") else text.splitlines()[:-1]


def fork(action: Callable[[], None]) -> int:
    """Runs an action in a process of its own."""
    pid = os.fork()
    if pid == 0:
        try:
            action()
        except BaseException:  # noqa: BLE001 - the child must never return into the test
            traceback.print_exc(file=sys.stderr)
            os._exit(1)
        os._exit(0)
    return pid


def kill_self() -> None:
    """The end, without any cleaning up."""
    os.kill(os.getpid(), signal.SIGKILL)
    time.sleep(60)


def race(
    path: Path, workers: int, each: int, keys: int, chance: float, seed: int
) -> dict[str, int]:
    """Workers that race and are killed at random statements and at random moments.

    Gives what was acknowledged: id to revision.
    """
    prepare(path, keys)
    rng = random.Random(seed)
    files = [path.with_name(f"acknowledged{w}") for w in range(workers)]
    ids = [[f"w{w}-{n}" for n in range(each)] for w in range(workers)]
    kills = 0

    def start(worker: int) -> int:
        own = random.Random(rng.random())

        def dies(_: str) -> None:
            if own.random() < chance:
                kill_self()

        return fork(lambda: work(path, ids[worker], files[worker], keys, dies))

    running = {start(w): w for w in range(workers)}
    while running:
        pid, status = os.waitpid(-1, os.WNOHANG) if rng.random() < 0.9 else (0, 0)
        if pid in running:
            worker = running.pop(pid)
            if os.WIFSIGNALED(status):
                kills += 1
                running[start(worker)] = worker
            else:
                assert os.WEXITSTATUS(status) == 0
        elif rng.random() < 0.01 and running:
            # From outside too, wherever the worker is.
            os.kill(rng.choice(sorted(running)), signal.SIGKILL)
        time.sleep(0.01)
    assert kills
    found = {}
    for file in files:
        for line in read_lines(file):
            id, _, revision = line.partition(" ")
            found[id] = int(revision)
    return found


def counted(store: Store, prefix: str, keys: int) -> list[str]:
    """The elements of all counters or sets."""
    import json

    found: list[str] = []
    for k in range(keys):
        version = store.read(f"n.{prefix}{k}")
        assert version is not None
        parts = elements(from_plain(Heap(), json.loads(version.value), atoms=True))
        assert parts is not None
        found += [str(part.atom) for part in parts]
    return found
