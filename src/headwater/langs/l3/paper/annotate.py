"""Annotations.

Tag             V #t: t is added to every candidate in V, recursively
Constraint      V #x > #y: (x, y) is added to C of V's top node; it holds for everything below
Specialisation  a +> b = (a #_La <+> b #_Lb) #_Lb > #_La, the labels fresh for each +>

The paper prints ``( b #_L1 <+> a #_L2 ) #_L2 > #_L1``, which makes the left operand win;
its §1.1 and §1.2 say that the rightmost takes precedence, and that is what is done here.
"""

from __future__ import annotations

from headwater.langs.firing import fire
from headwater.langs.l3.labels import operator_label
from headwater.langs.l3.paper.compose import join, places_union
from headwater.langs.l3.paper.domains import NO_PLACES, Origin, Places, Tags, V, measured
from headwater.langs.l3.syntax import Anonymous, TagName
from headwater.langs.l3.values import Key
from headwater.text import Span


def tag(value: V, t: TagName, because: Places) -> V:
    """Tag"""
    fire("Tag")
    return _push_down(value, t, because)


def _push_down(value: V, t: TagName, because: Places) -> V:
    K: dict[tuple[Key, Tags], Origin] = {}  # noqa: N806
    for (v, T), origin in value.K.items():  # noqa: N806
        tags = {**origin.tags, t: origin.tags.get(t, NO_PLACES) | because}
        tagged = (v, T | {t})
        made = Origin(origin.literals, tags)
        if tagged in K:
            made = Origin(
                K[tagged].literals | made.literals, places_union(K[tagged].tags, made.tags)
            )
        K[tagged] = made
    M = {}  # noqa: N806
    for label, child in value.M.items():
        M[label] = _push_down(child, t, because)
    return measured(V(K, M, value.C, value.S, value.B))


def constrain(value: V, hi: TagName, lo: TagName, because: Places) -> V:
    """Constraint"""
    fire("Constraint")
    stated: dict[tuple[TagName, TagName], Places] = {(hi, lo): because}
    C = places_union(value.C, stated)  # noqa: N806
    return V(value.K, value.M, C, value.S, value.B, value.size, value.depth)


def specialise(a: V, b: V, operator: Span) -> V:
    """Specialisation"""
    fire("Specialisation")
    left, right = Anonymous(operator, right=False), Anonymous(operator, right=True)
    both = join(_push_down(a, left, NO_PLACES), _push_down(b, right, NO_PLACES))
    stated: dict[tuple[TagName, TagName], Places] = {
        (right, left): frozenset({operator_label(operator)})
    }
    C = places_union(both.C, stated)  # noqa: N806
    return V(both.K, both.M, C, both.S, both.B, both.size, both.depth)
