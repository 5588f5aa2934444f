"""``headwater fleet list|check|diff``: what other commands tell of one node or of two states."""

from __future__ import annotations

import sys
from typing import Any

import click

from headwater.cli.commands import Command
from headwater.cli.fleet import asked, command, kept_of, of_nodes, refusals, tell_of_kept
from headwater.cli.nodes import show_age, show_table
from headwater.cli.options import language_options, write_json
from headwater.cli.revisions import asked as asked_states
from headwater.cli.revisions import comparing_options, told
from headwater.cli.settings import Settings, report


@of_nodes("list", "headwater fleet list 'web*'")
@click.argument("nodes", nargs=-1)
def list_nodes(
    nodes: tuple[str, ...], form: str, fresh: bool, processes: int | None, settings: Settings
) -> None:
    """List the nodes with what is known of them, and whether they need be compiled.

    The last column says whether a result is kept and still good (known), is kept and something
    that was read for it has changed (changed), or was never made (new).
    """
    from headwater.fleet.catalogs import COMPILE
    from headwater.fleet.listing import listing

    asking = asked(COMPILE, nodes, settings, fresh=fresh, processes=processes)
    with refusals(settings):
        found = listing(asking.every.site, nodes, settings.request(()))
    names = [row.node for row in found.rows]
    good = asking.every.known(names)
    before = asking.every.asked_before(names)
    states = {
        name: "known" if name in good else "changed" if name in before else "new" for name in names
    }
    if form == "json":
        document = found.as_json()
        for row in document["nodes"]:
            row["result"] = states[row["node"]]
        write_json(document)
    else:
        show_table(
            ("node", "role", "environment", "facts", "result"),
            [
                (row.node, row.role or "-", row.environment or "-", show_age(row.age),
                 states[row.node])
                for row in found.rows
            ],
        )  # fmt: skip
        report(found.skipped, settings.diagnostics if found.skipped else "text")
    tell_of_kept(asking.every.kept, settings)
    if not found.rows:
        sys.exit(1)


@command.command("check", cls=Command, example="headwater fleet check", families=("program",))
@click.argument("nodes", nargs=-1)
@click.option("--format", "form", type=click.Choice(["text", "json", "sarif", "junit"]),
              default="text", help="how the answer is written")  # fmt: skip
@click.option("--long", is_flag=True, help="each problem with its lines and help")
@click.option("--processes", type=click.IntRange(1, 256), metavar="N",
              help="nodes at a time (one for each processor)")  # fmt: skip
@click.option("--rules", multiple=True, metavar="FILE", help="rules beside those of headwater.toml")
@click.option("--baseline", metavar="FILE", help="leave out what FILE accepts")
@click.option("--accept", is_flag=True, help="with --baseline: write what is found to FILE")
@click.option("--fresh", is_flag=True, help="work out everything, whatever is kept")
@language_options
def check_nodes(
    nodes: tuple[str, ...], fresh: bool, settings: Settings, **how: Any,  # noqa: ANN401
) -> None:  # fmt: skip
    """Print what can be found fault with in all nodes, or in NODES; exit with 1 if there is any.

    It is `headwater check` over a repository, which remembers: nodes that read nothing that
    changed are not compiled again.
    """
    from headwater.cli.checking import How, check_repository

    if how["accept"] and not how["baseline"]:
        raise click.UsageError("--accept goes with --baseline")
    site = settings.site()
    check_repository(site, nodes, How(**how), settings, kept_of(site, fresh=fresh))


@command.command("diff", cls=Command, example="headwater fleet diff main..feature",
                 families=("program",))  # fmt: skip
@click.argument("revisions", metavar="A..B")
@comparing_options
@language_options
def diff_nodes(
    revisions: str, exit_code: bool, form: str, ignore: tuple[str, ...], as_data: bool,
    settings: Settings,
) -> None:  # fmt: skip
    """Compare what revisions A and B do to all nodes: `headwater diff A..B`."""
    from headwater.fleet.difference import difference, is_range

    if not is_range(revisions):
        raise click.UsageError(f"{revisions} is not A..B, two revisions")
    states = asked_states(revisions, (), (), ignore, as_data)
    if told(difference, states, settings, form) and exit_code:
        sys.exit(3)
