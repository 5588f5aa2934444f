"""``headwater check --upgrade``"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NoReturn

import click
from msgspec.structs import replace

from headwater.ask.request import BadRequest
from headwater.ask.upgrade import upgrade
from headwater.cli.fixing import say_fixes
from headwater.cli.fleet import refusals
from headwater.cli.settings import NO_REPOSITORY, Settings, in_repository


def upgrading(
    files: Sequence[str], form: str, nodes: str | None, settings: Settings, *, fix: bool,
    write: bool,
) -> NoReturn:  # fmt: skip
    """Says what the next level will refuse or change, with the fixes that are safe; then ends.

    With no files it is the environments of the repository around us.
    """
    request = settings.request(())
    if not files:
        if not in_repository():
            raise click.UsageError(f"which files? {NO_REPOSITORY}")
        site = settings.site()
        with refusals(settings):
            files = list(site.environments.values())
        request = replace(request, inputs={**site.settings(request.inputs), **request.inputs})
    try:
        found, looked_at = upgrade(request, files, nodes)
    except BadRequest as error:
        raise click.UsageError(str(error)) from None
    say_fixes(found, looked_at, form, fix=fix, write=write)
