"""What the verbs over a store do alike: options, asking at a terminal, printing commits."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import click

from headwater.ask.durable import Asked, Caller, Done, Problem, durable
from headwater.cli.options import time_limit, write_json
from headwater.cli.reaching import reading_options
from headwater.cli.settings import report
from headwater.cli.showing import asked_lines, name, page, say
from headwater.text import visible

Command = TypeVar("Command", bound=Callable[..., Any])

WAITING = 4
"""The exit status of a change that waits for endorsements."""


def diagnostics_option(command: Command) -> Command:
    """``--diagnostics``, and what may be read."""
    return click.option(
        "--diagnostics", type=click.Choice(["text", "json"]), default="text",
        help="how errors and warnings are written",
    )(reading_options(command))  # fmt: skip


def format_option(command: Command) -> Command:
    """``--format`` and ``--diagnostics``, and a time limit."""
    command = click.option("--format", "form", type=click.Choice(["text", "json"]), default="text")(
        diagnostics_option(command)
    )
    return time_limit(command)


def store_option(command: Command) -> Command:
    """``--store``, which a command needs."""
    return click.option("--store", required=True, metavar="FILE", help="the store")(command)


def _head(_: click.Context, __: click.Parameter, given: str | None) -> str | None:
    try:
        return None if given is None else durable().read_head(given)
    except ValueError as error:
        raise click.BadParameter(str(error)) from None


expect_option = click.option(
    "--expect",
    metavar="N:DIGEST",
    callback=_head,
    help="refuse if entry N of the log does not have this digest",
)


def caller_options(command: Command) -> Command:
    """The options that say who asks and what they have to show."""
    for option in reversed(
        [
            click.option("--as", "principal", required=True, metavar="NAME", help="who you are"),
            click.option(
                "--key", "keys", multiple=True, metavar="FILE", help="a private key to sign with"
            ),
            click.option("--policy", metavar="FILE", help="what owners allow in advance"),
            click.option(
                "--endorsement",
                "endorsements",
                multiple=True,
                metavar="FILE",
                help="an endorsement that an owner signed",
            ),
            click.option(
                "--prompt/--no-prompt",
                default=None,
                help="ask for endorsements here (default: if this is a terminal)",
            ),
            click.option(
                "--request",
                metavar="FOLDER",
                help="write requests to the owners there, and wait for their endorsements",
            ),
            click.option(
                "--reads",
                type=click.Choice(["check", "merge"]),
                default="check",
                help="refuse if what a world only read has changed, or merge all the same",
            ),
            expect_option,
        ]
    ):
        command = option(command)
    return command


def caller_from(settings: dict[str, Any]) -> Caller:
    """Who asks."""
    wanted = settings.get("prompt")
    if wanted is None:
        wanted = sys.stdin.isatty() and sys.stderr.isatty() and not settings.get("request")
    return Caller(
        settings["principal"],
        tuple(settings["keys"]),
        settings.get("policy"),
        tuple(settings.get("endorsements", ())),
        prompt if wanted else None,
        check_reads=settings.get("reads") != "merge",
        at_terminal=sys.stdin.isatty() and sys.stderr.isatty(),
        expect=settings.get("expect"),
    )


def prompt(asked: Asked) -> bool:
    """Shows a request and waits for an answer."""
    page(asked_lines(asked), err=True)
    try:
        question = visible(f"endorse this as {name(asked.node)}?")
        return click.confirm(question, default=False, err=True)
    except click.Abort:
        return False


@contextmanager
def reporting(form: str) -> Iterator[None]:
    """Problems are reported and end the program."""
    try:
        yield
    except Problem as problem:
        report(problem.diagnostics, form)
        sys.exit(1)


def finish(done: Done, form: str, diagnostics: str) -> None:
    """Prints what came of a commit; exits with `WAITING` if it waits."""
    report(done.warnings, diagnostics)
    if form == "json":
        write_json(done.as_json())
    else:
        for line in _lines(done):
            say(line)
    if done.waiting:
        sys.exit(WAITING)


def _lines(done: Done) -> Iterator[str]:
    import json

    if done.committed is None:
        yield f"{name(done.id)} waits for endorsements"
        for node, file in done.waiting:
            yield f"  {name(node)}: {file}"
        return
    entry = done.committed.entry
    again = "already " if done.committed.again else ""
    count = len(entry.writes)
    written = f"{count} variable{'' if count == 1 else 's'}"
    yield f"{again}committed as {entry.revision} ({name(entry.world)}): {written}"
    for key, value in entry.writes.items():
        yield f"  {key} = {durable().show(json.loads(value))}"
    for one in entry.endorsements:
        yield f"  endorsed by {name(one.principal)} ({one.how})"
    for world in done.committed.worlds:
        yield f"  open world {name(world)}"
