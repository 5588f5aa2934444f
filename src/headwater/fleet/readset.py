"""What a piece of work read, with what each of it was: a result is good while all of this holds."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import msgspec

from headwater.fleet.identity import Identities, Identity, variable
from headwater.text.digest import sha256
from headwater.text.reads import Reads

CONTENT, KIND, KEY, FACT, VARIABLE = "content", "kind", "key", "fact", "variable"


class Row(NamedTuple):
    """One thing that was read."""

    kind: str
    path: str
    part: str
    """The key of a data file, or the part of a file of facts; else empty."""
    identity: Identity
    content: Identity
    """What the whole file was; as long as it is that, its parts need not be looked at."""

    def digest(self) -> bytes:
        """Tells it apart from every other."""
        return sha256(msgspec.msgpack.encode(tuple(self))).digest()


def rows(reads: Reads, known: Identities) -> list[Row]:
    """The read set of work that was done where `known` holds, in an order that is always one."""
    return sorted(_rows(reads, known))


def _rows(reads: Reads, known: Identities) -> Iterator[Row]:
    for path in reads.contents:
        yield Row(CONTENT, path, "", known.content(path), "")
    for path in reads.kinds - reads.contents:
        yield Row(KIND, path, "", known.kind(path), "")
    for path, keys in reads.keys.items():
        if path not in reads.contents:
            for key in keys:
                yield Row(KEY, path, key, known.key(path, key), known.content(path))
    for path, parts in reads.facts.items():
        if path not in reads.contents:
            for part in parts:
                yield Row(FACT, path, part, known.fact(path, part), known.content(path))
    for name in reads.variables:
        yield Row(VARIABLE, name, "", variable(name), "")


def holds(row: Row, known: Identities) -> bool:
    """Whether what was read is what it was, where `known` holds."""
    match row.kind:
        case "content":
            return known.content(row.path) == row.identity
        case "kind":
            return known.kind(row.path) == row.identity
        case "key":
            same = known.content(row.path) == row.content
            return same or known.key(row.path, row.part) == row.identity
        case "fact":
            same = known.content(row.path) == row.content
            return same or known.fact(row.path, row.part) == row.identity
        case "variable":
            return variable(row.path) == row.identity
        case _:
            return False
