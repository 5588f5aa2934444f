"""No acknowledged commit is lost, none happens twice, and the store is what its log says.

Processes race for one store and are killed: at every boundary between statements, and at
random.  What they were told is compared with what is there.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from headwater.langs.opal.durable.running import verify_store
from headwater.store import Store
from laws.profile import examples
from opal_crash import commit_one, counted, fork, kill_self, prepare, race


def boundaries(folder: Path, id: str) -> int:
    """How many statement boundaries a commit has, with the end."""
    path = folder / "count.db"
    shutil.copy(folder / "template.db", path)
    seen: list[str] = []
    with Store.open(path, observer=seen.append) as store:
        commit_one(store, id, 1)
    for file in folder.glob("count.db*"):
        file.unlink()
    # After one statement is before the next, but for the last.
    return sum(line.startswith("before ") for line in seen) + 1


@pytest.mark.parametrize("id", ["w0-1", "w0-0"], ids=["program", "world"])
def test_killed_at_every_statement_boundary(tmp_path: Path, id: str) -> None:
    prepare(tmp_path / "template.db", 1)
    count = boundaries(tmp_path, id)
    assert count > 20
    durable = 0
    for number in range(count):
        path = tmp_path / f"{number}.db"
        shutil.copy(tmp_path / "template.db", path)
        left = number

        def dies(line: str) -> None:
            nonlocal left
            if line.startswith("before "):
                left -= 1
                if left < 0:
                    kill_self()

        def attempt(path: Path = path, dies: Callable[[str], None] = dies) -> None:
            with Store.open(path, observer=dies) as store:
                commit_one(store, id, 1)
                kill_self()

        pid = fork(attempt)
        _, status = os.waitpid(pid, 0)
        assert os.WIFSIGNALED(status), number
        found = verify_store(str(path))
        assert found.problems == ()
        with Store.open(path) as store:
            durable += store.entry_of(id) is not None
            before = store.head
            revision = commit_one(store, id, 1)
            assert store.head in (before, before + 1, before + 2)
            assert revision <= store.head
            values = counted(store, "count" if id == "w0-1" else "set", 1)
        assert values == [id]
        assert verify_store(str(path)).problems == ()
        for file in tmp_path.glob(f"{number}.db*"):
            file.unlink()
    # Some kills come after the commit is durable and before anybody is told.
    assert 0 < durable < count


def test_racing_and_killed_at_random(tmp_path: Path) -> None:
    each = examples(40, 700)
    keys = examples(3, 40)
    path = tmp_path / "state.db"
    acknowledged = race(path, 4, each, keys, chance=0.002, seed=7)

    found = verify_store(str(path))
    assert found.problems == ()
    wanted = {f"w{w}-{n}" for w in range(4) for n in range(each)}
    assert acknowledged.keys() == wanted
    with Store.open(path) as store:
        for id, revision in acknowledged.items():
            committed = id if int(id.rpartition("-")[2]) % 2 else f"{id}.u"
            entry = store.entry_of(committed)
            assert entry is not None
            assert entry.revision == revision
        # Every commit took effect once: no update is lost, none is made twice.
        odd = sorted(id for id in wanted if int(id.rpartition("-")[2]) % 2)
        even = sorted(wanted - set(odd))
        assert sorted(counted(store, "count", keys)) == odd
        assert sorted(counted(store, "set", keys)) == even
        assert store.worlds() == []
