"""``python -m fuzz``: runs the fuzzer for a while, or one number of it."""

from __future__ import annotations

import itertools
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import click

from fuzz.run import KINDS, Report, page, run

PAGE = Path(__file__).parents[2] / "docs" / "laws" / "fuzz.md"


@click.command()
@click.option("--seconds", type=float, help="end after so many seconds")
@click.option("--count", type=int, help="end after so many executions")
@click.option("--first", type=int, default=1, help="the first number")
@click.option("--processes", type=int, default=1, help="share the executions among so many")
@click.option("--only", type=int, help="this number alone")
@click.option("--kind", type=click.Choice([*KINDS]), help="this kind alone")
@click.option("--write-page", is_flag=True, help="write docs/laws/fuzz.md")
@click.option("--progress", metavar="FILE", help="keep the number of the execution in a file")
def main(
    seconds: float | None,
    count: int | None,
    first: int,
    only: int | None,
    kind: str | None,
    progress: str | None,
    processes: int,
    *,
    write_page: bool,
) -> None:
    """Print the findings as a JSON document; exit with 1 if there are any."""
    if processes > 1:
        report = _shared(processes, first, count, seconds, kind)
    else:
        numbers = [only] if only is not None else itertools.count(first)
        until = None if seconds is None else time.monotonic() + seconds
        note = _noting(progress) if progress is not None else None
        report = run(itertools.islice(numbers, count), until=until, only=kind, note=note)
    if write_page:
        command = " ".join(["python -m fuzz", *sys.argv[1:]])
        PAGE.write_text(page(report, command), encoding="utf-8")
    found = {what: number for what, (number, _) in report.findings.items()}
    document = {
        "executions": report.executions,
        "seconds": round(report.seconds, 1),
        "slowest": report.slowest,
        "counts": report.counts,
        "findings": found,
    }
    click.echo(json.dumps(document, indent=1))
    sys.exit(1 if found else 0)


def _noting(progress: str) -> Callable[[int], object]:
    """What writes the number of an execution into a file before it begins."""
    file = os.open(progress, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    return lambda number: os.pwrite(file, f"{number:12}".encode(), 0)


def _shared(
    processes: int, first: int, count: int | None, seconds: float | None, kind: str | None
) -> Report:
    """The report of several processes, each with numbers of its own, one range after the other."""
    if count is None:
        raise click.UsageError("--processes needs --count")
    share = -(-count // processes)
    words = ["--seconds", str(seconds)] * (seconds is not None) + ["--kind", str(kind)] * bool(kind)
    running = [
        subprocess.Popen(
            [sys.executable, "-m", "fuzz", "--first", str(begin), "--count", str(most), *words],
            stdout=subprocess.PIPE,
        )
        for begin in range(first, first + count, share)
        for most in [min(share, first + count - begin)]
    ]
    report = Report()
    for process in running:
        told, _ = process.communicate()
        report.add(json.loads(told))
    return report


main()
