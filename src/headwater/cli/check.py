"""``headwater check``"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from dataclasses import replace

import click

import headwater
from headwater.ask.check import check, files_in
from headwater.ask.request import BadRequest, doubts_about
from headwater.cli.commands import question
from headwater.cli.options import Settings, language_options, write_json
from headwater.cli.progress import progress
from headwater.cli.say import say, say_diagnostics
from headwater.report import Diagnostic


@question("check", "headwater check examples/firewall.sf")
@click.argument("files", nargs=-1, required=True)
@click.option("--syntax", is_flag=True, help="parse only")
@click.option("--format", "form", type=click.Choice(["text", "json", "sarif"]), default="text",
              help="how the answer is written")  # fmt: skip
@click.option("--upgrade", is_flag=True, help="Puppet: what level 8 will refuse or change")
@click.option("--nodes", metavar="DIR", help="with --upgrade: facts of a node in each file")
@click.option("--fix", is_flag=True, help="with --upgrade: print safe fixes as a diff")
@click.option("--write", is_flag=True, help="with --upgrade: make the safe fixes")
@language_options
def command(
    files: tuple[str, ...], syntax: bool, form: str, upgrade: bool, nodes: str | None, fix: bool,
    write: bool, settings: Settings,
) -> None:  # fmt: skip
    """Print what can be found fault with in FILES; exit with 1 if there is anything.

    A folder stands for all files under it whose ending means a language.
    """
    if upgrade:
        from headwater.cli.upgrading import upgrading

        upgrading(files, form, nodes, settings, fix=fix, write=write)
    elif nodes or fix or write:
        raise click.UsageError("--nodes, --fix and --write go with --upgrade")
    names = files_in(files, settings.lang)
    try:
        with progress(len(names), "checking") as done:
            request = replace(settings.request([one for one in files if one == "-"]), sources=())
            folders = [name for name in files if os.path.isdir(name)]
            found = doubts_about(request, folders, whole=not syntax)
            found += check(request, names, syntax_only=syntax, done=done)
    except BadRequest as error:
        raise click.UsageError(str(error)) from None
    say_findings(found, form, len(names))
    if found:
        sys.exit(1)


def say_findings(found: Sequence[Diagnostic], form: str, files: int) -> None:
    """Writes findings in one of the formats."""
    match form:
        case "json":
            write_json({"format_version": 1, "diagnostics": [d.as_json() for d in found]})
        case "sarif":
            from headwater.report.sarif import sarif

            write_json(sarif(found, headwater.__version__))
        case _:
            if found:
                say_diagnostics(found)
            of_files = "file" if files == 1 else "files"
            of_findings = "finding" if len(found) == 1 else "findings"
            say(f"{files} {of_files}, {len(found)} {of_findings}", err=True)
