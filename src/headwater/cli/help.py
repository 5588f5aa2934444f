"""``headwater help``"""

from __future__ import annotations

import click

from headwater.ask.languages import Taken, languages, show_language
from headwater.ask.request import BadRequest
from headwater.cli.commands import command as plain_command
from headwater.cli.say import say


@plain_command("help", "headwater help puppet")
@click.argument("language", required=False)
def command(language: str | None) -> None:
    """Print what LANGUAGE takes: its dialects, formats, options and fields of jobs.

    Without LANGUAGE: the languages there are.
    """
    if language is None:
        for name, title, endings in languages():
            say(f"{name:<10} {title}, {', '.join(endings)}")
        return
    try:
        shown = show_language(language)
    except BadRequest as error:
        raise click.UsageError(str(error)) from None
    say(f"{shown.title}: files ending in {', '.join(shown.endings)}")
    say()
    for dialect, engines in shown.dialects.items():
        say(f"  --dialect {dialect:<12} --engine {', '.join(engines)}")
    say(f"  --format {', '.join(shown.formats)}")
    for what, fields in shown.families:
        say()
        say(what)
        for field in fields:
            _show(field)


def _show(field: Taken) -> None:
    say(f"  {field.name}" + (f"  ({field.option})" if field.option else ""))
    say(f"      {field.help.replace('`', '')}")
    say(f"      {field.expected}, such as {field.example}")
