"""``headwater fleet lookup|impact|explain``: one question, all nodes, equal answers once."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import click

from headwater.cli.fleet import Asked, asked, count, of_nodes
from headwater.cli.options import write_json
from headwater.cli.say import say
from headwater.cli.settings import Settings, report
from headwater.text.paths import near

if TYPE_CHECKING:
    from headwater.fleet.questions import Explained, LookedUp, Touched, Where

MOST_NODES = 8
MOST_VALUES = 20


def named(nodes: Sequence[str]) -> str:
    """Some names, and how many more there are."""
    shown = ", ".join(nodes[:MOST_NODES])
    return shown if len(nodes) <= MOST_NODES else f"{shown} and {len(nodes) - MOST_NODES:,} more"


@of_nodes("lookup", "headwater fleet lookup ntp::servers")
@click.argument("key")
@click.argument("nodes", nargs=-1)
def lookup_key(
    key: str, nodes: tuple[str, ...], form: str, fresh: bool, processes: int | None,
    settings: Settings,
) -> None:  # fmt: skip
    """Print what all nodes get for KEY of the data, and which level wins on which nodes."""
    from headwater.fleet.questions import grouped, key_in, lookup_question

    question = lookup_question(key, {})
    asking = asked(question, nodes, settings, fresh=fresh, processes=processes)
    answers = asking.good(key_in)
    groups = grouped(answers)
    if form == "json":
        write_json({**asking.as_json(), "key": key, "groups": [
            {"nodes": names, "found": one.found, "value": json.loads(one.value or "null"),
             "merge": one.merge,
             "levels": [{"layer": level.layer, "level": level.name, "at": _at(level.at)}
                        for level in one.levels]}
            for one, names in groups
        ]})  # fmt: skip
    else:
        for one, names in groups:
            for line in _looked_up(one):
                say(line)
            say(f"  {named(names)}")
    asking.end(settings, quiet=form == "json")
    if not any(one.found for one in answers.values()):
        sys.exit(1)


def _looked_up(one: LookedUp) -> Iterator[str]:
    if not one.found:
        yield "not found"
        return
    yield one.value
    for level in one.levels:
        at = f"  ({level.at})" if level.at is not None else ""
        yield f"  from {level.layer} level {level.name}{at}"


def _at(where: Where | None) -> dict[str, object] | None:
    if where is None:
        return None
    found: dict[str, object] = {"file": where.file, "line": where.line, "column": where.column}
    return {**found, "text": where.text} if where.text else found


@of_nodes("impact", "headwater fleet impact data/common.yaml:10")
@click.argument("place", metavar="FILE:LINE[:COL]")
@click.argument("nodes", nargs=-1)
def impact_of(
    place: str, nodes: tuple[str, ...], form: str, fresh: bool, processes: int | None,
    settings: Settings,
) -> None:  # fmt: skip
    """Print which values of which nodes depend on what is written at FILE:LINE[:COL].

    Only nodes whose compilation read the file are asked.
    """
    from headwater.ask.impact import no_such_place
    from headwater.fleet.catalogs import COMPILE
    from headwater.fleet.questions import grouped, impact_question, touched_in
    from headwater.text import read_source

    hit = re.fullmatch(r"(.+?):(\d{1,9})(?::(\d{1,9}))?", place)
    if hit is None:
        raise click.UsageError(f"{place} is not FILE:LINE or FILE:LINE:COLUMN")
    file, line, column = hit[1], int(hit[2]), int(hit[3]) if hit[3] else None
    wrong = no_such_place(read_source(file), line, column)
    if wrong is not None:
        report([wrong], settings.diagnostics)
        sys.exit(1)
    question = impact_question(file, line, column)
    if fresh:  # nothing is known of what was read, so everybody is asked
        asking = asked(question, nodes, settings, fresh=fresh, processes=processes)
        answers = asking.good(touched_in)
        others = [node for node, one in answers.items() if not one.read]
    else:
        asking = asked(COMPILE, nodes, settings, fresh=fresh, processes=processes)
        readers, others = _readers(asking, file)
        answers = {}
        if readers and asking.every.stopped is None:
            again = asked(question, readers, settings, fresh=fresh, processes=processes)
            answers = again.good(touched_in)
            asking.join(again)
    answers = {node: one for node, one in answers.items() if one.read}
    groups = grouped({node: one for node, one in answers.items() if one})
    if form == "json":
        write_json({
            **asking.as_json(),
            "place": {"file": near(file), "line": line, "column": column},
            "unaffected": sorted([*others, *(node for node, one in answers.items() if not one)]),
            "groups": [
                {"nodes": names, "addresses": one.values, "masked": one.masked,
                 "output": one.output}
                for one, names in groups
            ],
        })  # fmt: skip
    else:
        for one, names in groups:
            say(f"{named(names)}:")
            for text in _touched(one):
                say(f"  {text}")
        touched = sum(len(names) for one, names in groups if one.values or one.output)
        rest = len(answers) - touched
        failed = f", {len(asking.failed):,} failed" if asking.failed else ""
        say(
            f"{place}: {count(touched, 'node')} affected, {rest:,} read the file to no effect, "
            f"{len(others):,} did not read it{failed}"
        )
    asking.end(settings, quiet=form == "json")


def _readers(compiling: Asked, file: str) -> tuple[list[str], list[str]]:
    """Of the nodes that compile, those for which a file was read, or may have been; the others."""
    from headwater.fleet.every import PORTION
    from headwater.fleet.questions import reads_file

    every = compiling.every
    compiled = compiling.good(lambda _: True)
    readers: list[str] = []
    others: list[str] = []
    for start in range(0, len(compiling.names), PORTION):
        names = [name for name in compiling.names[start : start + PORTION] if name in compiled]
        known = every.known(names)
        for name in names:
            unread = name in known and not reads_file(known[name].reads, file)
            (others if unread else readers).append(name)
    return readers, others


def _touched(one: Touched) -> Iterator[str]:
    yield from one.values[:MOST_VALUES]
    if len(one.values) > MOST_VALUES:
        yield f"and {len(one.values) - MOST_VALUES:,} more values"
    if one.masked:
        yield f"without effect, because overridden: {', '.join(one.masked[:MOST_VALUES])}"
    if one.output:
        yield "and which values there are"


@of_nodes("explain", "headwater fleet explain 'Class[Ntp].servers'")
@click.argument("value")
@click.argument("nodes", nargs=-1)
def explain_value(
    value: str, nodes: tuple[str, ...], form: str, fresh: bool, processes: int | None,
    settings: Settings,
) -> None:  # fmt: skip
    """Print what all nodes have at an address, where that is written, and what it overrode."""
    from headwater.fleet.questions import explain_question, explained_in, grouped

    asking = asked(explain_question(value), nodes, settings, fresh=fresh, processes=processes)
    told = asking.good(explained_in)
    answers = {node: one.value for node, one in told.items() if one.value is not None}
    without = sorted(told.keys() - answers.keys())
    groups = grouped(answers)
    if form == "json":
        write_json({**asking.as_json(), "address": value, "without": without, "groups": [
            {"nodes": names, "value": one.value, "computed": one.computed,
             "where": [_at(place) for place in one.where],
             "overrode": [_at(place) for place in one.overrode]}
            for one, names in groups
        ]})  # fmt: skip
    else:
        for one, names in groups:
            for line in _explained(one):
                say(line)
            say(f"  {named(names)}")
        if without and answers:
            say(f"no such value: {named(without)}")
    if without and not answers:
        from headwater.fleet.told import Sources

        report([Sources().diagnostic(one) for one in told[without[0]].why], settings.diagnostics)
    asking.end(settings, quiet=form == "json")
    if not answers:
        sys.exit(1)


def _explained(one: Explained) -> Iterator[str]:
    yield f"{one.address} = {one.value}"
    word = "computed from" if one.computed else "from"
    for place in one.where[:4]:
        yield f"  {word} {place}  {_first(place.text)}"
    if len(one.where) > 4:
        yield f"  and {len(one.where) - 4:,} more"
    for place in one.overrode:
        yield f"  overrode {place}  {_first(place.text)}"


def _first(text: str) -> str:
    """The first line of a text."""
    first, _, more = text.partition("\n")
    return f"{first} …" if more else first
