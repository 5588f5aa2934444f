"""Composition: a <+> b = (Ka ∪ Kb, pointwise <+> on M, Ca ∪ Cb).

It is the join of a semilattice, hence Commutative, Associative, Idempotent, and has the
Identity undef: the four properties of the paper's §2 hold by construction.  Nothing is
resolved here: all candidates are kept until the output (trap 1).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from headwater.langs.firing import fire
from headwater.langs.l3.paper.domains import NO_PLACES, Origin, Places, V, measured

X = TypeVar("X")


def compose(a: V, b: V) -> V:
    """Composition"""
    fire("Composition")
    return join(a, b)


def join(a: V, b: V) -> V:
    """The least value that has everything of both."""
    K = dict(a.K)  # noqa: N806
    for candidate, origin in b.K.items():
        K[candidate] = _both(K[candidate], origin) if candidate in K else origin
    M = dict(a.M)  # noqa: N806
    for label, child in b.M.items():
        M[label] = join(M[label], child) if label in M else child
    return measured(V(K, M, places_union(a.C, b.C), a.S | b.S, a.B | b.B))


def _both(one: Origin, other: Origin) -> Origin:
    """Equal candidates are one candidate with all its origins."""
    return Origin(one.literals | other.literals, places_union(one.tags, other.tags))


def places_union(a: Mapping[X, Places], b: Mapping[X, Places]) -> Mapping[X, Places]:
    """Two maps to places, joined pointwise."""
    both = dict(a)
    for key, places in b.items():
        both[key] = both.get(key, NO_PLACES) | places
    return both
