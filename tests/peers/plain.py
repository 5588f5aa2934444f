"""What a catalog with guesses tells as known, compared with a catalog without.

With ``--on-unknown opaque`` a value that hangs on something unknown is opaque, and what is
there only by a guess is marked.  Everything else is told as a fact, and must be one.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from peers.catalogs import same

Document = dict[str, Any]


class Piece(NamedTuple):
    """A piece of a catalog: what it hangs on if it is not told as known, and what is wrong."""

    kind: str
    name: str
    unknown: str | None
    fault: str | None

    @property
    def wrong(self) -> bool:
        """Whether it is told as known, and is not so."""
        return self.unknown is None and self.fault is not None


def pieces(real: Document, own: Document) -> Iterator[Piece]:
    """Resources, parameters, tags and edges of two catalogs; `own` is the one with guesses."""
    theirs, ours = _by_ref(real), _by_ref(own)
    more = own.get("unknown", {}).get("resources", {})
    for ref, mine in ours.items():
        marks = mine.get("unknown", {})
        other = theirs.get(ref)
        existence = marks.get("existence")
        yield Piece("resource", ref, existence, None if other is not None else "is not there")
        if other is not None:
            yield from _resource(ref, other, mine, marks)
            continue
        for key, value in mine.get("parameters", {}).items():
            yield Piece("parameter", f"{ref}.{key}", opaque_in(value), "is not there")
    for ref, other in theirs.items():
        if ref not in ours:
            why = more.get("*") or more.get(other["type"])
            yield Piece("resource", ref, why, "is missing")
    yield from _edges(real, own, ours)


def _resource(ref: str, real: Document, own: Document, marks: Document) -> Iterator[Piece]:
    existence = marks.get("existence")
    for key in ("kind", "file", "line", "exported"):
        if real.get(key) != own.get(key):
            fault = f"{key} {own.get(key)!r} instead of {real.get(key)!r}"
            yield Piece("resource", ref, existence or marks.get("declaration"), fault)
    wrong = None if set(real["tags"]) == set(own["tags"]) else f"{own['tags']} for {real['tags']}"
    yield Piece("tags", ref, existence or marks.get("tags"), wrong)
    given, got = real.get("parameters", {}), own.get("parameters", {})
    for key in {**given, **got}:
        name = f"{ref}.{key}"
        if key not in got:
            why = existence or marks.get("parameters")
            yield Piece("parameter", name, why, f"is missing: {given[key]!r}")
            continue
        # Of a value that is unknown in part the rest is told as known.
        agree = is_opaque(got[key]) or (key in given and _agree(given[key], got[key]))
        fault = None if agree else f"{got[key]!r} instead of {given.get(key)!r}"  # type: ignore[assignment]
        yield Piece("parameter", name, opaque_in(got[key]) if agree else None, fault)


def _edges(real: Document, own: Document, ours: Document) -> Iterator[Piece]:
    there = {(e["source"], e["target"]) for e in real["edges"]}
    here = {(e["source"], e["target"]): e.get("unknown") for e in own["edges"]}
    for edge, why in here.items():
        yield Piece("edge", " → ".join(edge), why, None if edge in there else "is not there")
    for edge in there - here.keys():
        if all(end in ours for end in edge):
            why = ours[edge[1]].get("unknown", {}).get("containers")
            yield Piece("edge", " → ".join(edge), why, "is missing")


def _agree(real: object, mine: object) -> bool:
    """Whether a value is as told, where it is told."""
    if is_opaque(mine):
        return True
    if isinstance(mine, dict):
        if not isinstance(real, dict) or real.keys() != mine.keys():
            return False
        return all(_agree(real[key], mine[key]) for key in mine)
    if isinstance(mine, list):
        return isinstance(real, list) and len(real) == len(mine) and all(map(_agree, real, mine))
    return same(real, mine)


def is_opaque(value: object) -> bool:
    """Whether a value is unknown as a whole."""
    return isinstance(value, dict) and value.get("__ptype") == "Headwater::Opaque"


def opaque_in(value: Any) -> str | None:  # noqa: ANN401
    """What a value is unknown by, as a whole or in part."""
    if is_opaque(value):
        return str(value["__pvalue"])
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        return next((why for why in map(opaque_in, value) if why is not None), None)
    return None


def _by_ref(document: Document) -> dict[str, Document]:
    return {f"{r['type']}[{r['title']}]": r for r in document["resources"]}
