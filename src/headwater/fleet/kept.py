"""Answers that were worked out before, kept with what was read for them.

An answer is found by its question, and is given as long as everything that was read for it is what
it was (`readset`).  Answers are only added, one transaction each, so that a process that is killed
leaves nothing half done, and several processes may share the file.  Every entry has a digest of
itself and of all it refers to: what is damaged is never believed, but worked out again.
"""

from __future__ import annotations

import os
import sqlite3
import sys
from array import array
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import chain
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from headwater.fleet.identity import Identities
from headwater.fleet.keptfile import (
    Damaged,
    Unavailable,
    discard,
    file_at,
    judged,
    opened,
    place_for,
    transaction,
)
from headwater.fleet.readset import Row, holds
from headwater.langs.repository_codes import KEPT_DAMAGED
from headwater.report import Diagnostic
from headwater.text import Source
from headwater.text.digest import sha256
from headwater.text.source import near

if TYPE_CHECKING:
    Numbers = array[int]

MOST_TRACES = 8
"""So many answers of one question are kept, each for another state of what it read."""

_MOST_VALUES = 500
"""Values in one statement."""

Item = TypeVar("Item")


class Found(msgspec.Struct, frozen=True):
    """An answer that is good: its text, and what was read for it."""

    body: bytes
    reads: tuple[Row, ...]


class _Trace(msgspec.Struct, frozen=True):
    """An answer that may be good: the numbers of what was read for it."""

    question: bytes
    reads: Any
    answer: bytes
    digest: bytes


