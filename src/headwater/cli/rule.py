"""``headwater rule``"""

from __future__ import annotations

import click

from headwater.cli.commands import command as plain_command
from headwater.cli.say import say, say_text
from headwater.langs.table import all_codes
from headwater.report import nearest


@plain_command("rule", "headwater rule sf-unresolved-link")
@click.argument("code", required=False)
def command(code: str | None) -> None:
    """Print what the diagnostic CODE means; without CODE, list all codes."""
    codes = all_codes()
    if code is None:
        width = max(len(name) for name in codes)
        for name, entry in codes.items():
            say(f"{name.ljust(width)}  {entry.what}")
        return
    found = codes.get(code) or next((c for c in codes.values() if c.paper == code), None)
    if found is None:
        close = nearest(code, codes)
        hint = f" Did you mean {close}?" if close else ""
        raise click.UsageError(f"no such code: {code}.{hint}")
    paper = f", {found.paper} in the paper" if found.paper else ""
    say_text(f"{found.name} ({found.severity}{paper})\n\n")
    say_text(f"What it means\n  {found.what}\n\n")
    say_text(f"Why\n  {found.why}\n\n")
    say_text(f"Example\n  {found.example}\n\n")
    say_text(f"How to fix it\n  {found.fix}")
