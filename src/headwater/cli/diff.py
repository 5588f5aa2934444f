"""``headwater diff``"""

from __future__ import annotations

import sys
from collections.abc import Callable

import click

from headwater.ask.diff import Difference, diff
from headwater.cli.commands import question
from headwater.cli.options import Settings, language_options, write_json
from headwater.cli.say import say
from headwater.tree import Value


@question("diff", "headwater diff old.sf new.sf")
@click.argument("one", metavar="ONE|A..B")
@click.argument("other", required=False)
@click.option("--exit-code", is_flag=True, help="exit with 3 if there are differences")
@click.option("--format", "form", type=click.Choice(["text", "json", "markdown"]), default="text",
              help="how the answer is written")  # fmt: skip
@language_options
def command(one: str, other: str | None, exit_code: bool, form: str, settings: Settings) -> None:
    """Compare what the files ONE and OTHER compile to, or what revisions A and B do to all nodes.

    A..B are two revisions of the git repository around the current folder, of which nothing is
    checked out; without B it is the working tree, without A the last commit.
    """
    if other is None:
        from headwater.fleet.difference import difference, is_range

        if not is_range(one):
            raise click.UsageError("Missing argument 'OTHER'.")
        from headwater.cli.revisions import told

        if told(difference, one, settings, form) and exit_code:
            sys.exit(3)
        return
    if form == "markdown":
        raise click.UsageError("--format markdown is for two revisions, A..B")
    before = settings.compiled([one])
    after = settings.compiled([other])
    found = diff(before, after)
    sizes = [side.size() for side in (before, after)]
    if form == "json":
        sides = [
            {"file": file, "values": size} for file, size in zip((one, other), sizes, strict=True)
        ]
        changes = [each.as_json() for each in found]
        write_json({"format_version": 1, "sides": sides, "changes": changes})
    else:
        for one_change in found:
            for line in _lines(one_change, before.language.show_value):
                say(line)
        say(
            f"{one}: {sizes[0]} values; {other}: {sizes[1]} values; {len(found)} differences",
            err=True,
        )
        for file, size in zip((one, other), sizes, strict=True):
            if size == 0:
                say(f"warning: {file} compiles to nothing", err=True)
    if found and exit_code:
        sys.exit(3)


def _lines(difference: Difference, show: Callable[[Value], str]) -> list[str]:
    change = difference.change
    if change.kind == "moved":
        before = ", ".join(str(name) for name in change.before)  # type: ignore[union-attr]
        after = ", ".join(str(name) for name in change.after)  # type: ignore[union-attr]
        return [f"~ {difference.address}: order {before} -> {after}"]
    lines = []
    if change.kind != "added":
        place = f"  [{difference.before.at}]" if difference.before else ""
        lines.append(f"- {difference.address} = {show(change.before)}{place}")
    if change.kind != "removed":
        place = f"  [{difference.after.at}]" if difference.after else ""
        lines.append(f"+ {difference.address} = {show(change.after)}{place}")
    return lines
