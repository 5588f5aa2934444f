"""Options that several verbs have, and what verbs do alike: compile, report, exit."""

from __future__ import annotations

import functools
import json
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, TypeVar, cast

import click
import msgspec

from headwater.ask.compile import Compiled, compile_request
from headwater.ask.inputs import LONGEST_TIME, CommonFields, fields_of, paths, stand_ins
from headwater.ask.problems import not_read, timed_out
from headwater.ask.request import BadRequest, EngineName, Options, Request
from headwater.cli.commands import INPUT, option_of
from headwater.cli.reaching import inputs_in, reading_options
from headwater.cli.say import say, say_diagnostics
from headwater.report import Diagnostic
from headwater.text import Source, Unreadable, visible
from headwater.text.reading import Unread, standard_input
from headwater.text.source import decode_source

if TYPE_CHECKING:
    from headwater.fleet.site import Site

Command = TypeVar("Command", bound=Callable[..., Any])


class Seconds(click.ParamType[float]):
    """A time limit."""

    name = "seconds"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """The number of seconds."""
        try:
            seconds = float(str(value))
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
    def in_time(*args: object, timeout: float | None, **settings: object) -> object:
        if timeout is None or settings.get("jobs") is not None:
            return command(*args, **settings)  # each job has a limit of its own
        from headwater.text.deadline import TimedOut, limited

        try:
            with limited(timeout):
                return command(*args, **settings)
        except TimedOut:
            report([timed_out(_asked_about(), timeout)], str(settings["diagnostics"]))
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


class Settings(msgspec.Struct, frozen=True):
    """What a command line says about the language, its inputs, and how to report."""

    lang: str | None = None
    dialect: str | None = None
    engine: EngineName | None = None
    include: tuple[str, ...] = ()
    strict: bool = False
    diagnostics: Literal["text", "json"] = "text"
    inputs: Mapping[str, object] = {}
    classifier: str | None = None

    def request(self, files: Sequence[str]) -> Request:
        """The request about some files that a command line spells."""
        read = [*files, *paths(self.inputs)]
        if read.count("-") > 1:
            raise click.UsageError("standard input can be read once only")
        typed = self.standard_input() if "-" in read else None
        return Request(
            files=tuple(file for file in files if file != "-"),
            sources=(typed,) if typed is not None and "-" in files else (),
            lang=self.lang,
            dialect=self.dialect,
            engine=self.engine,
            inputs=self.inputs,
            options=Options(include=self.include, strict=self.strict),
            texts={} if typed is None else {"-": typed},
            classifier=self.classifier,
        )

    def standard_input(self) -> Source:
        """The text on standard input, for which - stands; if it is none, the program ends."""
        found: Source | Unreadable | Unread
        try:
            found = decode_source("-", standard_input())
        except Unread as why:
            found = why
        if isinstance(found, Source):
            return found
        report([not_read(found, "standard input")], self.diagnostics)
        sys.exit(1)

    def asked(self, words: Sequence[str]) -> Request:
        """The request about files, or about a node of the repository around us.

        With no words it is the node of ``--node``, or the only one.  Mistakes in headwater.toml
        are reported and end the program.
        """
        request = self.request([word for word in words if word == "-"])
        from headwater.fleet.asking import resolved
        from headwater.fleet.config import BadRepository

        try:
            return resolved(request, words)
        except BadRequest as error:
            raise click.UsageError(str(error)) from None
        except BadRepository as bad:
            report(bad.diagnostics, self.diagnostics)
            sys.exit(1)

    def site(self, folder: str = os.curdir) -> Site:
        """The repository around a folder; where there is none, or a bad one, the program ends."""
        from headwater.fleet.config import BadRepository
        from headwater.fleet.site import find_site

        try:
            found = find_site(folder)
        except BadRepository as bad:
            report(bad.diagnostics, self.diagnostics)
            sys.exit(1)
        if found is None:
            raise click.UsageError(
                "there is no headwater.toml here or above; `headwater init` writes one"
            )
        return found

    def compiled(self, words: Sequence[str]) -> Compiled:
        """What files, or the program of a node, compile to, if that is a result."""
        return self.compile(self.asked(words))

    def compile(self, request: Request) -> Compiled:
        """A compilation that has a result; anything else is reported and ends the program."""
        try:
            compiled = compile_request(request)
        except BadRequest as error:
            raise click.UsageError(str(error)) from None
        report(compiled.diagnostics, self.diagnostics)
        if compiled.outcome.result is None:
            sys.exit(1)
        return compiled

    @property
    def names_a_program(self) -> bool:
        """Whether one of the inputs stands for the program."""
        return any(self.inputs.get(name) for name in stand_ins())


