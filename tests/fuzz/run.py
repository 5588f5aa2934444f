"""Executions one after the other, within bounds; what was found, and the page about it."""

from __future__ import annotations

import collections
import datetime
import faulthandler
import gc
import os
import platform
import resource
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from types import FrameType
from typing import Any

from fuzz import commands, ruby, stream
from fuzz.workshop import Workshop

CPU_SECONDS = 20.0
"""What one execution may take of the processor, whatever else the machine does."""

WALL_SECONDS = 900
"""500 executions that take this long wait for something that never comes: the run ends there."""

GROWTH = 512 << 20
"""Bytes by which one execution may raise the most memory that was ever used."""

ADDRESS_SPACE = 4 << 30

KINDS: dict[str, tuple[int, Callable[[Random, Workshop], str]]] = {
    "SmartFrog programs": (18, stream.try_smartfrog),
    "L3 programs": (14, stream.try_l3),
    "Puppet manifests": (24, stream.try_puppet),
    "Opal programs": (16, stream.try_opal),
    "Puppet templates": (3, stream.try_template),
    "Ruby programs": (9, ruby.try_ruby),
    "templates in ERB": (5, ruby.try_erb),
    "jobs": (20, stream.try_job),
    "facts": (5, stream.try_facts),
    "Hiera hierarchies and data": (4, stream.try_hiera),
    "environments": (1, stream.try_environment),
    "L3 data": (3, stream.try_l3_data),
    "dumped traces": (3, stream.try_trace),
    "questions about a mutated file": (7, commands.try_question),
    "command lines": (7, commands.try_command),
    "requests, endorsements, signatures, policies, keys": (1, commands.try_statement),
}
"""What is tried, and how often in comparison."""


class TooLong(BaseException):
    """An execution is beyond the bound of time."""


@dataclass
class Report:
    """What was run, and what was found."""

    counts: dict[str, collections.Counter[str]] = field(default_factory=dict)
    findings: dict[str, tuple[int, str]] = field(default_factory=dict)
    """By kind and place: the first number that led there, and the traceback."""
    slowest: tuple[float, int] = (0.0, 0)
    seconds: float = 0.0

    @property
    def executions(self) -> int:
        """How many there were."""
        return sum(counter.total() for counter in self.counts.values())

    def add(self, told: dict[str, Any]) -> None:
        """Takes over what another process tells as a document; they ran side by side."""
        for kind, outcomes in told["counts"].items():
            self.counts.setdefault(kind, collections.Counter()).update(outcomes)
        for what, number in told["findings"].items():
            self.findings.setdefault(what, (number, ""))
        self.slowest = max(self.slowest, tuple(told["slowest"]))
        self.seconds = max(self.seconds, told["seconds"])


def kind_of(rng: Random) -> str:
    """One of the kinds, by weight."""
    return rng.choices([*KINDS], [weight for weight, _ in KINDS.values()])[0]


def run(
    numbers: Iterable[int],
    *,
    until: float | None = None,
    only: str | None = None,
    note: Callable[..., object] | None = None,
) -> Report:
    """Executes numbers until they or the time are up."""
    report = Report()
    os.environ.update(PATH="/nonexistent", HEADWATER_CACHE="off")
    began = time.monotonic()
    _bounded()
    here = os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        workshop = Workshop(Path(folder))
        gc.freeze()
        try:
            for count, number in enumerate(numbers):
                if until is not None and time.monotonic() > until:
                    break
                if note is not None:
                    note(number)
                _execute(number, workshop, report, only)
                if count % 500 == 0:
                    gc.collect()
                    faulthandler.dump_traceback_later(WALL_SECONDS, exit=True)
        finally:
            faulthandler.cancel_dump_traceback_later()
            os.chdir(here)
    report.seconds = time.monotonic() - began
    return report


def _bounded() -> None:
    def ring(signum: int, frame: FrameType | None) -> None:
        raise TooLong(signal.Signals(signum).name)

    signal.signal(signal.SIGPROF, ring)
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    if hard == resource.RLIM_INFINITY:
        resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE, hard))


def _execute(number: int, workshop: Workshop, report: Report, only: str | None) -> None:
    rng = Random(number)
    kind = kind_of(rng)
    if only is not None:
        kind = only
    before, start = _most_memory(), time.process_time()
    signal.setitimer(signal.ITIMER_PROF, CPU_SECONDS)
    try:
        outcome = KINDS[kind][1](rng, workshop)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # noqa: BLE001 - whatever it is, it is a finding
        outcome = "a finding"
        _note(report, kind, number, error)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    os.chdir(workshop.room)
    took = time.process_time() - start
    report.slowest = max(report.slowest, (took, number))
    grown = _most_memory() - before
    if grown > GROWTH:
        outcome = "a finding"
        _found(report, f"{kind}: memory", number, f"{grown >> 20} MiB more")
    report.counts.setdefault(kind, collections.Counter())[outcome] += 1


def _most_memory() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def _note(report: Report, kind: str, number: int, error: BaseException) -> None:
    frames = traceback.extract_tb(error.__traceback__)
    ours = [f for f in frames if "headwater" in f.filename] or frames
    where = f"{Path(ours[-1].filename).name}:{ours[-1].lineno}"
    message = str(error)[:160] if isinstance(error, stream.Finding | AssertionError) else ""
    text = "".join(traceback.format_exception(error))[-3000:]
    _found(report, f"{kind}: {type(error).__name__} at {where} {message}", number, text)


def _found(report: Report, what: str, number: int, text: str) -> None:
    """Keeps a finding, and tells it the first time."""
    if what not in report.findings:
        report.findings[what] = (number, text)
        print(f"== {number}: {what}\n{text}", file=sys.stderr, flush=True)


ABOUT = """\
An execution is a number that seeds all choices. Programs are mutated by their tokens and lines
(left out, doubled, moved, exchanged, nested, repeated, spliced from other programs; numbers and
texts at the edge), documents by their structure (wrong types, missing and misspelt keys, nesting,
huge numbers, halves of surrogate pairs, NUL), command lines by their parameters. A finding is an
exception that is no refusal, an `internal-error`, more than {seconds:g} s of the processor, or
{memory} MiB more memory than ever before in one execution."""


def page(report: Report, command: str) -> str:
    """The page about a run."""
    python = f"{platform.python_implementation()} {platform.python_version()}"
    today = datetime.date.today().isoformat()
    took, number = report.slowest
    lines = [
        "# Long run: the fuzzer",
        "",
        f"`{command}` on {today}, {python}: {report.executions:,} executions in"
        f" {report.seconds / 60:.0f} minutes; {len(report.findings)} findings.",
        f"The slowest, {number:,}, took {took:.1f} s of the processor.",
        "",
        ABOUT.format(seconds=CPU_SECONDS, memory=GROWTH >> 20),
        "",
        "| what | executions | outcomes |",
        "|---|---|---|",
    ]
    for kind in KINDS:
        counter = report.counts.get(kind, collections.Counter())
        shown = ", ".join(f"{count:,} {outcome}" for outcome, count in sorted(counter.items()))
        lines.append(f"| {kind} | {counter.total():,} | {shown} |")
    for what, (number, _) in sorted(report.findings.items()):
        lines.append(f"- {what} (number {number})")
    return "\n".join(lines) + "\n"
