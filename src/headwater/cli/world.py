"""``headwater world``"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from headwater.ask.durable import commit_world, drop_world, list_worlds, show_world
from headwater.cli.commands import Command
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
from headwater.cli.showing import labelled, name, page, say, was

if TYPE_CHECKING:
    from headwater.ask.durable import ShownWorld


@click.group("world")
def command() -> None:
    """Worlds that outlived their program: list, show, commit, drop."""


@command.command("list", cls=Command, example="headwater world list --store state.db")
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
    width = max((len(name(w.id)) for w in worlds), default=0)
    for w in worlds:
        state = f"  {w.state}" if every else ""
        say(f"{name(w.id).ljust(width)}  of {name(w.principal)}  on revision {w.base}{state}")


@command.command("show", cls=Command, example="headwater world show w1 --store state.db")
@click.argument("id")
@store_option
@format_option
def show(id: str, store: str, form: str, diagnostics: str) -> None:
    """Show what the world ID would write, what it depends on and whose permission it needs."""
    with reporting(diagnostics):
        shown = show_world(store, id)
    world, body = shown.held.world, shown.held.body
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
                "before": shown.before,
                "reads": reads,
                "writes": body["details"],
                "needs": body["blocks"],
            }
        )
        return
    page(_lines(shown))


def _lines(shown: ShownWorld) -> Iterator[str]:
    """A world as a person reads it."""
    world, body = shown.held.world, shown.held.body
    yield f"{name(world.id)} of {name(world.principal)} on revision {world.base}: {world.state}"
    for key, data in body["hyp"].items():
        detail = body["details"][key]
        where = f"{detail.get('file', '')}:{detail.get('line', '')}"
        yield from labelled(f"  {key} = ", data)
        if world.state == "open":
            yield from was(shown.before[key], "    ")
        yield f"    {detail['name']} at {where}"
    for key in body["reads"]:
        yield f"  depends on {key}"
    for node in sorted({block["node"] for block in body["blocks"]}):
        yield f"  needs {name(node)}"


@command.command(
    "commit", cls=Command, example="headwater world commit w1 --store state.db --as alice"
)
@click.argument("id")
@store_option
@caller_options
@format_option
def commit(id: str, store: str, form: str, diagnostics: str, **settings: Any) -> None:
    """Merge the world ID into the store; a world is committed once."""
    with reporting(diagnostics):
        done = commit_world(store, id, caller_from(settings), request=settings["request"])
    finish(done, form, diagnostics)


@command.command("drop", cls=Command, example="headwater world drop w1 --store state.db --as alice")
@click.argument("id")
@store_option
@click.option("--as", "principal", required=True, metavar="NAME", help="who you are")
@click.option("--key", "keys", multiple=True, metavar="FILE", help="a private key to sign with")
@diagnostics_option
def drop(id: str, store: str, diagnostics: str, **settings: Any) -> None:
    """Give the world ID up."""
    with reporting(diagnostics):
        drop_world(store, id, caller_from(settings))
    say(f"dropped {name(id)}")
