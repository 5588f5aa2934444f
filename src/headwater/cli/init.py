"""``headwater init``"""

from __future__ import annotations

import os
import sys

import click

from headwater.cli.commands import command as plain_command
from headwater.cli.say import say, say_text


@plain_command("init", "headwater init")
@click.argument("folder", default=os.curdir)
@click.option("--force", is_flag=True, help="replace a headwater.toml that is there")
def command(folder: str, force: bool) -> None:
    """Write headwater.toml from what is found in FOLDER (the current one), and show it.

    It says where environments, modules and the facts of nodes are. Read it before you keep it.
    """
    from headwater.fleet.initial import initial
    from headwater.text.reading import is_folder

    if not is_folder(folder):
        raise click.UsageError(f"there is no folder {folder}")
    made = initial(folder)
    shown = made.path.removeprefix("./")
    if os.path.lexists(made.path) and not force:
        say(f"{shown} is there already; --force replaces it", err=True)
        sys.exit(1)
    try:
        _write(made.path, made.text)
    except OSError as error:
        say(f"{shown} cannot be written: {error.strerror}", err=True)
        sys.exit(1)
    say_text(made.text)
    say(f"wrote {shown}", err=True)
    for one in made.missing:
        say(f"not found: {one}", err=True)
    _count(folder)


def _write(path: str, text: str) -> None:
    """Writes the file whole or not at all."""
    unfinished = f"{path}.{os.getpid()}"
    try:
        with open(unfinished, "x", encoding="utf-8") as file:
            file.write(text)
        os.replace(unfinished, path)
    except OSError:
        if os.path.lexists(unfinished):
            os.unlink(unfinished)
        raise


def _count(folder: str) -> None:
    """Says how many nodes there are now, and what to ask first."""
    from headwater.fleet.config import BadRepository
    from headwater.fleet.site import find_site

    try:
        site = find_site(folder)
        names = [] if site is None else site.inventory.names
    except BadRepository:
        return
    if names:
        nodes = "node" if len(names) == 1 else "nodes"
        first = names[0].partition(".")[0]
        say(f"{len(names)} {nodes}; next: headwater nodes, headwater compile {first}", err=True)
