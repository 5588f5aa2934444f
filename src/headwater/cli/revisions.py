"""What ``diff A..B`` and ``whatif`` print: for people, for programs, for a merge request."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from difflib import unified_diff
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import click

from headwater.cli.explanation import cut
from headwater.cli.options import write_json
from headwater.cli.progress import progress
from headwater.cli.say import say
from headwater.cli.settings import Settings, report

if TYPE_CHECKING:
    from headwater.ask.request import Request
    from headwater.fleet.causes import Cause
    from headwater.fleet.changes import Group, ValueChange
    from headwater.fleet.comparing import Comparison
    from headwater.fleet.difference import Asked, Progress
    from headwater.fleet.sides import Side
    from headwater.report import Diagnostic

Question = TypeVar("Question", contravariant=True)


class Comparing(Protocol[Question]):
    """A comparison of two sides: what is asked, what both share, and how progress is shown."""

    def __call__(
        self, asked: Question, request: Request, progress: Progress, /
    ) -> tuple[Side, Side, Comparison]: ...


Command = TypeVar("Command", bound=Callable[..., Any])


def comparing_options(command: Command) -> Command:
    """What every command takes that compares results of nodes."""
    for option in (
        click.option("--data", "as_data", is_flag=True,
                     help="compare JSON and YAML in files by what they say"),
        click.option("--ignore", multiple=True, metavar="PATTERN",
                     help="leave out differences at addresses that fit, as in 'File[*].mode'"),
        click.option("--format", "form", type=click.Choice(["text", "json", "markdown"]),
                     default="text", help="how the answer is written"),
        click.option("--exit-code", is_flag=True, help="exit with 3 if there are differences"),
    ):  # fmt: skip
        command = option(command)
    return command


def asked(
    revisions: str | None, one_given: Sequence[str], other_given: Sequence[str],
    ignore: Sequence[str], as_data: bool,
) -> Asked:  # fmt: skip
    """What a command line asks to compare."""
    from headwater.ask.request import BadRequest
    from headwater.fleet.difference import Asked
    from headwater.fleet.effective import Manner
    from headwater.fleet.overrides import overrides

    try:
        both = (overrides(one_given), overrides(other_given))
    except BadRequest as error:
        raise click.UsageError(str(error)) from None
    return Asked(revisions, *both, Manner(tuple(ignore), as_data))


MOST_CAUSES = 4
MOST_TEXT = 120
"""Characters of an edited line that are shown; one of JSON may hold all facts of a node."""
MOST_NODES = 8


def told(compare: Comparing[Question], asked: Question, settings: Settings, form: str) -> bool:
    """Prints how two sides differ, and says whether they do; failures end the program."""
    from headwater.ask.request import BadRequest
    from headwater.fleet.config import BadRepository
    from headwater.git.command import GitFailed

    try:
        one, other, found = compare(asked, settings.request([]), progress)
    except (GitFailed, BadRequest) as error:
        raise click.UsageError(str(error)) from None
    except BadRepository as bad:
        report(bad.diagnostics, settings.diagnostics)
        sys.exit(1)
    if form == "json":
        write_json(document(one, other, found))
    else:
        for line in (markdown if form == "markdown" else lines)(one, other, found):
            say(line)
    if found.doubts:
        report(found.doubts, settings.diagnostics)
    if found.failed:
        report(failures(found), settings.diagnostics)
        sys.exit(1)
    return bool(found.groups or found.came or found.went)


def failures(found: Comparison) -> list[Diagnostic]:
    """What is wrong, each once, however many nodes fail for it; which ones the counts tell."""
    every = (each for failed in found.failed for each in failed.diagnostics)
    return [*{json.dumps(each.as_json()): each for each in every}.values()]


def document(one: Side, other: Side, found: Comparison) -> dict[str, Any]:
    """The answer for programs."""
    return {
        "format_version": 1,
        "sides": [{"name": side.name, "commit": side.commit} for side in (one, other)],
        "groups": [
            {
                "nodes": group.nodes,
                "changes": [
                    {
                        "address": change.address,
                        "old": change.old,
                        "new": change.new,
                        "kind": change.kind,
                        "causes": [
                            {"file": c.file, "line": c.line, "text": c.text, "side": c.side,
                             "author": c.author}
                            for c in change.causes
                        ],
                    }
                    for change in group.changes
                ],
            }
            for group in found.groups
        ],
        "unaffected": len(found.unaffected),
        "recompiled": len(found.equal),
        "form_only": found.form,
        "ignored": found.ignored,
        "added_nodes": found.came,
        "removed_nodes": found.went,
        "failed": [
            {"node": one.node, "side": one.side,
             "diagnostics": [d.as_json() for d in one.diagnostics]}
            for one in found.failed
        ],
    }  # fmt: skip


def lines(one: Side, other: Side, found: Comparison) -> Iterator[str]:
    """The answer for people."""
    for group in found.groups:
        yield f"{_names(group.nodes)}:"
        for change in group.changes:
            yield f"  {change.address}"
            yield from (f"    {line}" for line in _values(change))
            yield from (f"      {line}" for line in _because(change.causes))
        yield ""
    yield from summary(one, other, found)


def summary(one: Side, other: Side, found: Comparison) -> Iterator[str]:
    """Who changes, who does not, and how that is known."""
    changed = {node for group in found.groups for node in group.nodes}
    parts = [
        _count(len(changed), "changes", "change"),
        f"{len(found.unaffected)} proved unaffected",
        f"{len(found.equal)} compiled on both sides and equal",
    ]
    failed = {failure.node for failure in found.failed}
    if failed:
        where = {failure.side for failure in found.failed}
        on = f" on {where.pop()}" if len(where) == 1 and one.name != other.name else ""
        parts.append(f"{len(failed)} failed{on}: {_names(sorted(failed))}")
    yield f"{one.name}..{other.name}: {', '.join(parts)}"
    if found.form:
        yield f"left out: {_differences(found.form)} in form only"
    if found.ignored:
        yield f"left out: {_differences(found.ignored)} that --ignore or [diff] names"
    if found.came:
        yield f"new: {_names(found.came)}"
    if found.went:
        yield f"gone: {_names(found.went)}"


def _count(number: int, one: str, many: str) -> str:
    return f"{number} node {one}" if number == 1 else f"{number} nodes {many}"


def _differences(number: int) -> str:
    return "1 difference" if number == 1 else f"{number} differences"


def _names(nodes: list[str] | tuple[str, ...]) -> str:
    shown = ", ".join(nodes[:MOST_NODES])
    return shown if len(nodes) <= MOST_NODES else f"{shown} and {len(nodes) - MOST_NODES} more"


def _values(change: ValueChange) -> Iterator[str]:
    """Both values; of texts of several lines, the lines that differ."""
    old, new = change.old, change.new
    if isinstance(old, str) and isinstance(new, str) and "\n" in old + new:
        rows = unified_diff(old.split("\n"), new.split("\n"), lineterm="", n=1)
        yield from (row for row in [*rows][2:])
        return
    before, after = change.shown
    if change.kind == "moved":
        yield f"order {before} -> {after}"
        return
    if before is not None:
        yield f"- {before}"
    if after is not None:
        yield f"+ {after}"


def _because(causes: tuple[Cause, ...]) -> Iterator[str]:
    """The edited lines: those that came; in a file where none did, those that went."""
    came = {cause.file for cause in causes if cause.side == "new"}
    chosen = [cause for cause in causes if cause.side == "new" or cause.file not in came]
    for cause in chosen[:MOST_CAUSES]:
        word = "from" if cause.side == "new" else "without"
        author = f"  ({cause.author})" if cause.author else ""
        text = f"  {cut(cause.text, MOST_TEXT)}" if cause.text else ""
        yield f"{word} {cause.file}:{cause.line}{text}{author}"
    if len(chosen) > MOST_CAUSES:
        yield f"and {len(chosen) - MOST_CAUSES} more lines"


def markdown(one: Side, other: Side, found: Comparison) -> Iterator[str]:
    """The answer as a comment on a merge request."""
    first, *rest = summary(one, other, found)
    yield f"**{first}**"
    yield from rest
    for group in found.groups:
        yield ""
        yield from _section(group)


def _section(group: Group) -> Iterator[str]:
    yield f"#### {_names(group.nodes)}"
    for change in group.changes:
        yield ""
        yield f"- `{change.address}`"
        rows = [*_values(change)]
        fence = "`" * max(3, 1 + max(_ticks(row) for row in rows)) if rows else "```"
        yield f"  {fence}diff"
        yield from (f"  {row}" for row in rows)
        yield f"  {fence}"
        for line in _because(change.causes):
            yield f"  - {line.replace('`', chr(39))}"


def _ticks(row: str) -> int:
    longest = run = 0
    for char in row:
        run = run + 1 if char == "`" else 0
        longest = max(longest, run)
    return longest
