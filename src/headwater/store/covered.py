"""What the log says of the tables beside it: every row of them is covered by an entry."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from headwater.store.database import Store
from headwater.store.records import ADOPTED, Entry

Found = tuple[str, str]
"""What is not as the log says, and why."""


class Covered:
    """The rows that entries of the log have covered so far."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._begun = False
        self._rows: dict[str, dict[str, Any]] = {
            name: {} for name in ("worlds", "closed", "sources", "traces", "policies")
        }
        self._committed: dict[str, int] = {}

    def entry(self, entry: Entry) -> Iterator[Found]:
        """The next entry of the log."""
        name = f"entry {entry.revision} of the log"
        covers = entry.covers
        if not covers:
            if self._begun:
                yield name, "it covers nothing"
        elif covers.get("store") != self._store.id:
            yield name, f"it is of the store {covers.get('store')}"
        elif entry.world == ADOPTED and self._begun:
            yield name, "it vouches for what entries cover already"
        self._begun = self._begun or bool(covers)
        if entry.kind == "world":
            self._committed[entry.world] = entry.revision
        for table, rows in self._rows.items():
            given = covers.get(table, {})
            if table in ("worlds", "sources"):
                for key in given.keys() & rows.keys():
                    yield name, f"it covers {key} for a second time"
            rows.update(given)

    def compare(self) -> Iterator[Found]:
        """After the last entry: the tables."""
        store, rows = self._store, self._rows
        if store.facts() != {"id": store.id}:
            yield "the table of facts", "it holds more than the id"
        yield from self._worlds()
        texts = {}
        for digest, source in store.all_sources():
            texts[digest] = source.name if source.digest == digest else None
        yield from _differences("the source", rows["sources"], texts)
        yield from _differences("the trace of", rows["traces"], dict(store.all_traces()))
        yield from _differences("the policy of", rows["policies"], store.all_serials())

    def _worlds(self) -> Iterator[Found]:
        held = {world.id: world for world in self._store.worlds(None)}
        digests = {id: world.digest for id, world in held.items()}
        yield from _differences("world", self._rows["worlds"], digests)
        for id, world in held.items():
            state = self._rows["closed"].get(id, "open")
            revision = self._committed.get(id) if state == "committed" else None
            if (world.state, world.revision) != (state, revision):
                yield f"world {id}", f"it is {world.state}, and the log says {state}"


def _differences(what: str, logged: Mapping[str, Any], held: Mapping[str, Any]) -> Iterator[Found]:
    for key in sorted(logged.keys() | held.keys()):
        if key not in held:
            yield f"{what} {key}", "it is missing"
        elif key not in logged:
            yield f"{what} {key}", "no entry put it there"
        elif (type(logged[key]), logged[key]) != (type(held[key]), held[key]):
            yield f"{what} {key}", "it was changed"
