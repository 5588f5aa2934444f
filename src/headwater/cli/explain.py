"""``headwater explain``"""

from __future__ import annotations

import sys
from collections.abc import Iterator

import click

from headwater.ask.compile import Compiled
from headwater.ask.explain import Explanation, Unable, explain, slice_of, slicing
from headwater.ask.explain import to_win as ask_to_win
from headwater.ask.request import BadRequest
from headwater.cli.commands import question
from headwater.cli.options import (
    Settings,
    language_options,
    of_node,
    report,
    revisions,
    write_json,
)
from headwater.cli.say import say, say_text
from headwater.report import Diagnostic, Note
from headwater.report.terminal import Paint, snippet, wants_colour
from headwater.tree.json import compact
from headwater.why import Applied, Expression, Given

REASONS = {
    "default": "it is only a default",
    "final": "the winner is final",
    "constraint": "a constraint ranks it lower",
    "tie": "nothing ranks them: the least value is taken",
}
"""Reasons why a value lost where values compete, in words."""

MOST_DECIDING = 8


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
@click.option("--slice", "sliced", is_flag=True, help="print the part VALUE depends on, only")
@language_options
def command(
    files: tuple[str, ...],
    value: str,
    form: str,
    to_win: str | None,
    store: str | None,
    most: int | None,
    *,
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
    answer = explain(compiled, value)
    if isinstance(answer, Diagnostic):
        report([answer], settings.diagnostics)
        sys.exit(1)
    if form == "json":
        write_json(answer.as_json())
        return
    for line in lines(answer, Paint(colour=wants_colour(sys.stdout))):
        say(line)


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


def lines(answer: Explanation, paint: Paint) -> Iterator[str]:
    """An explanation as a person reads it."""
    yield paint("1", f"{answer.address} = {answer.shown}")
    if answer.views.origins:
        for origin in answer.views.origins:
            yield from _section(answer, "written here", Note("", origin.at), paint)
    else:
        yield ""
        yield paint("help", "computed, not written anywhere")
        if answer.views.expression is not None:
            yield f"  {show_expression(answer.views.expression)}"
    if answer.views.path:
        yield ""
        yield paint("note", "came through")
        for label in answer.views.path:
            yield f"  {label.at}  {_cut(label.text)}"
    for entry in answer.views.masked:
        yield ""
        lost = compact(entry.value)
        yield f"{paint('warning', 'overrode')} {lost} ({REASONS.get(entry.reason, entry.reason)})"
        if entry.where is not None:
            yield from snippet(entry.where.at, _by(answer, Note("", entry.where.at)), "-", paint,
                               arrow="-->")  # fmt: skip
        if entry.reason in REASONS:
            for label in entry.by[:MOST_DECIDING]:
                yield f"  because of {label.text} at {label.at}"
            if len(entry.by) > MOST_DECIDING:
                yield f"  and {len(entry.by) - MOST_DECIDING} more"
    if answer.position and answer.rank:
        rank, count = answer.rank
        yield ""
        yield f"{paint('note', 'position')} {rank} of {count}, {answer.position.reason}"
        for note in answer.notes:
            yield from snippet(note.at, note.message, "-", paint, arrow="-->")
    yield ""
    yield paint("note", f"depends on {len(answer.views.depends)} inputs")
    for label in answer.views.depends:
        what = f"no {label.text} here" if label.kind == "miss" else label.text
        yield f"  {label.kind:<10} {label.at}  {_cut(what)}"


def _cut(text: str, most: int = 60) -> str:
    """A text on one line, its end left out if it is long."""
    text = text.partition("\n")[0]
    return text if len(text) <= most else text[: most - 1] + "…"


def show_expression(expression: Expression, most: int = 400) -> str:
    """An expression over the inputs as they are written, cut where it gets long."""
    shown: list[str] = []
    size = 0
    todo: list[Expression | str] = [expression]
    while todo and size <= most:
        part = todo.pop()
        match part:
            case str():
                text = part
            case Given(label=label):
                text = _cut(label.text)
            case Applied(name=name, args=args):
                text = f"{name}("
                todo.append(")")
                for index, arg in enumerate(reversed(args)):
                    todo.append(arg)
                    if index + 1 < len(args):
                        todo.append(", ")
        shown.append(text)
        size += len(text)
    return "".join(shown) + ("…" if todo else "")


def _section(answer: Explanation, title: str, note: Note, paint: Paint) -> Iterator[str]:
    yield ""
    yield paint("help", title)
    yield from snippet(note.at, _by(answer, note), "^", paint, arrow="-->")


def _by(answer: Explanation, note: Note) -> str:
    author = answer.author(note)
    return str(author) if author else note.message
