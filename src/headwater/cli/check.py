"""``headwater check``"""

from __future__ import annotations

import os
import sys

import click

import headwater
from headwater.ask.check import check, files_in
from headwater.ask.request import BadRequest, doubts_about
from headwater.cli.commands import question
from headwater.cli.options import Settings, language_options, write_json
from headwater.cli.progress import progress
from headwater.cli.say import say, say_diagnostics


@question("check", "headwater check examples/firewall.sf")
@click.argument("files", nargs=-1, required=True)
@click.option("--syntax", is_flag=True, help="parse only")
@click.option("--format", "form", type=click.Choice(["text", "json", "sarif"]), default="text",
              help="how the answer is written")  # fmt: skip
@language_options
def command(files: tuple[str, ...], syntax: bool, form: str, settings: Settings) -> None:
    """Print what can be found fault with in FILES; exit with 1 if there is anything.

    A folder stands for all files under it whose ending means a language.
    """
    names = files_in(files, settings.lang)
    try:
        with progress(len(names), "checking") as done:
            request = settings.request(())
            folders = [name for name in files if os.path.isdir(name)]
            found = doubts_about(request, folders)
            found += check(request, names, syntax_only=syntax, done=done)
    except BadRequest as error:
        raise click.UsageError(str(error)) from None
    match form:
        case "json":
            write_json({"format_version": 1, "diagnostics": [d.as_json() for d in found]})
        case "sarif":
            from headwater.report.sarif import sarif

            write_json(sarif(found, headwater.__version__))
        case _:
            if found:
                say_diagnostics(found)
            of_files = "file" if len(names) == 1 else "files"
            of_findings = "finding" if len(found) == 1 else "findings"
            say(f"{len(names)} {of_files}, {len(found)} {of_findings}", err=True)
    if found:
        sys.exit(1)
