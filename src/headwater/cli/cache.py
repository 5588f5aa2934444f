"""``headwater cache``"""

from __future__ import annotations

import click

from headwater.ask.cache import cache_info, clear_cache
from headwater.cli.commands import Command
from headwater.cli.options import write_json
from headwater.cli.say import say
from headwater.text.sizes import show_size

NO_CACHE = "there is no cache: HEADWATER_CACHE is off, or there is no folder for it"


@click.group("cache")
def command() -> None:
    """What was worked out before: where it is kept, how much it is, forgetting it."""


@command.command("info", cls=Command, example="headwater cache info")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text",
              help="how the answer is written")  # fmt: skip
def info(form: str) -> None:
    """Print where the cache is and how much is in it."""
    found = cache_info()
    if form == "json":
        write_json(found.as_json())
        return
    if found.folder is None:
        say(NO_CACHE)
        return
    say(f"folder   {found.folder}")
    if found.state == "unsafe":
        say("not used: it is no folder of yours that only you may write to (chmod 700 helps)")
        return
    say(f"entries  {found.entries:,}")
    say(f"size     {show_size(found.bytes)} of at most {show_size(found.most_bytes)}")


@command.command("clear", cls=Command, example="headwater cache clear")
def clear() -> None:
    """Forget everything in the cache."""
    if cache_info().folder is None:
        say(NO_CACHE)
        return
    gone = clear_cache()
    say(f"forgot {gone:,} {'entry' if gone == 1 else 'entries'}")
