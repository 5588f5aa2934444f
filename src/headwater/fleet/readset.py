"""What a piece of work read, with what each of it was: a result is good while all of this holds.

Nodes of one role read nearly the same.  So a read set has two parts: what was read for this node
alone, which is its facts and what has the node's name in its path, and the rest, which is one
object for all nodes that have it in common.  Whoever asks whether read sets hold looks at a shared
part once.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from weakref import WeakKeyDictionary

import msgspec

from headwater.fleet.bodies import Bodies, body_of
from headwater.fleet.identity import MISSING, Identities, Identity, variable
from headwater.langs.keyed import PARTS
from headwater.text.digest import sha256
from headwater.text.named import NamedTuple
from headwater.text.reads import Reads

CONTENT, KIND, KEY, FACT, VARIABLE = "content", "kind", "key", "fact", "variable"


class Row(NamedTuple):
    """One thing that was read."""

    kind: str
    path: str
    part: str
    """The key of a data file, or the parts of a file of facts; else empty."""
    identity: Identity
    content: Identity
    """What the whole file was; as long as it is that, its parts need not be looked at."""

    def digest(self) -> bytes:
        """Tells it apart from every other."""
        return sha256(body_of(tuple(self))).digest()


_ROWS = Bodies(tuple[Row, ...])


def rows_in(data: bytes) -> tuple[Row, ...]:
    """Rows that are kept as bytes.  Raises `ValueError`."""
    return _ROWS.decode(data)


class ReadSet(msgspec.Struct, frozen=True):
    """Everything that was read for a result, each part in an order that is always one."""

    shared: tuple[Row, ...]
    own: tuple[Row, ...]

    def rows(self) -> Iterator[Row]:
        """All of it."""
        yield from self.shared
        yield from self.own


class Shares:
    """The shared parts of read sets, each made once.

    Nodes that asked for the same, where the same holds, read the same: then not even the rows are
    made again.  What was shared once must not be forgotten there (`Identities.forget`).
    """

    def __init__(self) -> None:
        self._known: dict[tuple[Row, ...], tuple[Row, ...]] = {}
        self._rows: dict[Row, Row] = {}
        self._asked: WeakKeyDictionary[Identities, dict[Hashable, tuple[Row, ...]]]
        self._asked = WeakKeyDictionary()
        self.paths: set[str] = set()
        """The paths of all that is shared."""

    def read_set(self, node: str, reads: Reads, known: Identities) -> ReadSet:
        """What was read for a node where `known` holds."""
        own, common = _parted(reads, node)
        asked = self._asked.setdefault(known, {})
        what = _what(common)
        shared = asked.get(what)
        if shared is None:
            shared = asked[what] = self._one(sorted(_rows(common, known)))
        return ReadSet(shared, tuple(sorted(_rows(own, known))))

    def _one(self, rows: list[Row]) -> tuple[Row, ...]:
        """The one object that is these rows."""
        made = tuple(self._rows.setdefault(row, row) for row in rows)
        self.paths.update(row.path for row in made)
        return self._known.setdefault(made, made)


def _parted(reads: Reads, node: str) -> tuple[Reads, Reads]:
    """What was read for a node alone, and the rest."""
    own, common = Reads(), Reads()
    if node:
        own.contents = {path for path in reads.contents if node in path}
        own.kinds = {path for path in reads.kinds if node in path}
        own.keys = {path: keys for path, keys in reads.keys.items() if node in path}
        own.facts = reads.facts  # of this node, whatever else the file holds
    common.contents = reads.contents - own.contents
    common.kinds = reads.kinds - own.kinds
    common.keys = {path: keys for path, keys in reads.keys.items() if path not in own.keys}
    common.facts = {} if node else reads.facts
    common.variables = reads.variables
    return own, common


def _what(reads: Reads) -> Hashable:
    """Equal where the same was asked for, and variables of the environment are the same."""
    return (
        frozenset(reads.contents),
        frozenset(reads.kinds),
        frozenset((path, frozenset(keys)) for path, keys in reads.keys.items()),
        frozenset((path, frozenset(parts)) for path, parts in reads.facts.items()),
        frozenset((name, variable(name)) for name in reads.variables),
    )


def _rows(reads: Reads, known: Identities) -> Iterator[Row]:
    for path in reads.contents:
        yield Row(CONTENT, path, "", known.content(path), "")
    for path in reads.kinds - reads.contents:
        yield Row(KIND, path, "", known.kind(path), "")
    for path, keys in reads.keys.items():
        if path in reads.contents:
            continue
        content = known.content(path)
        if content == MISSING:  # then it has no key, whichever was asked for
            yield Row(CONTENT, path, "", content, "")
        else:
            for key in keys:
                yield Row(KEY, path, key, known.key(path, key), content)
    for path, parts in reads.facts.items():
        if path not in reads.contents:
            part = PARTS.join(sorted(parts))
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


class Holding:
    """Whether read sets hold where `known` does; each row and each shared part is tried once."""

    def __init__(self, known: Identities) -> None:
        self._known = known
        self._rows: dict[Row, bool] = {}
        self._shares: dict[int, tuple[tuple[Row, ...], bool]] = {}
        """By the identity of the object, which is held here so that it stays one."""

    def __call__(self, reads: ReadSet) -> bool:
        """Whether all that was read is what it was."""
        found = self._shares.get(id(reads.shared))
        if found is None:
            found = self._shares[id(reads.shared)] = (
                reads.shared, all(map(self._holds, reads.shared))
            )  # fmt: skip
        return found[1] and all(holds(row, self._known) for row in reads.own)

    def _holds(self, row: Row) -> bool:
        known = self._rows.get(row)
        if known is None:
            known = self._rows[row] = holds(row, self._known)
        return known
