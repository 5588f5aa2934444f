"""``headwater check --upgrade``"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NoReturn

import click

from headwater.ask.request import BadRequest
from headwater.ask.upgrade import upgrade
from headwater.cli.fixing import say_fixes
from headwater.cli.settings import Settings


def upgrading(
    files: Sequence[str], form: str, nodes: str | None, settings: Settings, *, fix: bool,
    write: bool,
) -> NoReturn:  # fmt: skip
    """Says what the next level will refuse or change, with the fixes that are safe; then ends."""
    try:
        found, looked_at = upgrade(settings.request(()), files, nodes)
    except BadRequest as error:
        raise click.UsageError(str(error)) from None
    say_fixes(found, looked_at, form, fix=fix, write=write)
