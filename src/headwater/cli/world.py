"""``headwater world``"""

from __future__ import annotations

from typing import Any

import click

from headwater.ask.durable import commit_world, drop_world, list_worlds, show_world
from headwater.cli.durable import (
    caller_from,
    caller_options,
    diagnostics_option,
    finish,
    format_option,
    reporting,
    store_option,
)
from headwater.cli.options import write_json


@click.group("world")
def command() -> None:
    """Worlds that outlived their program: list, show, commit, drop."""


@command.command("list")
@store_option
@click.option("--all", "every", is_flag=True, help="committed and dropped ones too")
@format_option
def list_(store: str, form: str, diagnostics: str, *, every: bool) -> None:
    """List the open worlds of a store."""
    with reporting(diagnostics):
        worlds = list_worlds(store, every=every)
    if form == "json":
        entries = [
            {
                "id": w.id,
                "name": w.name,
                "principal": w.principal,
                "base": w.base,
                "at": w.at,
                "state": w.state,
                "commit": w.revision,
            }
            for w in worlds
        ]
        write_json({"format_version": 1, "worlds": entries})
        return
    width = max((len(w.id) for w in worlds), default=0)
    for w in worlds:
        state = f"  {w.state}" if every else ""
        click.echo(f"{w.id.ljust(width)}  of {w.principal}  on revision {w.base}{state}")


@command.command("show")
@click.argument("id")
@store_option
@format_option
def show(id: str, store: str, form: str, diagnostics: str) -> None:
    """Show what the world ID would write, what it depends on and whose permission it needs."""
    from headwater.langs.opal.runtime.history import show_data

    with reporting(diagnostics):
        held = show_world(store, id)
    world, body = held.world, held.body
    if form == "json":
        import json

        reads = {k: None if v is None else json.loads(v) for k, v in body["reads"].items()}
        write_json(
            {
                "format_version": 1,
                "id": world.id,
                "name": world.name,
                "principal": world.principal,
                "base": world.base,
                "at": world.at,
                "state": world.state,
                "commit": world.revision,
                "stores": body["hyp"],
                "reads": reads,
                "writes": body["details"],
                "needs": body["blocks"],
            }
        )
        return
    click.echo(f"{world.id} of {world.principal} on revision {world.base}: {world.state}")
    for key, data in body["hyp"].items():
        detail = body["details"][key]
        where = f"{detail.get('file', '')}:{detail.get('line', '')}"
        click.echo(f"  {key} = {show_data(data)}   {detail['name']} at {where}")
    for key in body["reads"]:
        click.echo(f"  depends on {key}")
    for node in sorted({block["node"] for block in body["blocks"]}):
        click.echo(f"  needs {node}")


@command.command("commit")
@click.argument("id")
@store_option
@caller_options
@format_option
def commit(id: str, store: str, form: str, diagnostics: str, **settings: Any) -> None:
    """Merge the world ID into the store; a world is committed once."""
    with reporting(diagnostics):
        done = commit_world(store, id, caller_from(settings), request=settings["request"])
    finish(done, form, diagnostics)


@command.command("drop")
@click.argument("id")
@store_option
@click.option("--as", "principal", required=True, metavar="NAME", help="who you are")
@click.option("--key", "keys", multiple=True, metavar="FILE", help="a private key to sign with")
@diagnostics_option
def drop(id: str, store: str, diagnostics: str, **settings: Any) -> None:
    """Give the world ID up."""
    with reporting(diagnostics):
        drop_world(store, id, caller_from(settings))
    click.echo(f"dropped {id}")
