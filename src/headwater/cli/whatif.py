"""``headwater whatif``"""

from __future__ import annotations

import sys

import click

from headwater.cli.commands import question
from headwater.cli.options import Settings, language_options
from headwater.cli.revisions import told


@question("whatif", "headwater whatif data/common.yaml:ntp::servers='[a.example.com]'")
@click.argument("edits", nargs=-1, required=True, metavar="FILE:LINE=TEXT|FILE:KEY=VALUE...")
@click.option("--exit-code", is_flag=True, help="exit with 3 if there are differences")
@click.option("--format", "form", type=click.Choice(["text", "json", "markdown"]), default="text",
              help="how the answer is written")  # fmt: skip
@language_options
def command(edits: tuple[str, ...], exit_code: bool, form: str, settings: Settings) -> None:
    """Show what edits would do to all nodes of the repository, without making them.

    An edit is a line with its new text, or a key of a data file with its new value, which is
    written as YAML. Several are made one after the other. Nothing on disk changes.
    """
    from headwater.fleet.whatif import what_if

    if told(what_if, edits, settings, form) and exit_code:
        sys.exit(3)
