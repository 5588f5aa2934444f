"""What a commit needs: whose permission, for which blocks, and with what effect on them."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from headwater.langs.opal.distribution import Request
from headwater.langs.opal.printer import print_program
from headwater.langs.opal.runtime.canonical import Budget, NotSyntax, Table, decode, encode
from headwater.langs.opal.runtime.kept_merges import Merge
from headwater.langs.opal.runtime.stored import place_at
from headwater.langs.opal.writes import Inside
from headwater.store.records import canonical, sha256
from headwater.text import NOWHERE, Span


@dataclass(frozen=True, slots=True)
class Block:
    """⟨n, ρ, c⟩: a block that runs with the permission of a node at a location.

    Hash and text are both made from the canonical form, so that neither can lie about it.
    """

    node: str
    location: str
    command: str
    """The hash of its canonical form."""
    text: str
    """The whole block as people read it."""
    rows: Table = field(default_factory=list, compare=False, repr=False)
    at: Span = field(default=NOWHERE, compare=False, repr=False)

    def as_json(self) -> dict[str, Any]:
        """As worlds, requests and the log keep it."""
        return {
            "node": self.node,
            "location": self.location,
            "command": self.command,
            "text": self.text,
            "syntax": self.rows,
        }

    @classmethod
    def of(cls, request: Request, budget: Budget) -> Block:
        """The block of a with."""
        command = request.command
        rows = encode(command)
        budget.spend(rows, command.at)
        name, text = sha256(canonical(rows)), print_program(command)
        return cls(request.principal, request.location, name, text, rows, command.at)

    @classmethod
    def read(cls, data: Any) -> Block:  # noqa: ANN401
        """The block of such data, whose hash and text are made anew; raises `NotSyntax`."""
        try:
            node, location, rows = data["node"], data["location"], data["syntax"]
            said = (data["command"], data["text"])
        except (KeyError, TypeError) as error:
            raise NotSyntax(f"a block lacks {error}") from None
        if not (isinstance(node, str) and isinstance(location, str)):
            raise NotSyntax("node and location of a block are texts")
        text = print_program(decode(rows))
        block = cls(node, location, sha256(canonical(rows)), text, rows)
        if (block.command, block.text) != said:
            raise NotSyntax("the text of a block is not that of its command")
        return block


@dataclass(frozen=True, slots=True)
class Need:
    """What one node is asked: its blocks, what is read and written of its variables, the
    values that they would have and had before, and the merges that they would get."""

    node: str
    blocks: tuple[Block, ...]
    reads: tuple[str, ...]
    effect: Mapping[str, str]
    """Key to value, as the store keeps values."""
    before: Mapping[str, str | None] = field(default_factory=dict)
    """The values that are replaced; none for a variable that is new."""
    merges: Mapping[str, Merge] = field(default_factory=dict)
    """Merges that are not those from before."""

    @property
    def writes(self) -> tuple[str, ...]:
        """The keys that would be written."""
        return tuple(sorted(self.effect))

    @property
    def effect_hash(self) -> str:
        """The hash of the effect."""
        return effect_hash({key: json.loads(value) for key, value in self.effect.items()})

    @property
    def pairs(self) -> list[list[str]]:
        """Location and hash of every block, as they are signed."""
        return pairs_of((block.location, block.command) for block in self.blocks)


def pairs_of(pairs: Iterable[tuple[str, str]]) -> list[list[str]]:
    """Location and hash of every block, each once."""
    return [list(pair) for pair in sorted(set(pairs))]


def effect_hash(effect: Mapping[str, Any]) -> str:
    """The hash of values by key."""
    return sha256(canonical(effect))


BlocksFor: TypeAlias = Callable[[Collection[str]], list[Block]]
"""The blocks that count, where variables of these nodes were read."""


class Obliging:
    """An endorser who says yes for now and writes down what will have to be asked.

    Nobody is asked for a world that is only tried.  But what was learnt in it is learnt: if
    something that lasts depends on a variable of a node, all blocks of that node count,
    wherever they ran.
    """

    def __init__(self) -> None:
        self.requests: list[Request] = []

    def endorses(self, request: Request) -> bool:
        """Yes, subject to a commit."""
        self.requests.append(request)
        return True

    def of_program(self, committed: frozenset[Span]) -> BlocksFor:
        """The blocks that ran outside worlds, or in worlds that the program committed."""

        def blocks(read: Collection[str]) -> list[Block]:
            return _blocks(
                r for r in self.requests if r.principal in read or set(_hyps(r.inside)) <= committed
            )

        return blocks

    def of_world(self, at: Span, committed: frozenset[Span]) -> BlocksFor:
        """The blocks around a hyp, and those inside that count in it."""

        def counts(request: Request) -> bool:
            hyps = _hyps(request.inside)
            if at in hyps:
                return set(hyps[: hyps.index(at)]) <= committed
            around = request.command.at
            return around.source is at.source and around.start <= at.start <= at.end <= around.end

        def blocks(read: Collection[str]) -> list[Block]:
            return _blocks(r for r in self.requests if r.principal in read or counts(r))

        return blocks


def _hyps(inside: Inside | None) -> list[Span]:
    """The hyps around a command, from inside out."""
    found = []
    while inside is not None:
        found.append(inside.hyp)
        inside = inside.outer
    return found


def _blocks(requests: Iterable[Request]) -> list[Block]:
    """The blocks; one that stands in another of the same node and location is covered by it."""
    budget = Budget()
    last: dict[tuple[str, str], Span] = {}
    found: dict[Block, None] = {}
    for request in requests:
        key, at = (request.principal, request.location), request.command.at
        outer = last.get(key)
        if outer is None or not (outer.start <= at.start and at.end <= outer.end):
            last[key] = at
            found[Block.of(request, budget)] = None
    return list(found)


def nodes_of(keys: Iterable[str]) -> set[str]:
    """The nodes whose variables these are."""
    return {place_at(key).node for key in keys}


def needs_of(
    blocks: Iterable[Block],
    reads: Iterable[str],
    writes: Mapping[str, str],
    before: Mapping[str, str | None],
    merges: Mapping[str, Merge],
) -> list[Need]:
    """What each node is asked, in alphabetical order."""
    by_node: dict[str, list[Block]] = {}
    for block in blocks:
        by_node.setdefault(block.node, []).append(block)
    owner = {key: place_at(key).node for key in (*reads, *writes)}
    return [
        Need(
            node,
            tuple(by_node[node]),
            tuple(sorted(key for key in reads if owner[key] == node)),
            {key: value for key, value in writes.items() if owner[key] == node},
            {key: before[key] for key in writes if owner[key] == node},
            {key: merge for key, merge in merges.items() if owner[key] == node},
        )
        for node in sorted(by_node)
    ]
