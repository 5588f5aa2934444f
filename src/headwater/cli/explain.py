"""``headwater explain``"""

from __future__ import annotations

import sys
from dataclasses import replace

import click

from headwater.ask.compile import Compiled
from headwater.ask.explain import Explanation, Unable, explain, slice_of, slicing
from headwater.ask.explain import to_win as ask_to_win
from headwater.ask.request import BadRequest
from headwater.cli.commands import question
from headwater.cli.explanation import LIMIT, Telling, lines
from headwater.cli.options import language_options, of_node, revisions, write_json
from headwater.cli.say import say, say_text
from headwater.cli.settings import Settings, in_repository, report
from headwater.report import Diagnostic
from headwater.report.terminal import Paint, snippet, wants_colour


@question("explain", "headwater explain examples/firewall.sf testServer.public")
@click.argument("files", nargs=-1, metavar="[FILE...|NODE]")
@click.argument("value", metavar="[NODE:]VALUE")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text",
              help="how the answer is written")  # fmt: skip
@click.option("--to-win", metavar="VALUE", help="what would make another value win there (L3)")
@click.option("--store", metavar="FILE", help="the history of VALUE in a durable store instead")
@click.option(
    "--most", type=revisions(1), metavar="N", help="with --store: so many commits at most"
)
@click.option("--why-not", "other", metavar="OTHER",
              help="changes that make VALUE be OTHER, each of them tried")  # fmt: skip
@click.option("--absent", is_flag=True, help="why there is no VALUE, a resource")
@click.option("--confirm", "confirming", is_flag=True,
              help="try which inputs really change VALUE, by writing each otherwise")  # fmt: skip
@click.option("--depends", type=click.Choice(["direct", "all"]), default="all",
              help="which inputs: what VALUE is made of, or all that could change it")  # fmt: skip
@click.option("--limit", type=click.IntRange(0, clamp=True), default=LIMIT, metavar="N",
              help=f"print at most N lines of each kind ({LIMIT})")  # fmt: skip
@click.option("--all", "everything", is_flag=True, help="print every input, none grouped or cut")
@click.option("--slice", "sliced", is_flag=True, help="print the part VALUE depends on, only")
@language_options
def command(
    files: tuple[str, ...],
    value: str,
    form: str,
    to_win: str | None,
    store: str | None,
    most: int | None,
    other: str | None,
    depends: str,
    limit: int,
    *,
    absent: bool,
    confirming: bool,
    everything: bool,
    sliced: bool,
    settings: Settings,
) -> None:
    """Explain where VALUE of FILE, or of NODE, came from.

    VALUE is an address such as s1.web.port or File[/etc/motd].content.  In a repository
    web1:File[/etc/motd].content is a value of the node web1.
    """
    if store is not None:
        from headwater.cli.stored import explain_stored

        if files:
            raise click.UsageError("--store and FILE do not go together")
        explain_stored(store, value, most, form, settings.diagnostics)
        return
    if not files:
        files, value = of_node(value, "FILE...")
    if sliced:
        say_text(part_of(files, value, settings))
        return
    compiled = settings.compiled(files)
    if to_win is not None:
        contest(compiled, value, to_win, form, settings)
        return
    if absent:
        from headwater.cli.absent import say_absent

        say_absent(compiled, value, form, settings.diagnostics)
        return
    answer = explain(compiled, value)
    if isinstance(answer, Diagnostic):
        report([answer], settings.diagnostics)
        sys.exit(1)
    answer = owned(answer, settings)
    paint = Paint(colour=wants_colour(sys.stdout))
    how = Telling(paint, None if everything else limit, direct=depends == "direct")
    if other is not None:
        from headwater.cli.trials import say_why_not

        say_why_not(compiled, answer, other, form, how)
        return
    if confirming:
        from headwater.cli.trials import say_confirmed

        say_confirmed(compiled, answer, form, how)
        return
    if form == "json":
        write_json(answer.as_json(direct=how.direct))
        return
    for line in lines(answer, how):
        say(line)


def owned(answer: Explanation, settings: Settings) -> Explanation:
    """An explanation that tells who may change its inputs, as far as headwater.toml says so."""
    if not in_repository():
        return answer
    from headwater.fleet.owners import Owners

    owners = Owners(settings.site())
    return replace(answer, owned=lambda label: owners.of(label.at))


def part_of(files: tuple[str, ...], value: str, settings: Settings) -> str:
    """The answer to ``--slice``."""
    try:
        wanted = slicing(settings.asked(files))
    except (Unable, BadRequest) as error:
        raise click.UsageError(str(error)) from None
    compiled = settings.compile(wanted)
    answer = explain(compiled, value)
    part = answer if isinstance(answer, Diagnostic) else slice_of(compiled, value)
    if isinstance(part, Diagnostic):
        report([part], settings.diagnostics)
        sys.exit(1)
    return part


def contest(compiled: Compiled, address: str, value: str, form: str, settings: Settings) -> None:
    """The answer to ``--to-win``."""
    try:
        answer = ask_to_win(compiled, address, value)
    except Unable as error:
        raise click.UsageError(str(error)) from None
    if isinstance(answer, Diagnostic):
        report([answer], settings.diagnostics)
        sys.exit(1)
    if form == "json":
        write_json(answer.as_json())
        return
    paint = Paint(colour=wants_colour(sys.stdout))
    say(paint("1", f"to make {answer.value} win at {answer.address}"))
    say(f"  {answer.suggestion.message}")
    for edit in answer.suggestion.edits:
        what = f"write {edit.text.strip()}" if edit.text else f"remove {edit.at.text.strip()}"
        for line in snippet(edit.at, what, "^" if edit.text else "-", paint, arrow="-->"):
            say(line)
