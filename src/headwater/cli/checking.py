"""``headwater check`` over a repository: problems with the nodes that have them."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import click

import headwater
from headwater.ask.request import BadRequest
from headwater.cli.options import Settings, report, write_json
from headwater.cli.progress import progress
from headwater.cli.say import say, say_diagnostics, say_raw
from headwater.report import Diagnostic

if TYPE_CHECKING:
    from headwater.fleet.check import Checked, Problem
    from headwater.fleet.site import Site

NAMED = 5
"""So many nodes are named with a problem; --format json names all."""


def check_repository(
    site: Site, names: Sequence[str], form: str, settings: Settings, *, long: bool,
    processes: int | None,
) -> None:  # fmt: skip
    """Checks a repository, or some nodes of it, says what was found, and ends the program."""
    from headwater.fleet.check import check_site
    from headwater.fleet.config import BadRepository

    try:
        request = settings.request(())
        total = len(names) if names else len(site.inventory.names)
        with progress(total, "checking nodes") as done:
            found = check_site(site, names, request, processes=processes, done=done)
    except BadRequest as error:
        raise click.UsageError(str(error)) from None
    except BadRepository as bad:
        report(bad.diagnostics, settings.diagnostics)
        sys.exit(1)
    say_checked(found, form, site, long=long)
    if found.problems or found.not_done or found.stopped:
        sys.exit(1)


def say_checked(found: Checked, form: str, site: Site, *, long: bool) -> None:
    """Writes what was found in one of the formats."""
    match form:
        case "json":
            write_json(as_json(found, shorter(site)))
        case "sarif":
            write_json(as_sarif(found, shorter(site)))
        case "junit":
            say_raw(as_junit(found))
        case _:
            for problem in found.problems:
                if long:
                    say_diagnostics([problem.diagnostic])
                    if problem.nodes:
                        say(f"  = nodes: {', '.join(problem.nodes)}")
                    say()
                else:
                    say(line(problem, len(found.nodes)))
    for text in summary(found):
        say(text, err=True)


def line(problem: Problem, of: int) -> str:
    """A problem on one line, with the nodes that have it."""
    told = problem.diagnostic
    text = f"{told.at}: {told.severity}[{told.code}]: {told.message}"
    return f"{text}  ({_nodes(problem.nodes, of)})" if problem.nodes else text


def _nodes(names: Sequence[str], of: int) -> str:
    shown = ", ".join(names[:NAMED])
    if len(names) > NAMED:
        shown += f" and {len(names) - NAMED} more"
    if len(names) == of > 1:
        return f"all {of} nodes: {shown}"
    return shown


def summary(found: Checked) -> list[str]:
    """What was done, and what was not."""
    done = len(found.nodes)
    parts = [_count(done, "node")]
    if found.files:
        parts.append(_count(found.files, "file"))
    parts.append(_count(len(found.problems), "problem"))
    lines = [", ".join(parts)]
    if found.stopped is not None:
        left = found.not_done
        names = ", ".join(left[:20]) + (f" and {len(left) - 20} more" if len(left) > 20 else "")
        what = (
            f"{_count(len(left), 'node')} not checked: {names}" if left else "not everything done"
        )
        lines.append(f"{found.stopped}: {what}")
    return lines


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"


def shorter(site: Site) -> Callable[[str], str]:
    """Names of files from the root of the repository."""
    root = os.path.join(os.path.abspath(site.repository.root), "")

    def short(name: str) -> str:
        path = os.path.abspath(name)
        return path.removeprefix(root) if path.startswith(root) else name

    return short


def as_json(found: Checked, short: Callable[[str], str]) -> dict[str, Any]:
    """The document of the machine interface."""
    return {
        "format_version": 1,
        "diagnostics": [
            {**_relative(problem.diagnostic.as_json(), short), "nodes": list(problem.nodes)}
            for problem in found.problems
        ],
        "nodes": list(found.nodes),
        "not_done": list(found.not_done),
        "stopped": found.stopped,
    }


def _relative(document: Any, short: Callable[[str], str]) -> Any:  # noqa: ANN401
    """A document whose names of files are from the root of the repository."""
    match document:
        case {"uri": str(name)}:
            return {**document, "uri": short(name)}
        case dict():
            changed = {key: _relative(value, short) for key, value in document.items()}
            if isinstance(changed.get("file"), str):
                changed["file"] = short(changed["file"])
            return changed
        case list():
            return [_relative(one, short) for one in document]
        case _:
            return document


def as_sarif(found: Checked, short: Callable[[str], str]) -> dict[str, Any]:
    """A SARIF log; each result has the names of its nodes, and how it came about."""
    from headwater.report.sarif import flow, sarif

    told = [problem.diagnostic for problem in found.problems]
    log = sarif(told, headwater.__version__)
    for problem, result in zip(found.problems, log["runs"][0]["results"], strict=True):
        if problem.nodes:
            result["properties"] = {"nodes": list(problem.nodes)}
        if problem.flow:
            result["codeFlows"] = [flow(problem.flow)]
    log["runs"][0]["invocations"] = [{"executionSuccessful": found.stopped is None}]
    relative: dict[str, Any] = _relative(log, short)
    return relative


def as_junit(found: Checked) -> str:
    """A test for each node, and one for the repository itself."""
    from headwater.report.junit import junit

    own = [problem.diagnostic for problem in found.problems if not problem.nodes]
    by_node: dict[str, list[Diagnostic]] = {name: [] for name in found.nodes}
    for problem in found.problems:
        for name in problem.nodes:
            by_node[name].append(problem.diagnostic)
    return junit([("repository", own), *by_node.items()], found.not_done)
