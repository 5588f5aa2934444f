"""``headwater impact``"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence

import click

from headwater.ask.compile import Compiled
from headwater.ask.effects import Effects, effects, grouped_addresses
from headwater.ask.impact import Affected, impact
from headwater.cli.commands import question
from headwater.cli.explanation import LIMIT, Telling, line_of
from headwater.cli.options import language_options, of_repository, write_json
from headwater.cli.say import say
from headwater.cli.settings import Settings, report
from headwater.report import Diagnostic
from headwater.report.diagnostic import place
from headwater.report.terminal import Paint, wants_colour
from headwater.tree import Address


@question("impact", "headwater impact examples/firewall.sf:7")
@click.argument("where", metavar="FILE:LINE[:COL]")
@click.option(
    "--of",
    "main",
    multiple=True,
    metavar="MAIN",
    help="the file to compile, if it is another one; several for a language that composes",
)
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text",
              help="how the answer is written")  # fmt: skip
@click.option("--try/--no-try", "trying", default=True,
              help="change the line, without writing it, and tell what changes")  # fmt: skip
@click.option("--limit", type=click.IntRange(0, clamp=True), default=LIMIT, metavar="N",
              help=f"print at most N addresses of each group ({LIMIT})")  # fmt: skip
@click.option("--all", "everything", is_flag=True, help="print every address")
@language_options
def command(
    where: str, main: tuple[str, ...], form: str, limit: int, settings: Settings, *,
    trying: bool, everything: bool,
) -> None:  # fmt: skip
    """Print the values that depend on what is written at FILE:LINE[:COL].

    What may change is told from what changes: the line is written otherwise, in a way or two,
    and the program compiled again. No file is written.
    In a repository they are the values of a node (--node), unless --of names a file.
    """
    hit = re.fullmatch(r"(.+?):(\d{1,9})(?::(\d{1,9}))?", where)
    if hit is None:
        raise click.UsageError(f"{where} is not FILE:LINE or FILE:LINE:COLUMN")
    file, line, column = hit[1], int(hit[2]), int(hit[3]) if hit[3] else None
    compiled = settings.compiled(main or ([] if of_repository(file) else [file]))
    answer = impact(compiled, file, line, column)
    if isinstance(answer, Diagnostic):
        report([answer], settings.diagnostics)
        sys.exit(1)
    seen = effects(compiled, answer.inputs) if trying and answer.inputs else None
    if form == "json":
        write_json(_document(answer, seen))
        return
    if not answer.inputs:
        say(f"nothing is recorded at {where}: no value names an input there")
        return
    how = Telling(Paint(colour=wants_colour(sys.stdout)), None if everything else limit)
    for line_ in _lines(compiled, answer, seen, how):
        say(line_)


def _document(answer: Affected, seen: Effects | None) -> dict[str, object]:
    document: dict[str, object] = {
        "format_version": 1,
        "inputs": [
            {"kind": label.kind, **place(label.at), "text": label.text} for label in answer.inputs
        ],
        "addresses": answer.addresses,
        "masked": answer.masked,
        "output": answer.output,
    }
    if seen is not None:
        document |= {
            "tried": seen.tried,
            "failed": seen.failed,
            "changes": sorted(seen.changes),
            "come": seen.come,
            "go": seen.go,
        }
    return document


def _lines(
    compiled: Compiled, answer: Affected, seen: Effects | None, how: Telling
) -> Iterator[str]:
    """The answer as a person reads it."""
    for label in answer.inputs:
        yield line_of(label)
    changes = frozenset[str]() if seen is None else seen.changes
    sure = [one for one in answer.parts if compiled.language.show_address(one) in changes]
    gone = set[str]() if seen is None else {*seen.go}
    told = {*sure}
    rest = [one for one in answer.parts if one not in told and not _is_in(compiled, one, gone)]
    if seen is not None and seen.tried:
        yield _head(how, len(sure), "changes", "change", f" ({_times(seen)})")
        yield from _grouped(compiled, sure, how)
        yield from _named(how, "comes", "come", seen.come)
        yield from _named(how, "goes", "go", seen.go)
        if rest:
            more = f"{len(rest):,} more value{'s' * (len(rest) != 1)}"
            yield how.paint("note", f"{more} may change")
    else:
        yield _head(how, len(rest), "may change", "may change", "")
    yield from _grouped(compiled, rest, how)
    if answer.masked:
        count = len(answer.masked)
        yield (
            f"{count:,} value{'s' * (count != 1)} override{'s' * (count == 1)} it, "
            f"so that it has no effect on {'them' if count != 1 else 'it'}:"
        )
        yield from _some(answer.masked, how)
    if answer.output:
        yield "and it may change which values there are"


def _times(seen: Effects) -> str:
    failed = f", {seen.failed} without a result" if seen.failed else ""
    return f"tried {seen.tried} change{'s' * (seen.tried != 1)} of the line{failed}"


def _head(how: Telling, count: int, one: str, several: str, more: str) -> str:
    number = f"{count:,} value{'s' * (count != 1)}"
    return how.paint("note", f"{number} {one if count == 1 else several}") + more


def _named(how: Telling, one: str, several: str, things: Sequence[str]) -> Iterator[str]:
    """Things that come or go."""
    if things:
        yield how.paint("note", f"{len(things):,} {one if len(things) == 1 else several}")
        yield from _some(things, how)


def _is_in(compiled: Compiled, address: Address, things: set[str]) -> bool:
    show = compiled.language.show_address
    return any(show(address[:size]) in things for size in range(1, len(address) + 1))


def _grouped(compiled: Compiled, addresses: Sequence[Address], how: Telling) -> Iterator[str]:
    """Addresses under the part of the program they belong to, and by kind."""
    groups = grouped_addresses(compiled, addresses)
    for part, kinds in groups.items():
        inner = "  "
        if part and len(addresses) > 1:
            yield f"  {part}"
            inner = "    "
        for shown in kinds.values():
            yield from _some(shown, how, inner)


def _some(shown: Sequence[str], how: Telling, indent: str = "  ") -> Iterator[str]:
    some, more = how.some(shown)
    for one in some:
        yield f"{indent}{one}"
    if more:
        yield f"{indent}{more:,} more like these: --all"
