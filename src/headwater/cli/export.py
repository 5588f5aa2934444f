"""``headwater export``"""

from __future__ import annotations

import os
import sys

import click

from headwater.cli.commands import question
from headwater.cli.options import language_options, write_json
from headwater.cli.settings import Settings, report
from headwater.report import Diagnostic


@question("export", "headwater export --prov examples/firewall.sf")
@click.argument("files", nargs=-1, required=True, metavar="FILE... [VALUE]")
@click.option("--prov", is_flag=True, required=True, help="as W3C PROV, in JSON (PROV-JSON)")
@language_options
def command(files: tuple[str, ...], prov: bool, settings: Settings) -> None:
    """Print the provenance of FILE, or of what is under VALUE, for other programs.

    The last argument is a VALUE if there is no file of that name.
    """
    from headwater.ask.prov import prov_document

    value = files[-1] if len(files) > 1 and not os.path.exists(files[-1]) else None
    compiled = settings.compiled(files if value is None else files[:-1])
    found = prov_document(compiled, value)
    if isinstance(found, Diagnostic):
        report([found], settings.diagnostics)
        sys.exit(1)
    write_json(found)
