"""``headwater compare``"""

from __future__ import annotations

import shlex
import sys
import time
from typing import Any

import click

from headwater.ask.compare import Compiler, Row, compare
from headwater.ask.request import UnknownLanguage
from headwater.cli.options import Seconds, choosing_options, request_from, write_json


@click.command("compare")
@click.argument("files", nargs=-1, required=True)
@click.option(
    "--with",
    "commands",
    multiple=True,
    metavar="NAME=COMMAND",
    help="another compiler; {file} in its command stands for the file",
)
@click.option(
    "--engines",
    default="engine,paper",
    show_default=True,
    metavar="A,B",
    help="our own compilers to take part",
)
@click.option(
    "--timeout", type=Seconds(), default=20.0, show_default=True, help="seconds for a file"
)
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text")
@choosing_options
def command(
    files: tuple[str, ...],
    commands: tuple[str, ...],
    engines: str,
    timeout: float,
    form: str,
    **settings: Any,
) -> None:
    """Compile FILES with several compilers and tell where they agree.

    The first compiler is what the others are compared with: results as data, errors by their
    class.  Exit status 1 means that something differs or fails.
    """
    compilers = [Compiler(name) for name in engines.split(",") if name]
    if any(c.name not in ("engine", "paper") for c in compilers):
        raise click.UsageError("--engines are engine and paper")
    for entry in commands:
        name, _, line = entry.partition("=")
        if not name or "{file}" not in line:
            raise click.UsageError(f"--with {entry}: it needs NAME='COMMAND {{file}}'")
        try:
            shlex.split(line)
        except ValueError as error:
            raise click.UsageError(f"--with {entry}: {str(error).lower()}") from None
        compilers.append(Compiler(name, line))
    if len(compilers) < 2:
        raise click.UsageError("comparing needs two compilers")
    rows: list[Row] = []
    start = time.monotonic()
    try:
        request = request_from((), settings)
        for row in compare(request, files, compilers, seconds=timeout):
            rows.append(row)
            if sys.stderr.isatty() and time.monotonic() - start > 1:
                click.echo(f"\r{len(rows)} of {len(files)}", nl=False, err=True)
    except UnknownLanguage as error:
        raise click.UsageError(str(error)) from None
    if form == "json":
        write_json(document(rows, [c.name for c in compilers]))
    else:
        table(rows, [c.name for c in compilers])
    sys.exit(0 if all(row.agrees for row in rows) else 1)


VERBS = {"differ": "differs", "fails": "fails"}


def document(rows: list[Row], names: list[str]) -> dict[str, Any]:
    """The comparison for programs."""
    return {
        "format_version": 1,
        "compilers": names,
        "files": [
            {
                "file": row.file,
                "compilers": {
                    name: {
                        "verdict": word,
                        "difference": text or None,
                        "kind": row.answers[name].kind,
                    }
                    for name, (word, text) in row.verdicts.items()
                },
            }
            for row in rows
        ],
    }


def table(rows: list[Row], names: list[str]) -> None:
    """A line for each file that not all agree on, then the sums."""
    first, *others = names
    for row in rows:
        for name in others:
            word, text = row.verdicts[name]
            if word != "agree":
                click.echo(f"{row.file}: {name} {VERBS[word]}: {text}")
    width = max(len(name) for name in names)
    click.echo(f"{len(rows)} files, compared with {first}")
    click.echo(f"  {'':{width}}  agree  differ  fails")
    for name in others:
        words = [row.verdicts[name][0] for row in rows]
        sums = [words.count(word) for word in ("agree", "differ", "fails")]
        click.echo(f"  {name:{width}}  {sums[0]:>5}  {sums[1]:>6}  {sums[2]:>5}")