def of_node(value: str, missing: str) -> tuple[tuple[str, ...], str]:
    """The node that an address names, if it does, and the address within the node."""
    if not in_repository():
        raise click.UsageError(f"Missing argument '{missing}'.")
    from headwater.fleet.asking import address

    found = address(value)
    if found.value is None:
        raise click.UsageError(f"{value} names a node and no value of it")
    return ((found.node,) if found.node is not None else ()), found.value


def in_repository() -> bool:
    """Whether there is a headwater.toml here or above, so that nodes can be asked about."""
    from headwater.fleet.finding import find_file

    return find_file() is not None


def of_repository(file: str) -> bool:
    """Whether nodes of the repository around us may depend on a file."""
    if not in_repository():
        return False
    from headwater.fleet.asking import is_part_of_nodes

    return is_part_of_nodes(file)


def language_options(command: Command) -> Command:
    """The options that say how files are to be read, and a time limit."""
    return time_limit(choosing_options(command))


def choosing_options(command: Command) -> Command:
    """The options that choose a language; the command gets them, and all inputs, as `settings`."""

    @functools.wraps(command)
    def with_given(
        *args: object,
        lang: str | None,
        dialect: str | None,
        engine: EngineName | None,
        include: tuple[str, ...],
        strict: bool,
        diagnostics: Literal["text", "json"],
        classifier: str | None,
        **settings: object,
    ) -> object:
        inputs = inputs_in(settings)
        own = {name: value for name, value in settings.items() if not name.startswith(INPUT)}
        said = Settings(lang, dialect, engine, include, strict, diagnostics, inputs, classifier)
        return command(*args, settings=said, **own)

    chosen = reading_options(with_given)
    common = [one for one in fields_of(CommonFields) if one.about.option is not None]
    diagnostics_option(chosen)
    classifier_option(chosen)
    for one in reversed(common):
        _add(chosen, option_of(one, one.name))
    return cast(Command, chosen)


def diagnostics_option(command: Command) -> Command:
    """``--diagnostics``"""
    return click.option(
        "--diagnostics",
        type=click.Choice(["text", "json"]),
        default="text",
        help="how errors and warnings are written",
    )(command)


def classifier_option(command: Command) -> Command:
    """``--classifier``: the one way to name a program that says what nodes get."""
    return click.option(
        "--classifier",
        metavar="COMMAND",
        help="run COMMAND NODE, which prints the classes of the node",
    )(command)


def _add(command: Callable[..., object], option: click.Option) -> None:
    """Gives a command an option, as click's decorators do."""
    command.__dict__.setdefault("__click_params__", []).append(option)


def report(diagnostics: Sequence[Diagnostic], form: str = "text") -> None:
    """Writes diagnostics to the error stream."""
    if form == "json":
        document = {"format_version": 1, "diagnostics": [d.as_json() for d in diagnostics]}
        say(json.dumps(document, ensure_ascii=False), err=True)
    elif diagnostics:
        say_diagnostics(diagnostics, err=True)


def write_json(document: object) -> None:
    """Writes a document to standard output."""
    from headwater.tree.json import encoded

    sys.stdout.write(visible(encoded(document, indent=2).decode(), keep="\n"))
    sys.stdout.write("\n")
