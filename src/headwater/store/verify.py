"""Verifying a store: the file, its tables, the chain of the log, and that replaying the log
gives everything that the store holds."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Protocol

from headwater.report import Code, Diagnostic
from headwater.store import codes
from headwater.store.connection import StoreProblem
from headwater.store.covered import Covered
from headwater.store.database import Store
from headwater.store.records import FIRST_DIGEST, Entry, Version, sha256
from headwater.text import Source as Text


class Examiner(Protocol):
    """Knows what entries mean: signatures, keys, permissions.  The store itself does not."""

    def entry(self, entry: Entry, before: str) -> Iterable[Diagnostic]:
        """What is wrong with the next entry, after the digest of the one before."""
        ...

    def end(self) -> Iterable[Diagnostic]:
        """What is wrong when all entries have been seen."""
        ...


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
    warnings: tuple[Diagnostic, ...] = ()


def verify(
    store: Store, examiner: Examiner | None = None, expected: tuple[int, str] | None = None
) -> Verified:
    """Replays the log and compares the outcome with what the store holds.

    `expected` is an entry that the log is known to have had: its number and its digest.
    """
    with store.reading():
        return _Replay(store).run(examiner, expected)


class _Replay:
    def __init__(self, store: Store) -> None:
        self.store = store
        self.found: list[Diagnostic] = []
        self.warnings: list[Diagnostic] = []
        self.commits = 0
        self.nonces: set[tuple[str, int, str]] = set()
        self.replayed: dict[str, int] = {}
        self.covered = Covered(store)
        self.last = ""
        """The time of the last commit."""

    def report(self, code: Code, **fields: Any) -> None:  # noqa: ANN401
        """Keeps a problem, up to a bound."""
        self.keep(code.at(Text(self.store.path, "").span(0, 0), **fields))

    def keep(self, found: Diagnostic) -> None:
        """Keeps a problem or a warning, up to a bound."""
        kept = self.found if found.is_error else self.warnings
        if len(kept) < MOST_FOUND:
            kept.append(found)

    def run(self, examiner: Examiner | None, expected: tuple[int, str] | None) -> Verified:
        """All of it; versions and log come in the same order and are read side by side."""
        for line in self.store.check_file():
            self.report(codes.CORRUPT, reason=line)
        try:
            self.store.check_schema()
        except StoreProblem as problem:
            self.keep(problem.diagnostic)
        digest = FIRST_DIGEST
        known = expected is None or expected == (0, FIRST_DIGEST)
        versions = self.store.all_versions()
        held = next(versions, None)
        for revision, world, text, claimed in self.store.digests():
            before, digest = digest, sha256(digest + text)
            if revision != self.commits + 1 or digest != claimed:
                self.report(codes.CHAIN_BROKEN, revision=revision)
                digest = claimed
            known = known or (revision, digest) == expected
            self.commits = revision
            try:
                entry = Entry.of(text)
            except (ValueError, RecursionError):
                self.report(codes.CORRUPT, reason=f"entry {revision} of the log cannot be read")
                continue
            if (entry.revision, entry.world) != (revision, world) or entry.text() != text:
                self.report(codes.CHAIN_BROKEN, revision=revision)
            wanted = set(entry.writes)
            while held is not None and held.revision <= revision:
                self.compare(held, entry)
                wanted.discard(held.key)
                held = next(versions, None)
            for key in sorted(wanted):
                self.report(codes.DIFFERS_FROM_LOG, key=key, reason=f"commit {revision} wrote it")
            self.entry(entry, before, examiner)
        if held is not None:
            self.report(codes.DIFFERS_FROM_LOG, key=held.key, reason="no commit wrote it")
        if not known:
            assert expected is not None
            self.report(codes.ROLLED_BACK, expected=f"{expected[0]}:{expected[1]}")
        self.tables(examiner)
        return Verified(
            self.commits,
            len(self.replayed),
            len(self.nonces),
            digest,
            tuple(self.found),
            tuple(self.warnings),
        )

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

    def entry(self, entry: Entry, before: str, examiner: Examiner | None) -> None:
        """What an entry covers, when it was made, and what it means."""
        for what, reason in self.covered.entry(entry):
            self.report(codes.DIFFERS_FROM_LOG, key=what, reason=reason)
        for one in entry.endorsements:
            self.nonces.add((one.nonce, entry.revision, one.principal))
        if entry.kind != "keys":
            if entry.at < self.last:
                self.report(
                    codes.CLOCK_BACK, revision=entry.revision, at=entry.at, before=self.last
                )
            self.last = entry.at
        if examiner is not None:
            for found in examiner.entry(entry, before):
                self.keep(found)

    def tables(self, examiner: Examiner | None) -> None:
        """Everything beside log and values is what the log says."""
        for nonce, revision, principal in sorted(
            self.store.used_nonces() ^ self.nonces, key=lambda row: str(row)
        ):
            self.report(
                codes.BAD_ENDORSEMENT,
                revision=revision,
                principal=principal,
                reason=f"log and table differ about {nonce}",
            )
        for what, reason in self.covered.compare():
            self.report(codes.DIFFERS_FROM_LOG, key=what, reason=reason)
        if examiner is not None:
            for found in examiner.end():
                self.keep(found)
