"""``at`` as a message: everything that a command takes along, in canonical form.

No code is sent, only syntax and data, and the language is total: whoever receives a message
can run it within bounds.  Stores from before the program are named by their revision.  Here
both ends are this process; what runs is always what was decoded.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from headwater.langs.opal.distribution import Carried, Stores, Visit
from headwater.langs.opal.printer import show_place
from headwater.langs.opal.result import read_place
from headwater.langs.opal.runtime.canonical import (
    Budget,
    NotSyntax,
    decode,
    decode_handle,
    encode_handle,
    encode_with_places,
    from_json,
)
from headwater.langs.opal.syntax import (
    Assign,
    At,
    Commit,
    Handle,
    If,
    Op,
    Place,
    Seq,
    Skip,
    With,
)
from headwater.langs.opal.values import Heap, NotASexp, from_plain, plain
from headwater.store.records import canonical
from headwater.text import Source

FORMAT_VERSION = 1

COMMANDS = (Skip, Seq, If, With, At, Assign, Commit, Op, Handle)


@dataclass(frozen=True, slots=True)
class Vector:
    """The stores below a program: which store, at which revision."""

    store: str
    revision: int


def encode_visit(
    visit: Visit, vector: Vector | None, request: str, budget: Budget | None = None
) -> str:
    """The message that takes a command to its node."""
    carried = visit.carried()
    rows, places = encode_with_places(visit.command)
    if budget is not None:
        budget.spend(rows, visit.command.at)
    return canonical(
        {
            "format_version": FORMAT_VERSION,
            "kind": "at",
            "request": request,
            "from": visit.origin,
            "to": visit.node,
            "command": rows,
            "places": places,
            "source": visit.command.at.source.digest(),
            "operations": {op: encode_handle(h) for op, h in carried.operations.items()},
            "merges": {show_place(p): encode_handle(h) for p, h in carried.merges.items()},
            "permitted": sorted(carried.permitted),
            "stores": _stores(carried.stores),
            "worlds": sorted(carried.worlds),
            "revision": None if vector is None else [vector.store, vector.revision],
        }
    )


def decode_visit(text: str, heap: Heap, sources: Mapping[str, Source]) -> Visit:
    """The visit of a message; raises `NotSyntax`."""
    data = from_json(text)
    try:
        if data["format_version"] != FORMAT_VERSION or data["kind"] != "at":
            raise NotSyntax("not a message of this format")
        command = decode(data["command"], data["places"], sources.get(data["source"]))
        operations = {op: decode_handle(h, sources.get) for op, h in data["operations"].items()}
        merges = {_place(p): decode_handle(h, sources.get) for p, h in data["merges"].items()}
        carried = Carried(
            operations,
            merges,
            frozenset(str(n) for n in data["permitted"]),
            _read_stores(data["stores"], heap),
            frozenset(str(name) for name in data["worlds"]),
        )
        origin, node = str(data["from"]), str(data["to"])
    except (KeyError, TypeError, AttributeError) as error:
        raise NotSyntax(f"not a message: {error!r}") from None
    if not isinstance(command, COMMANDS):
        raise NotSyntax("an expression is not a command")
    return Visit(origin, node, command, lambda: carried)


def encode_reply(request: str, written: Stores) -> str:
    """The message that takes the new store back."""
    return canonical(
        {
            "format_version": FORMAT_VERSION,
            "kind": "back",
            "request": request,
            "stores": _stores(written),
        }
    )


def decode_reply(text: str, heap: Heap, request: str) -> Stores:
    """The store of such a message; raises `NotSyntax`."""
    data = from_json(text)
    try:
        if data["kind"] != "back" or data["request"] != request:
            raise NotSyntax("the reply to another request")
        return _read_stores(data["stores"], heap)
    except (KeyError, TypeError, AttributeError) as error:
        raise NotSyntax(f"not a reply: {error!r}") from None


class Wire:
    """A transport that takes every command through its message, in this process."""

    def __init__(self, *sources: Source, vector: Vector | None = None) -> None:
        self._sources = {source.digest(): source for source in sources}
        self._vector = vector
        self._requests: dict[int, str] = {}
        self._budget = Budget()

    def heard(self, message: str) -> None:
        """A message on its way, for whoever wants to listen."""

    def arrive(self, visit: Visit) -> Visit:
        """The visit as its message says."""
        carried = visit.carried()
        for handle in (*carried.operations.values(), *carried.merges.values()):
            self._sources.setdefault(handle.at.source.digest(), handle.at.source)
        request = self._requests[id(visit)] = secrets.token_hex(8)
        text = encode_visit(visit, self._vector, request, self._budget)
        self.heard(text)
        arrived = decode_visit(text, Heap(), self._sources)
        there, here = arrived.carried().stores, carried.stores
        # The caller's stack stays in this process; it must be the one that was sent.
        assert there.keys() == here.keys()
        assert arrived.carried().worlds == carried.worlds
        assert all(plain(there[p]) == plain(here[p]) for p in here)
        return arrived

    def leave(self, visit: Visit, written: Stores) -> Stores:
        """The new store as its message says."""
        request = self._requests.pop(id(visit))
        text = encode_reply(request, written)
        self.heard(text)
        back = decode_reply(text, Heap(), request)
        # Values are one object per run: what came back is exchanged for the run's own.
        assert all(plain(back[p]) == plain(written[p]) for p in written)
        return {place: written[place] for place in back}


def _stores(stores: Stores) -> dict[str, Any]:
    return {show_place(place): plain(value) for place, value in stores.items()}


def _read_stores(data: Any, heap: Heap) -> Stores:  # noqa: ANN401
    try:
        return {_place(key): from_plain(heap, value, atoms=True) for key, value in data.items()}
    except NotASexp as error:
        raise NotSyntax(str(error)) from None


def _place(key: str) -> Place:
    place = read_place(key)
    if place is None:
        raise NotSyntax(f"{key} is not node.variable")
    return place
