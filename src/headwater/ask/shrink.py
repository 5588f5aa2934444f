"""Making a program smaller that compilers answer differently.

A smaller program is kept if the answers still differ in the same way: the same kinds of answers,
errors of the same class, and between results a difference in values or only in their order.  So a
program that both compilers accept stays one that both accept.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TypeAlias

from headwater.ask.compare import Comparison, Row
from headwater.ask.peers import Answer
from headwater.langs.generation import Generator
from headwater.langs.pieces import tidy
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
        return "result", "result", "order" if kinds == {"moved"} else "values"
    return way_alone(first), way_alone(other)


def way_alone(answer: Answer) -> str:
    """An answer up to values: its kind, or the class of an error."""
    if answer.kind != "error":
        return answer.kind
    return answer.code or str(answer.value).partition(":")[0]


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
    most = len(text)  # as long as much can be saved at once, more is not tried again
    while True:
        found = None
        for smaller in generator.smaller(text, dialect, most):
            if tried >= tries or time.monotonic() > until:
                return Shrunk(text, row, tried, False)
            tried += 1
            made = comparison.of_text(smaller, ending)
            if made.verdicts[name][0] == "agree":
                continue
            if way_of(made.answers[first], made.answers[name]) == wanted:
                found = smaller, made
                break
        if found is not None:
            most = len(text) - len(found[0])
            text, row = found
        elif most == len(text):
            neat = comparison.of_text(tidy(text), ending)
            if way_of(neat.answers[first], neat.answers[name]) == wanted:
                text, row = tidy(text), neat
            return Shrunk(text, row, tried, True)
        else:
            most = len(text)
