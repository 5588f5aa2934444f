"""``headwater explain --store``: the history of a value."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from typing import Any

from headwater.ask.durable import Event, durable
from headwater.cli.durable import reporting
from headwater.cli.options import write_json
from headwater.cli.say import say
from headwater.cli.showing import name
from headwater.report.terminal import Paint, wants_colour
from headwater.text import visible

MOST_SHOWN = 20


def explain_stored(store: str, address: str, most: int | None, form: str, diagnostics: str) -> None:
    """Prints the history of a variable, the latest commit first."""
    with reporting(diagnostics):
        events = durable().history(store, address, most)
    if form == "json":
        write_json(
            {
                "format_version": 1,
                "address": events[0].key,
                "value": events[0].value,
                "history": [event.as_json() for event in events],
            }
        )
        return
    paint = Paint(colour=wants_colour(sys.stdout))
    for line in lines(events, paint):
        say(line)


def lines(events: Sequence[Event], paint: Paint) -> Iterator[str]:
    """A history as a person reads it."""
    first = events[0]
    yield paint("1", visible(f"{first.key} = {durable().show(first.value)}"))
    for event in events:
        entry = event.entry
        what = "world" if entry.kind == "world" else "run"
        yield ""
        yield paint("help", f"commit {entry.revision}") + visible(
            f"  {entry.at}  {what} {name(entry.world)} of {name(entry.principal)},"
            f" on revision {entry.base}"
        )
        yield from map(visible, _event(event))


def _event(event: Event) -> Iterator[str]:
    """One commit of a history."""
    yield f"  value {durable().show(event.value)}"
    yield from written(event.detail, "  ")
    for one in event.endorsements:
        how = f"signed by {name(one['signer'])}" if "signer" in one else one["how"]
        yield f"  endorsed by {name(one['node'])} ({how})"
    yield from _inputs(event)


def written(detail: dict[str, Any], indent: str) -> Iterator[str]:
    """How a value was written: the operation and its place, or the merge and what it merged."""
    merge = detail.get("merge")
    if merge is None:
        worlds = detail.get("worlds", [])
        world = f" in the world of line {worlds[-1]}" if worlds else ""
        did = {
            "operation": f"written by {detail['name']}{world}",
            "handle": f"set to () by its handle{world}",
        }
        yield f"{indent}{did.get(detail['action'], detail['action'])}"
        yield f"{indent}  {detail['file']}:{detail['line']}:{detail['column']}  {detail['text']}"
        return
    expression = merge["expression"]
    how = "adopted: nobody else had changed it" if expression is None else f"by {expression}"
    yield f"{indent}merged by {detail['name']}, {how}"
    for side in ("orig", "hyp", "curr"):
        shown = "nothing" if merge[side] is None else durable().show(merge[side])
        yield f"{indent}  {side:<4} {shown}"
    if "tried" in merge:
        yield from written(merge["tried"], indent + "  ")


def _inputs(event: Event) -> Iterator[str]:
    yield f"  depends on {len(event.inputs)} inputs"
    for label in event.inputs[:MOST_SHOWN]:
        text = label.text.partition("\n")[0].rstrip("\r")
        shown = text if len(text) <= 60 else text[:59] + "…"
        yield f"    {label.kind:<10} {label.at}  {shown}"
    if len(event.inputs) > MOST_SHOWN:
        yield f"    and {len(event.inputs) - MOST_SHOWN} more (--format json has all)"
