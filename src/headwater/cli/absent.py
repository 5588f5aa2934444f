"""``headwater explain --absent``"""

from __future__ import annotations

import sys

import click

from headwater.ask.absent import absent
from headwater.ask.compile import Compiled
from headwater.ask.explain import Unable
from headwater.cli.options import write_json
from headwater.cli.say import say
from headwater.cli.settings import report
from headwater.report import Diagnostic
from headwater.report.terminal import Paint, snippet, wants_colour


def say_absent(compiled: Compiled, value: str, form: str, diagnostics: str) -> None:
    """Writes why something is not there."""
    try:
        found = absent(compiled, value)
    except Unable as error:
        raise click.UsageError(str(error)) from None
    if isinstance(found, Diagnostic):
        report([found], diagnostics)
        sys.exit(1)
    if form == "json":
        write_json(found.as_json())
        return
    paint = Paint(colour=wants_colour(sys.stdout))
    if found.there:
        say(f"{found.address} is there: headwater explain tells why")
        return
    say(paint("1", f"there is no {found.address}"))
    if not found.reasons:
        say()
        say("no text of the program declares it")
    for one in found.reasons:
        say()
        say(paint("help", one.message) + (" (perhaps)" if one.guessed else ""))
        for note in one.notes:
            for line in snippet(note.at, note.message, "-", paint, arrow="-->"):
                say(line)
