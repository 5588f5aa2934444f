"""``headwater explain``"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import click

from headwater.ask.explain import Explanation, explain
from headwater.cli.options import compiled_or_exit, language_options, report, write_json
from headwater.report import Diagnostic, Note
from headwater.report.terminal import Paint, snippet, wants_colour
from headwater.tree.json import compact


@click.command("explain")
@click.argument("file")
@click.argument("value")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text")
@language_options
def command(file: str, value: str, form: str, **settings: Any) -> None:
    """Explain where VALUE of FILE came from.

    VALUE is an address such as s1.web.port.
    """
    compiled = compiled_or_exit([file], settings)
    answer = explain(compiled, value)
    if isinstance(answer, Diagnostic):
        report([answer], settings["diagnostics"])
        sys.exit(1)
    if form == "json":
        write_json(answer.as_json())
        return
    for line in lines(answer, Paint(colour=wants_colour(sys.stdout))):
        click.echo(line, color=True)


def lines(answer: Explanation, paint: Paint) -> Iterator[str]:
    """An explanation as a person reads it."""
    yield paint("1", f"{answer.address} = {answer.shown}")
    if answer.views.origins:
        for origin in answer.views.origins:
            yield from _section(answer, "written here", Note("", origin.at), paint)
    else:
        yield ""
        yield "computed, not written anywhere"
    for entry in answer.views.masked:
        yield ""
        lost = compact(entry.value)
        yield f"{paint('warning', 'overrode')} {lost} ({entry.reason})"
        if entry.where is not None:
            yield from snippet(entry.where.at, _by(answer, Note("", entry.where.at)), "-", paint,
                               arrow="-->")  # fmt: skip
    if answer.position and answer.rank:
        rank, count = answer.rank
        yield ""
        yield f"{paint('note', 'position')} {rank} of {count}, fixed when it was first set"
        for note in answer.position:
            yield from snippet(note.at, note.message, "-", paint, arrow="-->")
    yield ""
    yield paint("note", f"depends on {len(answer.views.depends)} inputs")
    for label in answer.views.depends:
        what = f"no {label.text} here" if label.kind == "miss" else label.text
        text = what if len(what) <= 60 else what[:59] + "…"
        yield f"  {label.kind:<10} {label.at}  {text}"


def _section(answer: Explanation, title: str, note: Note, paint: Paint) -> Iterator[str]:
    yield ""
    yield paint("help", title)
    yield from snippet(note.at, _by(answer, note), "^", paint, arrow="-->")


def _by(answer: Explanation, note: Note) -> str:
    author = answer.author(note)
    return str(author) if author else note.message
