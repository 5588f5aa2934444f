"""Diagnostics made from verdicts: what both engines say about the same program is one text.

Values are listed in the order of values and places only among equals, so that a message
does not depend on the order of operands, files or labels.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from headwater.langs.l3 import codes
from headwater.langs.l3.syntax import DEFAULT, FINAL, Block, Reference
from headwater.langs.l3.values import BLOCK, Key, value_of
from headwater.langs.l3.verdict import Both, Candidate, Clash, Tie, by_place
from headwater.report import Diagnostic, Note, nearest
from headwater.tree import Address, show_address
from headwater.tree.json import compact
from headwater.why import Label

MOST_PLACES = 3
MOST_NOTES = 20
MOST_VALUES_TOLD = 20
"""So many values stand in a message; its labels have all of them."""


def unknown_name(reference: Reference, known: Iterable[str]) -> Diagnostic:
    """A name that no enclosing block and no file defines."""
    name = reference.path[0]
    close = nearest(name, known)
    what = f"nothing named {name} can be seen from here"
    return codes.UNKNOWN_NAME.at(
        reference.at, what=what, help=f"did you mean ${close}?" if close else None
    )


def unknown_label(
    reference: Reference, depth: int, known: Iterable[str], blocks: Iterable[Block]
) -> Diagnostic:
    """A projection to a label that the value does not have."""
    name = reference.path[depth]
    reached = show_address(reference.path[:depth])
    close = nearest(name, known)
    places = sorted({block.at for block in blocks}, key=lambda at: (at.source.name, at.start))
    return codes.UNKNOWN_NAME.at(
        reference.at,
        what=f"${reached} has no label {name}",
        labels=[Note("this block has none", at) for at in places[:MOST_NOTES]],
        help=f"did you mean {close}?" if close else None,
    )


def reference_cycle(cycle: Sequence[Reference]) -> Diagnostic:
    """References that lead back to where they began; the first is where it is reported."""
    first, rest = cycle[0], cycle[1:]
    names = list(dict.fromkeys(reference.at.text for reference in rest))
    through = f" through {', '.join(names[:5])}" if names else ""
    if len(names) > 5:
        through += f" and {len(names) - 5} more"
    notes = [Note("then here", reference.at) for reference in rest[:MOST_NOTES]]
    return codes.REFERENCE_CYCLE.at(first.at, name=first.at.text, through=through, labels=notes)


def clash_findings(clashes: Iterable[Clash]) -> list[Diagnostic]:
    """One error for each set of final values that meet somewhere."""
    found: list[Diagnostic] = []
    for addresses, group in _grouped((c.address, c.finals) for c in clashes):
        values = _listed(list(dict.fromkeys(show_key(c.key) for c in group)), " and ")
        place, *others = dict.fromkeys(n for c in group for n in _notes(c, "written here"))
        found.append(
            codes.FINAL_CLASH.at(
                place.at, address=show_places(addresses), values=values, labels=[place, *others]
            )
        )
    return found


def tie_findings(ties: Iterable[Tie], *, strict: bool) -> list[Diagnostic]:
    """One warning (an error if strict) for each set of candidates that are tied somewhere."""
    found: list[Diagnostic] = []
    cycles: dict[Address, frozenset[Label]] = {}
    given: list[tuple[Address, tuple[Candidate, ...]]] = []
    for tie in ties:
        cycles[tie.address] = tie.cycle
        given.append((tie.address, tie.survivors))
    for addresses, group in _grouped(given):
        shown = list(dict.fromkeys(show_key(c.key) for c in group))
        cycle = by_place(cycles[addresses[0]])
        notes = list(dict.fromkeys(n for c in group for n in _notes(c, "written here")))
        notes += [Note("part of a cycle of constraints", label.at) for label in cycle]
        found.append(
            codes.TIE.at(
                notes[0].at,
                severity="error" if strict else None,
                address=show_places(addresses),
                values=_listed(shown, " or "),
                taken="nothing ranks them" if strict else f"{shown[0]} is taken",
                cycle=", because constraints contradict each other" if cycle else "",
                labels=notes,
                help="tag one #default or #final, or tag them and rank the tags: #x > #y",
            )
        )
    return found


def both_findings(both: Iterable[Both]) -> list[Diagnostic]:
    """One warning for all values that the same places give both #default and #final."""
    given: dict[Address, tuple[frozenset[Label], frozenset[Label]]] = {}
    for one in both:
        labels = one.candidate.tag_labels
        finals, defaults = given.get(one.address, (frozenset(), frozenset()))
        given[one.address] = (finals | labels[FINAL], defaults | labels[DEFAULT])
    groups: dict[tuple[frozenset[Label], frozenset[Label]], list[Address]] = {}
    for address, tags in given.items():
        groups.setdefault(tags, []).append(address)
    found: list[tuple[tuple[str, ...], Diagnostic]] = []
    for (finals, defaults), addresses in groups.items():
        unique = sorted(addresses, key=address_order)
        what = show_places(unique) + (" is" if len(unique) == 1 else " are")
        final, default = by_place(finals)[0], by_place(defaults)[0]
        notes = (Note("#final is given here", final.at), Note("#default here", default.at))
        diagnostic = codes.FINAL_DEFAULT.at(final.at, what=what, labels=notes)
        found.append((address_order(unique[0]), diagnostic))
    return [d for _, d in sorted(found, key=lambda pair: (pair[0], pair[1].message))]


