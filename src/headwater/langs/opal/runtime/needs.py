"""What a commit needs: whose permission, for which blocks, and with what effect on them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from headwater.langs.opal.distribution import Request
from headwater.langs.opal.printer import print_program
from headwater.langs.opal.runtime.canonical import Budget, command_hash
from headwater.langs.opal.runtime.stored import place_at
from headwater.langs.opal.writes import Inside
from headwater.store.records import canonical, sha256
from headwater.text import NOWHERE, Span

LONGEST_TEXT = 2_000


@dataclass(frozen=True, slots=True)
class Block:
    """⟨n, ρ, c⟩: a block that runs with the permission of a node at a location."""

    node: str
    location: str
    command: str
    """The hash of its canonical form."""
    text: str
    """The block as people read it, cut if it is long."""
    at: Span = field(default=NOWHERE, compare=False, repr=False)

    def as_json(self) -> dict[str, str]:
        """As a world keeps it."""
        return {
            "node": self.node,
            "location": self.location,
            "command": self.command,
            "text": self.text,
        }

    @classmethod
    def of(cls, request: Request, budget: Budget) -> Block:
        """The block of a with."""
        command = request.command
        text = print_program(command, most=LONGEST_TEXT)
        name = command_hash(command, budget)
        return cls(request.principal, request.location, name, text, command.at)


@dataclass(frozen=True, slots=True)
class Need:
    """What one node is asked: its blocks, what is read and written of its variables, and
    the values that they would have."""

    node: str
    blocks: tuple[Block, ...]
    reads: tuple[str, ...]
    effect: Mapping[str, str]
    """Key to value, as the store keeps values."""

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
        return [list(pair) for pair in sorted({(b.location, b.command) for b in self.blocks})]


def effect_hash(effect: Mapping[str, Any]) -> str:
    """The hash of values by key."""
    return sha256(canonical(effect))


class Obliging:
    """An endorser who says yes for now and writes down what will have to be asked."""

    def __init__(self) -> None:
        self.requests: list[Request] = []

    def endorses(self, request: Request) -> bool:
        """Yes, subject to a commit."""
        self.requests.append(request)
        return True

    def of_program(self, committed: frozenset[Span]) -> list[Block]:
        """The blocks that ran outside worlds, or in worlds that the program committed."""
        return _blocks(r for r in self.requests if set(_hyps(r.inside)) <= committed)

    def of_world(self, at: Span, committed: frozenset[Span]) -> list[Block]:
        """The blocks around a hyp, and those inside that count in it."""
        found = []
        for request in self.requests:
            hyps = _hyps(request.inside)
            around = request.command.at
            if at in hyps:
                if set(hyps[: hyps.index(at)]) <= committed:
                    found.append(request)
            elif around.source is at.source and around.start <= at.start <= at.end <= around.end:
                found.append(request)
        return _blocks(found)


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


def needs_of(
    blocks: Iterable[Block], reads: Iterable[str], writes: Mapping[str, str]
) -> list[Need]:
    """What each node is asked, in alphabetical order."""
    by_node: dict[str, list[Block]] = {}
    for block in blocks:
        by_node.setdefault(block.node, []).append(block)
    reads = list(reads)
    return [
        Need(
            node,
            tuple(by_node[node]),
            tuple(sorted(key for key in reads if place_at(key).node == node)),
            {key: value for key, value in writes.items() if place_at(key).node == node},
        )
        for node in sorted(by_node)
    ]
