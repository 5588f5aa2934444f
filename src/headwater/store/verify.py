"""Verifying a store: the file, the chain of the log, and that replaying the log gives the state."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from headwater.report import Code, Diagnostic
from headwater.store import codes
from headwater.store.database import Store
from headwater.store.records import FIRST_DIGEST, Endorsement, Entry, Version, sha256
from headwater.text import Source as Text

Judge = Callable[[Entry, Endorsement], str | None]
"""Says what is wrong with an endorsement of a commit; the store itself checks no signatures."""

MOST_FOUND = 50


@dataclass(frozen=True, slots=True)
class Verified:
    """What was looked at, and what is wrong."""

    commits: int
    keys: int
    endorsements: int
    digest: str
    """The last digest of the chain: who notes it down elsewhere can tell if the log was cut."""
    problems: tuple[Diagnostic, ...]


def verify(store: Store, judge: Judge | None = None) -> Verified:
    """Replays the log and compares the outcome with what the store holds."""
    with store.reading():
        return _Replay(store).run(judge)


class _Replay:
    def __init__(self, store: Store) -> None:
        self.store = store
        self.found: list[Diagnostic] = []
        self.commits = 0
        self.nonces: set[tuple[str, int, str]] = set()
        self.committed: dict[str, int] = {}
        self.replayed: dict[str, int] = {}

    def report(self, code: Code, **fields: Any) -> None:
        """Keeps a problem, up to a bound."""
        if len(self.found) < MOST_FOUND:
            self.found.append(code.at(Text(self.store.path, "").span(0, 0), **fields))

    def run(self, judge: Judge | None) -> Verified:
        """All of it; versions and log come in the same order and are read side by side."""
        for line in self.store.check_file():
            self.report(codes.CORRUPT, reason=line)
        digest = FIRST_DIGEST
        versions = self.store.all_versions()
        held = next(versions, None)
        for revision, world, text, claimed in self.store.digests():
            digest = sha256(digest + text)
            if revision != self.commits + 1 or digest != claimed:
                self.report(codes.CHAIN_BROKEN, revision=revision)
                digest = claimed
            self.commits = revision
            try:
                entry = Entry.of(text)
            except (ValueError, KeyError, TypeError):
                self.report(codes.CORRUPT, reason=f"entry {revision} of the log cannot be read")
                continue
            if (entry.revision, entry.world) != (revision, world):
                self.report(codes.CHAIN_BROKEN, revision=revision)
            expected = set(entry.writes)
            while held is not None and held.revision <= revision:
                self.compare(held, entry)
                expected.discard(held.key)
                held = next(versions, None)
            for key in sorted(expected):
                self.report(codes.DIFFERS_FROM_LOG, key=key, reason=f"commit {revision} wrote it")
            self.endorsed(entry, judge)
            self.committed[world] = revision
        if held is not None:
            self.report(codes.DIFFERS_FROM_LOG, key=held.key, reason="no commit wrote it")
        self.tables()
        found = tuple(self.found)
        return Verified(self.commits, len(self.replayed), len(self.nonces), digest, found)

    def compare(self, held: Version, entry: Entry) -> None:
        """A value that the store holds, with the commit that should have written it."""
        self.replayed[held.key] = held.revision
        if held.revision != entry.revision or held.key not in entry.writes:
            reason = f"no commit wrote its value of revision {held.revision}"
            self.report(codes.DIFFERS_FROM_LOG, key=held.key, reason=reason)
        elif (held.value, held.merge, held.detail) != (
            entry.writes[held.key],
            entry.merges.get(held.key),
            entry.details[held.key],
        ):
            reason = f"its value of revision {held.revision} was changed"
            self.report(codes.DIFFERS_FROM_LOG, key=held.key, reason=reason)

    def endorsed(self, entry: Entry, judge: Judge | None) -> None:
        """The endorsements of a commit."""
        for one in entry.endorsements:
            self.nonces.add((one.nonce, entry.revision, one.principal))
            reason = judge(entry, one) if judge is not None else None
            if reason is not None:
                self.report(
                    codes.BAD_ENDORSEMENT,
                    revision=entry.revision,
                    principal=one.principal,
                    reason=reason,
                )

    def tables(self) -> None:
        """Endorsements and worlds are what the log says."""
        for nonce, revision, principal in sorted(self.store.used_nonces() ^ self.nonces):
            self.report(
                codes.BAD_ENDORSEMENT,
                revision=revision,
                principal=principal,
                reason=f"log and table differ about {nonce}",
            )
        for world in self.store.worlds(None):
            committed = self.committed.get(world.id)
            if (world.state == "committed") != (committed is not None) or (
                committed is not None and committed != world.revision
            ):
                reason = f"it is {world.state}, and the log says otherwise"
                self.report(codes.DIFFERS_FROM_LOG, key=f"world {world.id}", reason=reason)