class Kept:
    """The file in which answers are kept.  Every process opens it for itself.

    Where it cannot be used, nothing is found in it and nothing is kept, and the work is done.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self.doubts: list[Diagnostic] = []
        """What was wrong with the file."""
        self.unavailable: str | None = None
        """Why nothing is kept, if that is so."""
        self._opened: tuple[int, sqlite3.Connection] | None = None
        self._file: int | None = None
        """The file that is open, whatever its name leads to by now."""
        self._numbers: dict[Row, int] = {}
        """The numbers of what was read, as far as this process wrote them."""

    # -- asking ----------------------------------------------------------------------------------

    def find(self, questions: Sequence[bytes], known: Identities) -> dict[bytes, Found]:
        """The answers that are good where `known` holds."""
        try:
            return self._found(questions, known)
        except Damaged as damage:
            self._renew(str(damage))
        except Unavailable as why:
            self.unavailable = str(why)
        return {}

    def _found(self, questions: Sequence[bytes], known: Identities) -> dict[bytes, Found]:
        with judged():
            traces = [*self._traces(questions)]
            read = self._rows({number for trace in traces for number in trace.reads})
        good: dict[int, bool] = {}

        def is_good(number: int) -> bool:
            if number not in good:
                good[number] = holds(read[number][0], known)
            return good[number]

        chosen: dict[bytes, _Trace] = {}
        try:
            for trace in traces:  # the newest comes first
                if trace.question in chosen:
                    continue
                # First of all: an entry that changed itself would be bad for ever.
                digests = [read[number][1] for number in trace.reads]
                if trace.digest != _digest(trace.question, digests, trace.answer):
                    raise Damaged("an entry has another digest")
                if all(map(is_good, trace.reads)):
                    chosen[trace.question] = trace
            with judged():
                bodies = self._bodies({trace.answer for trace in chosen.values()})
            return {
                question: Found(
                    bodies[trace.answer], tuple(read[number][0] for number in trace.reads)
                )
                for question, trace in chosen.items()
            }
        except KeyError:
            raise Damaged("something that an entry refers to is not there") from None

    def asked_before(self, questions: Sequence[bytes]) -> set[bytes]:
        """The questions of which any answer is kept, good or not."""
        try:
            with judged():
                return {trace.question for trace in self._traces(questions)}
        except (Damaged, Unavailable):
            return set()

    def _traces(self, questions: Sequence[bytes]) -> Iterator[_Trace]:
        sql = "SELECT question, reads, answer, digest FROM trace WHERE question IN ({})"
        for some in _portions(questions):
            for question, reads, *rest in self._select(sql + " ORDER BY id DESC", some):
                yield _Trace(question, _unpacked(reads), *rest)

    def _rows(self, numbers: set[int]) -> dict[int, tuple[Row, bytes]]:
        sql = "SELECT id, kind, path, part, identity, content FROM read WHERE id IN ({})"
        found: dict[int, tuple[Row, bytes]] = {}
        for some in _portions([*numbers]):
            for number, *fields in self._select(sql, some):
                row = Row(*fields)
                found[number] = (row, row.digest())
        return found

    def _bodies(self, digests: set[bytes]) -> dict[bytes, bytes]:
        found: dict[bytes, bytes] = {}
        for some in _portions([*digests]):
            sql = "SELECT digest, body FROM answer WHERE digest IN ({})"
            for digest, body in self._select(sql, some):
                if sha256(body).digest() != digest:
                    raise Damaged("an answer has another digest")
                found[digest] = body
        return found

    def _select(self, sql: str, values: Sequence[object]) -> sqlite3.Cursor:
        marks = ", ".join("?" * len(values))
        return self._connection().execute(sql.format(marks), values)

    # -- keeping ---------------------------------------------------------------------------------

    def put(self, question: bytes, reads: Sequence[Row], body: bytes) -> None:
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
            self._numbers.clear()
            self.unavailable = str(why)

    def _put(self, question: bytes, reads: Sequence[Row], body: bytes) -> None:
        answer = sha256(body).digest()
        digest = _digest(question, [row.digest() for row in reads], answer)
        with judged(), transaction(connection := self._connection()):
            numbers = _packed([self._number(connection, row) for row in reads])
            connection.execute("INSERT OR IGNORE INTO answer VALUES (?, ?)", (answer, body))
            connection.execute(
                "INSERT INTO trace (question, reads, answer, digest) VALUES (?, ?, ?, ?)",
                (question, numbers, answer, digest),
            )
            connection.execute(
                "DELETE FROM trace WHERE question = ? AND id NOT IN "
                "(SELECT id FROM trace WHERE question = ? ORDER BY id DESC LIMIT ?)",
                (question, question, MOST_TRACES),
            )

    def _number(self, connection: sqlite3.Connection, row: Row) -> int:
        number = self._numbers.get(row)
        if number is None:
            connection.execute(
                "INSERT OR IGNORE INTO read (kind, path, part, identity, content) "
                "VALUES (?, ?, ?, ?, ?)",
                row,
            )
            found = connection.execute(
                "SELECT id FROM read WHERE kind = ? AND path = ? AND part = ? AND identity = ? "
                "AND content = ?",
                row,
            ).fetchone()
            number = self._numbers[row] = int(found[0])
        return number

    def tidy(self) -> None:
        """Forgets what no entry refers to any more."""
        with suppress(Damaged, Unavailable), judged():
            with transaction(connection := self._connection()):
                connection.execute(
                    "DELETE FROM answer WHERE digest NOT IN (SELECT answer FROM trace)"
                )
                packed = connection.execute("SELECT reads FROM trace").fetchall()
                used = {*chain.from_iterable(_unpacked(reads) for (reads,) in packed)}
                every = connection.execute("SELECT id FROM read").fetchall()
                gone = [(number,) for (number,) in every if number not in used]
                connection.executemany("DELETE FROM read WHERE id = ?", gone)
            self._numbers.clear()

    # -- the file --------------------------------------------------------------------------------

    def _connection(self) -> sqlite3.Connection:
        """The connection of this process: one that another opened must not be used."""
        if self._opened is None or self._opened[0] != os.getpid():
            self._numbers = {}
            self._file = file_at(self.path)
            self._opened = (os.getpid(), opened(self.path))
            self._file = file_at(self.path)
        return self._opened[1]

    def _renew(self, reason: str) -> None:
        """Begins anew after damage, and tells of it."""
        self._doubt(reason)
        self.close()
        if file_at(self.path) == self._file:  # else another process has begun anew
            discard(self.path)

    def _doubt(self, reason: str) -> None:
        at = Source(near(self.path), "").span(0, 0)
        self.doubts.append(KEPT_DAMAGED.at(at, file=near(self.path), reason=reason))

    def end(self) -> None:
        """Lets the file go, and tells of it if a worker had to begin anew."""
        if self._opened is not None and file_at(self.path) != self._file:
            self._doubt("it could not be written")
        self.close()

    def close(self) -> None:
        """Lets the file go."""
        held, self._opened = self._opened, None
        if held is not None and held[0] == os.getpid():
            with suppress(sqlite3.Error):
                held[1].close()


def kept_for(root: str) -> Kept | None:
    """What is kept for a repository, if anything can be."""
    path = place_for(root)
    return None if path is None else Kept(path)


def _digest(question: bytes, reads: Sequence[bytes], answer: bytes) -> bytes:
    return sha256(b"".join([question, *reads, answer])).digest()


def _portions(items: Sequence[Item]) -> Iterator[Sequence[Item]]:
    for start in range(0, len(items), _MOST_VALUES):
        yield items[start : start + _MOST_VALUES]


def _packed(numbers: Sequence[int]) -> bytes:
    packed = array("I", numbers)
    if sys.byteorder == "big":
        packed.byteswap()
    return packed.tobytes()


def _unpacked(data: bytes) -> Numbers:
    numbers = array("I")
    numbers.frombytes(data)
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers
