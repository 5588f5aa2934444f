"""A `Verdict` is the outcome of one contest: which candidates won at a label, and why others lost.

Both engines reach verdicts on their own; what is made of a verdict (the trace, the
warnings) is the same for both.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from headwater.langs.l3.syntax import TagName
from headwater.langs.l3.values import BLOCK, Key, value_of
from headwater.tree import Address, Value
from headwater.why import Label, Loser, Node, Reason, Trace

MOST_SHOWN = 12
"""How many labels of a losing block are shown."""

SUB_BLOCK = "{…}"


@dataclass(frozen=True, slots=True)
class Candidate:
    """(v, T) with its origins: where the value and each of its tags are written."""

    key: Key
    tags: frozenset[TagName]
    literals: frozenset[Label]
    tag_labels: Mapping[TagName, frozenset[Label]]

    def all_tag_labels(self) -> frozenset[Label]:
        """Every place that gives it a tag."""
        return frozenset().union(*self.tag_labels.values())


@dataclass(frozen=True, slots=True)
class Lost:
    """A candidate that lost, the reason, and the inputs that decided."""

    candidate: Candidate
    reason: Reason
    by: frozenset[Label]
    next: bool
    """Whether it would win if the winner were not there."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """All candidates of a label, judged."""

    candidates: tuple[Candidate, ...]
    winners: tuple[Candidate, ...]
    """The candidates with the winning value that nothing beats."""
    survivors: tuple[Candidate, ...]
    """The winners and those tied with them."""
    lost: tuple[Lost, ...]
    constraints: frozenset[Label]
    """The constraints that could decide between the candidates."""

    @property
    def key(self) -> Key:
        """The winning value."""
        return self.winners[0].key

    @property
    def mixed(self) -> bool:
        """Whether blocks and primitive values meet."""
        return len({candidate.key == BLOCK for candidate in self.candidates}) == 2


@dataclass(frozen=True, slots=True)
class Clash:
    """Different final values at one label."""

    address: Address
    finals: tuple[Candidate, ...]


@dataclass(frozen=True, slots=True)
class Tie:
    """Different values at one label that nothing ranks.  `cycle` are the constraints of a
    cycle that ties them, if that is why."""

    address: Address
    survivors: tuple[Candidate, ...]
    cycle: frozenset[Label]


@dataclass(frozen=True, slots=True)
class Both:
    """A candidate that is tagged #default and #final."""

    address: Address
    candidate: Candidate


def first_level(children: Iterable[tuple[str, Key]]) -> Value:
    """A block as it is shown among masked values: a few labels, one level deep."""
    shown: dict[str, Value] = {}
    for label, key in children:
        if len(shown) == MOST_SHOWN:
            shown["…"] = SUB_BLOCK
            break
        shown[label] = SUB_BLOCK if key == BLOCK else value_of(key)
    return shown


def by_place(labels: Iterable[Label]) -> list[Label]:
    """Labels in the order of files and lines."""
    return sorted(labels, key=lambda label: label.order)


def union(trace: Trace, labels: Iterable[Label]) -> Node:
    """All these labels as causes."""
    return trace.union(
        *(trace.miss(x) if x.kind == "miss" else trace.label(x) for x in by_place(labels))
    )


def node_of(trace: Trace, verdict: Verdict, context: Node, block: Value) -> Node:
    """The trace of a verdict.  `context` is what the label itself depends on; `block` is the
    value to show for a block that lost.

    Where a block wins no other block is masked: blocks are merged, whichever of them win.
    """
    winning = by_place({label for c in verdict.winners for label in c.literals})
    deciding = trace.union(context, union(trace, own_causes(verdict)))
    losers = [
        (lost, literal)
        for lost in verdict.lost
        if lost.candidate.key != BLOCK or verdict.key != BLOCK
        for literal in by_place(lost.candidate.literals)
    ]
    places: dict[frozenset[Label], list[tuple[object, ...]]] = {}
    causes: dict[frozenset[Label], Node] = {}
    for lost, _ in losers:
        if lost.by not in causes:
            ordered = by_place(lost.by)
            places[lost.by] = [label.order for label in ordered]
            causes[lost.by] = trace.union(*map(trace.label, ordered))
    losers.sort(
        key=lambda pair: (
            not pair[0].next,
            pair[0].candidate.key,
            pair[1].order,
            pair[0].reason,
            places[pair[0].by],
        )
    )
    return trace.choice(
        trace.label(winning[0]),
        losers=[
            Loser(
                block if lost.candidate.key == BLOCK else value_of(lost.candidate.key),
                trace.label(literal),
                lost.reason,
                causes[lost.by],
            )
            for lost, literal in losers
        ],
        equals=[trace.label(label) for label in winning[1:]],
        deciding=deciding,
    )


def own_causes(verdict: Verdict) -> frozenset[Label]:
    """What the choice depends on: the survivors as written, all tags, the constraints."""
    return verdict.constraints.union(
        *(candidate.literals for candidate in verdict.survivors),
        *(candidate.all_tag_labels() for candidate in verdict.candidates),
    )
