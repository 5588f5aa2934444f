"""``headwater store``"""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

import click

from headwater.ask.durable import durable
from headwater.cli.commands import Command
from headwater.cli.durable import diagnostics_option, expect_option, format_option, reporting
from headwater.cli.options import revisions, write_json
from headwater.cli.settings import report
from headwater.cli.showing import name, say

if TYPE_CHECKING:
    from headwater.ask.durable import Entry


def _store(positional: str | None, named: str | None) -> str:
    store = positional if positional is not None else named
    if store is None:
        raise click.UsageError("Missing argument 'STORE'.")
    return store


@click.group("store")
def command() -> None:
    """A durable store: its log, its values, whether it is sound."""


@command.command("log", cls=Command, example="headwater store log state.db")
@click.argument("store", required=False)
@click.option("--store", "named", metavar="FILE", help="the store")
@click.option("--from", "first", type=revisions(1), metavar="N", default=1, help="the first commit")
@click.option("--most", type=revisions(1), metavar="N", help="so many commits at most")
@format_option
def log_(
    store: str | None, named: str | None, first: int, most: int | None, form: str, diagnostics: str
) -> None:
    """Print the commits of STORE, the oldest first."""
    with reporting(diagnostics):
        entries = durable().log(_store(store, named), first, most or -1)
    if form == "json":
        write_json({"format_version": 1, "commits": [_as_json(*entry) for entry in entries]})
        return
    for entry, digest in entries:
        keys = entry.facts.get("keys")
        if keys is not None:
            did = " and ".join(what for what in ("add", "revoke") if keys[what] is not None)
            what = f"{did} key of {name(keys['principal'])}"
        else:
            what = ", ".join(entry.writes) or "writes nothing"
        by = ", ".join(f"{name(e.principal)} ({e.how})" for e in entry.endorsements)
        endorsed = f"  endorsed by {by}" if by else ""
        say(
            f"{entry.revision:>5}  {entry.at}  {entry.kind:<7}  {_world(entry)}  "
            f"{name(entry.principal)}: {what}{endorsed}  {digest}"
        )


def _world(entry: Entry) -> str:
    """The id of what was committed, opened or dropped."""
    return name(entry.world.partition("#")[0])


def _as_json(entry: Entry, digest: str) -> dict[str, Any]:
    return {
        "commit": entry.revision,
        "digest": digest,
        "at": entry.at,
        "kind": entry.kind,
        "world": entry.world.partition("#")[0],
        "principal": entry.principal,
        "base": entry.base,
        "stores": {key: json.loads(value) for key, value in entry.writes.items()},
        "writes": {key: json.loads(text) for key, text in entry.details.items()},
        "endorsements": [e.as_json() for e in entry.endorsements],
        "facts": dict(entry.facts),
        "covers": dict(entry.covers),
    }


@command.command("show", cls=Command, example="headwater store show state.db")
@click.argument("store", required=False)
@click.option("--store", "named", metavar="FILE", help="the store")
@click.option("--revision", type=revisions(0), metavar="N", help="the values of that revision")
@format_option
def show(
    store: str | None, named: str | None, revision: int | None, form: str, diagnostics: str
) -> None:
    """Print every variable of STORE with its value."""
    with reporting(diagnostics):
        at, found = durable().values(_store(store, named), revision)
    if form == "json":
        write_json({"format_version": 1, "revision": at, "stores": found})
        return
    say(f"revision {at}")
    for key, value in found.items():
        say(f"  {key} = {durable().show(value)}")


@command.command("verify", cls=Command, example="headwater store verify state.db")
@click.argument("store", required=False)
@click.option("--store", "named", metavar="FILE", help="the store")
@expect_option
@format_option
def verify(
    store: str | None, named: str | None, expect: str | None, form: str, diagnostics: str
) -> None:
    """Replay the log of STORE and compare the outcome with what it holds."""
    with reporting(diagnostics):
        found = durable().verify(_store(store, named), expect)
    reported = (*found.problems, *found.warnings)
    if form == "json":
        write_json(
            {
                "format_version": 1,
                "ok": not found.problems,
                "commits": found.commits,
                "variables": found.keys,
                "endorsements": found.endorsements,
                "digest": found.digest,
                "diagnostics": [d.as_json() for d in reported],
            }
        )
    else:
        report(reported, diagnostics)
        sound = "the store is damaged" if found.problems else "the store is what its log says"
        numbers = (("commit", found.commits), ("variable", found.keys),
                   ("endorsement", found.endorsements))  # fmt: skip
        counted = ", ".join(f"{n:,} {what}{'' if n == 1 else 's'}" for what, n in numbers)
        say(f"{counted}: {sound}")
        say(f"digest {found.digest}")
    if found.problems:
        sys.exit(1)


@command.command("backup", cls=Command, example="headwater store backup state.db copy.db")
@click.argument("store")
@click.argument("target")
@diagnostics_option
def backup(store: str, target: str, diagnostics: str) -> None:
    """Copy STORE to the new file TARGET, also while others commit."""
    with reporting(diagnostics):
        durable().backup(store, target)
    say(f"copied {store} to {target}")
