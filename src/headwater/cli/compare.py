"""``headwater compare``"""

from __future__ import annotations

import os
import shlex
import sys
import time
from collections.abc import Sequence
from typing import Any

import click

from headwater.ask.compare import VERDICTS, Comparison, Row, comparison
from headwater.ask.generate import generator_of
from headwater.ask.peers import FORMATS, Answer, Compiler
from headwater.ask.request import BadRequest
from headwater.ask.shrink import MOST_SECONDS, MOST_TRIES, Shrunk, shrink
from headwater.cli.commands import question
from headwater.cli.options import Seconds, choosing_options, write_json
from headwater.cli.say import say, say_progress
from headwater.cli.settings import Settings
from headwater.text.reading import read_bytes
from headwater.tree.json import compact


@question("compare", "headwater compare --engines engine,paper examples/firewall.sf")
@click.argument("files", nargs=-1, required=True)
@click.option(
    "--with",
    "commands",
    multiple=True,
    metavar="NAME=COMMAND",
    help="another compiler; {file} in its command stands for the file, without it the command "
    "answers jobs",
)
@click.option(
    "--reads",
    multiple=True,
    metavar="NAME=FORMAT",
    help=f"what a compiler prints: {', '.join(FORMATS)}",
)
@click.option(
    "--engines",
    default="engine,paper",
    show_default=True,
    metavar="A,B",
    help="our own compilers to take part",
)
@click.option("--numbers-alike", is_flag=True, help="1 and 1.0 are the same")
@click.option("--shrink", "shrinking", is_flag=True,
              help="make each program that differs as small as it can be")  # fmt: skip
@click.option("--tries", type=click.IntRange(1), default=MOST_TRIES, show_default=True,
              help="programs tried to shrink one")  # fmt: skip
@click.option("--seconds", type=Seconds(), default=MOST_SECONDS, show_default=True,
              help="time to shrink one")  # fmt: skip
@click.option("--parallel", type=click.IntRange(1, 64), default=os.cpu_count() or 1,
              show_default="processors", help="files at a time")  # fmt: skip
@click.option(
    "--timeout", type=Seconds(), default=20.0, show_default=True, help="seconds for a file"
)
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text",
              help="how the answer is written")  # fmt: skip
@choosing_options
def command(
    files: tuple[str, ...],
    commands: tuple[str, ...],
    reads: tuple[str, ...],
    engines: str,
    numbers_alike: bool,
    shrinking: bool,
    tries: int,
    seconds: float,
    parallel: int,
    timeout: float,
    form: str,
    settings: Settings,
) -> None:
    """Compile FILES with several compilers and tell where they agree.

    The first compiler is what the others are compared with: results as data, errors by their
    class.  Exit status 1 means that something differs, hangs, crashes or fails.
    """
    compilers = given_compilers(engines, commands, reads)
    names = [compiler.name for compiler in compilers]
    shrunk: dict[tuple[str, str], Shrunk] = {}
    try:
        made = comparison(settings.request(()), files, compilers, seconds=timeout,
                          alike=numbers_alike)  # fmt: skip
        try:
            rows = counted(made, files, parallel)
            if shrinking:
                dialect = settings.dialect
                for row in rows:
                    for name in names[1:]:
                        if row.verdicts[name][0] in ("differ", "crashes"):
                            shrunk[row.file, name] = shrunk_program(
                                made, row.file, name, dialect, tries, seconds
                            )
        finally:
            made.close()
    except BadRequest as error:
        raise click.UsageError(str(error)) from None
    if form == "json":
        write_json(document(rows, names, shrunk))
    else:
        table(rows, names, shrunk)
    sys.exit(0 if all(row.agrees for row in rows) else 1)


