"""What a catalog with guesses tells as known, compared with real Puppet's.

With ``--on-unknown opaque`` a value that hangs on something unknown is opaque, and a resource
that is there only by a guess is marked.  Everything else is told as a fact, and must be one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from peers.catalogs import same

Document = dict[str, Any]


@dataclass
class Told:
    """How much was told as known, how much was not, and what of it is wrong."""

    plain: Counter[str] = field(default_factory=Counter)
    opaque: Counter[str] = field(default_factory=Counter)
    wrong: list[tuple[str, str, str, str]] = field(default_factory=list)

    def compare(self, name: str, real: Document, own: Document) -> None:
        """Adds the comparison of two catalogs."""
        for kind, what, known, fault in _pieces(real, own):
            (self.plain if known else self.opaque)[kind] += 1
            if fault is not None and (known or kind == "part"):
                self.wrong.append((name, kind, what, fault))


def _pieces(real: Document, own: Document) -> Iterator[tuple[str, str, bool, str | None]]:
    """Every piece of a catalog: its kind, its name, whether it is told as known, its fault."""
    theirs, ours = _by_ref(real), _by_ref(own)
    more = own.get("unknown", {}).get("resources", {})
    for ref, mine in ours.items():
        marks = mine.get("unknown", {})
        other = theirs.get(ref)
        known = "existence" not in marks
        yield "resource", ref, known, None if other is not None else "is not there"
        if other is not None:
            yield from _resource(ref, other, mine, marks, known)
        else:
            for key, value in mine.get("parameters", {}).items():
                yield "parameter", f"{ref}.{key}", not holds_opaque(value), "is not there"
    for ref, other in theirs.items():
        if ref not in ours:
            yield "resource", ref, "*" not in more and other["type"] not in more, "is missing"
    yield from _edges(real, own, theirs, ours)


def _resource(
    ref: str, real: Document, own: Document, marks: Document, known: bool
) -> Iterator[tuple[str, str, bool, str | None]]:
    for key in ("kind", "file", "line", "exported"):
        if real.get(key) != own.get(key):
            sure = known and "declaration" not in marks
            yield "resource", ref, sure, f"{key} {own.get(key)!r} instead of {real.get(key)!r}"
    wrong = None if set(real["tags"]) == set(own["tags"]) else f"{own['tags']} for {real['tags']}"
    yield "tags", ref, known and "tags" not in marks, wrong
    given, got = real.get("parameters", {}), own.get("parameters", {})
    for key in {**given, **got}:
        if key not in got:
            sure = known and "parameters" not in marks
            yield "parameter", f"{ref}.{key}", sure, f"is missing: {given[key]!r}"
            continue
        fault = None
        plain = not holds_opaque(got[key])
        if key not in given or not (same if plain else _agrees)(given[key], got[key]):
            fault = f"{got[key]!r} instead of {given.get(key)!r}"
        # Of a value that is unknown in part the rest is told as known.
        known = plain or not is_opaque(got[key])
        yield "parameter" if plain or not known else "part", f"{ref}.{key}", plain, fault


def _edges(
    real: Document, own: Document, theirs: Document, ours: Document
) -> Iterator[tuple[str, str, bool, str | None]]:
    there = {(e["source"], e["target"]) for e in real["edges"]}
    here = {(e["source"], e["target"]): "unknown" not in e for e in own["edges"]}
    for edge, known in here.items():
        yield "edge", " → ".join(edge), known, None if edge in there else "is not there"
    for edge in there - here.keys():
        if all(end in ours for end in edge):
            marks = ours[edge[1]].get("unknown", {})
            yield "edge", " → ".join(edge), "containers" not in marks, "is missing"


def _agrees(real: Any, mine: Any) -> bool:
    """Whether a value is as told, where it is told."""
    if is_opaque(mine):
        return True
    if isinstance(mine, dict):
        if not isinstance(real, dict) or real.keys() != mine.keys():
            return False
        return all(_agrees(real[key], mine[key]) for key in mine)
    if isinstance(mine, list):
        return isinstance(real, list) and len(real) == len(mine) and all(map(_agrees, real, mine))
    return same(real, mine)


def is_opaque(value: Any) -> bool:
    """Whether a value is unknown as a whole."""
    return isinstance(value, dict) and value.get("__ptype") == "Headwater::Opaque"


def holds_opaque(value: Any) -> bool:
    """Whether a value is unknown, or something in it."""
    if isinstance(value, dict):
        return is_opaque(value) or any(map(holds_opaque, value.values()))
    return isinstance(value, list) and any(map(holds_opaque, value))


def _by_ref(document: Document) -> dict[str, Document]:
    return {f"{r['type']}[{r['title']}]": r for r in document["resources"]}
