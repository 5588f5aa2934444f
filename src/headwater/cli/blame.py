"""``headwater blame``"""

from __future__ import annotations

import os
import sys

import click

from headwater.ask.blame import blame
from headwater.ask.explain import not_there
from headwater.cli.commands import question
from headwater.cli.options import Settings, language_options, report, write_json
from headwater.cli.say import say
from headwater.tree import BadAddress, NotThere


@question("blame", "headwater blame examples/firewall.sf testServer")
@click.argument("files", nargs=-1, required=True, metavar="FILE... [VALUE]")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text",
              help="how the answer is written")  # fmt: skip
@language_options
def command(files: tuple[str, ...], form: str, settings: Settings) -> None:
    """Print every value of FILE, or those under VALUE, with origin and author.

    The last argument is a VALUE if there is no file of that name.
    """
    value = files[-1] if len(files) > 1 and not os.path.exists(files[-1]) else None
    compiled = settings.compiled(files if value is None else files[:-1])
    try:
        found = blame(compiled, value)
    except BadAddress as error:
        raise click.UsageError(str(error)) from None
    except NotThere as missing:
        source = compiled.outcome.sources[0]
        report([not_there(compiled, value or "", missing, source)], settings.diagnostics)
        sys.exit(1)
    if form == "json":
        write_json({"format_version": 1, "values": [line.as_json() for line in found]})
        return
    rows = []
    for line in found:
        author = str(line.author) if line.author else ""
        place = str(line.where.at) if line.where else "computed"
        marks = f"  (overrode {line.overrides})" if line.overrides else ""
        rows.append((author, place, f"{line.address} = {line.shown}{marks}"))
    widths = [max((len(row[i]) for row in rows), default=0) for i in (0, 1)]
    for author, place, text in rows:
        columns = [author.ljust(widths[0])] if widths[0] else []
        say("  ".join([*columns, place.ljust(widths[1]), text]))
