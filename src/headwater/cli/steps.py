"""``headwater steps``"""

from __future__ import annotations

import sys

import click

from headwater.ask.request import BadRequest
from headwater.ask.steps import steps
from headwater.cli.commands import question
from headwater.cli.options import language_options
from headwater.cli.say import say
from headwater.cli.settings import Settings, report
from headwater.report import Diagnostic


@question("steps", "headwater steps examples/firewall.sf --to 20")
@click.argument("files", nargs=-1, required=True)
@click.option("--from", "first", type=click.IntRange(1), default=1, help="the first step to print")
@click.option("--to", "last", type=click.IntRange(1), help="the last step to print")
@click.option("--rule", help="only steps of this rule")
@language_options
def command(
    files: tuple[str, ...], first: int, last: int | None, rule: str | None, settings: Settings
) -> None:
    """Print the evaluation of FILES, rule by rule, with the paper's names."""
    problems: list[Diagnostic] = []
    try:
        for step in steps(settings.request(files), first=first, last=last, rule=rule):
            if isinstance(step, Diagnostic):
                problems.append(step)
                continue
            number, taken = step
            indent = "  " * taken.depth
            say(f"{number:>5}  {taken.rule:<14} {indent}{taken.text}  [{taken.at}]")
    except BadRequest as error:
        raise click.UsageError(str(error)) from None
    report(problems, settings.diagnostics)
    if any(problem.is_error for problem in problems):
        sys.exit(1)
