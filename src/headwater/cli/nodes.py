"""``headwater nodes``"""

from __future__ import annotations

import sys

import click

from headwater.ask.request import BadRequest
from headwater.cli.commands import question
from headwater.cli.options import language_options, write_json
from headwater.cli.say import say
from headwater.cli.settings import Settings, report
from headwater.report.terminal import shown


@question("nodes", "headwater nodes 'web*'")
@click.argument("names", nargs=-1, metavar="[NODES]")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text",
              help="how the answer is written")  # fmt: skip
@language_options
def command(names: tuple[str, ...], form: str, settings: Settings) -> None:
    """List the nodes of the repository with role, environment and the age of their facts.

    NODES are names, globs such as 'web*', or an expression over facts such as
    "$facts['os']['family'] == 'Debian'".
    """
    from headwater.fleet.config import BadRepository
    from headwater.fleet.listing import listing

    try:
        found = listing(settings.site(), names, settings.request(()))
    except BadRequest as error:
        raise click.UsageError(str(error)) from None
    except BadRepository as bad:
        report(bad.diagnostics, settings.diagnostics)
        sys.exit(1)
    if form == "json":
        write_json(found.as_json())
    else:
        show_table(
            ("node", "role", "environment", "facts"),
            [
                (row.node, row.role or "-", row.environment or "-", show_age(row.age))
                for row in found.rows
            ],
        )
        report(found.skipped, settings.diagnostics if found.skipped else "text")
    if not found.rows:
        sys.exit(1)


def show_table(head: tuple[str, ...], rows: list[tuple[str, ...]]) -> None:
    """Prints rows in columns under their names; nothing if there are none."""
    lines = [[shown(cell) for cell in row] for row in (head, *rows)] if rows else []
    widths = [max(len(row[i]) for row in lines) for i in range(len(head) - 1)] if rows else []
    for row in lines:
        cells = [cell.ljust(width) for cell, width in zip(row, widths, strict=False)]
        say("  ".join([*cells, row[-1]]))


def show_age(seconds: float | None) -> str:
    """How old facts are, in the largest unit that fits."""
    if seconds is None:
        return "none"
    for unit, size in (("d", 86_400), ("h", 3_600), ("min", 60)):
        if seconds >= size:
            return f"{seconds // size:.0f} {unit}"
    return f"{seconds:.0f} s"
