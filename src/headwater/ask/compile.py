"""Compiling: a request to an outcome."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

import msgspec

from headwater.ask.request import Request, find_language, prepare
from headwater.langs import Job, Language, Outcome
from headwater.report import Diagnostic


class Compiled(msgspec.Struct, frozen=True):
    """A language and the outcome of a job in it."""

    language: Language
    outcome: Outcome
    job: Job[msgspec.Struct] | None = None
    """What was compiled, unless its files could not be read."""
    request: Request | None = None
    """What was asked for, by which it can be compiled again."""

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """Errors and warnings."""
        return self.outcome.diagnostics

    def size(self) -> int:
        """How many values the result has."""
        return 0 if self.outcome.result is None else sum(1 for _ in self.outcome.result.walk())


def compile_request(request: Request) -> Compiled:
    """The outcome of a request; unreadable files are diagnostics of it."""
    prepared = prepare(request)
    if isinstance(prepared, list):
        outcome = Outcome(None, tuple(prepared))
        return Compiled(find_language(request), outcome, request=request)
    language, job = prepared
    with paused_collector():
        outcome = language.compile(job)
    if job.doubts:
        found = (*job.doubts, *outcome.diagnostics)
        outcome = msgspec.structs.replace(outcome, diagnostics=found)
    return Compiled(language, outcome, job, request)


_LARGE, _MANY = 10_000, 300_000
"""From how many objects on what was made counts as old, and how many may become old unseen."""


@contextmanager
def paused_collector() -> Iterator[None]:
    """No cyclic garbage collection meanwhile.

    A compilation, and an answer to a question about it, makes many objects and hardly any cyclic
    garbage; looking for it again and again doubles the time of large ones (bench/smartfrog.py).
    What is there in the end is what was wanted, so it is not looked through then either.
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            _age()
            gc.enable()


class _Aged:
    """How many objects became old since what is old was looked through, and how many there were."""

    since = 0
    before = 0


def _age() -> None:
    """Has the collector take for old what was made, if it is much.

    To freeze and unfreeze is the way to say so, unless something is frozen for good.  It puts off
    the collector's own looks at what is old, so that is looked through here, as often as it grows.
    """
    count = gc.get_count()[0]
    if count < _LARGE or gc.get_freeze_count():
        return
    _Aged.since += count
    grown = _Aged.since > max(_MANY, 2 * count, _Aged.before // 2)
    if grown:
        gc.collect()
    gc.freeze()
    if grown:
        _Aged.since, _Aged.before = 0, gc.get_freeze_count()
    gc.unfreeze()
