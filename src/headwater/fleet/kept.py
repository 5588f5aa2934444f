"""Answers that were worked out before, kept with what was read for them.

An answer is found by its question, and is given as long as everything that was read for it is what
it was (`readset`).  Answers are only added, one transaction each, so that a process that is killed
leaves nothing half done, and several processes may share what is kept.  Every entry has a digest of
itself and of all it refers to: what is damaged is never believed, but worked out again.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from mmap import mmap
from typing import Any

import msgspec

from headwater.fleet.bodies import body_of
from headwater.fleet.database import Damaged, Database, Unavailable
from headwater.fleet.identity import Identities
from headwater.fleet.keptfile import FOLDER, KeptFile, place_for
from headwater.fleet.keptserver import server_for
from headwater.fleet.packing import packed, portions, unpacked
from headwater.fleet.readset import Holding, ReadSet, Row, rows_in
from headwater.langs.cache import user_folder
from headwater.langs.repository_codes import KEPT_DAMAGED, KEPT_UNAVAILABLE
from headwater.report import Code, Diagnostic
from headwater.text import Source
from headwater.text.digest import sha256
from headwater.text.paths import near

_LONGEST = 512
"""Bytes of a reason."""

MOST_TRACES = 8
"""So many answers of one question are kept, each for another state of what it read."""


class Found(msgspec.Struct, frozen=True):
    """An answer that is good: its text, and what was read for it."""

    body: bytes
    reads: ReadSet


class _Trace(msgspec.Struct, frozen=True):
    """An answer that may be good: the number of the shared part of its read set, and its own rows.

    Nobody else has those, so that they lie here.
    """

    question: bytes
    share: int
    own: bytes
    answer: bytes
    digest: bytes


class Kept:
    """The database in which answers are kept.

    Where it cannot be used, nothing is found in it and nothing is kept, and the work is done.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self.doubts: list[Diagnostic] = []
        """What was wrong with the database."""
        self.unavailable: str | None = None
        """Why nothing is kept, if that is so."""
        self._heard = mmap(-1, _LONGEST)
        """Why a worker keeps nothing: all processes that begin as copies of this one see it."""
        self._numbers: dict[Row, int] = {}
        """The numbers of what was read, as far as this process wrote them."""
        self._written: dict[int, tuple[tuple[Row, ...], int, bytes]] = {}
        """Shared parts by the identity of their objects, with their numbers and digests."""
        self._shares: dict[int, tuple[tuple[Row, ...], bytes]] = {}
        """Shared parts by their numbers, with their digests, as far as this process read them."""
        self._rows: dict[int, tuple[Row, bytes]] = {}
        """What was read by its numbers, with digests: parts that are shared have most in common."""

    @property
    def name(self) -> str:
        """What users know the database by."""
        return self._database.name

    # -- asking ----------------------------------------------------------------------------------

    def find(self, questions: Sequence[bytes], known: Identities) -> dict[bytes, Found]:
        """The answers that are good where `known` holds."""
        if self.unavailable is not None:
            return {}
        try:
            with _sound():
                self._look_again()
                return self._found(questions, known)
        except Damaged as damage:
            self._renew(str(damage))
        except Unavailable as why:
            self.give_up(str(why))
        return {}

    def _found(self, questions: Sequence[bytes], known: Identities) -> dict[bytes, Found]:
        traces = [*self._traces(questions)]
        self._read_shares({trace.share for trace in traces})
        holding = Holding(known)
        chosen: dict[bytes, tuple[_Trace, ReadSet]] = {}
        for trace in traces:  # the newest comes first
            if trace.question in chosen:
                continue
            shared, digest = self._shares[trace.share]
            # First of all: an entry that changed itself would be bad for ever.
            if trace.digest != _digest(trace.question, digest, trace.own, trace.answer):
                raise Damaged("an entry has another digest")
            reads = ReadSet(shared, rows_in(trace.own))
            if holding(reads):
                chosen[trace.question] = (trace, reads)
        bodies = self._bodies({trace.answer for trace, _ in chosen.values()})
        return {
            question: Found(bodies[trace.answer], reads)
            for question, (trace, reads) in chosen.items()
        }

    def asked_before(self, questions: Sequence[bytes]) -> set[bytes]:
        """The questions of which any answer is kept, good or not."""
        if self.unavailable is not None:
            return set()
        try:
            return {trace.question for trace in self._traces(questions)}
        except (Damaged, Unavailable):
            return set()

    def _traces(self, questions: Sequence[bytes]) -> Iterator[_Trace]:
        sql = "SELECT question, share, own, answer, digest FROM trace WHERE question IN ({})"
        for some in portions(questions):
            for row in self._select(sql + " ORDER BY id DESC", some):
                yield _Trace(*row)

    def _read_shares(self, numbers: set[int]) -> None:
        """Reads the shared parts that are not known yet."""
        found = [
            row
            for some in portions([*(numbers - self._shares.keys())])
            for row in self._select("SELECT id, digest, reads FROM share WHERE id IN ({})", some)
        ]
        self._read_rows({number for _, _, reads in found for number in unpacked(reads)})
        for number, digest, reads in found:
            inner = [self._rows[each] for each in unpacked(reads)]
            if sha256(b"".join(one[1] for one in inner)).digest() != digest:
                raise Damaged("reads that entries share have another digest")
            self._shares[number] = (tuple(one[0] for one in inner), digest)

    def _read_rows(self, numbers: set[int]) -> None:
        """Reads the rows that are not known yet."""
        sql = "SELECT id, kind, path, part, identity, content FROM read WHERE id IN ({})"
        for some in portions([*(numbers - self._rows.keys())]):
            for number, *fields in self._select(sql, some):
                row = Row(*fields)
                self._rows[number] = (row, row.digest())

    def _bodies(self, digests: set[bytes]) -> dict[bytes, bytes]:
        found: dict[bytes, bytes] = {}
        for some in portions([*digests]):
            sql = "SELECT digest, body FROM answer WHERE digest IN ({})"
            for digest, body in self._select(sql, some):
                if sha256(body).digest() != digest:
                    raise Damaged("an answer has another digest")
                found[digest] = body
        return found

    def _select(self, sql: str, values: Sequence[object]) -> list[tuple[Any, ...]]:
        return self._database.select(sql.format(", ".join("?" * len(values))), values)

    # -- keeping ---------------------------------------------------------------------------------

    def put(self, question: bytes, reads: ReadSet, body: bytes) -> None:
        """Keeps an answer."""
        if self.unavailable is not None:
            return
        try:
            try:
                self._put(question, reads, body)
            except Damaged as damage:
                self._renew(str(damage))
                self._put(question, reads, body)
        except (Damaged, Unavailable) as why:
            self._forget_numbers()
            self.give_up(str(why))

    def _put(self, question: bytes, reads: ReadSet, body: bytes) -> None:
        self._look_again()
        answer = sha256(body).digest()
        with self._database.transaction():
            share, digest = self._share(reads.shared)
            own = body_of(reads.own)
            self._database.execute(
                "INSERT INTO answer VALUES (?, ?) ON CONFLICT DO NOTHING", (answer, body)
            )
            self._database.execute(
                "INSERT INTO trace (question, share, own, answer, digest) VALUES (?, ?, ?, ?, ?)",
                (question, share, own, answer, _digest(question, digest, own, answer)),
            )
            self._forget_old(question)

    def _forget_old(self, question: bytes) -> None:
        """Forgets the answers of a question that are older than the newest few."""
        old = self._database.select(
            "SELECT id, answer FROM trace WHERE question = ? ORDER BY id DESC LIMIT 1000 OFFSET ?",
            (question, MOST_TRACES),
        )
        for number, answer in old:
            self._database.execute("DELETE FROM trace WHERE id = ?", (number,))
            self._database.execute(
                "DELETE FROM answer WHERE digest = ? AND NOT EXISTS "
                "(SELECT 1 FROM trace WHERE trace.answer = answer.digest)",
                (answer,),
            )

    def _share(self, rows: tuple[Row, ...]) -> tuple[int, bytes]:
        """The number and the digest of the shared part of a read set, which is written once."""
        found = self._written.get(id(rows))
        if found is None:
            digest = sha256(b"".join(row.digest() for row in rows)).digest()
            reads = packed([self._number(row) for row in rows])
            self._database.execute(
                "INSERT INTO share (digest, reads) VALUES (?, ?) ON CONFLICT DO NOTHING",
                (digest, reads),
            )
            number = self._database.select("SELECT id FROM share WHERE digest = ?", (digest,))
            found = self._written[id(rows)] = (rows, int(number[0][0]), digest)
        return found[1:]

    def _number(self, row: Row) -> int:
        number = self._numbers.get(row)
        if number is None:
            self._database.execute(
                "INSERT INTO read (kind, path, part, identity, content) "
                "VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
                row,
            )
            found = self._database.select(
                "SELECT id FROM read WHERE kind = ? AND path = ? AND part = ? AND identity = ? "
                "AND content = ?",
                row,
            )
            number = self._numbers[row] = int(found[0][0])
        return number

    # -- the database ----------------------------------------------------------------------------

    def _look_again(self) -> None:
        """What another process knew of the numbers in the database is not known in this one."""
        if not self._database.opened_here():
            self._forget_numbers()

    def _forget_numbers(self) -> None:
        self._numbers.clear()
        self._written.clear()
        self._shares.clear()
        self._rows.clear()

    def _renew(self, reason: str) -> None:
        """Begins anew after damage, and tells of it."""
        self._doubt(reason)
        self._forget_numbers()
        self._database.begin_anew()

    def give_up(self, reason: str) -> None:
        """Keeps nothing from now on, and tells of it once."""
        if self.unavailable is None:
            self._doubt(reason, KEPT_UNAVAILABLE)
            self._heard[:] = reason.encode()[:_LONGEST].ljust(_LONGEST, b"\0")
        self.unavailable = reason

    def _doubt(self, reason: str, code: Code = KEPT_DAMAGED) -> None:
        name = near(self._database.name)
        self.doubts.append(code.at(Source(name, "").span(0, 0), file=name, reason=reason))

    def end(self) -> None:
        """Lets the database go, and tells of it if a worker had to begin anew or keeps nothing."""
        heard = self._heard[:].rstrip(b"\0").decode("utf-8", "replace")
        if heard:
            self.give_up(heard)
        if self._database.replaced():
            self._doubt("it could not be written")
        self._database.close()


def kept_for(root: str) -> Kept:
    """What is kept for a repository; where nothing can be, it says why."""
    server = server_for()
    if server is not None:
        return Kept(server)
    path = place_for(root)
    if path is not None:
        return Kept(KeptFile(path))
    kept = Kept(KeptFile(os.path.join(root, FOLDER)))
    off = user_folder() is None
    kept.give_up(f"it cannot be used, {'and there is no cache' if off else 'nor can the cache'}")
    return kept


@contextmanager
def _sound() -> Iterator[None]:
    """What does not have the form it was written in is damaged."""
    try:
        yield
    except KeyError:
        raise Damaged("something that an entry refers to is not there") from None
    except (ValueError, TypeError, OverflowError) as error:
        raise Damaged(str(error)) from None


def _digest(question: bytes, shared: bytes, own: bytes, answer: bytes) -> bytes:
    return sha256(b"".join([question, shared, own, answer])).digest()
