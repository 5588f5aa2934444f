"""``headwater compile``"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator

import click

from headwater.ask.problems import not_read
from headwater.cli.commands import question
from headwater.cli.compiling import write_compiled
from headwater.cli.options import language_options
from headwater.cli.reaching import stream_reach
from headwater.cli.settings import NO_REPOSITORY, Settings, in_repository, report
from headwater.text.reading import Unread, read_bytes, within
from headwater.text.typed import lines_of


@question("compile", "headwater compile examples/firewall.sf --format yaml")
@click.argument("files", nargs=-1, metavar="[FILES|NODE]")
@click.option("--format", "form", help="json, yaml, compact: as the language has it")
@click.option("--jobs", metavar="FILE|-", help="compile jobs, one JSON object a line, instead")
@click.option(
    "--unchanged",
    is_flag=True,
    help="with --jobs: no file changes meanwhile, look at each once",
)
@language_options
def command(
    files: tuple[str, ...], form: str | None, jobs: str | None, unchanged: bool, settings: Settings
) -> None:
    """Compile FILES, or the program of NODE, and print the configuration.

    The result goes to standard output, errors and warnings to standard error.
    """
    if jobs is not None:
        if files:
            raise click.UsageError("--jobs and files do not go together")
        _run_jobs(jobs, click.get_current_context().params["timeout"], unchanged)
        return
    if unchanged:
        raise click.UsageError("--unchanged goes with --jobs")
    if not files and not settings.names_a_program and not in_repository():
        raise click.UsageError(f"which files? {NO_REPOSITORY}")
    write_compiled(files, form, settings)


def _run_jobs(jobs: str, seconds: float | None, unchanged: bool) -> None:
    from headwater.ask.jobs import DEFAULT_TIMEOUT, Unchanging, run_jobs

    def write(line: bytes) -> None:
        sys.stdout.buffer.write(line)
        sys.stdout.buffer.flush()

    limit = DEFAULT_TIMEOUT if seconds is None else seconds
    lines = _lines(jobs)
    with within(stream_reach()):
        run_jobs(lines, write, seconds=limit, unchanging=Unchanging() if unchanged else None)


def _typed_in() -> Iterator[bytes]:
    """The lines of standard input."""
    try:
        yield from lines_of(sys.stdin.buffer)
    except OSError as error:
        raise click.UsageError(f"cannot read -: {error.strerror}") from None


def _lines(jobs: str) -> Iterable[bytes]:
    """The lines of a file, or of standard input."""
    if jobs == "-":
        return _typed_in()
    try:
        return read_bytes(jobs).split(b"\n")
    except Unread as why:
        if why.kind == "missing":
            raise click.UsageError(f"cannot read {jobs}: {why.reason}") from None
        report([not_read(why, jobs)])
        sys.exit(1)
