"""``headwater steps``"""

from __future__ import annotations

import sys
from typing import Any

import click

from headwater.ask.request import UnknownLanguage
from headwater.ask.steps import steps
from headwater.cli.options import language_options, report, request_from
from headwater.cli.say import say
from headwater.report import Diagnostic


@click.command("steps")
@click.argument("files", nargs=-1, required=True)
@click.option("--from", "first", type=click.IntRange(1), default=1, help="the first step to print")
@click.option("--to", "last", type=click.IntRange(1), help="the last step to print")
@click.option("--rule", help="only steps of this rule")
@language_options
def command(
    files: tuple[str, ...], first: int, last: int | None, rule: str | None, **settings: Any
) -> None:
    """Print the evaluation of FILES, rule by rule, with the paper's names."""
    problems: list[Diagnostic] = []
    try:
        for step in steps(request_from(files, settings), first=first, last=last, rule=rule):
            if isinstance(step, Diagnostic):
                problems.append(step)
                continue
            number, taken = step
            indent = "  " * taken.depth
            say(f"{number:>5}  {taken.rule:<14} {indent}{taken.text}  [{taken.at}]")
    except UnknownLanguage as error:
        raise click.UsageError(str(error)) from None
    report(problems, settings["diagnostics"])
    if any(problem.is_error for problem in problems):
        sys.exit(1)
