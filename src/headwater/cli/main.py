"""The program ``headwater``: a group of verbs, each loaded when it is called."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NoReturn

import click

import headwater
from headwater.cli.door import guarded
from headwater.cli.streams import mend_streams

if TYPE_CHECKING:
    from headwater.text.reading import Unread

VERBS = {
    "blame": "every value with its origin and author, like git blame",
    "cache": "what was worked out before: where it is kept, forgetting it",
    "check": "findings: errors, warnings, what is likely wrong",
    "compare": "several compilers over the same files: agree, differ or fail",
    "compile": "the configuration that a file describes",
    "diff": "two configurations compared value by value",
    "endorse": "sign what a change would do to your variables",
    "explain": "where a value came from, what it depends on, what it overrode",
    "export": "the provenance of a result for other programs: W3C PROV",
    "fleet": "all nodes of the repository: what changed is compiled, the rest is known",
    "generate": "random programs, for comparing compilers",
    "help": "what a language takes: dialects, options, fields of jobs",
    "impact": "which values depend on a line",
    "init": "write headwater.toml from what is found in a repository",
    "key": "keys of principals, and which of them a store trusts",
    "lookup": "the value of a key in the data, and every place that decides it",
    "nodes": "the nodes of the repository: role, environment, age of their facts",
    "rule": "what a diagnostic code means and how to fix it",
    "run": "a program over a durable store: all its effects, or none",
    "steps": "the evaluation, rule by rule, in the paper's names",
    "store": "a durable store: its log, its values, whether it is sound",
    "whatif": "what an edit would do to all nodes, without making it",
    "world": "worlds that outlived their program: list, show, commit, drop",
}

EPILOG = """\b
Exit status:
  0   fine
  1   the program has an error, or there are findings
  2   the command line is wrong
  3   diff --exit-code found differences
  4   the change waits for endorsements (run, world commit)
  70  a bug in Headwater: please report it
"""


@contextmanager
def _visible_errors() -> Iterator[None]:
    """What is wrong with a command line is told with its words made visible.

    A file that is not read is told, whoever asked for it.
    """
    try:
        try:
            yield
        except Exception as error:
            reading = sys.modules.get("headwater.text.reading")  # loaded by whoever reads
            if reading is None or not isinstance(error, reading.Unread):
                raise
            _not_read(error)
    except click.ClickException as error:
        from headwater.text import visible

        error.message = visible(error.message, keep="\n")  # type: ignore[misc]
        raise


def _not_read(why: Unread) -> NoReturn:
    from headwater.ask.problems import not_read
    from headwater.cli.settings import report

    report([not_read(why)])
    sys.exit(1)


class Verbs(click.Group):
    """A group whose commands live in modules of this package."""

    def make_context(self, *args: Any, **settings: Any) -> click.Context:  # noqa: ANN401
        with _visible_errors():
            return super().make_context(*args, **settings)

    def invoke(self, ctx: click.Context) -> Any:  # noqa: ANN401
        with _visible_errors():
            return super().invoke(ctx)

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in VERBS:
            return None
        module = importlib.import_module(f"headwater.cli.{cmd_name}")
        command: click.Command = module.command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        # The table above instead of each command's help, so that --help imports no verb.
        with formatter.section("Commands"):
            formatter.write_dl(sorted(VERBS.items()))

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in VERBS and not args[0].startswith("-"):
            import difflib

            close = difflib.get_close_matches(args[0], VERBS, n=1)
            hint = f" Did you mean {close[0]}?" if close else ""
            ctx.fail(f"No such command '{args[0]}'.{hint}")
        return super().resolve_command(ctx, args)


@click.group(cls=Verbs, epilog=EPILOG, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(headwater.__version__, prog_name="headwater")
def cli() -> None:
    """Compiles configuration and tells the cause of every value it puts out."""


def main() -> None:
    """Runs the program."""
    guarded(run)


def run() -> None:
    """Reads the command line and does what it says."""
    mend_streams()
    cli(prog_name="headwater")
