"""``headwater key``"""

from __future__ import annotations

from pathlib import Path

import click

from headwater.ask.keys import change, make_key, public_key, trusted
from headwater.cli.commands import Command
from headwater.cli.durable import diagnostics_option, format_option, reporting, store_option
from headwater.cli.options import write_json
from headwater.cli.showing import name as shown
from headwater.cli.showing import say


@click.group("key")
def command() -> None:
    """Keys of principals: make them, and say which of them a store trusts."""


@command.command("new", cls=Command, example="headwater key new alice")
@click.argument("name")
@click.option("--out", metavar="FILE", help="the file of the private key (NAME.key)")
@diagnostics_option
def new(name: str, out: str | None, diagnostics: str) -> None:
    """Make a pair of keys for the principal NAME.

    The private key is readable by you only; the public one lies beside it in .pub.
    """
    if not name.isprintable() or any(c.isspace() or c == "/" for c in name) or not name:
        raise click.UsageError("a principal's name has no blanks, no / and nothing invisible")
    file = Path(out if out is not None else f"{name}.key")
    with reporting(diagnostics):
        make_key(name, file)
        from headwater.langs.opal.runtime.keys import public_file
    say(f"private key {file}, public key {public_file(file)}")


@command.command("show", cls=Command, example="headwater key show alice.key")
@click.argument("file")
@diagnostics_option
def show(file: str, diagnostics: str) -> None:
    """Print the public key of FILE, which may be a private key."""
    with reporting(diagnostics):
        found = public_key(file)
    say(found.line().rstrip("\n"))


@command.command("list", cls=Command, example="headwater key list --store state.db")
@store_option
@format_option
def list_(store: str, form: str, diagnostics: str) -> None:
    """List the keys that a store trusts."""
    with reporting(diagnostics):
        keys = trusted(store)
    if form == "json":
        entries = [
            {
                "principal": k.principal,
                "public_key": k.public_key,
                "added": k.added,
                "revoked": k.revoked,
            }
            for k in keys
        ]
        write_json({"format_version": 1, "keys": entries})
        return
    for k in keys:
        state = "in force" if k.revoked is None else f"revoked {k.revoked}"
        say(f"{shown(k.principal)}  {k.public_key}  {state}")


@command.command("trust", cls=Command, example="headwater key trust alice.pub --store state.db")
@click.argument("public")
@store_option
@click.option("--as", "principal", metavar="NAME", help="whose key it is (default: its name)")
@click.option("--key", metavar="FILE", help="a key of theirs that is trusted already")
@diagnostics_option
def trust(
    public: str, store: str, principal: str | None, key: str | None, diagnostics: str
) -> None:
    """Let signatures with the key of the file PUBLIC count.

    The first key of a principal is taken on trust; a further one must be signed for.
    """
    with reporting(diagnostics):
        entry = change(store, principal, add=public, key=key)
    say(f"trusted as a key of {shown(entry.principal)} since commit {entry.revision}")


@command.command(
    "rotate", cls=Command, example="headwater key rotate new.pub --store state.db --key old.key"
)
@click.argument("public")
@store_option
@click.option("--as", "principal", metavar="NAME", help="whose key it is (default: its name)")
@click.option("--key", required=True, metavar="FILE", help="the old private key")
@diagnostics_option
def rotate(public: str, store: str, principal: str | None, key: str, diagnostics: str) -> None:
    """Exchange the key --key for that of the file PUBLIC, in one commit."""
    with reporting(diagnostics):
        entry = change(store, principal, add=public, revoke=key, key=key)
    say(f"{shown(entry.principal)} has a new key since commit {entry.revision}")


@command.command(
    "revoke", cls=Command, example="headwater key revoke old.pub --store state.db --key new.key"
)
@click.argument("public")
@store_option
@click.option("--as", "principal", metavar="NAME", help="whose key it is (default: its name)")
@click.option("--key", required=True, metavar="FILE", help="a key of theirs that is in force")
@diagnostics_option
def revoke(public: str, store: str, principal: str | None, key: str, diagnostics: str) -> None:
    """Let signatures with the key of the file PUBLIC count no more."""
    with reporting(diagnostics):
        entry = change(store, principal, revoke=public, key=key)
    say(f"revoked a key of {shown(entry.principal)} in commit {entry.revision}")
