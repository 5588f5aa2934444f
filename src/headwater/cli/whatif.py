"""``headwater whatif``"""

from __future__ import annotations

import sys

import click

from headwater.cli.commands import question
from headwater.cli.options import Settings, language_options
from headwater.cli.revisions import comparing_options, told


@question("whatif", "headwater whatif data/common.yaml:ntp::servers='[a.example.com]'")
@click.argument("edits", nargs=-1, metavar="FILE:LINE=TEXT|FILE:KEY=VALUE...")
@click.option("--fact", "facts", multiple=True, metavar="PATH=VALUE",
              help="suppose that nodes have a fact, as in os.release.major=13")  # fmt: skip
@comparing_options
@language_options
def command(
    edits: tuple[str, ...], facts: tuple[str, ...], exit_code: bool, form: str,
    ignore: tuple[str, ...], as_data: bool, settings: Settings,
) -> None:  # fmt: skip
    """Show what edits would do to all nodes of the repository, without making them.

    An edit is a line with its new text, or a key of a data file with its new value, which is
    written as YAML. Several are made one after the other. Nothing on disk changes.
    """
    from headwater.fleet.effective import Manner
    from headwater.fleet.whatif import Supposed, what_if

    if not edits and not facts:
        raise click.UsageError("Missing argument 'FILE:LINE=TEXT|FILE:KEY=VALUE...'.")
    supposed = Supposed(edits, facts, Manner(ignore, as_data))
    if told(what_if, supposed, settings, form) and exit_code:
        sys.exit(3)
