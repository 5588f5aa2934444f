"""``headwater check``"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NoReturn

import click
from msgspec.structs import replace

from headwater.ask.check import check, files_in
from headwater.ask.problems import not_read
from headwater.ask.request import BadRequest, doubts_about, findings_about
from headwater.cli.commands import question
from headwater.cli.findings import say_findings
from headwater.cli.options import language_options
from headwater.cli.progress import progress
from headwater.cli.settings import NO_REPOSITORY, Settings, in_repository
from headwater.text.reading import Unread

if TYPE_CHECKING:
    from headwater.fleet.site import Site


@question("check", "headwater check examples/firewall.sf")
@click.argument("files", nargs=-1, metavar="[FILES|NODES]")
@click.option("--syntax", is_flag=True, help="parse only")
@click.option("--format", "form", type=click.Choice(["text", "json", "sarif", "junit"]),
              default="text", help="how the answer is written")  # fmt: skip
@click.option("--long", is_flag=True, help="a repository: each problem with its lines and help")
@click.option("--processes", type=click.IntRange(1, 256), metavar="N",
              help="a repository: nodes at a time (one for each processor)")  # fmt: skip
@click.option("--rules", multiple=True, metavar="FILE",
              help="a repository: rules beside those of headwater.toml")  # fmt: skip
@click.option("--baseline", metavar="FILE", help="a repository: leave out what FILE accepts")
@click.option("--accept", is_flag=True, help="with --baseline: write what is found to FILE")
@click.option("--upgrade", is_flag=True, help="Puppet: what level 8 will refuse or change")
@click.option("--nodes", metavar="DIR", help="with --upgrade: facts of a node in each file")
@click.option(
    "--fix", is_flag=True, help="of a folder, or with --upgrade: print safe fixes as a diff"
)
@click.option("--write", is_flag=True, help="of a folder, or with --upgrade: make the safe fixes")
@language_options
def command(
    files: tuple[str, ...], syntax: bool, form: str, upgrade: bool, nodes: str | None, fix: bool,
    write: bool, settings: Settings, **how: Any,  # noqa: ANN401
) -> None:  # fmt: skip
    """Print what can be found fault with in FILES or NODES; exit with 1 if there is anything.

    A folder stands for all files under it whose ending means a language.  With nothing named, or
    with NODES, the repository around us is checked: every node is compiled.  NODES are names,
    globs, or an expression over facts.
    """
    if upgrade:
        from headwater.cli.upgrading import upgrading

        upgrading(files, form, nodes, settings, fix=fix, write=write)
    elif nodes:
        raise click.UsageError("--nodes goes with --upgrade")
    site = _repository(files, settings) if not syntax else None
    if fix or write:
        _fix(files, site, form, settings, fix=fix, write=write)
    if site is not None:
        from headwater.cli.checking import How, check_repository

        if how["accept"] and not how["baseline"]:
            raise click.UsageError("--accept goes with --baseline")
        nodes_named = [word for word in files if not os.path.isdir(word)]
        check_repository(site, nodes_named, How(form=form, **how), settings)
        return
    if given := [name for name, value in how.items() if value]:
        raise click.UsageError(f"--{given[0]} is for a repository, which needs a headwater.toml")
    if not files:
        raise click.UsageError(f"which files? {NO_REPOSITORY}")
    refused: list[Unread] = []
    names = files_in(files, settings.lang, refused)
    try:
        with progress(len(names), "checking") as done:
            request = replace(settings.request([one for one in files if one == "-"]), sources=())
            folders = [name for name in files if os.path.isdir(name)]
            found = [not_read(why) for why in refused]
            if not refused:  # what files together show can only be told if all can be read
                found += doubts_about(request, folders, whole=not syntax)
            found += check(request, names, syntax_only=syntax, folders=folders, done=done)
            if refused:
                found = [*{(one.code, one.message): one for one in reversed(found)}.values()][::-1]
    except BadRequest as error:
        raise click.UsageError(str(error)) from None
    say_findings(found, form, names)
    if found:
        sys.exit(1)


def _fix(
    files: Sequence[str], site: Site | None, form: str, settings: Settings, *, fix: bool,
    write: bool,
) -> NoReturn:  # fmt: skip
    """Says what folders that are programs have as a whole, with the fixes that are safe."""
    from headwater.cli.fixing import say_fixes
    from headwater.cli.fleet import refusals

    request = replace(settings.request(()), sources=())
    folders = [name for name in files if os.path.isdir(name)]
    if site is not None:
        with refusals(settings):
            folders = list(site.environments.values())
        inputs = {**site.settings(request.inputs), **request.inputs}
        request = replace(request, lang=site.repository.language, inputs=inputs)
    if not folders:
        raise click.UsageError("--fix and --write go with a folder, or with --upgrade")
    found = findings_about(request, folders)
    say_fixes(found, files_in(folders, settings.lang), form, fix=fix, write=write)


def _repository(words: Sequence[str], settings: Settings) -> Site | None:
    """The repository that is to be checked, if the words mean one or nodes of one."""
    from headwater.fleet.asking import is_file_word
    from headwater.fleet.finding import NAME
    from headwater.fleet.site import is_expression

    if len(words) == 1 and os.path.isfile(os.path.join(words[0], NAME)):
        return settings.site(words[0])
    nodes = [w for w in words if is_expression(w) or not is_file_word(w)]
    if not in_repository() or (words and not nodes):
        return None
    if len(nodes) < len(words):
        raise click.UsageError(f"files and nodes do not go together: {', '.join(words)}")
    return settings.site()
