"""``headwater diff``"""

from __future__ import annotations

import sys
from typing import Any

import click

from headwater.cli.commands import question
from headwater.cli.options import language_options
from headwater.cli.revisions import asked, comparing_options, told
from headwater.cli.settings import Settings, report


@question("diff", "headwater diff old.sf new.sf")
@click.argument("one", required=False, metavar="[ONE|A..B]")
@click.argument("other", required=False)
@click.option("--from", "one_given", multiple=True, metavar="OPTION=VALUE",
              help="give one side an env, puppet, facts, node, classes, fact.PATH")  # fmt: skip
@click.option("--to", "other_given", multiple=True, metavar="OPTION=VALUE",
              help="likewise, for the other side")  # fmt: skip
@comparing_options
@language_options
def command(
    one: str | None, other: str | None, exit_code: bool, form: str, settings: Settings,
    **how: Any,  # noqa: ANN401
) -> None:  # fmt: skip
    """Compare what the files ONE and OTHER compile to, or what revisions A and B do to all nodes.

    A..B are two revisions of the git repository around the current folder, of which nothing is
    checked out; without B it is the working tree, without A the last commit. A alone is A.. too,
    and no word at all is what is not committed yet. ONE and OTHER may be saved catalogs too;
    files with + between them are composed.
    """
    from headwater.fleet.difference import difference, revisions_of

    if other is None:
        given = bool(how["one_given"] or how["other_given"])
        revisions = None if given and one is None else revisions_of(one)
        if one is not None and revisions is None:
            raise click.UsageError("Missing argument 'OTHER'.")
        if told(difference, asked(revisions, **how), settings, form) and exit_code:
            sys.exit(3)
        return
    assert one is not None
    if how["one_given"] or how["other_given"]:
        raise click.UsageError(
            "--from and --to are for nodes: leave out ONE and OTHER, or give A..B"
        )
    if form == "markdown":
        raise click.UsageError("--format markdown is for nodes: A..B, or --from and --to")
    from headwater.cli.difffiles import compared
    from headwater.fleet.asking import no_such_words

    if problem := no_such_words(one, other):
        report([problem], settings.diagnostics)
        sys.exit(1)
    if compared(one, other, settings, form, how["ignore"], as_data=how["as_data"]) and exit_code:
        sys.exit(3)
