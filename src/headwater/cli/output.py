"""Where output goes and how it looks: ``-o``, ``--color``, ``--warnings`` and ``--quiet``."""

from __future__ import annotations

import errno
import functools
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Literal, TypeAlias, TypeVar, cast

import click

from headwater.cli.streams import HANDLER
from headwater.report import Diagnostic, is_counted
from headwater.report.terminal import Colour, coloured

Command = TypeVar("Command", bound=Callable[..., Any])

Warnings: TypeAlias = Literal["all", "summary", "none"]

MOST_ALIKE = 3
"""More warnings than that which say the same are told in one line, unless all are asked for."""


def output_options(command: Command) -> Command:
    """The options; the command is told what to do with warnings."""

    @click.option("-o", "--output", metavar="FILE", help="write the answer to FILE instead")
    @click.option("--color", type=click.Choice(["auto", "always", "never"]), default="auto",
                  help="colour in texts (auto: on a terminal)")  # fmt: skip
    @click.option("--warnings", type=click.Choice(["all", "summary", "none"]), default="summary",
                  help="print each, or those alike in one line")  # fmt: skip
    @click.option("-q", "--quiet", is_flag=True, help="print errors only: --warnings none")
    @functools.wraps(command)
    def putting_out(
        *args: object,
        output: str | None,
        color: Colour,
        warnings: Warnings,
        quiet: bool,
        **settings: object,
    ) -> object:
        told: Warnings = "none" if quiet else warnings
        with coloured(color):
            if output in (None, "-"):
                return command(*args, warnings=told, **settings)
            assert output is not None
            with _into(output):
                return command(*args, warnings=told, **settings)

    return cast(Command, putting_out)


@contextmanager
def _into(path: str) -> Iterator[None]:
    """Standard output goes to a file, which takes its place only when all of it is there.

    A command that fails before it has put out anything leaves the file as it was.
    """
    folder = os.path.dirname(os.path.abspath(path))
    if os.path.exists(path) and not os.path.isfile(path):
        with _opened(path) as target:  # a device or a pipe is written to, never replaced
            yield from _as_output(target)
        return
    import tempfile

    try:
        handle, name = tempfile.mkstemp(prefix=".headwater-", dir=folder)
    except OSError as error:
        raise click.UsageError(f"cannot write {path}: {error.strerror}") from None
    failed = True
    try:
        with open(handle, "w", encoding="utf-8", errors=HANDLER) as target:
            try:
                yield from _as_output(target)
                failed = False
            except SystemExit as end:
                failed = bool(end.code) and target.tell() == 0
                raise
        os.chmod(name, _mode(path))
    finally:
        if failed:
            os.unlink(name)
        else:
            _put(name, path)


def _put(name: str, path: str) -> None:
    """Gives a file that is whole the name it is to have."""
    try:
        os.replace(name, path)
    except OSError as error:
        os.unlink(name)
        raise click.UsageError(f"cannot write {path}: {error.strerror}") from None


@contextmanager
def _opened(path: str) -> Iterator[Any]:
    try:
        with open(path, "w", encoding="utf-8", errors=HANDLER, opener=open_at_once) as target:
            yield target
    except OSError as error:
        if error.errno == errno.ENXIO:
            raise click.UsageError(f"cannot write {path}: nobody reads this pipe") from None
        raise click.UsageError(f"cannot write {path}: {error.strerror}") from None


def open_at_once(path: str, flags: int) -> int:
    """Opens a file to write to it; a pipe that nobody reads is an error and is not waited for."""
    handle = os.open(path, flags | os.O_NONBLOCK, 0o666)
    os.set_blocking(handle, True)
    return handle


def _as_output(target: Any) -> Iterator[None]:  # noqa: ANN401
    before = sys.stdout
    sys.stdout = target
    try:
        yield
    finally:
        sys.stdout = before
        target.flush()


def _mode(path: str) -> int:
    """The permissions of a file that is there, or those that a new one gets."""
    try:
        return os.stat(path).st_mode & 0o777
    except OSError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask


def told(
    diagnostics: Sequence[Diagnostic], warnings: Warnings
) -> tuple[list[Diagnostic], list[str]]:
    """The diagnostics that are printed, and a line for each kind of those that are counted."""
    if warnings == "all":
        return list(diagnostics), []
    errors = [d for d in diagnostics if d.is_error]
    if warnings == "none":
        return errors, []
    alike: dict[tuple[str, str], list[Diagnostic]] = {}
    for one in diagnostics:
        if not one.is_error:
            alike.setdefault(_kind(one), []).append(one)
    counted = {k: w for k, w in alike.items() if len(w) > MOST_ALIKE or is_counted(k[0])}
    shown = [d for d in diagnostics if d.is_error or _kind(d) not in counted]
    return shown, [_summary(found) for found in counted.values()]


def _kind(one: Diagnostic) -> tuple[str, str]:
    """What warnings must share to be told together: what they say, or only the code."""
    return one.code, "" if is_counted(one.code) else one.message


def _summary(found: list[Diagnostic]) -> str:
    first = found[0]
    times = f"{len(found):,} times, first at" if len(found) > 1 else "at"
    return f"warning[{first.code}]: {first.message}, {times} {first.at} (--warnings all shows each)"
