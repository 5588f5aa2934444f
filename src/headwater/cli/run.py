"""``headwater run``"""

from __future__ import annotations

from typing import Any

import click

from headwater.ask.durable import run_program
from headwater.cli.commands import question
from headwater.cli.durable import (
    caller_from,
    caller_options,
    finish,
    format_option,
    reporting,
    store_option,
)
from headwater.cli.reaching import inputs_in


@question("run", "headwater run change.opal --store state.db --as alice", families=["run"])
@click.argument("file")
@store_option
@caller_options
@click.option("--id", metavar="ID", help="the id of this run: a retry with it commits once")
@format_option
def command(file: str, store: str, form: str, diagnostics: str, **settings: Any) -> None:
    """Run the program FILE over a durable store.

    All its effects become one commit, or nothing happens.
    """
    with reporting(diagnostics):
        done = run_program(
            file,
            store,
            caller_from(settings),
            id=settings["id"],
            inputs=inputs_in(settings),
            request=settings["request"],
        )
    finish(done, form, diagnostics)
