"""Two results compared value by value, each difference with its cause."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from headwater.ask.collector import paused_collector
from headwater.ask.compile import Compiled
from headwater.report.diagnostic import place
from headwater.tree import Address, Change, differences
from headwater.tree.json import plain
from headwater.why import Label, where


@dataclass(frozen=True, slots=True)
class Difference:
    """A change, and where the value on each side was written."""

    address: str
    change: Change
    before: Label | None
    after: Label | None

    def as_json(self) -> dict[str, Any]:
        """An entry of the machine form."""
        return {
            "address": self.address,
            "kind": self.change.kind,
            "before": plain(self.change.before),
            "after": plain(self.change.after),
            "before_where": self.before and place(self.before.at),
            "after_where": self.after and place(self.after.at),
        }


@paused_collector()
def diff(one: Compiled, other: Compiled) -> list[Difference]:
    """What is different in the second result."""
    assert one.outcome.result is not None
    assert other.outcome.result is not None
    return [
        Difference(
            one.language.show_address(change.address),
            change,
            None if change.kind == "added" else _where(one, change.address),
            None if change.kind == "removed" else _where(other, change.address),
        )
        for change in differences(one.outcome.result.get(()), other.outcome.result.get(()))
    ]


def _where(compiled: Compiled, address: Address) -> Label | None:
    causes = compiled.outcome.causes
    assert causes is not None
    return where(causes.trace, causes.of(address))
