"""``headwater blame``"""

from __future__ import annotations

import os
import sys

import click

from headwater.ask.blame import blame
from headwater.ask.rendered import RenderedLine
from headwater.cli.commands import question
from headwater.cli.options import language_options, of_node, write_json
from headwater.cli.say import say
from headwater.cli.settings import Settings, in_repository, report
from headwater.report import Diagnostic


@question("blame", "headwater blame examples/firewall.sf testServer")
@click.argument("files", nargs=-1, metavar="[FILE...|NODE] [VALUE]")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text",
              help="how the answer is written")  # fmt: skip
@language_options
def command(files: tuple[str, ...], form: str, settings: Settings) -> None:
    """Print every value of FILE or NODE, or those under VALUE, with origin and author.

    Of a text that a template wrote, each line is printed with the line of the template.

    The last argument is a VALUE if there is no file of that name.  In a repository
    web1:File[/etc/motd] is a value of the node web1.
    """
    files, value = split(files)
    compiled = settings.compiled(files)
    found = blame(compiled, value)
    if isinstance(found, Diagnostic):
        report([found], settings.diagnostics)
        sys.exit(1)
    if form == "json":
        write_json({"format_version": 1, "values": [line.as_json() for line in found]})
        return
    rows = []
    for line in found:
        if line.lines:
            rows += [_row(one) for one in line.lines]
            continue
        author = str(line.author) if line.author else ""
        place = str(line.where.at) if line.where else "computed"
        marks = f"  (overrode {line.overrides})" if line.overrides else ""
        rows.append((author, place, f"{line.address} = {line.shown}{marks}"))
    widths = [max((len(row[i]) for row in rows), default=0) for i in (0, 1)]
    for author, place, text in rows:
        columns = [author.ljust(widths[0])] if widths[0] else []
        say("  ".join([*columns, place.ljust(widths[1]), text]).rstrip())


def split(words: tuple[str, ...]) -> tuple[tuple[str, ...], str | None]:
    """The files or the node, and the value, among the arguments."""
    if len(words) > 1:
        return (words, None) if os.path.exists(words[-1]) else (words[:-1], words[-1])
    if not words and not in_repository():
        raise click.UsageError("Missing argument 'FILE... [VALUE]'.")
    if words and not os.path.exists(words[0]) and ("[" in words[0] or ":" in words[0]):
        return of_node(words[0], "FILE... [VALUE]")
    return words, None


def _row(line: RenderedLine) -> tuple[str, str, str]:
    """A line of a text that a template wrote, and where the values in it are from."""
    origins = []
    for one in line.inserted:
        places = [one.where] if one.where is not None else list(one.sources)
        told = ", ".join(str(label.at) for label in places) or "computed"
        origins.append(f"{one.text} from {told}")
    marks = f"  <- {'; '.join(origins)}" if origins else ""
    return str(line.author) if line.author else "", line.place, f"{line.text}{marks}"