def _grouped(
    given: Iterable[tuple[Address, tuple[Candidate, ...]]],
) -> list[tuple[list[Address], list[Candidate]]]:
    """Contests over the same written values together; candidates in the order of values."""
    groups: dict[frozenset[Label], list[tuple[Address, tuple[Candidate, ...]]]] = {}
    for address, candidates in given:
        key = frozenset(label for c in candidates for label in c.literals)
        groups.setdefault(key, []).append((address, candidates))
    found: list[tuple[list[Address], list[Candidate]]] = []
    for group in groups.values():
        group.sort(key=lambda contest: address_order(contest[0]))
        candidates = group[0][1]
        found.append(([a for a, _ in group], sorted(candidates, key=_candidate_order)))
    return found


def address_order(address: Address) -> tuple[str, ...]:
    """Addresses in the order of the output."""
    return tuple(str(part) for part in address)


def _candidate_order(candidate: Candidate) -> tuple[object, ...]:
    tags = sorted(tag for tag in candidate.tags if isinstance(tag, str))
    return (candidate.key, [label.order for label in by_place(candidate.literals)], tags)


def _notes(candidate: Candidate, verb: str) -> list[Note]:
    """Where a candidate is written, and with which tags."""
    tags = sorted(tag for tag in candidate.tags if isinstance(tag, str))
    with_tags = f" with {' '.join('#' + tag for tag in tags)}" if tags else ""
    text = f"{show_key(candidate.key)} {verb}{with_tags}"
    return [Note(text, label.at) for label in by_place(candidate.literals)]


def _listed(shown: Sequence[str], word: str) -> str:
    """Values in a sentence; of very many a few, and how many more."""
    if len(shown) <= MOST_VALUES_TOLD:
        return word.join(shown)
    return f"{word.join(shown[:MOST_VALUES_TOLD])}{word}{len(shown) - MOST_VALUES_TOLD:,} more"


def show_places(addresses: Sequence[Address]) -> str:
    """A few addresses, and how many more."""
    shown = ", ".join(show_address(address) for address in addresses[:MOST_PLACES])
    more = len(addresses) - MOST_PLACES
    return f"{shown} and {more} more" if more > 0 else shown


def show_key(key: Key) -> str:
    """A candidate's value on one line."""
    if key == BLOCK:
        return "a block"
    text = compact(value_of(key)) if key[0] else "none"
    return text if len(text) <= 60 else text[:57] + "…"
