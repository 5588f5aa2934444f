"""Who is affected by an edit: an index from what was read to the nodes that read it.

It is made of read sets that hold.  An edit can only change what was read under the paths that it
touches, so only those rows are looked at; whoever read one that is another thing afterwards is
affected, and everybody else is proved not to be.  Nodes that share a part of their read sets stand
in the index once.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence

import msgspec

from headwater.ask.request import BadRequest, Request, find_language
from headwater.fleet.catalogs import COMPILE
from headwater.fleet.config import BadRepository
from headwater.fleet.difference import requests_here
from headwater.fleet.edits import edited
from headwater.fleet.every import PORTION
from headwater.fleet.identity import Identities, Momentary
from headwater.fleet.kept import Kept
from headwater.fleet.overrides import with_facts
from headwater.fleet.readset import ReadSet, Row, holds
from headwater.fleet.sides import WORKING_TREE, Side
from headwater.fleet.whatif import EDITED, Supposed, facts_in
from headwater.text.moment import at_one_moment
from headwater.text.standin import Edits


class Readers:
    """Which nodes read what."""

    def __init__(self) -> None:
        self._groups: list[list[str]] = []
        """Nodes that have a shared part, or a row of their own, in common."""
        self._shares: dict[int, tuple[tuple[Row, ...], int]] = {}
        self._at: dict[str, dict[Row, list[int]]] = {}
        """By absolute path: what was read there, and by which groups."""
        self._absolute: dict[str, str] = {}

    def add(self, node: str, reads: ReadSet) -> None:
        """A node, and what it read."""
        known = self._shares.get(id(reads.shared))
        if known is None:
            known = self._shares[id(reads.shared)] = (reads.shared, self._group(reads.shared))
        self._groups[known[1]].append(node)
        self._groups[self._group(reads.own)].append(node)

    def _group(self, rows: Sequence[Row]) -> int:
        number = len(self._groups)
        self._groups.append([])
        for row in rows:
            path = self._absolute.get(row.path)
            if path is None:
                path = self._absolute[row.path] = os.path.abspath(row.path)
            self._at.setdefault(path, {}).setdefault(row, []).append(number)
        return number

    def affected(self, touched: Iterable[str], after: Identities) -> set[str]:
        """The nodes that read something that is another thing in `after`.

        Nothing but what lies under the paths that are touched may be.
        """
        found: set[int] = set()
        for path in touched:
            for row, groups in self._at.get(path, {}).items():
                if not holds(row, after):
                    found.update(groups)
        return {node for number in found for node in self._groups[number]}


def touched_by(edits: Mapping[str, bytes | None]) -> set[str]:
    """The absolute paths at which edits change anything: files, and the folders around them."""
    found: set[str] = set()
    for file in edits:
        for path in {os.path.abspath(file), os.path.realpath(file)}:
            while path not in found:
                found.add(path)
                path = os.path.dirname(path)
    return found


class Who(msgspec.Struct, frozen=True):
    """Who is affected by edits, who is not, and of whom nothing is known."""

    affected: tuple[str, ...]
    unaffected: tuple[str, ...]
    unknown: tuple[str, ...]
    """Nodes that were not compiled since something they read has changed."""


def known_readers(
    kept: Kept, requests: Mapping[str, Request], language: object
) -> tuple[Readers, set[str]]:
    """The index of the nodes whose results are kept and good, and who they are."""
    readers, nodes = Readers(), [*requests]
    known: set[str] = set()
    files = Momentary(Side(WORKING_TREE), language)
    with at_one_moment():
        for start in range(0, len(nodes), PORTION):
            some = nodes[start : start + PORTION]
            keys = {key: node for node in some if (key := COMPILE.key(requests[node]))}
            for key, found in kept.find([*keys], files.now()).items():
                readers.add(keys[key], found.reads)
                known.add(keys[key])
    return readers, known


def who_is_affected(supposed: Supposed, request: Request, kept: Kept | None) -> Who:
    """Who would be affected by edits, as far as that is known without compiling anything.

    Raises `BadRequest`, `BadRepository`.
    """
    requests = requests_here(request, None)
    if not requests or kept is None:
        raise BadRequest("the repository has no nodes, or nothing can be kept for it")
    language = find_language(next(iter(requests.values())))
    readers, known = known_readers(kept, requests, language)
    edits = edited(supposed.edits, language).files
    side = Side(EDITED, Edits(edits))
    side = with_facts(side, requests, facts_in(supposed.facts), language)
    touched = touched_by(edits)
    if supposed.facts:
        touched |= {
            os.path.abspath(str(one.inputs["facts_file"]))
            for one in requests.values()
            if "facts_file" in one.inputs
        }
    hit = readers.affected(touched, Identities(side, language))
    with side.here():
        after = requests_here(request, None)
    hit |= {node for node in known if after.get(node) != requests[node]}
    return Who(
        tuple(sorted(hit)), tuple(sorted(known - hit)), tuple(sorted(requests.keys() - known))
    )


__all__ = ["BadRepository", "Readers", "Who", "known_readers", "touched_by", "who_is_affected"]
