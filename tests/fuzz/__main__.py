"""``python -m fuzz``: runs the fuzzer for a while, or one number of it."""

from __future__ import annotations

import itertools
import json
import os
import sys
import time
from pathlib import Path

import click

from fuzz.run import KINDS, page, run

PAGE = Path(__file__).parents[2] / "docs" / "laws" / "fuzz.md"


@click.command()
@click.option("--seconds", type=float, help="end after so many seconds")
@click.option("--count", type=int, help="end after so many executions")
@click.option("--first", type=int, default=1, help="the first number")
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
    *,
    write_page: bool,
) -> None:
    """Print the findings as a JSON document; exit with 1 if there are any."""
    numbers = [only] if only is not None else itertools.count(first)
    until = None if seconds is None else time.monotonic() + seconds
    note = None
    if progress is not None:
        file = os.open(progress, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)

        def note(number: int) -> None:
            os.pwrite(file, f"{number:12}".encode(), 0)

    report = run(itertools.islice(numbers, count), until=until, only=kind, note=note)
    if write_page:
        command = " ".join(["python -m fuzz", *sys.argv[1:]])
        PAGE.write_text(page(report, command, first), encoding="utf-8")
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


main()
