"""A store with rows of every kind, and what a thief who can write its file would do to it."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

from headwater.langs.durable import Problem
from headwater.langs.opal.durable.running import verify_store
from headwater.langs.opal.durable.signing import endorse_policy
from headwater.langs.opal.runtime import worlds
from headwater.langs.opal.runtime.keys import PublicKey
from headwater.langs.opal.runtime.policy import load_policy
from headwater.langs.opal.runtime.run import Ran
from headwater.langs.opal.runtime.trust import change_keys
from headwater.store.records import FIRST_DIGEST, Entry, canonical, sha256
from opal_stores import Bench, put

POLICY = """format_version = 1
[domain.web]
serial = 4
owners = ["dana"]
read = ["ann"]
[[domain.web.grant]]
to = "ann"
merge = ["set3"]
"""


def build(folder: Path) -> Bench:
    """A store in which every table has rows of every kind."""
    bench = Bench(folder)
    for name in ("dns", "web", "ann", "dana", "old"):
        bench.key(name)
    fresh = bench.key("old", trusted=False)
    change_keys(
        bench.store, "old", add=PublicKey("old", fresh.public),
        revoke=bench.signers["old"].public, signer=bench.signers["old"],
    )  # fmt: skip
    file = bench.folder / "signed.toml"
    file.write_text(POLICY)
    endorse_policy(str(file), "web", str(next(folder.glob("web-*.key"))), bench.store.path)
    policy = load_policy(str(file))

    def done(ran: Ran) -> None:
        assert ran.committed is not None, ran.diagnostics

    done(bench.run(put("dns", "servers", '["ns1"]'), "dns"))
    grant = 'with web do { handle web.hosts := f with ["a"] merging set3 in { f } }'
    done(bench.run(grant, "ann", policy=policy, id="granted"))
    done(bench.run(put("web", "owned", "1"), "dana", policy=policy, id="owned"))
    done(bench.run(put("free", "x", "1"), "ann", prompt=lambda _: True, id="prompted"))
    bench.run(put("dns", "servers", '["ns2"]'), "ann", id="proposed", propose=True)
    good = bench.endorse(bench.asked("proposed", "ann")[0], bench.signers["dns"])
    done(bench.commit("proposed", "ann", endorsements=(good,)))
    bench.run(put("web", "hosts", '["b"]'), "ann", id="byowner", propose=True)
    good = bench.endorse(bench.asked("byowner", "ann")[0], bench.signers["dana"])
    done(bench.commit("byowner", "ann", endorsements=(good,), policy=policy))
    for id in ("kept", "gone"):
        done(bench.run(f"u := hyp {{ {put('ann', 'x', '1')} }}", "ann", id=id))
    assert worlds.drop(bench.store, "gone.u", bench.session("ann")) is None
    bench.run(put("dns", "more", "1"), "ann", id="waits", propose=True)
    bench.run(put("dns", "less", "1"), "ann", id="refused", propose=True)
    assert worlds.drop(bench.store, "refused", bench.session("ann")) is None
    return bench


def tamper(sound: Path, folder: Path, change: Callable[[sqlite3.Connection], None]) -> Path:
    """A copy of the store with a change; triggers are put back, as a thief would."""
    folder.mkdir(exist_ok=True)
    path = folder / "copy.db"
    for old in folder.glob("copy.db*"):
        old.unlink()
    shutil.copy(sound, path)
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("PRAGMA synchronous = OFF")  # a copy that is thrown away
    db.execute("PRAGMA ignore_check_constraints = ON")
    triggers = db.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
    for name, _ in triggers:
        db.execute(f"DROP TRIGGER {name}")
    change(db)
    for _, sql in triggers:
        db.execute(sql)
    db.close()
    return path


def noticed(path: Path) -> list[str]:
    """The codes of what verify finds; a store that cannot even be opened counts."""
    try:
        found = verify_store(str(path)).problems
    except Problem as problem:
        found = problem.diagnostics
    return [d.code for d in found]


def rewritten(path: Path, change: Callable[[list[dict[str, Any]]], None]) -> None:
    """Entries changed, all digests made anew: what somebody without any key can do."""
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("PRAGMA synchronous = OFF")  # a copy that is thrown away
    triggers = db.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
    for name, _ in triggers:
        db.execute(f"DROP TRIGGER {name}")
    entries = [json.loads(row[0]) for row in db.execute("SELECT entry FROM log ORDER BY revision")]
    change(entries)
    db.executescript("DELETE FROM log; DELETE FROM versions; DELETE FROM endorsements")
    digest = FIRST_DIGEST
    for data in entries:
        text = canonical(data)
        digest = sha256(digest + text)
        entry = Entry.of(text)
        row = (entry.revision, entry.world, text, digest)
        db.execute("INSERT INTO log VALUES (?, ?, ?, ?)", row)
        for key, value in entry.writes.items():
            version = (key, entry.revision, value, entry.merges.get(key), entry.details[key])
            db.execute("INSERT INTO versions VALUES (?, ?, ?, ?, ?)", version)
        for one in entry.endorsements:
            used = (one.nonce, entry.revision, one.principal)
            db.execute("INSERT INTO endorsements VALUES (?, ?, ?)", used)
    for _, sql in triggers:
        db.execute(sql)
    db.close()
