"""Resolution: which candidate a label's value is taken from.

Absent            no candidate: the label has no value and is not put out
Final             if any candidate is tagged final, all of these must have one value: it is taken
Default           otherwise candidates tagged default are dropped if others are left
Precedence        k beats k' if a tag of k reaches one of k' through the constraints; the
                  candidates in source components of "beats" stay (the undominated, if acyclic)
Arbitrary choice  of several values left the least is taken, never by place, and a tie reported

The constraints are those of the value and of every block it finally is in.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from headwater.langs.firing import fire
from headwater.langs.l3.paper.compose import places_union
from headwater.langs.l3.paper.domains import NO_PLACES, Places, V
from headwater.langs.l3.syntax import DEFAULT, FINAL, Anonymous, TagName, tag_order
from headwater.langs.l3.verdict import Candidate, Lost, Verdict
from headwater.why import Reason

Constraints = Mapping[tuple[TagName, TagName], Places]
"""C, each pair with the places that state it."""


def candidates(value: V) -> list[Candidate]:
    """K as a list, in the order of values."""
    found = [Candidate(v, T, origin.literals, origin.tags) for (v, T), origin in value.K.items()]
    return sorted(found, key=lambda c: c.key)


def contest(K: list[Candidate], C: Constraints) -> Verdict | list[Candidate]:  # noqa: N803
    """The verdict over candidates, at least one; or the finals that clash."""
    winners, survivors, R = _pick(K, C)  # noqa: N806
    if not winners:
        return survivors
    if any(DEFAULT in c.tags for c in K) and all(DEFAULT not in c.tags for c in R):
        fire("Default")
    if len(survivors) < len(R):
        fire("Precedence")
    if len({c.key for c in survivors}) > 1:
        fire("Arbitrary choice")
    rest = [c for c in K if c not in winners]
    after = _pick(rest, C)[0] if rest else []
    lost = [Lost(c, *_reason(c, winners, survivors, R, C), next=c in after) for c in rest]
    finals = any(FINAL in c.tags for c in K)
    constraints = NO_PLACES if finals else _relevant(R, C)
    return Verdict(tuple(K), tuple(winners), tuple(survivors), tuple(lost), constraints)


def _pick(
    K: list[Candidate],  # noqa: N803
    C: Constraints,  # noqa: N803
) -> tuple[list[Candidate], list[Candidate], list[Candidate]]:
    """Winners, survivors, and the class R they were chosen from; no winner if finals clash."""
    F = [c for c in K if FINAL in c.tags]  # noqa: N806
    if F:
        fire("Final")
        return (F if len({c.key for c in F}) == 1 else []), F, F
    R = [c for c in K if DEFAULT not in c.tags] or K  # noqa: N806
    survivors = undominated(R, C)
    least = min(c.key for c in survivors)
    return [c for c in survivors if c.key == least], survivors, R


def undominated(R: list[Candidate], C: Constraints) -> list[Candidate]:  # noqa: N803
    """The candidates in source components of "beats"."""
    above = closure(C)
    under = [{lo for hi, lo in above if hi in k.tags} for k in R]
    beats = {
        (i, j)
        for i in range(len(R))
        for j, k_ in enumerate(R)
        if i != j and not under[i].isdisjoint(k_.tags)
    }
    if not beats:
        return R
    reaches = closure(beats)
    return [
        k
        for i, k in enumerate(R)
        if all((i, j) in reaches for j in range(len(R)) if (j, i) in reaches)
    ]


def closure(pairs: Iterable[tuple[object, object]]) -> set[tuple[object, object]]:
    """The transitive closure of a relation."""
    whole = set(pairs)
    while True:
        below: dict[object, list[object]] = {}
        for c, d in whole:
            below.setdefault(c, []).append(d)
        more = {(a, d) for a, b in whole for d in below.get(b, ())} - whole
        if not more:
            return whole
        whole |= more


def _reason(
    loser: Candidate,
    winners: list[Candidate],
    survivors: list[Candidate],
    R: list[Candidate],  # noqa: N803
    C: Constraints,  # noqa: N803
) -> tuple[Reason, Places]:
    """Why a candidate lost, and the inputs that say so."""
    if FINAL in winners[0].tags:
        return "final", NO_PLACES.union(*(c.tag_labels[FINAL] for c in winners))
    if loser not in R:
        return "default", loser.tag_labels[DEFAULT]
    if loser in survivors:
        return "tie", NO_PLACES.union(*(c.literals for c in winners))
    chain = _chain(loser, survivors, C) or _chain(loser, [c for c in R if c.tags != loser.tags], C)
    assert chain is not None
    return "constraint", chain


def _chain(loser: Candidate, others: list[Candidate], C: Constraints) -> Places | None:  # noqa: N803
    """The inputs of the shortest chain of constraints from a tag of the others to the loser's;
    of several the first by the order of tags."""
    starts = {t for c in others for t in c.tags}
    found: list[tuple[TagName, ...]] = []
    ways: list[tuple[TagName, ...]] = sorted(((t,) for t in starts), key=_way_order)
    while ways and not found:
        longer = [(*way, lo) for way in ways for hi, lo in C if hi == way[-1] and lo not in way[1:]]
        found = [way for way in longer if way[-1] in loser.tags]
        ways = _first_to_each_end(longer)
    if not found:
        return None
    way = min(found, key=_way_order)
    places = loser.tag_labels.get(way[-1], NO_PLACES)
    given = [p for c in others if way[0] in c.tags for p in c.tag_labels.get(way[0], ())]
    if not isinstance(way[0], Anonymous):
        places |= {min(given, key=lambda place: place.order)}
    for hi, lo in pairwise(way):
        places |= C[hi, lo]
    return places


def _way_order(way: tuple[TagName, ...]) -> list[tuple[int, str, int, bool]]:
    return [tag_order(t) for t in way]


def _first_to_each_end(ways: list[tuple[TagName, ...]]) -> list[tuple[TagName, ...]]:
    """Of the ways that end alike only the first by order can become the first of all."""
    best: dict[TagName, tuple[TagName, ...]] = {}
    for way in sorted(ways, key=_way_order):
        best.setdefault(way[-1], way)
    return list(best.values())


def _relevant(R: list[Candidate], C: Constraints) -> Places:  # noqa: N803
    """The constraints that could decide among R, also after a change of their tags.

    A written one: if two candidates carry written tags.  One of a +>: if both sides meet.
    """
    written = sum(any(isinstance(t, str) for t in c.tags) for c in R) > 1
    there = {t for c in R for t in c.tags}
    places = NO_PLACES
    for (hi, lo), stated in C.items():
        if (written and isinstance(hi, str)) or (
            isinstance(hi, Anonymous) and hi in there and lo in there
        ):
            places |= stated
    return places


def cycle_among(survivors: Sequence[Candidate], C: Constraints) -> Places:  # noqa: N803
    """The constraints by which survivors beat each other; there are some only in a cycle."""
    above = closure(C)
    places = NO_PLACES
    for (hi, lo), stated in C.items():
        from_ = {i for i, k in enumerate(survivors) if _meets(k.tags, hi, above, up=True)}
        to = {i for i, k in enumerate(survivors) if _meets(k.tags, lo, above, up=False)}
        if any(i != j for i in from_ for j in to):
            places |= stated
    return places


def _meets(
    tags: Iterable[TagName], end: TagName, above: set[tuple[object, object]], *, up: bool
) -> bool:
    return any(t == end or ((t, end) if up else (end, t)) in above for t in tags)


def inherited(above: Constraints, value: V) -> Constraints:
    """C↓ ∪ C(V)"""
    return places_union(above, value.C)
