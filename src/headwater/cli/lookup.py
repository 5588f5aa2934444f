"""``headwater lookup``"""

from __future__ import annotations

import sys

import click

from headwater.ask.inputs import paths
from headwater.ask.lookup import Asked, LookedUp, lookup, lookup_document
from headwater.ask.request import BadRequest
from headwater.cli.commands import question
from headwater.cli.options import language_options, write_json
from headwater.cli.say import say
from headwater.cli.settings import NO_REPOSITORY, Settings, in_repository, report
from headwater.text.paths import near
from headwater.tree.json import compact

_SAID = {
    "found": "",
    "overridden": "   overridden",
    "no key": "no such key",
    "no file": "no such file",
    "no files": "no file fits",
    "unknown": "only Ruby can tell",
}


@question(
    "lookup", "headwater lookup ntp::servers --env . --node web1", families=["program", "lookup"]
)
@click.argument("key")
@click.option(
    "--of", "main", metavar="MAIN", help="a manifest: look up as its program sees the data"
)
@click.option("--default", "default", metavar="TEXT", help="the value if nothing has the key")
@click.option("--format", "form", type=click.Choice(["text", "json", "value"]), default="text",
              help="how the answer is written")  # fmt: skip
@language_options
def command(key: str, main: str | None, default: str | None, form: str, settings: Settings) -> None:
    """Print the value of KEY in the data for a node, and every place that decides it."""
    told = main or default is not None or settings.lang or any(paths(settings.inputs))
    if not told and not in_repository():
        raise click.UsageError(f"in which data? --env and --hiera name them; {NO_REPOSITORY}")
    try:
        answer = lookup(settings.asked([main] if main else []), key, settings.inputs)
    except BadRequest as error:
        raise click.UsageError(str(error)) from None
    if isinstance(answer, list):
        report(answer, settings.diagnostics)
        sys.exit(1)
    if form == "json":
        write_json(lookup_document(answer))
    elif answer.found:
        say(compact(answer.value))
    elif default is not None:
        say(compact(default))
    if form == "text":
        _explain(answer, "")
    report(answer.diagnostics if form != "json" else (), settings.diagnostics)
    if not answer.found and default is None:
        sys.exit(1)


def _explain(answer: LookedUp, margin: str) -> None:
    by = f", said at {answer.options_at}" if answer.options_at is not None else ""
    if margin:
        shown = compact(answer.value) if answer.found else "not found"
        say()
        say(f"{margin}{answer.key} = {shown}")
    say(f"{margin}merge: {answer.strategy}{by}")
    level: tuple[str, str] | None = None
    for asked in answer.places:
        if level != (asked.layer, asked.level):
            level = (asked.layer, asked.level)
            say(f"{margin}{asked.layer} level {asked.level}  ({asked.level_at})")
        say(f"{margin}  {_line(asked)}")
    for inner in answer.inner:
        _explain(inner, margin + "    ")


def _line(asked: Asked) -> str:
    mark = {"found": "+", "overridden": "~", "unknown": "?"}.get(asked.status, "-")
    if asked.status in ("found", "overridden"):
        return f"{mark} {asked.at}  {compact(asked.value)}{_SAID[asked.status]}"
    return f"{mark} {near(asked.path or asked.location)}  {_SAID[asked.status]}"
