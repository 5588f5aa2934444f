"""``headwater check`` over a repository: problems with the nodes that have them."""

from __future__ import annotations

import sys
from collections.abc import Sequence, Set
from typing import TYPE_CHECKING, Any

import click
import msgspec

import headwater
from headwater.ask.request import BadRequest
from headwater.cli.options import write_json
from headwater.cli.output import open_at_once
from headwater.cli.progress import progress
from headwater.cli.say import say, say_diagnostics, say_raw
from headwater.cli.settings import Settings, report
from headwater.report import Diagnostic

if TYPE_CHECKING:
    from headwater.fleet.baseline import Accepted, Short
    from headwater.fleet.check import Checked, Problem
    from headwater.fleet.kept import Kept
    from headwater.fleet.site import Site

NAMED = 5
"""So many nodes are named with a problem; --format json names all."""


class How(msgspec.Struct, frozen=True):
    """How a repository is checked, and how the findings are written."""

    form: str = "text"
    long: bool = False
    processes: int | None = None
    rules: tuple[str, ...] = ()
    baseline: str | None = None
    accept: bool = False


def check_repository(
    site: Site, names: Sequence[str], how: How, settings: Settings, kept: Kept | None = None
) -> None:
    """Checks a repository, or some nodes of it, says what was found, and ends the program."""
    from headwater.fleet.baseline import read_baseline, relative_to
    from headwater.fleet.check import check_site
    from headwater.fleet.config import BadRepository

    short = relative_to(site.repository.root)
    try:
        known = read_baseline(how.baseline) if how.baseline and not how.accept else frozenset()
        request = settings.request(())
        total = len(names) if names else len(site.inventory.names)
        with progress(total, "checking nodes") as done:
            found = check_site(
                site, names, request, rules=how.rules, processes=how.processes, done=done, kept=kept
            )
    except BadRequest as error:
        raise click.UsageError(str(error)) from None
    except BadRepository as bad:
        report(bad.diagnostics, settings.diagnostics)
        sys.exit(1)
    report(kept.doubts if kept is not None else (), settings.diagnostics)
    if how.accept:
        write_baseline(how.baseline or "", [p.diagnostic for p in found.problems], short)
        say_checked(found, how, short)
        sys.exit(1 if found.stopped else 0)
    left, gone = without_accepted(found.problems, known, short, whole=not names)
    shown = msgspec.structs.replace(found, problems=tuple(left))
    say_checked(shown, how, short, len(found.problems) - len(left), gone)
    if shown.problems or found.stopped:
        sys.exit(1)


def without_accepted(
    problems: Sequence[Problem], known: Set[Accepted], short: Short, *, whole: bool
) -> tuple[list[Problem], int]:
    """The problems that are not accepted, and how many accepted ones there are no more."""
    from headwater.fleet.baseline import accepted

    keys = [accepted(problem.diagnostic, short) for problem in problems]
    left = [problem for problem, key in zip(problems, keys, strict=True) if key not in known]
    return left, len(known - set(keys)) if whole else 0


def write_baseline(path: str, found: Sequence[Diagnostic], short: Short) -> None:
    """Writes the file that accepts findings."""
    from headwater.fleet.baseline import baseline_text

    try:
        with open(path, "w", encoding="utf-8", opener=open_at_once) as file:
            file.write(baseline_text(found, short))
    except OSError as error:
        raise click.UsageError(f"{path} cannot be written: {error.strerror}") from None
    say(f"{path} accepts {_count(len(found), 'problem')}", err=True)


def say_checked(found: Checked, how: How, short: Short, accepted: int = 0, gone: int = 0) -> None:
    """Writes what was found in one of the formats."""
    match how.form:
        case "json":
            write_json(as_json(found, short))
        case "sarif":
            write_json(as_sarif(found, short))
        case "junit":
            say_raw(as_junit(found))
        case _:
            for problem in found.problems if not how.accept else ():
                if how.long:
                    say_diagnostics([problem.diagnostic])
                    if problem.nodes:
                        say(f"  = nodes: {', '.join(problem.nodes)}")
                    if problem.owner:
                        say(f"  = owner: {problem.owner}")
                    say()
                else:
                    say(line(problem, len(found.nodes)))
    for text in summary(found, accepted, gone):
        say(text, err=True)


def line(problem: Problem, of: int) -> str:
    """A problem on one line, with the nodes that have it."""
    told = problem.diagnostic
    text = f"{told.at}: {told.severity}[{told.code}]: {told.message}"
    text += f"; {told.help}" if told.help else ""
    nodes = f"  ({_nodes(problem.nodes, of)})" if problem.nodes else ""
    owner = f"  owner: {problem.owner}" if problem.owner else ""
    return f"{text}{nodes}{owner}"


def _nodes(names: Sequence[str], of: int) -> str:
    shown = ", ".join(names[:NAMED])
    if len(names) > NAMED:
        shown += f" and {len(names) - NAMED} more"
    if len(names) == of > 1:
        return f"all {of} nodes: {shown}"
    return shown


def summary(found: Checked, accepted: int = 0, gone: int = 0) -> list[str]:
    """What was done, and what was not."""
    done = len(found.nodes)
    parts = [_count(done, "node")]
    if found.files:
        parts.append(_count(found.files, "file"))
    parts.append(_count(len(found.problems), "problem"))
    if accepted:
        parts.append(f"{accepted:,} accepted")
    lines = [", ".join(parts)]
    if gone:
        lines.append(f"{_count(gone, 'accepted problem')} of the baseline not found any more")
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


def as_json(found: Checked, short: Short) -> dict[str, Any]:
    """The document of the machine interface."""
    return {
        "format_version": 1,
        "diagnostics": [
            {
                **_relative(problem.diagnostic.as_json(), short),
                "nodes": list(problem.nodes),
                **({"owner": problem.owner} if problem.owner else {}),
            }
            for problem in found.problems
        ],
        "nodes": list(found.nodes),
        "not_done": list(found.not_done),
        "stopped": found.stopped,
    }


def _relative(document: Any, short: Short) -> Any:  # noqa: ANN401
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


def as_sarif(found: Checked, short: Short) -> dict[str, Any]:
    """A SARIF log; each result has the names of its nodes, and how it came about."""
    from headwater.report.sarif import flow, sarif

    told = [problem.diagnostic for problem in found.problems]
    log = sarif(told, headwater.__version__)
    for problem, result in zip(found.problems, log["runs"][0]["results"], strict=True):
        about: dict[str, Any] = {"nodes": list(problem.nodes)} if problem.nodes else {}
        about |= {"owner": problem.owner} if problem.owner else {}
        if about:
            result["properties"] = about
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
