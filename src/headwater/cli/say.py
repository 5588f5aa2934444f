"""The one way to write text for people; what they may not be sent is escaped on it."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import click

from headwater.report import Diagnostic
from headwater.report.terminal import render, shown, wants_colour


def say(line: str = "", *, err: bool = False) -> None:
    """Writes a line."""
    click.echo(shown(line), err=err, color=True)


def say_text(text: str) -> None:
    """Writes a text of several lines."""
    for line in text.removesuffix("\n").split("\n"):
        click.echo(shown(line, keep="\t"))


def say_raw(text: str) -> None:
    """Writes a text of a machine format, which escapes by itself."""
    sys.stdout.write(text)


def say_diagnostics(diagnostics: Sequence[Diagnostic], *, err: bool = False) -> None:
    """Writes diagnostics."""
    colour = wants_colour(sys.stderr if err else sys.stdout)
    click.echo(render(diagnostics, colour=colour), err=err, color=True)


def say_progress(done: int, total: int) -> None:
    """Writes how much is done over what was written before."""
    click.echo(f"\r{done} of {total}", nl=False, err=True)
