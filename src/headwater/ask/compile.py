"""Compiling: a request to an outcome."""

from __future__ import annotations

import msgspec

from headwater.ask.collector import paused_collector
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
