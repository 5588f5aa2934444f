"""``headwater run``"""

from __future__ import annotations

from typing import Any

import click

from headwater.ask.durable import run_program
from headwater.cli.durable import (
    caller_from,
    caller_options,
    finish,
    format_option,
    reporting,
    store_option,
)


@click.command("run")
@click.argument("file")
@store_option
@caller_options
@click.option("--id", metavar="ID", help="the id of this run: a retry with it commits once")
@click.option("--at", "location", metavar="NAME", help="where the program starts (home)")
@click.option("--ext", is_flag=True, help="allow the extensions")
@format_option
def command(file: str, store: str, form: str, diagnostics: str, **settings: Any) -> None:
    """Run the Opal program FILE over a durable store.

    All its effects become one commit, or nothing happens.
    """
    with reporting(diagnostics):
        done = run_program(
            file,
            store,
            caller_from(settings),
            id=settings["id"],
            ext=settings["ext"],
            request=settings["request"],
        )
    finish(done, form, diagnostics)
