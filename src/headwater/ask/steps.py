"""The evaluation rule by rule, as the paper's semantics does it."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from headwater.ask.request import Request, prepare
from headwater.langs import Step
from headwater.report import Diagnostic


def steps(
    request: Request, *, first: int = 1, last: int | None = None, rule: str | None = None
) -> Iterator[tuple[int, Step] | Diagnostic]:
    """The numbered steps from `first` to `last`, of one rule or all; diagnostics always."""
    prepared = prepare(replace(request, engine="paper"))
    if isinstance(prepared, list):
        yield from prepared
        return
    language, job = prepared
    yield from job.doubts
    number = 0
    for step in language.steps(job):
        if not isinstance(step, Step):
            yield step
            continue
        number += 1
        wanted = number >= first and (last is None or number <= last)
        if wanted and (rule is None or step.rule == rule):
            yield number, step
