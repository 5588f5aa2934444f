"""Options that several verbs have, and what verbs do alike: compile, report, exit."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import click

from headwater.ask.compile import Compiled, compile_request
from headwater.ask.request import Request, UnknownLanguage
from headwater.langs.protocol import Options
from headwater.report import Diagnostic

Command = TypeVar("Command", bound=Callable[..., Any])


def language_options(command: Command) -> Command:
    """The options that say how files are to be read."""
    for option in reversed(
        [
            click.option("--lang", help="the language, if the file's ending does not tell"),
            click.option("--dialect", help="a dialect of the language"),
            click.option(
                "--engine",
                type=click.Choice(["engine", "paper"]),
                default="engine",
                help="the fast engine, or the paper's semantics",
            ),
            click.option(
                "-I",
                "include",
                multiple=True,
                metavar="DIR",
                help="a folder to look for included files in",
            ),
            click.option("--strict", is_flag=True, help="doubtful things are errors"),
            click.option(
                "--diagnostics",
                type=click.Choice(["text", "json"]),
                default="text",
                help="how errors and warnings are written",
            ),
        ]
    ):
        command = option(command)
    return command


def request_from(files: Sequence[str], settings: dict[str, Any]) -> Request:
    """The request that a command line spells."""
    return Request(
        files=tuple(files),
        lang=settings["lang"],
        dialect=settings["dialect"],
        engine=settings["engine"],
        inputs=settings.get("inputs", {}),
        options=Options(include=tuple(settings["include"]), strict=settings["strict"]),
    )


def compiled_or_exit(files: Sequence[str], settings: dict[str, Any]) -> Compiled:
    """A compilation that has a result; anything else is reported and ends the program."""
    try:
        compiled = compile_request(request_from(files, settings))
    except UnknownLanguage as error:
        raise click.UsageError(str(error)) from None
    report(compiled.diagnostics, settings["diagnostics"])
    if compiled.outcome.result is None:
        sys.exit(1)
    return compiled


def report(diagnostics: Sequence[Diagnostic], form: str = "text") -> None:
    """Writes diagnostics to the error stream."""
    if form == "json":
        document = {"format_version": 1, "diagnostics": [d.as_json() for d in diagnostics]}
        click.echo(json.dumps(document, ensure_ascii=False), err=True)
    elif diagnostics:
        from headwater.report.terminal import render, wants_colour

        stream = sys.stderr
        click.echo(render(diagnostics, colour=wants_colour(stream)), file=stream, color=True)


def write_json(document: Any) -> None:
    """Writes a document to standard output."""
    import msgspec

    sys.stdout.write(msgspec.json.format(msgspec.json.encode(document), indent=2).decode())
    sys.stdout.write("\n")
