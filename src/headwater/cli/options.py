"""Options that several verbs have, and what verbs do alike: compile, report, exit."""

from __future__ import annotations

import functools
import json
import sys
from collections.abc import Callable, Sequence
from typing import Any, TypeVar, cast

import click

from headwater.ask.compile import Compiled, compile_request
from headwater.ask.request import Request, UnknownLanguage
from headwater.cli.reaching import reading_options
from headwater.cli.say import say, say_diagnostics
from headwater.langs.codes import TIMEOUT, unread
from headwater.langs.fields import LONGEST_TIME
from headwater.langs.protocol import Options
from headwater.report import Diagnostic
from headwater.text import Source, Unreadable, visible
from headwater.text.reading import Unread, standard_input
from headwater.text.source import decode_source

Command = TypeVar("Command", bound=Callable[..., Any])


class Seconds(click.ParamType[float]):
    """A time limit."""

    name = "seconds"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """The number of seconds."""
        try:
            seconds = float(value)
        except ValueError:
            seconds = 0.0
        if not 0 < seconds <= LONGEST_TIME:
            self.fail(f"{value!r} is not a number of seconds above 0", param, ctx)
        return seconds


def revisions(least: int) -> click.IntRange:
    """A number of a commit, or of commits; one that no store can have is as good as the last."""
    return click.IntRange(least, 2**63 - 1, clamp=True)


def time_limit(command: Command) -> Command:
    """``--timeout``: the command ends with the code `timeout` when the time is up."""

    @click.option("--timeout", type=Seconds(), metavar="SECONDS", help="end after so many seconds")
    @functools.wraps(command)
    def in_time(*args: Any, timeout: float | None, **settings: Any) -> Any:
        if timeout is None or settings.get("jobs") is not None:
            return command(*args, **settings)  # each job has a limit of its own
        from headwater.text.deadline import TimedOut, limited

        try:
            with limited(timeout):
                return command(*args, **settings)
        except TimedOut:
            at = Source(_asked_about(), "").span(0, 0)
            report([TIMEOUT.at(at, seconds=f"{timeout:g}")], settings["diagnostics"])
            sys.exit(1)

    return cast(Command, in_time)


def _asked_about() -> str:
    """The first file that the command line names, or else the command."""
    context = click.get_current_context()
    for parameter in context.command.params:
        value = context.params.get(parameter.name or "")
        if isinstance(parameter, click.Argument) and value:
            return str(value if isinstance(value, str) else value[0])
    return context.command_path


def language_options(command: Command) -> Command:
    """The options that say how files are to be read, and a time limit."""
    return time_limit(choosing_options(command))


def choosing_options(command: Command) -> Command:
    """The options that choose a language and what belongs to it."""
    command = reading_options(command)
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
                "--phase", metavar="NAME", help="SmartFrog production: stop after a phase"
            ),
            click.option(
                "--property", multiple=True, metavar="K=V", help="SmartFrog: what PROPERTY reads"
            ),
            click.option(
                "--env-allow",
                multiple=True,
                metavar="NAME",
                help="SmartFrog: an environment variable that ENVPROPERTY may read",
            ),
            click.option(
                "--external", is_flag=True, help="SmartFrog: allow random, date and userinput"
            ),
            click.option("--ext", is_flag=True, help="Opal: allow the extensions"),
            click.option("--node", metavar="NAME", help="Puppet: the node to compile for"),
            click.option(
                "--facts", "facts_file", metavar="FILE", help="Puppet: facts, JSON or YAML"
            ),
            click.option("--modulepath", metavar="A:B", help="Puppet: folders of modules"),
            click.option("--hiera", metavar="FILE", help="Puppet: a hiera.yaml"),
            click.option("--env", metavar="DIR", help="Puppet: an environment's folder"),
            click.option(
                "--set", multiple=True, metavar="K=V", help="Puppet: a top-level variable"
            ),
            click.option(
                "--puppet",
                type=click.IntRange(7, 8),
                metavar="7|8",
                help="Puppet: the language level (8)",
            ),
            click.option(
                "--setting",
                multiple=True,
                metavar="NAME=VALUE",
                help="Puppet: a setting, such as strict=warning",
            ),
            click.option(
                "--provenance",
                type=click.Choice(["dplus", "thesis"]),
                help="µPuppet: the repaired dependency-provenance, or the thesis's own",
            ),
            click.option(
                "--on-unknown",
                type=click.Choice(["error", "opaque"]),
                help="Puppet: what a function that is not known here becomes",
            ),
            click.option(
                "--max-steps",
                type=click.IntRange(min=1),
                metavar="N",
                help="Puppet: evaluations that a program may take (200,000,000)",
            ),
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


INPUTS = (
    "phase",
    "property",
    "env_allow",
    "external",
    "ext",
    "node",
    "facts_file",
    "modulepath",
    "hiera",
    "env",
    "set",
    "puppet",
    "setting",
    "on_unknown",
    "provenance",
    "max_steps",
)
"""The options that are inputs of a language rather than settings of Headwater."""


def request_from(files: Sequence[str], settings: dict[str, Any]) -> Request:
    """The request that a command line spells."""
    given = {name: settings[name] for name in INPUTS if settings.get(name)}
    if [*files, given.get("facts_file")].count("-") > 1:
        raise click.UsageError("standard input can be read once only")
    if given.get("facts_file") == "-":
        given["facts_file"] = from_standard_input(settings)
    return Request(
        files=tuple(file for file in files if file != "-"),
        sources=(from_standard_input(settings),) if "-" in files else (),
        lang=settings["lang"],
        dialect=settings["dialect"],
        engine=settings["engine"],
        inputs=given,
        options=Options(include=tuple(settings["include"]), strict=settings["strict"]),
    )


def from_standard_input(settings: dict[str, Any]) -> Source:
    """The text on standard input, for which - stands; what is wrong with it ends the program."""
    found: Source | Unreadable
    try:
        found = decode_source("-", standard_input())
    except Unread as why:
        found = Unreadable("-", why.reason, Source("-", "").span(0, 0), kind=why.kind)
    if isinstance(found, Unreadable):
        report([unread(found, "standard input", found.at)], settings["diagnostics"])
        sys.exit(1)
    return found


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
        say(json.dumps(document, ensure_ascii=False), err=True)
    elif diagnostics:
        say_diagnostics(diagnostics, err=True)


def write_json(document: Any) -> None:
    """Writes a document to standard output."""
    from headwater.tree.json import encoded

    sys.stdout.write(visible(encoded(document, indent=2).decode(), keep="\n"))
    sys.stdout.write("\n")
