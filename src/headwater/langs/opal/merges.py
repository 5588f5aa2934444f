"""The merges that have a name (an extension): three values in, one value or a refusal out.

All of them first look whether there is a conflict at all: a side that equals the
original gives way to the other, and equal sides agree.  So every preset satisfies
fast-forward, no-op and agreement; they differ in what they do about real conflicts.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal, TypeAlias

from headwater.langs.opal.values import NIL, Heap, SexpValue, elements

MOST_LIST = 2_000
"""`list3` compares lists of at most this many elements."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """The merge is one of the sides as it stands."""

    side: Literal["hyp", "curr"]


@dataclass(frozen=True, slots=True)
class Made:
    """The merge is a new value."""

    value: SexpValue


@dataclass(frozen=True, slots=True)
class Refused:
    """The merge is a conflict, and why."""

    reason: str


Merge: TypeAlias = Chosen | Made | Refused
Elements: TypeAlias = list[SexpValue]

HYP, CURR = Chosen("hyp"), Chosen("curr")


def merge_by(name: str, heap: Heap, o: SexpValue, h: SexpValue, c: SexpValue) -> Merge:
    """The merge of that name of original, hypothetical and current value."""
    if h is o:
        return CURR
    if c is o or c is h:
        return HYP
    return _CONFLICT[name](heap, o, h, c)


def _hyp(heap: Heap, o: SexpValue, h: SexpValue, c: SexpValue) -> Merge:
    return HYP


def _curr(heap: Heap, o: SexpValue, h: SexpValue, c: SexpValue) -> Merge:
    return CURR


def _refuse(heap: Heap, o: SexpValue, h: SexpValue, c: SexpValue) -> Merge:
    return Refused("both sides changed it")


def _set3(heap: Heap, o: SexpValue, h: SexpValue, c: SexpValue) -> Merge:
    """Additions and removals of both sides, in the current order, additions last."""
    lists = _lists(o, h, c)
    if lists is None:
        return Refused("not a set: it is no proper list")
    _, hyp, curr = lists
    in_orig, in_hyp, in_curr = ({id(x) for x in side} for side in lists)
    kept = [x for x in curr if id(x) in in_hyp or id(x) not in in_orig]
    added = [x for x in _once(hyp) if id(x) not in in_orig and id(x) not in in_curr]
    return Made(heap.list_of(kept + added))


def _list3(heap: Heap, o: SexpValue, h: SexpValue, c: SexpValue) -> Merge:
    """Both sides' edits of the list, refused where they touch the same or adjacent elements."""
    lists = _lists(o, h, c)
    if lists is None:
        return Refused("not a list: it does not end in ()")
    orig, hyp, curr = lists
    if max(len(orig), len(hyp), len(curr)) > MOST_LIST:
        return Refused(f"list3 compares lists of at most {MOST_LIST:,} elements")
    edits = sorted(
        [(*edit, 0) for edit in _edits(orig, hyp)] + [(*edit, 1) for edit in _edits(orig, curr)],
        key=lambda edit: (edit[0], edit[1]),
    )
    made: Elements = []
    at = 0
    last: tuple[int, int, Elements, int] | None = None
    for edit in edits:
        start, end, new, side = edit
        if last is not None and last[3] != side and start <= last[1]:
            if (start, end) == last[:2] and _same(new, last[2]):
                continue
            return Refused("both sides changed the same part of the list")
        made += orig[at:start] + new
        at, last = end, edit
    return Made(heap.list_of(made + orig[at:]))


def _edits(orig: Elements, side: Elements) -> list[tuple[int, int, Elements]]:
    """The stretches of the original that a side replaces, and by what."""
    matcher = SequenceMatcher(None, [id(x) for x in orig], [id(x) for x in side], autojunk=False)
    return [(i, j, side[k:m]) for tag, i, j, k, m in matcher.get_opcodes() if tag != "equal"]


def _map3(heap: Heap, o: SexpValue, h: SexpValue, c: SexpValue) -> Merge:
    """Lists of pairs (key . value), merged key by key; the first pair of a key counts."""
    maps = [_map(side) for side in (o, h, c)]
    orig, hyp, curr = maps
    if orig is None or hyp is None or curr is None:
        return Refused("not a map: it is no list of pairs")
    made: Elements = []
    for key in dict.fromkeys([*curr, *hyp]):
        before, one, other = orig.get(key), hyp.get(key), curr.get(key)
        if one is before:
            winner = other
        elif other is before or other is one:
            winner = one
        else:
            return Refused("both sides changed the same key")
        if winner is not None:
            made.append(winner)
    return Made(heap.list_of(made))


def _map(value: SexpValue) -> dict[int, SexpValue] | None:
    """Pairs by the identity of their key."""
    pairs = elements(value)
    if pairs is None:
        return None
    found: dict[int, SexpValue] = {}
    for pair in pairs:
        if pair.left is None:
            return None
        found.setdefault(id(pair.left), pair)
    return found


def _max(heap: Heap, o: SexpValue, h: SexpValue, c: SexpValue) -> Merge:
    return _by_size(h, c, larger=True)


def _min(heap: Heap, o: SexpValue, h: SexpValue, c: SexpValue) -> Merge:
    return _by_size(h, c, larger=False)


def _by_size(h: SexpValue, c: SexpValue, *, larger: bool) -> Merge:
    """By number: integers, or lists of empties, which count their elements."""
    one, other = _number(h), _number(c)
    if one is None or other is None or one[0] is not other[0]:
        return Refused("the two values are not numbers of one kind")
    return HYP if (one[1] > other[1]) == larger else CURR


def _number(value: SexpValue) -> tuple[type, int] | None:
    if isinstance(value.atom, int) and not isinstance(value.atom, bool):
        return int, value.atom
    parts = elements(value)
    if parts is None or any(part is not NIL for part in parts):
        return None
    return list, len(parts)


def _lists(*values: SexpValue) -> tuple[Elements, Elements, Elements] | None:
    o, h, c = (elements(value) for value in values)
    return None if o is None or h is None or c is None else (o, h, c)


def _once(values: Elements) -> Elements:
    return list({id(x): x for x in values}.values())


def _same(one: Elements, other: Elements) -> bool:
    return len(one) == len(other) and all(x is y for x, y in zip(one, other, strict=True))


_CONFLICT: dict[str, Callable[[Heap, SexpValue, SexpValue, SexpValue], Merge]] = {
    "hyp": _hyp,
    "curr": _curr,
    "refuse": _refuse,
    "set3": _set3,
    "list3": _list3,
    "map3": _map3,
    "max": _max,
    "min": _min,
}