def given_compilers(engines: str, commands: Sequence[str], reads: Sequence[str]) -> list[Compiler]:
    """The compilers that the options name."""
    formats: dict[str, str] = {}
    for entry in reads:
        name, _, format = entry.partition("=")
        if format not in FORMATS:
            raise click.UsageError(f"--reads {entry}: a format is one of {', '.join(FORMATS)}")
        formats[name] = format
    compilers = [Compiler(name) for name in engines.split(",") if name]
    if any(c.name not in ("engine", "paper") for c in compilers):
        raise click.UsageError("--engines are engine and paper")
    for entry in commands:
        name, _, line = entry.partition("=")
        if not name or not line.strip():
            raise click.UsageError(f"--with {entry}: it needs NAME='COMMAND {{file}}'")
        try:
            shlex.split(line)
        except ValueError as error:
            raise click.UsageError(f"--with {entry}: {str(error).lower()}") from None
        compilers.append(Compiler(name, line, formats.pop(name, None)))
    if formats:
        raise click.UsageError(f"--reads {next(iter(formats))}: no --with has that name")
    if len({compiler.name for compiler in compilers}) < len(compilers):
        raise click.UsageError("two compilers have the same name")
    if len(compilers) < 2:
        raise click.UsageError("comparing needs two compilers")
    return compilers


def counted(made: Comparison, files: Sequence[str], parallel: int) -> list[Row]:
    """All rows; on a terminal with a count when it takes long."""
    rows: list[Row] = []
    start = time.monotonic()
    for row in made.rows(files, workers=parallel):
        rows.append(row)
        if sys.stderr.isatty() and time.monotonic() - start > 1:
            say_progress(len(rows), len(files))
    return rows


def shrunk_program(
    made: Comparison, file: str, name: str, dialect: str | None, tries: int, seconds: float
) -> Shrunk:
    """The smallest program that still differs as a file does."""
    _, generator, chosen = generator_of(made.language.name, dialect)
    text = read_bytes(file).decode("utf-8", "replace")
    ending = os.path.splitext(file)[1]
    return shrink(made, generator, chosen, text, name, ending, tries=tries, seconds=seconds)


VERBS = {"differ": "differs"}


def document(
    rows: list[Row], names: list[str], shrunk: dict[tuple[str, str], Shrunk]
) -> dict[str, Any]:
    """The comparison for programs."""
    files = []
    for row in rows:
        told = {}
        for name, (word, text) in row.verdicts.items():
            entry: dict[str, Any] = {
                "verdict": word,
                "difference": text or None,
                "kind": row.answers[name].kind,
            }
            small = shrunk.get((row.file, name))
            if small is not None:
                entry["shrunk"] = {
                    "program": small.text,
                    "tries": small.tries,
                    "finished": small.finished,
                    "answers": {n: said(small.row.answers[n]) for n in (names[0], name)},
                }
            told[name] = entry
        files.append({"file": row.file, "compilers": told})
    sums = {name: {word: count(rows, name, word) for word in VERDICTS} for name in names}
    return {"format_version": 1, "compilers": names, "files": files, "sums": sums}


def count(rows: list[Row], name: str, word: str) -> int:
    """How many programs have a verdict."""
    return sum(row.verdicts[name][0] == word for row in rows)


def said(answer: Answer) -> str:
    """An answer on one line."""
    return compact(answer.value) if answer.kind == "result" else str(answer.value)


def table(rows: list[Row], names: list[str], shrunk: dict[tuple[str, str], Shrunk]) -> None:
    """A line for each file that not all agree on, then the sums."""
    first, *others = names
    for row in rows:
        for name in others:
            word, text = row.verdicts[name]
            if word != "agree":
                say(f"{row.file}: {name} {VERBS.get(word, word)}: {text}")
            small = shrunk.get((row.file, name))
            if small is not None:
                show_shrunk(small, first, name)
    width = max(len(name) for name in names)
    words = [word for word in VERDICTS if word in ("agree", "differ") or
             any(count(rows, name, word) for name in others)]  # fmt: skip
    say(f"{len(rows)} files, compared with {first}")
    say(f"  {'':{width}}  " + "  ".join(f"{word:>6}" for word in words))
    for name in others:
        sums = "  ".join(f"{count(rows, name, word):>6}" for word in words)
        say(f"  {name:{width}}  {sums}")


def show_shrunk(small: Shrunk, first: str, name: str) -> None:
    """The smallest program and the two answers to it."""
    for line in small.text.rstrip("\n").split("\n"):
        say(f"    {line}")
    width = max(len(first), len(name))
    for each in (first, name):
        say(f"  {each:{width}}  {said(small.row.answers[each])}")
    if not small.finished:
        say(f"  (stopped after {small.tries} tries)")
