"""The history of a value: every commit that wrote it, with operation, world, place, principal,
endorsement, and for a merge the three values and the result."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from headwater.langs.opal.printer import show_place
from headwater.langs.opal.runtime.worlds import loaded
from headwater.langs.opal.syntax import Place
from headwater.langs.opal.values import Heap, from_plain, show
from headwater.store import Entry, Store, Version
from headwater.why import Label, depends

FORMAT_VERSION = 1


def show_data(data: object, most: int | None = 200) -> str:
    """Plain data as Opal writes it."""
    return show(from_plain(Heap(), data, atoms=True), most)


@dataclass(frozen=True, slots=True)
class Event:
    """One commit that wrote a value."""

    version: Version
    entry: Entry
    inputs: tuple[Label, ...]
    """What the value depends on, in the program and in the stores it began on."""

    @property
    def key(self) -> str:
        """The variable."""
        return self.version.key

    @property
    def detail(self) -> dict[str, Any]:
        """The write."""
        found: dict[str, Any] = json.loads(self.version.detail)
        return found

    @property
    def value(self) -> object:
        """The value it wrote."""
        return json.loads(self.version.value)

    @property
    def endorsements(self) -> list[dict[str, Any]]:
        """Who endorsed the commit, and how."""
        found = []
        for one in self.entry.endorsements:
            entry = {"node": one.principal, "how": one.how}
            if one.how == "signed":
                says = json.loads(one.statement)
                entry |= {"signer": says["signer"], "expires": says["expires"]}
            found.append(entry)
        return found

    def as_json(self) -> dict[str, Any]:
        """As ``explain --store --format json`` gives it."""
        entry = self.entry
        return {
            "commit": entry.revision,
            "at": entry.at,
            "principal": entry.principal,
            "kind": entry.kind,
            "world": entry.world,
            "base": entry.base,
            "location": entry.facts.get("location"),
            "file": entry.facts.get("file"),
            "program": entry.facts.get("program"),
            "value": self.value,
            "write": self.detail,
            "endorsements": self.endorsements,
            "depends": [
                {
                    "kind": label.kind,
                    "file": label.at.source.name,
                    "line": label.at.first.line,
                    "column": label.at.first.column,
                    "text": label.text,
                }
                for label in self.inputs
            ],
        }


def history(store: Store, place: Place, most: int | None = None) -> Iterator[Event]:
    """The commits that wrote a variable, the latest first."""
    key = show_place(place)
    for number, version in enumerate(store.history(key)):
        if most is not None and number >= most:
            return
        entry = store.entry(version.revision)
        if entry is None:
            raise store.corrupt(f"the log lacks commit {version.revision}")
        logged = (entry.writes.get(key), entry.merges.get(key), entry.details.get(key))
        if (version.value, version.merge, version.detail) != logged:
            raise store.differs(key, f"its value of revision {version.revision} was changed")
        trace, roots = loaded(store, entry.world)
        node = roots.get(f"value {key}")
        if node is None:
            raise store.corrupt(f"the trace of {entry.world} lacks {key}")
        # A value that was read twice, by a world and by its commit, is one input.
        inputs = dict.fromkeys(depends(trace, node))
        yield Event(version, entry, tuple(inputs))
