"""``headwater whatif``"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from headwater.cli.commands import question
from headwater.cli.fleet import refusals, tell_of_kept
from headwater.cli.options import language_options, write_json
from headwater.cli.revisions import comparing_options, told
from headwater.cli.say import say
from headwater.cli.settings import Settings

if TYPE_CHECKING:
    from headwater.fleet.whatif import Supposed


@question("whatif", "headwater whatif data/common.yaml:ntp::servers='[a.example.com]'")
@click.argument("edits", nargs=-1, metavar="FILE:LINE=TEXT|FILE:KEY=VALUE...")
@click.option("--fact", "facts", multiple=True, metavar="PATH=VALUE",
              help="suppose that nodes have a fact, as in os.release.major=13")  # fmt: skip
@click.option("--who", is_flag=True, help="only name the nodes that may change; compile nothing")
@comparing_options
@language_options
def command(
    edits: tuple[str, ...], facts: tuple[str, ...], exit_code: bool, form: str,
    ignore: tuple[str, ...], as_data: bool, who: bool, settings: Settings,
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
    if who:
        _who(supposed, settings, form)
        return
    if told(what_if, supposed, settings, form) and exit_code:
        sys.exit(3)


def _who(supposed: Supposed, settings: Settings, form: str) -> None:
    """Prints who may be affected, from what is kept of the last compilations."""
    from headwater.fleet.affected import who_is_affected
    from headwater.fleet.kept import kept_for

    with refusals(settings):
        kept = kept_for(settings.site().repository.root)
        found = who_is_affected(supposed, settings.request([]), kept)
    tell_of_kept(kept, settings)
    if form == "json":
        write_json({"format_version": 1, "affected": found.affected,
                    "unaffected": len(found.unaffected), "unknown": found.unknown})  # fmt: skip
        return
    for node in found.affected:
        say(node)
    counts = (len(found.affected), len(found.unaffected), len(found.unknown))
    say("{:,} may change, {:,} proved unaffected, {:,} not compiled since they changed".format(
        *counts), err=True)  # fmt: skip
