"""The semantic domain: a value V = (K, M, C).

K  candidates (v, T): a primitive or the marker BLOCK, and a set of tags
M  a finite map from labels to values
C  ordered pairs of tags (hi, lo)

Each element carries the labels of the inputs that put it there, and V carries two things
more that matter to provenance only: `S`, what the value came through (keys, references,
misses, ``undef``), and `B`, the block literals it is made of, each of which could define
one label more.  Without them this is the domain of `l3.md` §4.3 exactly.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from headwater.langs.l3.syntax import Block, TagName
from headwater.langs.l3.values import Key
from headwater.report import Diagnostic
from headwater.why import Label

Tags: TypeAlias = frozenset[TagName]
Places: TypeAlias = frozenset[Label]

NO_TAGS: Tags = frozenset()
NO_PLACES: Places = frozenset()


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a candidate is written, and where each of its tags is."""

    literals: Places
    tags: Mapping[TagName, Places] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class V:
    """A value that is not resolved yet.  `size` and `depth` bound what references build."""

    K: Mapping[tuple[Key, Tags], Origin] = field(default_factory=dict)
    M: Mapping[str, V] = field(default_factory=dict)
    C: Mapping[tuple[TagName, TagName], Places] = field(default_factory=dict)
    S: Places = NO_PLACES
    B: frozenset[Block] = frozenset()
    size: int = 1
    depth: int = 0


UNDEF = V()
"""``undef``: the identity of composition."""


@dataclass(frozen=True, slots=True)
class Stuck:
    """No rule applies: what is wrong with the program."""

    diagnostics: tuple[Diagnostic, ...]


def measured(value: V) -> V:
    """The same value with its size and depth."""
    size = 1 + len(value.K)
    depth = 0
    for child in value.M.values():
        size += child.size
        depth = max(depth, child.depth + 1)
    return V(value.K, value.M, value.C, value.S, value.B, size, depth)
