"""The inputs of a value sorted for a reader: what it is made of, what decided it, what is missing.

A value of a real program depends on dozens of inputs.  A reader wants those first whose text is in
the value, then what was asked outside of the program (facts, arguments, data), and of the rest no
more than how many conditions stand in which file, and how many places could have had another say.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from headwater.text import Source
from headwater.why import Label

ASKED = frozenset(["fact", "hiera", "argument", "query", "file", "unknown"])
"""Kinds of inputs that lie outside of the program's text: each is worth a line of its own."""

CONDITIONS = frozenset(["literal", "operation", "reference", "definition"])
"""Kinds that conditions and declarations of a program are made of."""

MOST_APART = 2
"""So many conditions of one file are listed; more are counted."""


@dataclass(frozen=True, slots=True)
class Group:
    """Inputs that are told in one line: how many, what they are, and where they lie."""

    labels: tuple[Label, ...]
    what: str
    """``conditions in profile::base``, or ``places have no ntp::servers``."""
    where: tuple[Source, ...]


@dataclass(frozen=True, slots=True)
class Inputs:
    """The inputs of a value: `made_of` their texts, decided by the other `listed` and `groups`."""

    made_of: tuple[Label, ...]
    listed: tuple[Label, ...]
    groups: tuple[Group, ...]


def grouped(
    depends: Iterable[Label], made_of: Iterable[Label], named: Callable[[Source], str]
) -> Inputs:
    """Inputs in groups; `named` says what people call the part of a program that a file is."""
    depends = list(depends)
    own = set(made_of)
    first = tuple(label for label in depends if label in own)
    rest = [label for label in depends if label not in own]
    listed = [label for label in rest if label.kind in ASKED]
    missing: dict[str, list[Label]] = {}
    conditions: dict[Source, list[Label]] = {}
    for label in rest:
        if label.kind == "miss":
            missing.setdefault(label.text, []).append(label)
        elif label.kind not in ASKED:
            conditions.setdefault(label.at.source, []).append(label)
    groups: list[Group] = []
    for source, labels in conditions.items():
        if len(labels) <= MOST_APART:
            listed += labels
        else:
            deciding = all(label.kind in CONDITIONS for label in labels)
            what = f"{'conditions' if deciding else 'inputs'} in {named(source)}"
            groups.append(Group(tuple(labels), what, (source,)))
    for text, labels in missing.items():
        what = f"{'places have' if len(labels) != 1 else 'place has'} no {text}"
        where = dict.fromkeys(label.at.source for label in labels)
        groups.append(Group(tuple(labels), what, tuple(where)))
    groups.sort(key=lambda group: -len(group.labels))
    return Inputs(first, tuple(listed), tuple(groups))
