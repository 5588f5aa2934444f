"""The whole result annotated like ``git blame``: for each value its origin and author."""

from __future__ import annotations

from typing import Any

import msgspec

from headwater.ask.addresses import find_value
from headwater.ask.authors import Author, Authors
from headwater.ask.collector import paused_collector
from headwater.ask.compile import Compiled
from headwater.ask.rendered import RenderedLine, rendered_lines
from headwater.langs import Address
from headwater.langs.questioned import in_a_row
from headwater.report import Diagnostic
from headwater.report.diagnostic import place
from headwater.tree import Value
from headwater.tree.json import plain
from headwater.why import Label, Node, beaten, where


class BlameLine(msgspec.Struct, frozen=True):
    """One value: where it was written, by whom, and how many others it overrode."""

    address: str
    value: Value
    shown: str
    where: Label | None
    author: Author | None
    overrides: int
    lines: tuple[RenderedLine, ...] = ()
    """The lines of a text that a template wrote, where just this value was asked for."""

    def as_json(self) -> dict[str, Any]:
        """An entry of the machine form."""
        author = self.author
        lines = {"lines": [line.as_json() for line in self.lines]} if self.lines else {}
        return {
            "address": self.address,
            "value": plain(self.value),
            "where": None
            if self.where is None
            else {"kind": self.where.kind, **place(self.where.at), "text": self.where.text},
            "commit": author.commit if author else None,
            "author": author.name if author else None,
            "date": author.date if author else None,
            "overrides": self.overrides,
            **lines,
        }


@paused_collector()
def blame(compiled: Compiled, under: str | None = None) -> list[BlameLine] | Diagnostic:
    """Every value in output order, or those under an address as the user wrote it."""
    result, causes = compiled.outcome.result, compiled.outcome.causes
    assert result is not None
    assert causes is not None
    language = compiled.language
    prefix: Address = ()
    if under:
        there = find_value(compiled, under)
        if isinstance(there, Diagnostic):
            return there
        prefix = there[0]
    authors = Authors()
    found: list[BlameLine] = []
    known: dict[Node, tuple[Label | None, Author | None, int]] = {}
    with in_a_row(causes):
        values = [
            (address, value, causes.of(address))
            for address, value in result.walk()
            if address[: len(prefix)] == prefix
        ]
    for address, value, node in values:
        if node not in known:  # values of many instances have one and the same node
            origin = where(causes.trace, node)
            author = authors.of(origin.at.source, origin.at.first.line) if origin else None
            known[node] = (origin, author, sum(1 for _ in beaten(causes.trace, node)))
        origin, author, overrides = known[node]
        asked = address == prefix
        lines = rendered_lines(causes, address, value, authors) if asked else []
        found.append(
            BlameLine(
                language.show_address(address),
                value,
                language.show_value(value),
                origin,
                author,
                overrides,
                tuple(lines),
            )
        )
    return found
