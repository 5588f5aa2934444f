"""Operations on references: Definitions 7 to 11."""

from __future__ import annotations

from headwater.langs.firing import fire
from headwater.langs.smartfrog.paper.domains import EMPTY_REF, Ref


def concat(r1: Ref | str, r2: Ref | str) -> Ref:
    """Definition 7, r1 ⊕ r2: one after the other; an identifier counts as a reference."""
    fire("Definition 7")
    left = (r1,) if isinstance(r1, str) else r1
    right = (r2,) if isinstance(r2, str) else r2
    return left + right


def remove_prefix(r1: Ref, r2: Ref) -> Ref:
    """Definition 8, r1 ⊖ r2: r1 without the prefix it has in common with r2."""
    fire("Definition 8")
    match r1, r2:
        case (), _:
            return EMPTY_REF
        case r, ():
            return r
        case (id1, *rest1), (id2, *rest2) if id1 == id2:
            return remove_prefix(tuple(rest1), tuple(rest2))
        case _:
            return r1


def equal(r1: Ref, r2: Ref) -> bool:
    """Definition 9, r1 ≡ r2: the same identifiers in the same order."""
    fire("Definition 9")
    match r1, r2:
        case (), ():
            return True
        case ((), _) | (_, ()):
            return False
        case _:
            return r1[0] == r2[0] and equal(r1[1:], r2[1:])


def is_prefix(r1: Ref, r2: Ref) -> bool:
    """Definition 10, r1 ⊆R r2: r2 begins with r1."""
    fire("Definition 10")
    return remove_prefix(r1, r2) == EMPTY_REF


def is_strict_prefix(r1: Ref, r2: Ref) -> bool:
    """Definition 10, r1 ⊂R r2: r2 begins with r1 and goes on."""
    return is_prefix(r1, r2) and not equal(r1, r2)


def prefix(r: Ref) -> Ref:
    """Definition 11: the longest strict prefix; the root has itself."""
    fire("Definition 11")
    return r[:-1]
