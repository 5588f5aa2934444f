"""The whole result annotated like ``git blame``: for each value its origin and author."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from headwater.ask.authors import Author, Authors
from headwater.ask.compile import Compiled, paused_collector
from headwater.report.diagnostic import place
from headwater.tree import Value
from headwater.tree.json import plain
from headwater.why import Label, beaten, where


@dataclass(frozen=True, slots=True)
class BlameLine:
    """One value: where it was written, by whom, and how many others it overrode."""

    address: str
    value: Value
    shown: str
    where: Label | None
    author: Author | None
    overrides: int

    def as_json(self) -> dict[str, Any]:
        """An entry of the machine form."""
        author = self.author
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
        }


@paused_collector()
def blame(compiled: Compiled, under: str | None = None) -> list[BlameLine]:
    """Every value in output order, or those under an address."""
    result, causes = compiled.outcome.result, compiled.outcome.causes
    assert result is not None
    assert causes is not None
    language = compiled.language
    prefix = language.parse_address(under) if under else ()
    result.get(prefix)
    authors = Authors()
    found: list[BlameLine] = []
    for address, value in result.walk():
        if address[: len(prefix)] != prefix:
            continue
        node = causes.of(address)
        origin = where(causes.trace, node)
        author = authors.of(origin.at.source, origin.at.first.line) if origin else None
        found.append(
            BlameLine(
                language.show_address(address),
                value,
                language.show_value(value),
                origin,
                author,
                sum(1 for _ in beaten(causes.trace, node)),
            )
        )
    return found
