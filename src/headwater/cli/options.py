"""Options that several verbs have, and what verbs do alike: compile, report, exit."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from typing import Any, Literal, TypeVar, cast

import click

from headwater.ask.inputs import LONGEST_TIME, CommonFields, fields_of
from headwater.ask.problems import timed_out
from headwater.ask.request import EngineName
from headwater.cli.commands import INPUT, option_of
from headwater.cli.output import Warnings, output_options
from headwater.cli.reaching import inputs_in, reading_options
from headwater.cli.settings import NO_REPOSITORY, Settings, in_repository, report
from headwater.text import visible

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


def of_node(value: str, missing: str) -> tuple[tuple[str, ...], str]:
    """The node that an address names, if it does, and the address within the node."""
    if not in_repository():
        raise click.UsageError(f"Missing argument '{missing}': {NO_REPOSITORY}")
    from headwater.fleet.asking import address, is_node

    found = address(value)
    if found.value is None or (found.node is None and is_node(value)):
        node = found.node or value
        raise click.UsageError(f"which value of {node}? headwater blame {node} lists them")
    return ((found.node,) if found.node is not None else ()), found.value


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
        warnings: Warnings,
        **settings: object,
    ) -> object:
        inputs = inputs_in(settings)
        own = {name: value for name, value in settings.items() if not name.startswith(INPUT)}
        said = Settings(
            lang, dialect, engine, include, strict, diagnostics, inputs, classifier, warnings
        )
        return command(*args, settings=said, **own)

    chosen = output_options(reading_options(with_given))
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


def write_json(document: object) -> None:
    """Writes a document to standard output."""
    from headwater.tree.json import encoded

    sys.stdout.write(visible(encoded(document, indent=2).decode(), keep="\n"))
    sys.stdout.write("\n")
