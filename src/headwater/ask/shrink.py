"""Making a program smaller that compilers answer differently.

A smaller program is kept if the answers still differ in the same way: the same kinds of answers,
errors of the same class, and between results the same kind of difference.  So a program that both
compilers accept stays one, and what is left is the difference that was found, not another one.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TypeAlias

from headwater.ask.compare import Comparison, Row
from headwater.ask.peers import Answer
from headwater.langs.generation import Generator
from headwater.tree import differences

MOST_TRIES, MOST_SECONDS = 2_000, 60.0

Way: TypeAlias = tuple[str, ...]
"""In which way two answers differ."""


@dataclass(frozen=True, slots=True)
class Shrunk:
    """The smallest program that was found, the answers to it, and what it took."""

    text: str
    row: Row
    tries: int
    finished: bool
    """Whether nothing smaller was left to try."""


def way_of(first: Answer, other: Answer) -> Way:
    """In which way answers differ, up to values."""
    if first.kind == other.kind == "result":
        kinds = {change.kind for change in differences(first.value, other.value)}
        return ("result", "result", *sorted(kinds)[:1])
    return tuple(
        f"{answer.kind} {answer.code or answer.value}" if answer.kind == "error" else answer.kind
        for answer in (first, other)
    )


def shrink(
    comparison: Comparison,
    generator: Generator,
    dialect: str,
    text: str,
    name: str,
    ending: str,
    *,
    tries: int = MOST_TRIES,
    seconds: float = MOST_SECONDS,
) -> Shrunk:
    """The smallest program in which a compiler still differs from the first in the same way."""
    first = comparison.compilers[0].name
    row = comparison.of_text(text, ending)
    wanted = way_of(row.answers[first], row.answers[name])
    until = time.monotonic() + seconds
    tried = 0
    better = True
    while better:
        better = False
        for smaller in generator.smaller(text, dialect):
            if tried >= tries or time.monotonic() > until:
                return Shrunk(text, row, tried, False)
            tried += 1
            made = comparison.of_text(smaller, ending)
            if made.verdicts[name][0] == "agree":
                continue
            if way_of(made.answers[first], made.answers[name]) == wanted:
                text, row, better = smaller, made, True
                break
    return Shrunk(text, row, tried, True)
