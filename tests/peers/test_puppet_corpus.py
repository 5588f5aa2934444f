"""The corpus of Debian's modules: catalogs identical to real Puppet's, or refused by name.

It is compared with Puppet 7.23 at level 7 and with Puppet 8.10 at level 8.  In `make test` a
tenth is compared with recorded digests of Puppet's answers (by the versions of the modules) and
some jobs, drawn anew, with Puppet itself; in `make laws` all of it runs live, writes
docs/laws/puppet-modules.md, puppet-8-modules.md and the recorded digests.
"""

from __future__ import annotations

import json
import random
from functools import cache
from typing import Any

import pytest

from laws.profile import is_long
from peers import puppet8
from peers.catalogs import Oracle, difference
from peers.corpus import (
    EIGHT,
    MODULES,
    SEVEN,
    CorpusJob,
    Peer,
    asked,
    digest,
    jobs,
    ours,
    versions,
)
from peers.corpus_report import NAMED, Tally, cannot_load, write_report
from peers.kept import KeptOracle
from peers.puppet import ABSENT, installed

TENTH, CHUNKS = 10, 6
LIVE = {SEVEN: 50, EIGHT: 20}
PEERS = [pytest.param(SEVEN, id="7"), pytest.param(EIGHT, id="8")]


@cache
def corpus() -> list[CorpusJob]:
    """All jobs, where the modules are installed."""
    if not MODULES.is_dir() or len(versions()) < 30:
        pytest.skip("Debian's modules are not installed (tests/peers/install.sh installs them)")
    return jobs()


@cache
def oracle(peer: Peer) -> Oracle:
    """One Ruby process."""
    if peer is EIGHT and not puppet8.there():
        pytest.skip(puppet8.ABSENT)
    if not installed():
        pytest.skip(ABSENT)
    return peer.oracle()


@pytest.mark.peer
@pytest.mark.parametrize("chunk", range(CHUNKS))
@pytest.mark.parametrize("peer", PEERS)
def test_a_tenth_is_as_puppet_was_recorded(peer: Peer, chunk: int) -> None:
    every = corpus()
    recorded: dict[str, Any] = json.loads(peer.recorded.read_text())
    here = versions()
    same = [
        job
        for job in every
        if job.id in recorded["answers"]
        and here.get(job.module) == recorded["versions"].get(job.module)
    ]
    if not same:
        pytest.skip("other versions of the modules are installed than were recorded")
    for job in same[chunk::CHUNKS]:
        mine, theirs = ours(job, peer.level), recorded["answers"][job.id]
        if theirs == "unloadable":
            continue
        if theirs == "refused":
            assert not mine["ok"], f"{job.id}: accepted, and Puppet refuses it"
        elif mine["ok"]:
            assert digest(mine) == theirs, f"{job.id}: another catalog than Puppet's"
        else:
            assert mine["error"]["code"] in NAMED, (job.id, mine["error"])


@pytest.mark.peer
@pytest.mark.parametrize("peer", PEERS)
def test_jobs_drawn_anew_are_as_puppet_compiles_them(peer: Peer) -> None:
    every = corpus()
    ask = oracle(peer).ask
    seed = random.SystemRandom().randrange(10**6)
    for job in random.Random(seed).sample(every, LIVE[peer]):
        mine, real = ours(job, peer.level), ask(**asked(job))
        about = f"{job.id} (seed {seed})"
        if cannot_load(real):
            continue
        if real["ok"] and not mine["ok"]:
            assert mine["error"]["code"] in NAMED, (about, mine["error"])
        elif real["ok"]:
            assert difference(real, mine) is None, about
        else:
            assert not mine["ok"], f"{about}: accepted, and Puppet refuses it: {real['error']}"


@pytest.mark.peer
@pytest.mark.skipif(not is_long(), reason="the whole corpus runs in make laws")
@pytest.mark.parametrize("peer", PEERS)
def test_the_whole_corpus_is_as_puppet_compiles_it(peer: Peer) -> None:
    every = corpus()
    ask = KeptOracle(oracle(peer), peer.version, versions()).ask
    tally = Tally()
    answers: dict[str, str] = {}
    for number, job in enumerate(every):
        real = ask(**asked(job))
        tally.add(job, real, ours(job, peer.level))
        if number % TENTH == 0:
            answers[job.id] = "unloadable" if cannot_load(real) else digest(real)
    write_report(peer, tally)
    document = {"versions": versions(), "answers": answers}
    peer.recorded.write_text(json.dumps(document, indent=0, sort_keys=True) + "\n")

    assert tally.different == []
    assert tally.accepted == []
    assert tally.identical >= 0.95 * tally.compiled
