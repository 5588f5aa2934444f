"""A question asked of many nodes: answered from what is kept, the rest by workers.

Nodes are taken in portions, each at one moment of the files, and few answers are held at a time.
What is answered is kept at once: a run that is ended has lost nothing.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import nullcontext

import msgspec

from headwater.ask.collector import paused_collector
from headwater.ask.jobs import DEFAULT_TIMEOUT
from headwater.ask.request import BadRequest, Request
from headwater.fleet.bodies import Bodies, body_of
from headwater.fleet.config import BadRepository
from headwater.fleet.identity import Identities, Momentary
from headwater.fleet.kept import Found, Kept
from headwater.fleet.question import Answer, Question
from headwater.fleet.readset import ReadSet, Row, Shares
from headwater.fleet.sides import WORKING_TREE, Side
from headwater.fleet.site import Site
from headwater.fleet.told import told
from headwater.fleet.workers import Interrupted, Pool, interruptible, processors
from headwater.langs.codes import INTERNAL_ERROR, TIMEOUT
from headwater.report import Diagnostic
from headwater.text import Source
from headwater.text.deadline import TimedOut, limited
from headwater.text.moment import SEEN, Seen, at_one_moment
from headwater.text.reads import Reads, noting

PORTION = 1_000
"""Nodes for which files are what they were, and that are given to workers at a time."""

HELD = 100
"""Nodes whose answers are looked up, and held, at a time."""

_SHARES = Shares()

_DECODER = Bodies(Answer)


def answer_in(body: bytes) -> Answer:
    """An answer as it was kept, or as a worker gave it."""
    return _DECODER.decode(body)


class Answered(msgspec.Struct, frozen=True):
    """The answer for a node; `kept` if it was worked out before, and what was read for it."""

    node: str
    answer: Answer
    kept: bool
    reads: ReadSet | None = None
    """What is kept of what was read; None if it was worked out now."""


class Every:
    """A question that is asked of nodes of a site.

    `stopped` has, afterwards, in words, why not all nodes were asked.
    """

    def __init__(
        self, site: Site, request: Request, question: Question, kept: Kept | None,
        processes: int | None = None,
    ) -> None:  # fmt: skip
        self.site = site
        self.request = request
        self.question = question
        self.kept = kept
        self.stopped: str | None = None
        self._files = Momentary(Side(WORKING_TREE), site.language)
        self._pool = Pool(self._work, processors() if processes is None else processes)

    def ask(self, names: Sequence[str], take: Callable[[Answered], None]) -> None:
        """Gives each answer to `take`: those that are kept first, then the others as they come."""
        whole = False
        asked = 0
        try:
            with interruptible():
                for start in range(0, len(names), PORTION):
                    for one in self._portion(names[start : start + PORTION]):
                        take(one)
                        asked += 1
            whole = True
        except Interrupted:
            self.stopped = "interrupted"
        except TimedOut:
            self.stopped = "the time is up"
        finally:
            self._pool.close(wait=whole)
            if self.kept is not None:
                self.kept.end()
        if self.stopped is None and asked < len(names):
            self.stopped = "a worker process ended unexpectedly"

    def _portion(self, names: Sequence[str]) -> Iterator[Answered]:
        seen = Seen()
        left: list[str] = []
        for start in range(0, len(names), HELD):
            some = names[start : start + HELD]
            with at_one_moment(seen):
                found = self.known(some)
                for name, one in found.items():
                    self._forget(name, one.reads.own)
            for name, one in found.items():
                yield Answered(name, answer_in(one.body), True, one.reads)
            left += [name for name in some if name not in found]
        for name, body in self._pool.over(left) if left else ():
            yield Answered(name, answer_in(body), False)

    def known(self, names: Sequence[str]) -> dict[str, Found]:
        """The answers that are kept, and good as files are now."""
        if self.kept is None:
            return {}
        keys = {key: name for name in names if (key := self._key(name)) is not None}
        with nullcontext() if SEEN.get() is not None else at_one_moment():
            found = self.kept.find([*keys], self._files.now())
        return {keys[key]: one for key, one in found.items()}

    def asked_before(self, names: Sequence[str]) -> set[str]:
        """The nodes of which an answer is kept, good or not."""
        if self.kept is None:
            return set()
        keys = {key: name for name in names if (key := self._key(name)) is not None}
        return {keys[key] for key in self.kept.asked_before([*keys])}

    def _key(self, name: str) -> bytes | None:
        try:
            return self.question.key(self.site.request(self.request, name))
        except (BadRepository, BadRequest):
            return None

    # -- in a worker -----------------------------------------------------------------------------

    def _work(self, name: str) -> bytes:
        return body_of(self._answer(name))

    def _answer(self, name: str) -> Answer:
        nowhere = Source(name, "").span(0, 0)
        try:
            with limited(DEFAULT_TIMEOUT), paused_collector():
                return self._worked_out(name)
        except (BadRepository, BadRequest) as bad:
            return _refusal(self.site.left_out(name, bad))
        except TimedOut:
            return _refusal(TIMEOUT.at(nowhere, seconds=f"{DEFAULT_TIMEOUT:g}"))
        except Exception as error:  # noqa: BLE001 - the others are asked, whatever one does
            return _refusal(INTERNAL_ERROR.at(nowhere, what=f"{type(error).__name__}: {error}"))

    def _worked_out(self, name: str) -> Answer:
        request = self.site.request(self.request, name)
        reads = Reads()
        with noting(reads):
            answer = self.question.answer(request)
        if self.kept is not None:
            known = self._files.now()
            read = keep(self.kept, self.question, request, answer, reads, known, name)
            self._forget(name, () if read is None else read.own)
        return answer

    def _forget(self, node: str, own: Iterable[Row]) -> None:
        """Lets go of what was read for one node alone, so that many nodes need no more room.

        That is what has its name in the path: a file of facts may be of several.
        """
        seen = SEEN.get()
        for path in {row.path for row in own if node in row.path} - _SHARES.paths:
            self._files.now().forget(path)
            if seen is not None:
                seen.forget(path)


def keep(
    kept: Kept, question: Question, request: Request, answer: Answer, reads: Reads,
    known: Identities, node: str,
) -> ReadSet | None:  # fmt: skip
    """Keeps an answer with what was read for it, unless it may be another one the next time."""
    key = None if reads.outside else question.key(request)
    if key is None:
        return None
    if question.places:
        reads.wholly()
    reads.contents.update(_pointed_at(answer) & (reads.keys.keys() | reads.facts.keys()))
    found = _SHARES.read_set(node, reads, known)
    kept.put(key, found, body_of(answer))
    return found


def _pointed_at(answer: Answer) -> set[str]:
    """The files in which something is told to stand: where that is hangs on all they hold."""
    places = [place for one in answer.told for place in one.places()]
    return {os.path.abspath(place.file) for place in places} | {place.file for place in places}


def _refusal(diagnostic: Diagnostic) -> Answer:
    return Answer((told(diagnostic),), False)
