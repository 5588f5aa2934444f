"""A production job to its outcome."""

from __future__ import annotations

from typing import Any

from headwater.langs.codes import BEYOND_PAPER
from headwater.langs.protocol import Job, Outcome
from headwater.langs.smartfrog import codes
from headwater.langs.smartfrog.fields import Fields
from headwater.langs.smartfrog.production.compiling import PHASES, Compilation
from headwater.langs.smartfrog.production.load import load
from headwater.report import Diagnostic, in_order


def compile_production(job: Job[Fields]) -> Outcome:
    """The result of a job, or of the phase it asks for."""
    if job.engine == "paper":
        return Outcome(None, (beyond_paper(job),))
    loaded = load(job.source, job.options.include)
    sources = tuple(loaded.sources)
    phase = job.inputs.phase or None
    if phase is not None and phase not in PHASES:
        at = job.source.span(0, 0)
        problem = codes.UNKNOWN_PHASE.at(at, name=phase, known=", ".join(PHASES))
        return Outcome(None, (problem,), sources=sources)
    doubts = loaded.doubts(strict=job.options.strict)
    if loaded.errors or any(doubt.is_error for doubt in doubts):
        return Outcome(None, tuple(in_order([*loaded.errors, *doubts])), sources=sources)
    answer = Compilation(loaded, given_inputs(job.inputs)).run(phase)
    if isinstance(answer, Diagnostic):
        return Outcome(None, (answer, *doubts), sources=sources)
    result, causes = answer
    return Outcome(result, tuple(doubts), causes, sources=sources)


def beyond_paper(job: Job[Fields]) -> Diagnostic:
    """The answer to who asks for the paper's engine: no paper defines the language."""
    return BEYOND_PAPER.at(job.source.span(0, 0), what="the production dialect")


def given_inputs(inputs: Fields) -> dict[str, Any]:
    """Properties, allowed environment variables and the leave to ask the world, as data."""
    given = inputs.property or {}
    if not isinstance(given, dict):
        given = dict(entry.partition("=")[::2] for entry in given)
    allowed = inputs.env_allow or ()
    return {
        "property": {name: str(value) for name, value in given.items()},
        "env_allow": (allowed,) if isinstance(allowed, str) else tuple(allowed),
        "external": bool(inputs.external),
    }
