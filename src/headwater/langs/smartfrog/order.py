"""The order-change warning of §10.4.

A `Listing` is the order in which one prototype of a component (a block or a named one)
writes its attributes.  When the component comes out with two of them the other way round,
that is worth a warning: an attribute keeps the place where it was first set.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import pairwise

from headwater.langs.smartfrog import codes
from headwater.langs.smartfrog.syntax import Assignment, Body
from headwater.report import Diagnostic, Note
from headwater.text import Span

FIRST_SET = "fixed when it was first set"
MOVED = "changed by an order constraint"
"""What decides the place of an attribute."""


@dataclass(frozen=True, slots=True)
class Listing:
    """What a prototype of a component lists, in its own order, each name with its place."""

    name: str
    at: Span
    ids: tuple[tuple[str, Span], ...]


BLOCK = "this block"


def listing_of_body(body: Body) -> Listing:
    """The order of a block's own attributes; placements into inner components do not count."""
    ids: dict[str, Span] = {}
    for statement in body.statements:
        if isinstance(statement, Assignment) and len(statement.target.parts) == 1:
            ids.setdefault(statement.target.parts[0], statement.target.at)
    return Listing(BLOCK, body.at.at_start(), tuple(ids.items()))


@dataclass(frozen=True, slots=True)
class OrderChange:
    """`listing` has `first` before `second`; `placed` says why they come out the other way."""

    listing: Listing
    first: tuple[str, Span]
    second: tuple[str, Span]
    placed: tuple[Note, ...]

    def diagnostic(self, *, strict: bool) -> Diagnostic:
        """The warning, or with `strict` the error."""
        (one, one_at), (two, two_at) = self.first, self.second
        at = two_at if self.listing.name == BLOCK else self.listing.at
        labels = [Note(f"{one} is listed first here", one_at)]
        if at != two_at:
            labels.append(Note(f"then {two}", two_at))
        labels += [Note(f"{two}: {note.message}", note.at) for note in self.placed]
        return codes.ORDER_CHANGED.at(
            at,
            labels=labels,
            name=self.listing.name,
            first=one,
            second=two,
            severity="error" if strict else "warning",
        )


def order_change(
    listing: Listing,
    order: Iterable[str],
    placed: Callable[[str], tuple[Note, ...]],
    asked_for: Callable[[str, str], bool] = lambda before, after: False,
    replaced: Callable[[str], bool] = lambda id: True,
) -> OrderChange | None:
    """The first two neighbours of a listing that the compiled order turns round.

    `placed` says what fixed the place of one.  A change that constraints ask for is none.  Only
    what `replaced` another can have come earlier: where nothing did, the order is not looked at.
    """
    if not any(replaced(id) for id, _ in listing.ids[1:]):
        return None
    rank = {id: number for number, id in enumerate(order)}
    ids = [entry for entry in listing.ids if entry[0] in rank]
    for one, two in pairwise(ids):
        if rank[two[0]] < rank[one[0]] and not asked_for(two[0], one[0]):
            return OrderChange(listing, one, two, placed(two[0]))
    return None
