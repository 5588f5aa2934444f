"""``headwater impact``"""

from __future__ import annotations

import re

import click

from headwater.ask.impact import impact
from headwater.cli.commands import question
from headwater.cli.options import Settings, language_options, of_repository, write_json
from headwater.cli.say import say
from headwater.report.diagnostic import place


@question("impact", "headwater impact examples/firewall.sf:7")
@click.argument("where", metavar="FILE:LINE[:COL]")
@click.option(
    "--of",
    "main",
    multiple=True,
    metavar="MAIN",
    help="the file to compile, if it is another one; several for a language that composes",
)
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text",
              help="how the answer is written")  # fmt: skip
@language_options
def command(where: str, main: tuple[str, ...], form: str, settings: Settings) -> None:
    """Print the values that depend on what is written at FILE:LINE[:COL].

    In a repository they are those of a node (--node), unless --of names a file.
    """
    hit = re.fullmatch(r"(.+?):(\d{1,9})(?::(\d{1,9}))?", where)
    if hit is None:
        raise click.UsageError(f"{where} is not FILE:LINE or FILE:LINE:COLUMN")
    file, line, column = hit[1], int(hit[2]), int(hit[3]) if hit[3] else None
    compiled = settings.compiled(main or ([] if of_repository(file) else [file]))
    answer = impact(compiled, file, line, column)
    if form == "json":
        write_json(
            {
                "format_version": 1,
                "inputs": [
                    {"kind": label.kind, **place(label.at), "text": label.text}
                    for label in answer.inputs
                ],
                "addresses": answer.addresses,
                "masked": answer.masked,
                "output": answer.output,
            }
        )
        return
    if not answer.inputs:
        say(f"nothing at {where} has any effect on the result")
        return
    for label in answer.inputs:
        text = f"no {label.text} here" if label.kind == "miss" else label.text
        say(f"{label.kind:<10} {label.at}  {text}")
    say(f"{len(answer.addresses)} values depend on it" + (":" if answer.addresses else ""))
    for address in answer.addresses:
        say(f"  {address}")
    if answer.masked:
        say(f"{len(answer.masked)} values override it, so that it has no effect on them:")
        for address in answer.masked:
            say(f"  {address}")
    if answer.output:
        say("and it may change which values there are")
